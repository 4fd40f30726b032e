//! Names, and the events that they are on machines that are made up. The numbers are those of perf_event.h.

use super::super::fake::{Folder, hybrid};
use super::super::kernel::{Encoding, Modes};
use super::super::refusal::Refusal;
use super::super::request::{Request, Room, Source};

/// A machine with one kind of cores, as an Intel one describes it.
fn intel() -> Folder {
    let folder = Folder::new();
    folder.pmu(
        "cpu",
        4,
        &[
            ("format/event", "config:0-7"),
            ("format/umask", "config:8-15"),
            ("format/inv", "config:23"),
            ("events/slots", "event=0x00,umask=0x4"),
            ("events/topdown-retiring", "event=0x00,umask=0x80"),
            ("events/mem-loads", "event=0xcd,umask=0x1"),
        ],
    );
    folder.pmu("msr", 9, &[("format/event", "config:0-63"), ("events/tsc", "event=0x00")]);
    folder.pmu("power", 17, &[("cpumask", "0"), ("events/energy-pkg", "event=0x02")]);
    folder
}

fn resolved(folder: &Folder, cpu: usize, name: &str) -> Result<Option<Request>, Refusal> {
    folder.machine(Some(cpu)).resolve(name)
}

fn request(name: &str) -> Request {
    resolved(&intel(), 0, name).unwrap().unwrap()
}

fn numbers(name: &str) -> (u32, [u64; 4]) {
    let Encoding { kind, config, breakpoint: 0 } = request(name).encoding else { panic!("{name}") };
    (kind, config)
}

#[test]
fn a_name_has_the_type_and_config_of_its_event() {
    assert_eq!(numbers("cycles"), (0, [0, 0, 0, 0]));
    assert_eq!(numbers("branch-instructions"), (0, [4, 0, 0, 0]));
    assert_eq!(numbers("faults"), (1, [2, 0, 0, 0]));
    assert_eq!(numbers("cgroup-switches"), (1, [11, 0, 0, 0]));
    assert_eq!(numbers("LLC-store-misses"), (3, [0x10102, 0, 0, 0]));
    assert_eq!(numbers("r1a8"), (4, [0x1a8, 0, 0, 0]));
    assert_eq!(numbers("cpu/event=0x3c,umask=0x1/"), (4, [0x13c, 0, 0, 0]));
    assert_eq!(numbers("cpu/mem-loads,inv/"), (4, [0x0080_01cd, 0, 0, 0]));
    assert_eq!(numbers("mem-loads"), (4, [0x1cd, 0, 0, 0]));
    assert_eq!(numbers("msr/tsc/"), (9, [0, 0, 0, 0]));
}

#[test]
fn an_event_has_the_name_that_it_was_asked_for() {
    for name in ["cs", "cycles:u", "r1a8:k", "cpu/mem-loads/u", "mem-loads", "mem:0x10:w"] {
        assert_eq!(request(name).name, name);
    }
}

#[test]
fn modes_stand_after_a_colon_or_the_last_slash() {
    let modes = |user, kernel, hypervisor| Some(Modes { user, kernel, hypervisor });
    assert_eq!(request("cycles").modes, None);
    assert_eq!(request("cycles:u").modes, modes(true, false, false));
    assert_eq!(request("L1-icache-loads:k").modes, modes(false, true, false));
    assert_eq!(request("cpu/event=1/uk").modes, modes(true, true, false));
    assert_eq!(request("cpu/event=1/:h").modes, modes(false, false, true));
    assert_eq!(request("mem:0x1000:u").modes, modes(true, false, false));
    assert!(
        resolved(&intel(), 0, "cpu/event=1/pp").unwrap_err().reason.contains("`pp` after the last slash")
    );
    let folder = intel();
    folder.file("sys/kernel/tracing/events/enable", "0\n");
    assert_eq!(resolved(&folder, 0, "cycles:x"), Ok(None));
}

#[test]
fn names_that_mean_nothing_are_nothing() {
    for name in ["", "cycle", "r", "rx1", "cpu/event=1", "ref-cycle", "r12345678901234567"] {
        assert_eq!(resolved(&intel(), 0, name), Ok(None), "{name}");
    }
}

#[test]
fn what_a_unit_does_not_have_is_said() {
    let refusal = |name| resolved(&intel(), 0, name).unwrap_err();
    assert!(refusal("cpu/evnt=1/").reason.starts_with("cpu has no event and no term `evnt`"));
    let unit = refusal("uncore/x/");
    assert_eq!(unit.reason, "there is no counting unit `uncore` here");
    assert_eq!(unit.remedy, "choose from cpu, msr, power");
    assert!(refusal("power/energy-pkg/").reason.contains("not for a thread"));
}

#[test]
fn shares_of_the_slots_are_led_by_all_slots() {
    let share = request("cpu/topdown-retiring/");
    assert_eq!(share.encoding.config[0], 0x8000);
    assert_eq!(share.leader, Some(Encoding { kind: 4, config: [0x400, 0, 0, 0], breakpoint: 0 }));
    assert_eq!(request("topdown-retiring").leader, share.leader);
    assert_eq!(request("slots").leader, None);
    let atom = resolved(&hybrid(), 5, "topdown-retiring").unwrap().unwrap();
    assert_eq!(atom.leader, None, "without slots there is nothing to lead");
}

#[test]
fn events_go_to_the_unit_of_the_core_that_the_thread_is_bound_to() {
    let folder = hybrid();
    let config = |cpu, name| {
        let request = resolved(&folder, cpu, name).unwrap().unwrap();
        (request.encoding.kind, request.encoding.config[0])
    };
    assert_eq!(config(0, "cycles"), (0, 0x4_0000_0000));
    assert_eq!(config(4, "instructions"), (0, 0xa_0000_0001));
    assert_eq!(config(7, "L1-dcache-load-misses"), (3, 0xa_0001_0000));
    assert_eq!(config(7, "r1c2"), (10, 0x1c2));
    assert_eq!(config(7, "page-faults"), (1, 2), "the kernel's own events have no unit");
    let summary = resolved(&folder, 4, "cycles").unwrap().unwrap().summary;
    assert!(summary.ends_with(", of cpu_atom (CPUs 4-7)"), "{summary}");
}

#[test]
fn an_event_of_another_kind_of_core_is_refused() {
    let folder = hybrid();
    let refusal = resolved(&folder, 3, "cpu_atom/event=0x3c/").unwrap_err();
    assert_eq!(refusal.reason, "cpu_atom (CPUs 4-7) does not count on CPU 3, where the thread runs");
    assert!(refusal.remedy.contains("--pin"));
    for name in ["cycles", "LLC-loads", "r1"] {
        let nowhere = resolved(&folder, 9, name).unwrap_err();
        assert!(nowhere.reason.contains("no unit counts on CPU 9"), "{}", nowhere.reason);
        assert!(nowhere.reason.ends_with("cpu_atom (CPUs 4-7), cpu_core (CPUs 0-3)"), "{}", nowhere.reason);
    }
}

#[test]
fn a_breakpoint_has_an_address_a_length_and_what_it_waits_for() {
    // HW_BREAKPOINT_R is 1, HW_BREAKPOINT_W 2, HW_BREAKPOINT_X 4; the address is config1, the length config2.
    let breakpoint = |name| {
        let Encoding { kind: 5, config: [0, address, length, 0], breakpoint } = request(name).encoding else {
            panic!("{name}")
        };
        (address, length, breakpoint)
    };
    assert_eq!(breakpoint("mem:0x1000"), (0x1000, 4, 3));
    assert_eq!(breakpoint("mem:4096/8:w"), (0x1000, 8, 2));
    assert_eq!(breakpoint("mem:0x1000/2:rw:u"), (0x1000, 2, 3));
    assert_eq!(breakpoint("mem:0x1000:x"), (0x1000, 8, 4));
    for name in ["mem:", "mem:main", "mem:0x1000/x", "mem:0x1000:q", "mem:0x1000:w:w", "mem:0x1000:u:w"] {
        let refusal = resolved(&intel(), 0, name).unwrap_err();
        assert!(refusal.reason.contains("is no breakpoint"), "{name}: {}", refusal.reason);
    }
}

#[test]
fn a_tracepoint_has_the_number_that_the_kernel_gives_it() {
    let folder = Folder::new();
    let name = "sched:sched_switch";
    assert!(resolved(&folder, 0, name).unwrap_err().remedy.contains("mount -t tracefs"));
    folder.file("sys/kernel/debug/tracing/events/sched/sched_switch/id", "316\n");
    let event = resolved(&folder, 0, name).unwrap().unwrap();
    assert_eq!((event.encoding.kind, event.encoding.config[0], event.in_kernel), (2, 316, true));
    assert_eq!(resolved(&folder, 0, "sched:sched_switch:k").unwrap().unwrap().name, "sched:sched_switch:k");
    assert_eq!(resolved(&folder, 0, "sched:no_such"), Ok(None));
    assert_eq!(resolved(&folder, 0, "sched:..:u"), Ok(None));
}

#[test]
fn a_count_of_a_unit_has_its_scale_and_unit() {
    let folder = intel();
    folder.file("sys/bus/event_source/devices/msr/events/tsc.scale", "0.5\n");
    folder.file("sys/bus/event_source/devices/msr/events/tsc.unit", "ticks\n");
    let event = resolved(&folder, 0, "msr/tsc/").unwrap().unwrap();
    assert_eq!((event.scale, event.unit.as_str()), (0.5, "ticks"));
    assert_eq!((event.source, event.room()), (Source::Unit, Room::Unit(9)));
}

#[test]
fn what_a_name_means_on_this_processor_is_said() {
    let folder = intel();
    folder.file("proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 25\n");
    let summary = |name| resolved(&folder, 0, name).unwrap().unwrap().summary;
    assert!(summary("cache-references").ends_with("; on AMD Zen: accesses to the L2 cache"));
    assert!(!summary("cycles").contains("Zen"));
}
