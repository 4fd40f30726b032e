//! What is said for each error of perf_event_open(2).

use assay_plugin_api::Availability;
use nix::errno::Errno;

use super::super::fake::{Fake, Folder};
use super::super::kernel::Asked;
use super::super::{found, open};
use crate::perf::request::Share;

/// Reason and remedy for an event on a machine with counters of the cores (or without), if the kernel answers
/// this.
fn refusal(pmu: bool, paranoid: &str, name: &str, refuse: fn(&Asked) -> Option<Errno>) -> (String, String) {
    let folder = Folder::new();
    if pmu {
        folder.pmu("cpu", 4, &[("format/event", "config:0-7")]);
    }
    folder.pmu("msr", 9, &[("events/tsc", "event=0x00"), ("format/event", "config:0-63")]);
    folder.file("proc/sys/kernel/perf_event_paranoid", paranoid);
    folder.file("sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
    let (machine, _) = folder.with(Fake { refuse, ..Fake::default() }, None);
    let event = found(&machine, name).unwrap();
    let Availability::Missing { reason, remedy } = event.availability else { panic!("{name} is available") };
    let error = open(&machine, &[name], Share::Auto, false).unwrap_err();
    assert_eq!(error, format!("perf:{name} can't be counted here: {reason}; {remedy}"));
    (reason, remedy)
}

#[track_caller]
fn says((reason, remedy): (String, String), why: &str, help: &str) {
    assert!(reason.contains(why), "{reason}");
    assert!(remedy.contains(help), "{remedy}");
}

#[test]
fn an_unsupported_general_name_is_not_a_machine_without_counters() {
    for refuse in [|_: &Asked| Some(Errno::ENOENT), |_: &Asked| Some(Errno::EINVAL)] {
        let lacks = refusal(true, "2", "LLC-loads", refuse);
        says(lacks, "the CPU's counters (cpu) have no event of this general name", "cpu/event=..,umask=../");
        says(refusal(false, "2", "cycles", refuse), "offers no hardware counters", "software events");
        says(refusal(false, "2", "r1c2", refuse), "offers no hardware counters", "software events");
    }
}

#[test]
fn numbers_that_the_cpu_does_not_take_are_said_to_be_so() {
    says(
        refusal(true, "2", "cpu/event=0xff/", |_| Some(Errno::EINVAL)),
        "they lack such an event, or bits that it sets",
        "/sys/bus/event_source/devices/cpu/format",
    );
    says(
        refusal(true, "2", "r1c2", |_| Some(Errno::EINVAL)),
        "the CPU's counters (cpu) do not take it",
        "manual",
    );
}

#[test]
fn levels_are_reported_without_differences() {
    let denied = |paranoid, name| refusal(true, paranoid, name, |_| Some(Errno::EACCES));
    says(
        denied("4", "cycles"),
        "is 4, which lets users count nothing; 2 lets them count user mode",
        "CAP_PERFMON",
    );
    says(denied("2", "cycles"), "something forbids it: kernel.perf_event_paranoid is 2 and allows it", "log");
    says(denied("2", "cycles:k"), "is 2, which lets users count user mode only; 1 lets them", "`:u`");
    says(
        denied("2", "context-switches"),
        "it happens in the kernel, and kernel.perf_event_paranoid is 2",
        "rusage",
    );
    says(denied("1", "cycles:k"), "something forbids it", "CAP_PERFMON");
    says(denied("2", "sched:sched_switch"), "it happens in the kernel", "CAP_PERFMON");
    says(denied("x", "cycles"), "kernel.perf_event_paranoid can't be read", "CAP_PERFMON");
}

#[test]
fn a_unit_that_counts_everything_or_nothing_says_why_it_was_refused_first() {
    let tsc = |name| {
        refusal(true, "2", name, |asked| Some(if asked.modes.kernel { Errno::EACCES } else { Errno::EINVAL }))
    };
    says(
        tsc("msr/tsc/"),
        "kernel.perf_event_paranoid is 2, which lets users count user mode only",
        "ask an administrator",
    );
    assert!(!tsc("msr/tsc/").1.contains("`:u`"), "it can't count user mode alone");
    says(tsc("msr/tsc/u"), "most can't leave out user mode or the kernel", "without modes");
    says(refusal(true, "2", "msr/tsc/", |_| Some(Errno::ENOENT)), "has no such event", "event_source");
}

#[test]
fn every_other_error_has_its_reason_and_remedy() {
    let with = |name, refuse| refusal(true, "2", name, refuse);
    says(with("cycles", |_| Some(Errno::EPERM)), "system-call filter of a container", "add CAP_PERFMON");
    says(with("mem:0x10", |_| Some(Errno::EPERM)), "the address is the kernel's", "address of the program");
    says(with("cycles", |_| Some(Errno::ENOSYS)), "built without it", "CONFIG_PERF_EVENTS");
    says(with("cycles", |_| Some(Errno::ENFILE)), "the system has as many files", "administrator");
    says(with("mem:0x10", |_| Some(Errno::ENOSPC)), "breakpoints are used up", "fewer");
    says(with("mem:0x10:r", |_| Some(Errno::EINVAL)), "x86-64 has none for reads alone", "`rw`");
    says(with("cycles", |_| Some(Errno::ENOSPC)), "no counter left", "fewer events");
    says(with("cycles", |_| Some(Errno::E2BIG)), "too old", "update the kernel");
    says(
        with("cycles", |_| Some(Errno::EBUSY)),
        "taken the CPU's counters for itself alone",
        "end that program",
    );
    says(
        with("cycles", |_| Some(Errno::EOPNOTSUPP)),
        "a feature that the CPU's counters lack",
        "another event",
    );
    says(with("cycles", |_| Some(Errno::ESRCH)), "has ended", "again");
    says(with("cgroup-switches", |_| Some(Errno::EINVAL)), "too old", "another event");
    says(with("cycles", |_| Some(Errno::EFAULT)), "Bad address", "another event");
}

#[test]
fn too_many_open_files_are_reported_with_how_many_may_be() {
    let (reason, remedy) = refusal(true, "2", "cycles", |_| Some(Errno::EMFILE));
    let (soft, _) = nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_NOFILE).unwrap();
    assert!(reason.contains(&format!("as many files open as it may ({soft})")), "{reason}");
    assert!(remedy.contains("ulimit -n"), "{remedy}");
}

#[test]
fn a_refusal_of_a_set_names_the_event() {
    let folder = Folder::new();
    folder.pmu("cpu", 4, &[]);
    let refuse = |asked: &Asked| (asked.encoding.config[0] == 6).then_some(Errno::ENOENT);
    let (machine, _) = folder.with(Fake { refuse, ..Fake::default() }, None);
    let events = ["cycles", "bus-cycles", "instructions"];
    let error = open(&machine, &events, Share::Auto, false).unwrap_err();
    assert!(error.starts_with("perf:bus-cycles can't be counted here: "), "{error}");
    let unknown = open(&machine, &["cycles", "cycels"], Share::Auto, false).unwrap_err();
    assert!(unknown.starts_with("perf has no event `cycels`: choose"), "{unknown}");
}
