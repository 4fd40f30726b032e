//! Real events of this machine; where it refuses one, the test says so and ends.

use assay_plugin_api::testing::skip;
use assay_plugin_api::{Availability, Backend, EventCount, Open};

use super::super::Perf;

/// Opens a set, or says why the test is skipped.
fn open(events: &[&str]) -> Option<Perf> {
    Perf::open(&Open::events(events)).map_err(|error| skip(&error)).ok()
}

fn count<const N: usize>(set: &mut Perf, work: impl FnOnce()) -> [EventCount; N] {
    let mut counts = [EventCount::default(); N];
    set.start().unwrap();
    work();
    set.read(&mut counts).unwrap();
    set.stop().unwrap();
    counts
}

fn touch(pages: usize) {
    let mut memory = memmap2::MmapMut::map_anon(pages * 4096).unwrap();
    memory.chunks_mut(4096).for_each(|page| page[0] = 1);
}

fn sleep(times: usize) {
    for _ in 0..times {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn touching_new_pages_faults() {
    let events = ["major-faults", "page-faults", "task-clock", "minor-faults"];
    let Some(mut set) = open(&events) else { return };
    let [major, faults, clock, minor] = count(&mut set, || touch(64));
    assert!(faults.value >= 64.0 && minor.value >= 64.0, "{faults:?} {minor:?}");
    assert!(major.value < 64.0 && clock.value > faults.value, "{major:?} {clock:?}");
    assert!(clock.enabled > 0 && clock.running == clock.enabled, "{clock:?}");
}

#[test]
fn a_clock_runs_beside_every_other_event_of_the_kernel_whichever_is_named_first() {
    let events = ["task-clock", "cpu-clock", "page-faults", "minor-faults", "context-switches", "dummy"];
    for clock in &events[..2] {
        for other in events.iter().filter(|other| *other != clock) {
            for (place, pair) in [[clock, other], [other, clock]].iter().enumerate() {
                let Some(mut set) = open(&pair.map(|name| *name)) else { continue };
                set.start().unwrap();
                let mut counts = [[EventCount::default(); 2]; 2];
                set.read(&mut counts[0]).unwrap();
                std::hint::black_box((0..10_000_u64).fold(0, |sum, i| sum ^ std::hint::black_box(i)));
                set.read(&mut counts[1]).unwrap();
                set.stop().unwrap();
                let ns = counts[1][place].value - counts[0][place].value;
                assert!(ns > 1000.0, "{clock} in {pair:?}: {ns} ns");
            }
        }
    }
}

#[test]
fn counting_starts_from_zero_each_time() {
    let Some(mut set) = open(&["page-faults"]) else { return };
    let [first] = count(&mut set, || touch(64));
    touch(1000);
    let [second] = count(&mut set, || touch(8));
    assert!(first.value >= 64.0 && (8.0..64.0).contains(&second.value), "{first:?} {second:?}");
}

#[test]
fn every_event_counts_again_in_each_start() {
    let Some(mut set) = open(&["page-faults", "task-clock", "minor-faults", "cpu-clock"]) else { return };
    for _ in 0..3 {
        let counts: [EventCount; 4] = count(&mut set, || touch(64));
        assert!(counts.iter().all(|count| count.value >= 64.0), "{counts:?}");
    }
}

#[test]
fn what_comes_after_the_end_is_not_counted() {
    let Some(mut set) = open(&["page-faults"]) else { return };
    let [counted] = count(&mut set, || touch(64));
    touch(1000);
    let mut later = [EventCount::default()];
    set.read(&mut later).unwrap();
    assert!(later[0].value < counted.value + 1000.0, "{counted:?} {later:?}");
}

#[test]
fn an_event_asked_for_twice_is_counted_twice_alike() {
    let Some(mut set) = open(&["page-faults", "page-faults"]) else { return };
    let [one, other] = count(&mut set, || touch(16));
    assert_eq!(one, other);
}

#[test]
fn switches_are_counted_or_refused_but_never_zero_by_construction() {
    let error = match Perf::open(&Open::events(&["context-switches", "cs"])) {
        Ok(mut set) => {
            let [switches, alias] = count(&mut set, || sleep(5));
            assert!(switches.value >= 5.0 && alias == switches, "{switches:?} {alias:?}");
            Perf::open(&Open::events(&["cs:u"])).unwrap_err()
        }
        Err(error) => error,
    };
    assert!(error.contains(" can't be counted here: it happens in the kernel, "), "{error}");
}

#[test]
fn faults_in_the_kernel_are_counted_if_they_are_to_be() {
    let faults = |kernel: &str| {
        let options = [("kernel", kernel)];
        let request = Open { options: &options, ..Open::events(&["page-faults"]) };
        let mut set = Perf::open(&request).map_err(|error| skip(&error)).ok()?;
        let mut memory = memmap2::MmapMut::map_anon(64 * 4096).unwrap();
        let mut zeros = std::fs::File::open("/dev/zero").unwrap();
        // The kernel writes to the pages, and it is the kernel that faults.
        let [faults] = count(&mut set, || std::io::Read::read_exact(&mut zeros, &mut memory).unwrap());
        Some(faults.value)
    };
    let Some(without) = faults("no") else { return };
    let Some(with) = faults("yes") else { return };
    assert!(with >= 64.0 && without < 64.0, "{with} with the kernel, {without} without");
}

#[test]
fn the_clock_of_the_thread_runs_in_the_kernel_too_whatever_is_left_out() {
    let options = [("kernel", "no")];
    let request = Open { options: &options, ..Open::events(&["task-clock"]) };
    let mut set = Perf::open(&request).unwrap();
    let mut memory = vec![1; 1 << 24];
    let mut zeros = std::fs::File::open("/dev/zero").unwrap();
    let [clock] = count(&mut set, || {
        for _ in 0..10 {
            std::io::Read::read_exact(&mut zeros, &mut memory).unwrap();
        }
    });
    // The kernel writes 160 MiB; the few instructions beside take some microseconds.
    assert!(clock.value > 1e6, "{clock:?}");
}

#[test]
fn a_breakpoint_counts_accesses() {
    let mut word = Box::new(0_u64);
    let place = &raw mut *word;
    let name = format!("mem:{:#x}/8:w", place.addr());
    let Some(mut set) = open(&[&name]) else { return };
    let [writes] = count(&mut set, || {
        for i in 0..5 {
            // SAFETY: it is our own, and no other code uses it meanwhile.
            unsafe { place.write_volatile(i) };
        }
    });
    assert_eq!(writes.value, 5.0, "{writes:?}");
}

#[test]
fn more_breakpoints_than_the_cpu_has_are_refused_and_told() {
    let words = Box::new([0_u64; 32]);
    let names: Vec<String> =
        words.iter().map(|word| format!("mem:{:#x}/8:w", std::ptr::from_ref(word).addr())).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(_) = open(&names[..1]) else { return };
    let error = Perf::open(&Open::events(&names)).unwrap_err();
    assert!(error.starts_with("perf:mem:0x") && error.contains("breakpoints are used up"), "{error}");
}

#[test]
fn a_tracepoint_counts_passes() {
    let name = "sched:sched_switch";
    let event = Perf::find(name).unwrap();
    let Some(Availability::Available) = event.map(|event| event.availability) else {
        skip("sched:sched_switch can't be counted here");
        return;
    };
    let [switches] = count(&mut open(&[name]).unwrap(), || sleep(5));
    assert!(switches.value >= 5.0, "{switches:?}");
}

#[test]
fn the_time_stamp_counter_of_the_kernel_runs() {
    let Some(mut set) = open(&["msr/tsc/"]) else { return };
    let [ticks] = count(&mut set, || touch(64));
    assert!(ticks.value > 1000.0, "{ticks:?}");
}

#[test]
fn an_event_is_available_exactly_if_it_opens() {
    for event in Perf::events() {
        let opened = Perf::open(&Open::events(&[&event.name]));
        match event.availability {
            Availability::Available => assert!(opened.is_ok(), "{}: {opened:?}", event.name),
            Availability::Missing { reason, remedy } => {
                let error = opened.unwrap_err();
                assert_eq!(error, format!("perf:{} can't be counted here: {reason}; {remedy}", event.name));
            }
        }
        assert_eq!(Perf::find(&event.name).unwrap().unwrap().name, event.name);
    }
}

#[test]
fn hardware_and_software_events_are_counted_beside_each_other() {
    let Some(mut set) = open(&["instructions", "task-clock", "cycles"]) else { return };
    let [instructions, clock, cycles] = count(&mut set, || touch(64));
    assert!(
        clock.value > 0.0 && instructions.value > 0.0 && cycles.value > 0.0,
        "{instructions:?} {cycles:?}"
    );
}

#[test]
fn the_kernels_own_events_go_together() {
    let events = ["page-faults", "task-clock", "cpu-clock", "minor-faults", "major-faults"];
    match Perf::together(&events) {
        Ok(()) => {}
        Err(error) if error.contains("can't be counted here") => skip(&error),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn names_that_are_not_listed_are_found_by_name() {
    for name in ["faults", "cs", "migrations", "dummy", "page-faults:u"] {
        assert_eq!(Perf::find(name).unwrap().unwrap().name, name);
    }
    assert_eq!(Perf::find("tusk-clock"), Ok(None));
}
