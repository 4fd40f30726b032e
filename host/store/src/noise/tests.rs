//! Tests of what a run reports of its machine: changes of speed, lost CPU time, switches.

use std::time::Duration;

use super::*;

#[test]
fn the_variation_of_the_speed_leaves_out_one_block_in_twenty() {
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
    assert_eq!(steady.speed_varied_percent(), Some(0.0));
    assert_eq!((steady.floor_ns, steady.cpu_used_percent), (Some(30.0), Some(95.0)));
    let varied = gather(&[100, 130, 160]);
    assert_eq!(varied.speed_varied_percent().map(f64::round), Some(60.0));
    let nothing = gather(&[]);
    assert_eq!(
        (nothing.speed_varied_percent(), nothing.floor_ns, nothing.involuntary_switches),
        (None, None, None)
    );
}

#[test]
fn what_is_unknown_of_one_block_is_unknown_of_the_run() {
    let mut gathered = Gathered::begin(None);
    let block = |involuntary_switches| BlockNoise { involuntary_switches, ..BlockNoise::default() };
    gathered.add(&block(Some(2)));
    assert_eq!(gathered.switches, Some(2));
    gathered.add(&block(None));
    assert_eq!(gathered.switches, None);
}

#[test]
fn repetitions_that_were_measured_again_are_counted() {
    let mut gathered = Gathered::begin(None);
    for measured_again in [0, 2, 1] {
        gathered.add(&BlockNoise { measured_again, ..BlockNoise::default() });
    }
    let noise = gathered.end(None);
    assert_eq!(noise.measured_again, Some(3));
    assert_eq!(Gathered::begin(None).end(None).measured_again, None, "nothing was measured");
}

#[test]
fn of_a_killed_part_all_is_known_until_its_last_block() {
    let first =
        Noise { steal_ms: Some(40), shared_cpu: Some(false), load_before: Some(1.5), ..Noise::default() };
    let last =
        Noise { steal_ms: Some(2), shared_cpu: Some(false), load_before: Some(9.0), ..Noise::default() };
    let noted = |noise: &Noise| (noise.steal_ms, noise.shared_cpu, noise.load_before);
    assert_eq!(noted(&last.clone().after(&first)), (Some(42), Some(false), Some(1.5)));
    let unknown = Noise { load_before: Some(1.5), ..Noise::default() };
    assert_eq!(noted(&last.clone().after(&unknown)), (None, None, Some(1.5)));
    let noise = Some(BlockNoise { floor_ns: 30, ..BlockNoise::default() });
    let counting = BlockCounting {
        faults: vec![CountFaults { taken: 2, not_read: 1, ..CountFaults::default() }],
        ..BlockCounting::default()
    };
    let commit = Some(Commit { counting, ..Commit::default() });
    let blocks = [BlockRecord { noise, commit, ..BlockRecord::default() }];
    let counters = crate::testing::run().experiment.counters;
    let killed = |begun: &Noise, part, is_first| {
        begun.clone().with_unfinished_part(Noise::of_blocks(&blocks, &counters), part, is_first)
    };
    let part = |shared| PartNoise { steal_ms: Some(7), shared_cpu: Some(shared) };
    let second = killed(&first, part(false), false);
    assert_eq!((noted(&second), second.floor_ns), ((Some(47), Some(false), Some(1.5)), Some(30.0)));
    assert_eq!(second.left_out[0].faults.not_read, 1);
    assert_eq!(noted(&last.after(&second)), (Some(49), Some(false), Some(1.5)));
    assert_eq!(noted(&killed(&first, part(true), false)), (Some(47), Some(true), Some(1.5)));
    assert_eq!(noted(&killed(&first, PartNoise::OF_NO_BLOCK, false)), noted(&first));
    // Before the first part measures, nothing is known but the load.
    assert_eq!(noted(&killed(&unknown, part(false), true)), (Some(7), Some(false), Some(1.5)));
}

#[test]
fn stolen_time_is_that_of_the_cpu() {
    let stat = "cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 4 5 6 7 80 9 10\n";
    assert_eq!([None, Some(1), Some(7)].map(|cpu| stolen_ticks(stat, cpu)), [Some(88), Some(80), None]);
}

#[test]
fn a_share_or_a_speed_that_was_not_measured_is_missing() {
    let nothing = Gathered::begin(None).end(None);
    assert_eq!(nothing.cpu_used_percent, None);
    let speed =
        |fast| Noise { reference_fast_ns: Some(fast), reference_slow_ns: Some(3), ..Noise::default() };
    assert_eq!([0, 2].map(|fast| speed(fast).speed_varied_percent()), [None, Some(50.0)]);
}

#[test]
fn counts_that_were_left_out_in_any_block_are_added_up_by_counter() {
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
fn the_load_and_the_stolen_time_are_those_of_the_system() {
    let reported = || fs::read_to_string("/proc/loadavg").unwrap().split(' ').next().unwrap().parse().ok();
    let (before, load, after) = (reported(), load(), reported());
    assert!(load.is_some() && [before, after].contains(&load), "{load:?} of {before:?} to {after:?}");
    let ticks = || stolen_ticks(&fs::read_to_string("/proc/stat").unwrap(), None).unwrap();
    let (before, stolen, after) = (ticks(), steal_ms(None).unwrap(), ticks());
    let ms =
        |ticks: u64| Duration::from_secs(ticks).as_millis() as u64 / rustix::param::clock_ticks_per_second();
    assert!((ms(before)..=ms(after)).contains(&stolen), "{stolen} ms of {before} to {after} ticks");
}
