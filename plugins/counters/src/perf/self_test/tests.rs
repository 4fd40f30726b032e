//! The self-test on simulated machines: whose counts are right, wrong in one way or another, or missing.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use assay_plugin_api::testing::skip;
use assay_plugin_api::{Check, Verdict};
use nix::errno::Errno;
use perf_event_open_sys::bindings::{PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE};

use super::super::fake::{Fake, Folder};
use super::super::fake_page::FakeCpu;
use super::super::kernel::Asked;
use super::super::machine::Machine;
use super::{PARTS, run};
use crate::work::{Bits, Here, Moment, Work};

/// Work on a simulated CPU, which does an instruction in a third of a nanosecond.
struct Simulated {
    fake: Rc<Fake>,
    elapsed: Cell<Duration>,
}

impl Simulated {
    /// Work in which as many of these happen.
    fn work(&self, instructions: u64, branches: u64, misses: u64, faults: u64) {
        let ns = instructions / 3;
        self.elapsed.set(self.elapsed.get() + Duration::from_nanos(ns));
        self.fake.work(ns, |asked| match (asked.encoding.kind, asked.encoding.config[0]) {
            (PERF_TYPE_HARDWARE, 0 | 9) => ns,
            (PERF_TYPE_HARDWARE, 1) => instructions,
            (PERF_TYPE_HARDWARE, 4) => branches,
            (PERF_TYPE_HARDWARE, 5) => misses,
            (PERF_TYPE_SOFTWARE, 0 | 1) => ns,
            (PERF_TYPE_SOFTWARE, 2) => faults,
            _ => 0,
        });
    }
}

impl Work for Simulated {
    fn count_down(&self, iterations: u64) -> bool {
        self.work(2 * iterations, iterations, 1, 0);
        true
    }

    fn branch(&self, iterations: u64, bits: Bits) -> bool {
        let misses = if bits == Bits::Random { iterations / 2 } else { 20 };
        self.work(12 * iterations, 2 * iterations, misses, 0);
        true
    }

    fn touch(&self, pages: usize) {
        self.work(1000, 100, 10, pages as u64 + 1);
    }

    fn now(&self) -> Moment {
        Moment { clock: self.elapsed.get(), on_core: self.elapsed.get() }
    }
}

/// The results of all parts on a machine with this kernel, and with a counting unit of the core or none.
fn tested(fake: Fake, has_unit: bool) -> Vec<Check> {
    let folder = Folder::new();
    if has_unit {
        folder.pmu("cpu", 4, &[]);
    }
    let (machine, fake) = folder.with(Fake { counts_work: true, ..fake }, None);
    let work = Simulated { fake, elapsed: Cell::default() };
    PARTS.iter().flat_map(|part| run(part, &machine, &work).unwrap()).collect()
}

/// The names of those that are wrong, and the reason for the first.
fn wrong(fake: Fake) -> (Vec<String>, String) {
    let checks = tested(fake, true);
    let wrong: Vec<&Check> = checks.iter().filter(|check| check.verdict == Verdict::Wrong).collect();
    let reason = wrong.first().map_or_else(String::new, |check| check.reason.clone());
    (wrong.iter().map(|check| check.name.clone()).collect(), reason)
}

#[test]
fn a_machine_that_counts_right_passes_in_everything() {
    let checks = tested(Fake::default(), true);
    for check in &checks {
        assert_eq!(check.verdict, Verdict::Ok, "{check:?}");
    }
    let find = |name: &str| checks.iter().find(|check| check.name == name).unwrap();
    let numbers = |name: &str| (find(name).measured, find(name).expected);
    assert_eq!(numbers("instructions of a loop"), (Some(2e7), Some(2e7)));
    assert_eq!(numbers("branches of a loop"), (Some(1e7), Some(1e7)));
    assert_eq!(numbers("mispredictions, random bits"), (Some(5e5), Some(5e5)));
    assert_eq!(numbers("page faults of new pages"), (Some(65.0), Some(64.0)));
    assert_eq!(numbers("events in the largest group"), (Some(4.0), None));
    assert_eq!(numbers("instructions by rdpmc"), (Some(1000.0), Some(1000.0)));
}

#[test]
fn a_machine_without_counters_has_no_fault_and_says_of_each_event_why() {
    let none = |asked: &Asked| (![1, 2, 5].contains(&asked.encoding.kind)).then_some(Errno::ENOENT);
    let checks = tested(Fake { refuse: none, ..Fake::default() }, false);
    for check in &checks {
        let software = ["clock", "faults", "switches", "migrations", "page faults", "without a register"];
        if software.iter().any(|part| check.name.contains(part)) {
            assert_eq!(check.verdict, Verdict::Ok, "{check:?}");
        } else {
            assert_eq!(check.verdict, Verdict::Absent, "{check:?}");
            assert!(check.reason.starts_with("this machine offers no hardware counters"), "{check:?}");
        }
    }
    assert!(checks.iter().filter(|check| check.verdict == Verdict::Absent).count() > 40);
}

#[test]
fn a_count_that_is_off_by_one_percent_is_wrong() {
    let off = |asked: &Asked, times: u64| {
        let instructions = (asked.encoding.kind, asked.encoding.config[0]) == (PERF_TYPE_HARDWARE, 1);
        if instructions { times + times / 100 } else { times }
    };
    let (names, reason) = wrong(Fake { miscount: off, ..Fake::default() });
    assert_eq!(names, ["instructions of a loop", "counts in the largest group"]);
    assert_eq!(reason, "it differs by +1.00 %; 0.1 % is allowed");
    let branches = |asked: &Asked, times: u64| {
        let branches = (asked.encoding.kind, asked.encoding.config[0]) == (PERF_TYPE_HARDWARE, 4);
        if branches { times - times / 500 } else { times }
    };
    let (names, reason) = wrong(Fake { miscount: branches, ..Fake::default() });
    assert_eq!(names, ["branches of a loop", "counts in the largest group"]);
    assert_eq!(reason, "it differs by -0.20 %; 0.1 % is allowed");
    let a_little = |_: &Asked, times: u64| times + times / 2000;
    assert_eq!(wrong(Fake { miscount: a_little, ..Fake::default() }).0, [""; 0]);
}

#[test]
fn mispredictions_that_do_not_depend_on_the_bits_are_wrong() {
    let always = |asked: &Asked, times: u64| {
        let misses = (asked.encoding.kind, asked.encoding.config[0]) == (PERF_TYPE_HARDWARE, 5);
        if misses { 300_000 } else { times }
    };
    let (names, reason) = wrong(Fake { miscount: always, ..Fake::default() });
    assert_eq!(names, ["mispredictions, bits alike", "mispredictions, random bits"]);
    assert_eq!(reason, "30.00 % of the branches; at most 1 % is right");
}

#[test]
fn clocks_and_faults_of_the_kernel_are_compared_too() {
    let doubled = |asked: &Asked, times: u64| {
        if asked.encoding.kind == PERF_TYPE_SOFTWARE { 2 * times } else { times }
    };
    let (names, _) = wrong(Fake { miscount: doubled, ..Fake::default() });
    assert_eq!(names, ["page faults of new pages", "task-clock against the clock"]);
    let still = |asked: &Asked, times: u64| {
        if asked.encoding.kind == PERF_TYPE_SOFTWARE { 0 } else { times }
    };
    let (names, reason) = wrong(Fake { miscount: still, ..Fake::default() });
    let expected = ["task-clock", "cpu-clock", "page faults of new pages", "task-clock against the clock"];
    assert_eq!(names, expected);
    assert_eq!(reason, "it counted nothing while the thread worked");
}

#[test]
fn counts_of_a_part_of_the_time_are_wrong_and_say_so() {
    let (names, reason) = wrong(Fake { rival: true, ..Fake::default() });
    let hardware =
        |name: &String| !["clock", "faults", "without a register"].iter().any(|part| name.contains(part));
    assert!(names.iter().all(hardware), "{names:?}");
    for name in ["cycles", "instructions of a loop", "branches of a loop", "counts in the largest group"] {
        assert!(names.iter().any(|wrong| wrong == name), "{name} of {names:?}");
    }
    assert_eq!(
        reason,
        "it counted 50.0 % of the time: another program takes turns with it on the CPU's counters"
    );
}

#[test]
fn a_group_that_never_runs_is_wrong() {
    let (names, reason) = wrong(Fake { taken: 4, ..Fake::default() });
    for name in ["cycles", "instructions of a loop", "events in the largest group", "instructions by rdpmc"] {
        assert!(names.iter().any(|wrong| wrong == name), "{name} of {names:?}");
    }
    assert!(reason.starts_with("it opens, but gets no counter of the CPU"), "{reason}");
    // One counter that the kernel's watchdog holds makes the group smaller, and nothing wrong.
    let checks = tested(Fake { taken: 1, ..Fake::default() }, true);
    let size = checks.iter().find(|check| check.name == "events in the largest group").unwrap();
    assert_eq!((size.verdict, size.measured), (Verdict::Ok, Some(3.0)));
    assert_eq!(size.reason, "3 count together; one more opens, but then the group gets no counters");
}

/// The verdicts on the count and on the times of `instructions` by a page, and the reasons.
fn by_page(wrong_page: fn(&FakeCpu)) -> [(Verdict, String); 2] {
    let checks = tested(Fake { wrong_page, ..Fake::default() }, true);
    ["instructions by rdpmc", "times of instructions by their page"].map(|name| {
        let check = checks.iter().find(|check| check.name == name).unwrap();
        (check.verdict, check.reason.clone())
    })
}

#[test]
fn a_page_that_forbids_rdpmc_is_no_fault_but_has_its_reason() {
    let [(count, reason), (times, other)] =
        by_page(|cpu| cpu.change(|page| page.__bindgen_anon_1.capabilities = 0));
    assert_eq!((count, times), (Verdict::Absent, Verdict::Absent));
    assert!(reason.starts_with("the page forbids it (cap_user_rdpmc is 0)"), "{reason}");
    assert!(reason.contains("/sys/bus/event_source/devices/cpu/rdpmc"), "{reason}");
    assert!(other.starts_with("the page has no times (cap_user_time is 0)"), "{other}");
}

#[test]
fn a_page_with_a_wrong_width_is_found_when_the_counter_wraps_around() {
    let [(count, reason), (times, _)] = by_page(|cpu| cpu.change(|page| page.pmc_width = 48));
    assert_eq!((count, times), (Verdict::Wrong, Verdict::Ok));
    assert!(reason.starts_with("the page gives 4294987296 between 20000 and 20000"), "{reason}");
}

#[test]
fn a_page_that_names_no_counter_or_changes_without_end_is_wrong() {
    let [(count, reason), _] = by_page(FakeCpu::end);
    assert_eq!(count, Verdict::Wrong);
    assert_eq!(reason, "the page names no counter (index is 0), although the event counts");
    let [(count, reason), _] = by_page(|cpu| {
        let change: fn(&FakeCpu) = |cpu| cpu.change(|_| ());
        cpu.interruptions.borrow_mut().extend([change; 4]);
    });
    assert_eq!(count, Verdict::Wrong);
    assert_eq!(reason, "the page changed again and again during the reading");
}

#[test]
fn times_of_a_page_that_run_too_fast_are_wrong() {
    let [(count, _), (times, reason)] = by_page(|cpu| cpu.change(|page| page.time_mult = 2));
    assert_eq!((count, times), (Verdict::Ok, Verdict::Wrong));
    assert!(reason.contains("ns enabled between"), "{reason}");
}

#[test]
fn a_part_that_there_is_not_is_refused() {
    let folder = Folder::new();
    let error = run("no-such", &folder.machine(None), &Here).unwrap_err();
    assert_eq!(error, "perf has no self-test `no-such`: choose from events, counts, groups, mapped-page");
}

/// On a machine with counters, this is the test of all that the others simulate.
#[test]
fn this_machine_has_no_fault() {
    let machine = Machine::here(None);
    for check in PARTS.iter().flat_map(|part| run(part, &machine, &Here).unwrap()) {
        match check.verdict {
            Verdict::Ok => {}
            Verdict::Absent => skip(&format!("{}: {}", check.name, check.reason)),
            Verdict::Wrong => panic!("{check:?}"),
        }
    }
}
