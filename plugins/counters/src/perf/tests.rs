//! Real events of this machine; where it refuses one, the test says so and ends.

use assay_plugin_api::testing::skip;

use super::*;

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

#[test]
fn touching_new_pages_faults() {
    let Some(mut set) = open(&["page-faults", "task-clock", "minor-faults"]) else { return };
    assert_eq!(set.groups.len(), 1);
    let [faults, clock, minor] = count(&mut set, || touch(64));
    assert!(faults.value >= 64.0 && minor.value >= 64.0, "{faults:?} {minor:?}");
    assert!(clock.value > 0.0 && clock.enabled > 0 && clock.running == clock.enabled, "{clock:?}");
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
    match Perf::open(&Open::events(&["context-switches"])) {
        Ok(mut set) => {
            let [switches] = count(&mut set, || {
                for _ in 0..5 {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            });
            assert!(switches.value >= 5.0, "{switches:?}");
        }
        Err(error) => assert!(error.starts_with("perf:context-switches can't be counted here: "), "{error}"),
    }
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
    }
}

#[test]
fn hardware_and_software_events_have_groups_of_their_own() {
    let Some(mut set) = open(&["instructions", "task-clock", "cycles"]) else { return };
    assert_eq!(set.groups.iter().filter(|group| !group.hardware).count(), 1);
    let [instructions, clock, _] = count(&mut set, || touch(64));
    assert!(clock.value > 0.0);
    assert!(instructions.running == 0 || instructions.value > 0.0, "{instructions:?}");
}

#[test]
fn an_unknown_event_is_named() {
    let error = Perf::open(&Open::events(&["task-clock", "tusk-clock"])).unwrap_err();
    assert!(error.starts_with("perf has no event `tusk-clock`: choose from task-clock, "), "{error}");
}
