//! Tests of what a run reports of its machine: changes of speed, lost CPU time, switches.

use std::time::Duration;

use super::*;

#[test]
fn a_machine_that_changes_its_speed_is_spoken_of() {
    let gather = |references: &[u64]| {
        let mut gathered = Gathered::begin(None);
        for &reference_ns in references {
            let (cpu_ns, elapsed_ns) = (19, 20);
            let block =
                BlockNoise { floor_ns: 30, reference_ns, cpu_ns, elapsed_ns, ..BlockNoise::default() };
            gathered.add(&block);
        }
        gathered.end(None)
    };
    // One block in twenty may be slow.
    let mut references = vec![100; 99];
    references.push(900);
    let steady = gather(&references);
    assert_eq!((steady.speed_varied_percent(), steady.remarks()), (Some(0.0), vec![]));
    assert_eq!((steady.floor_ns, steady.cpu_used_percent), (Some(30.0), Some(95.0)));
    let varied = gather(&[100, 130, 160]);
    assert_eq!(varied.remarks(), ["the machine's speed varied by 60 % during this run"]);
    let nothing = gather(&[]);
    assert_eq!(
        (nothing.speed_varied_percent(), nothing.floor_ns, nothing.involuntary_switches),
        (None, None, None)
    );
}

#[test]
fn what_one_block_could_not_tell_the_run_does_not_tell() {
    let mut gathered = Gathered::begin(None);
    let block = |involuntary_switches| BlockNoise { involuntary_switches, ..BlockNoise::default() };
    gathered.add(&block(Some(2)));
    assert_eq!(gathered.switches, Some(2));
    gathered.add(&block(None));
    assert_eq!(gathered.switches, None);
}

#[test]
fn searches_that_waited_for_the_cpu_are_spoken_of() {
    let remarks =
        |cpu_used_percent| Noise { cpu_used_percent: Some(cpu_used_percent), ..Noise::default() }.remarks();
    assert_eq!(remarks(90.1), [""; 0]);
    let said = remarks(34.7);
    assert!(
        said.len() == 1 && said[0].starts_with("the searches had the CPU for 35 % of the time: "),
        "{said:?}"
    );
}

#[test]
fn repetitions_that_were_measured_again_are_counted_and_spoken_of() {
    let mut gathered = Gathered::begin(None);
    for measured_again in [0, 2, 1] {
        gathered.add(&BlockNoise { measured_again, ..BlockNoise::default() });
    }
    let noise = gathered.end(None);
    assert_eq!(noise.measured_again, Some(3));
    let said = noise.remarks();
    assert!(said.len() == 1 && said[0].starts_with("3 repetitions were measured again, "), "{said:?}");
    assert_eq!(Gathered::begin(None).end(None).measured_again, None, "nothing was measured");
}

#[test]
fn a_run_beside_another_is_told() {
    let noise = Noise { shared_cpu: Some(true), ..Noise::default() };
    assert_eq!(noise.remarks(), ["another run of assay measured on the same CPU"]);
}

#[test]
fn stolen_time_is_that_of_the_cpu() {
    let stat = "cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 4 5 6 7 80 9 10\n";
    assert_eq!([None, Some(1), Some(7)].map(|cpu| stolen_ticks(stat, cpu)), [Some(88), Some(80), None]);
}

#[test]
fn nothing_is_said_of_a_share_or_a_speed_that_was_not_measured() {
    let nothing = Gathered::begin(None).end(None);
    assert_eq!((nothing.cpu_used_percent, nothing.remarks()), (None, vec![]));
    let speed =
        |fast| Noise { reference_fast_ns: Some(fast), reference_slow_ns: Some(3), ..Noise::default() };
    assert_eq!([0, 2].map(|fast| speed(fast).speed_varied_percent()), [None, Some(50.0)]);
}

#[test]
fn counts_that_were_left_out_in_any_block_are_told_of_their_counter() {
    let mut gathered = Gathered::begin(None);
    let names = || ["x:a", "x:b"].into_iter().map(str::to_owned);
    let faults = |not_read| CountFaults { taken: 10, not_read, ..CountFaults::default() };
    gathered.add_counting(names(), &[faults(0), faults(1)], vec![]);
    let lost = LostBackend { backend: "x".into(), place: "reading".into(), fault: "it hung".into() };
    gathered.add_counting(names(), &[faults(0), faults(2)], vec![lost.clone()]);
    let noise = gathered.end(None);
    assert_eq!(noise.lost_backends, [lost]);
    let [left_out] = noise.left_out.as_slice() else { panic!("{:?}", noise.left_out) };
    assert_eq!((left_out.counter.as_str(), left_out.faults.taken, left_out.faults.not_read), ("x:b", 20, 3));
}

#[test]
fn a_cpu_has_its_own_governor_if_its_frequency_is_chosen() {
    let cpus = tempfile::tempdir().unwrap();
    let folder = cpus.path().join("cpu3/cpufreq");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scaling_governor"), "powersave\n").unwrap();
    assert_eq!([3, 2].map(|cpu| governor(cpus.path(), cpu)), [Some("powersave".to_owned()), None]);
}

#[test]
fn the_system_tells_its_load_and_what_was_stolen_in_milliseconds() {
    let told = || fs::read_to_string("/proc/loadavg").unwrap().split(' ').next().unwrap().parse().ok();
    let (before, load, after) = (told(), load(), told());
    assert!(load.is_some() && [before, after].contains(&load), "{load:?} of {before:?} to {after:?}");
    let ticks = || stolen_ticks(&fs::read_to_string("/proc/stat").unwrap(), None).unwrap();
    let (before, stolen, after) = (ticks(), steal_ms(None).unwrap(), ticks());
    let ms =
        |ticks: u64| Duration::from_secs(ticks).as_millis() as u64 / rustix::param::clock_ticks_per_second();
    assert!((ms(before)..=ms(after)).contains(&stolen), "{stolen} ms of {before} to {after} ticks");
}
