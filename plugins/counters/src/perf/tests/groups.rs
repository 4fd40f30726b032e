//! Groups on CPUs with a few counters.

use assay_plugin_api::EventCount;

use super::super::fake::{Fake, Folder, hybrid};
use super::super::fake_page::FakeCpu;
use super::super::kernel::{Asked, Modes};
use super::super::request::Share;
use super::super::set::Set;
use super::super::{found, of_units, open, options, together};

const SIX: [&str; 6] = ["cycles", "instructions", "cache-misses", "branches", "bus-cycles", "ref-cycles"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.pmu("cpu", 4, &[]);
    folder
}

fn groups(fake: Fake, events: &[&str]) -> Result<Vec<Vec<usize>>, String> {
    let folder = folder();
    let (machine, _) = folder.with(fake, None);
    open(&machine, events, Share::Auto, false).map(|set| set.plan())
}

/// Counts of a stretch of readings.
fn counts(set: &mut Set, readings: usize) -> Vec<EventCount> {
    let mut counts = vec![EventCount::default(); 6];
    set.start().unwrap();
    for _ in 0..readings {
        set.read(&mut counts).unwrap();
    }
    set.stop().unwrap();
    counts
}

#[test]
fn events_share_a_group_as_long_as_it_has_counters() {
    assert_eq!(groups(Fake::default(), &SIX[..4]), Ok(vec![vec![0, 1, 2, 3]]));
    assert_eq!(groups(Fake::default(), &SIX), Ok(vec![vec![0, 1, 2, 3], vec![4, 5]]));
    let six = Fake { counters: 6, ..Fake::default() };
    assert_eq!(groups(six, &SIX), Ok(vec![(0..6).collect()]));
}

#[test]
fn a_group_that_opens_and_is_given_no_counters_is_made_smaller() {
    let watched = || Fake { taken: 1, ..Fake::default() };
    assert_eq!(groups(watched(), &SIX[..4]), Ok(vec![vec![0, 1, 2], vec![3]]));
    assert_eq!(groups(watched(), &SIX), Ok(vec![vec![0, 1, 2], vec![3, 4, 5]]));
}

#[test]
fn a_group_has_a_millisecond_to_get_its_counters() {
    // A reading takes a tenth of that.
    let busy = |busy| groups(Fake { busy, ..Fake::default() }, &["cycles"]);
    assert_eq!(busy(8), Ok(vec![vec![0]]));
    assert!(busy(100).is_err());
}

#[test]
fn events_of_the_kernel_have_a_group_of_their_own_and_need_no_counter() {
    let events = ["task-clock", "cycles", "page-faults"];
    assert_eq!(groups(Fake::default(), &events), Ok(vec![vec![0, 1, 2]]));
    let none_free = Fake { taken: 4, ..Fake::default() };
    assert_eq!(groups(none_free, &["task-clock", "page-faults"]), Ok(vec![vec![0, 1]]));
}

#[test]
fn events_of_the_kernel_are_read_at_once_unless_a_clock_must_lead() {
    let folder = folder();
    let readings = |keeps_time, events: &[&str]| {
        let (machine, fake) = folder.with(Fake { keeps_time, ..Fake::default() }, None);
        let mut set = open(&machine, events, Share::Auto, false).unwrap();
        let mut counts = vec![EventCount::default(); events.len()];
        set.start().unwrap();
        let started = fake.readings();
        set.read(&mut counts).unwrap();
        for (event, count) in events.iter().zip(&counts) {
            assert!(!event.contains("clock") || count.value > 0.0, "{event} stands still: {counts:?}");
        }
        fake.readings() - started
    };
    assert_eq!(readings(false, &["page-faults", "task-clock", "minor-faults"]), 1);
    let both = ["page-faults", "task-clock", "minor-faults", "cpu-clock"];
    assert_eq!([true, false].map(|keeps_time| readings(keeps_time, &both)), [1, 2]);
}

#[test]
fn events_of_the_core_are_read_in_user_mode_where_every_page_allows_it() {
    fn forbidden(cpu: &FakeCpu) {
        cpu.change(|page| page.__bindgen_anon_1.capabilities = 0);
    }
    let right = |_: &FakeCpu| ();
    for (wrong_page, in_user_mode) in
        [(right as fn(&FakeCpu), true), (forbidden, false), (FakeCpu::end, false)]
    {
        let folder = folder();
        let fake = Fake { counts_work: true, wrong_page, ..Fake::default() };
        let (machine, fake) = folder.with(fake, None);
        let mut set = open(&machine, &["cycles", "instructions"], Share::Auto, false).unwrap();
        let mut counts = [EventCount::default(); 2];
        // What was counted before the second start is in the pages, and must not be in the counts.
        for _ in 0..2 {
            set.start().unwrap();
            let started = fake.readings();
            let mut values = Vec::new();
            for times in [1_000, 60_000] {
                fake.work(5_000, |asked| times * (1 + asked.encoding.config[0]));
                set.read(&mut counts).unwrap();
                values.extend(counts.map(|count| count.value as u64));
                assert!(counts.iter().all(|count| count.running > 0 && count.running == count.enabled));
            }
            // The number of `cycles` is 0, and that of `instructions` 1.
            assert_eq!(values, [1_000, 2_000, 61_000, 122_000]);
            assert_eq!(fake.readings() - started, if in_user_mode { 0 } else { 2 });
            set.stop().unwrap();
        }
    }
}

#[test]
fn an_event_that_is_given_no_counter_is_refused_with_who_probably_holds_it() {
    let folder = folder();
    let error = || {
        let (machine, _) = folder.with(Fake { taken: 4, ..Fake::default() }, None);
        open(&machine, &["task-clock", "cycles"], Share::Auto, false).unwrap_err()
    };
    let other = error();
    assert!(other.starts_with("perf:cycles can't be counted here: it opens, but gets no counter"), "{other}");
    assert!(other.contains("another program"), "{other}");
    folder.file("proc/sys/kernel/nmi_watchdog", "1\n");
    let watchdog = error();
    assert!(watchdog.ends_with("sysctl kernel.nmi_watchdog=0`"), "{watchdog}");
}

#[test]
fn a_thread_that_may_leave_its_kind_of_core_can_not_try_whether_there_are_counters() {
    let folder = hybrid();
    let refused = |allowed: &str, cpu| {
        folder.file("proc/thread-self/status", &format!("Cpus_allowed_list:\t{allowed}\n"));
        let (machine, _) = folder.with(Fake { taken: 4, ..Fake::default() }, cpu);
        open(&machine, &["cycles"], Share::Auto, false).is_err()
    };
    assert!(!refused("0-7", None));
    assert!(refused("4-7", None) && refused("0-7", Some(4)));
}

#[test]
fn events_that_fit_together_are_found_by_trying_or_the_plan_is_printed() {
    let folder = folder();
    let (machine, _) = folder.with(Fake::default(), None);
    assert_eq!(together(&machine, &SIX[..4]), Ok(()));
    assert_eq!(together(&machine, &["cycles", "page-faults", "task-clock"]), Ok(()));
    assert_eq!(
        together(&machine, &SIX).unwrap_err(),
        "the CPU has too few counters for these events at once; they fit in 2 runs: \
         perf:cycles,perf:instructions,perf:cache-misses,perf:branches; then perf:bus-cycles,perf:ref-cycles"
    );
}

#[test]
fn what_always_fits_is_in_the_first_run_of_a_plan() {
    let folder = folder();
    let (machine, _) = folder.with(Fake { counters: 1, ..Fake::default() }, None);
    let plan = together(&machine, &["page-faults", "cycles", "branches"]).unwrap_err();
    assert!(plan.ends_with("fit in 2 runs: perf:page-faults,perf:cycles; then perf:branches"), "{plan}");
}

#[test]
fn without_turns_being_asked_for_counts_stay_as_they_are() {
    let folder = folder();
    let (machine, _) = folder.with(Fake::default(), None);
    let mut set = open(&machine, &SIX, Share::Auto, false).unwrap();
    let counts = counts(&mut set, 10);
    // The second group waits: the first holds all counters.
    let [first, waiting] = [counts[1], counts[5]];
    assert_eq!((first.enabled, first.flags), (first.running, 0));
    assert_eq!((waiting.running, waiting.flags), (0, 0));
    assert!(waiting.enabled > 0);
}

#[test]
fn counts_of_groups_that_take_turns_are_scaled() {
    let folder = folder();
    let (machine, _) = folder.with(Fake::default(), None);
    let mut set = open(&machine, &SIX, Share::Auto, true).unwrap();
    let mut counts = vec![EventCount::default(); 6];
    set.start().unwrap();
    set.read(&mut counts).unwrap();
    assert_eq!(counts[5].flags, EventCount::MISSING, "it had no turn yet");
    for _ in 0..200 {
        set.read(&mut counts).unwrap();
    }
    set.stop().unwrap();
    // `instructions` counts 1 in each step, `ref-cycles` 9, as their numbers are; two readings are two steps.
    let [instructions, _, _, _, ref_cycles] = counts[1..] else { unreachable!() };
    assert!(ref_cycles.running < ref_cycles.enabled, "{ref_cycles:?}");
    for (count, per_step) in [(instructions, 1.0), (ref_cycles, 9.0)] {
        let steps = count.enabled as f64 / 1e5;
        if count.flags & EventCount::MISSING == 0 {
            assert_eq!(count.flags, EventCount::SCALED);
            assert!((count.value / steps / per_step - 1.0).abs() < 0.01, "{count:?} in {steps} steps");
        }
    }
    assert!([instructions, ref_cycles].iter().any(|count| count.flags == EventCount::SCALED));
}

#[test]
fn an_event_that_is_asked_for_twice_takes_one_counter() {
    let folder = folder();
    let (machine, fake) = folder.with(Fake { counters: 1, ..Fake::default() }, None);
    let set = open(&machine, &["cycles", "cycles"], Share::Auto, false).unwrap();
    assert_eq!(set.plan(), [[0, 1]]);
    assert_eq!(fake.log().len(), 3, "each is tried alone");
}

#[test]
fn all_slots_lead_their_shares_whether_they_are_asked_for_or_not() {
    let folder = Folder::new();
    let event = ("format/event", "config:0-7");
    let files = [event, ("events/slots", "event=0x4"), ("events/topdown-retiring", "event=0x80")];
    folder.pmu("cpu", 4, &files);
    for events in [&["cycles", "slots", "topdown-retiring"][..], &["cycles", "topdown-retiring"]] {
        let (machine, fake) = folder.with(Fake::default(), None);
        let mut set = open(&machine, events, Share::Auto, false).unwrap();
        let log = fake.log();
        let (leader, leads) = log[log.len() - 3];
        assert_eq!((leader.encoding.config[0], leads), (0x4, true));
        assert!(log[log.len() - 2..].iter().all(|(_, leads)| !leads));
        // Each count is that of its event: its config times the steps.
        let counts = counts(&mut set, 3);
        let steps = counts[0].running as f64 / 1e5;
        assert_eq!(counts[0].value, 0.0);
        assert_eq!(counts[events.len() - 1].value, f64::from(0x80) * steps);
        if events.len() == 3 {
            assert_eq!(counts[1].value, f64::from(0x4) * steps);
        }
    }
}

#[test]
fn the_kernel_is_counted_where_it_is_allowed_and_the_summary_says_whether() {
    let forbidden = |asked: &Asked| asked.modes.kernel.then_some(nix::errno::Errno::EACCES);
    let folder = folder();
    folder.file("proc/sys/kernel/perf_event_paranoid", "2\n");
    let summary = |fake, name| {
        let (machine, _) = folder.with(fake, None);
        found(&machine, name).unwrap().summary
    };
    let faults = |fake| summary(fake, "page-faults");
    assert_eq!(faults(Fake::default()), "Page faults, in user mode and the kernel.");
    let user = faults(Fake { refuse: forbidden, ..Fake::default() });
    assert_eq!(user, "Page faults, in user mode only: kernel.perf_event_paranoid is 2.");
    assert_eq!(summary(Fake::default(), "page-faults:u"), "Page faults, in user mode.");
    assert_eq!(summary(Fake::default(), "instructions"), "Instructions retired, in user mode.");
    assert_eq!(
        summary(Fake::default(), "instructions:uk"),
        "Instructions retired, in user mode and the kernel."
    );
    assert_eq!(
        summary(Fake { refuse: forbidden, ..Fake::default() }, "task-clock"),
        "Time during which the thread ran."
    );
    assert_eq!(summary(Fake::default(), "cs"), "Times that the thread lost its core.");
}

#[test]
fn the_option_decides_about_the_kernel() {
    let modes = |share| {
        let folder = folder();
        let (machine, _) = folder.with(Fake::default(), None);
        open(&machine, &["cycles"], share, false).unwrap().modes(0)
    };
    assert_eq!([Share::Auto, Share::With, Share::Without].map(modes), [Modes::USER, Modes::ALL, Modes::USER]);
}

#[test]
fn options_have_values() {
    let kernel = |value| options(&[("kernel", value)]).map(|(share, _)| share);
    assert_eq!([kernel("auto"), kernel("yes")], [Ok(Share::Auto), Ok(Share::With)]);
    assert_eq!(kernel("no"), Ok(Share::Without));
    assert_eq!(kernel("maybe").unwrap_err(), "perf: the option kernel is yes, no or auto, and not `maybe`");
    let multiplex = |value| options(&[("multiplex", value)]).map(|(_, scales)| scales);
    assert_eq!([multiplex("yes"), multiplex("no")], [Ok(true), Ok(false)]);
    assert_eq!(multiplex("1").unwrap_err(), "perf: the option multiplex is yes or no, and not `1`");
    assert_eq!(options(&[]), Ok((Share::Auto, false)));
}

#[test]
fn a_count_is_multiplied_by_the_scale_of_its_unit() {
    let folder = Folder::new();
    let files = [("format/event", "config:0-7"), ("events/work", "event=0x8"), ("events/work.scale", "0.25")];
    folder.pmu("other", 20, &files);
    let (machine, _) = folder.with(Fake::default(), None);
    let mut set = open(&machine, &["other/work/", "other/event=0x8/"], Share::Auto, false).unwrap();
    let counts = counts(&mut set, 3);
    assert!(counts[1].value > 0.0);
    assert_eq!(counts[0].value, counts[1].value / 4.0);
}

#[test]
fn units_list_what_has_no_general_name() {
    let folder = hybrid();
    let machine = folder.machine(Some(0));
    assert_eq!(of_units(&machine), ["cpu_atom/topdown-retiring/", "cpu_core/slots/"]);
    let kind = found(&machine, "cycles").unwrap().summary;
    assert!(kind.ends_with(", of cpu_core (CPUs 0-3), in user mode."), "{kind}");
}
