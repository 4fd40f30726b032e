//! The kernel's general names of events, of hardware and of its own, as `perf list` has them.

use perf_event_open_sys::bindings::*;

/// An event that the kernel knows by a name on every machine.
#[derive(Debug)]
pub struct General {
    /// The name that is listed, and others that mean the same.
    pub names: &'static [&'static str],
    pub kind: u32,
    pub config: u32,
    pub unit: &'static str,
    /// A sentence without its end.
    pub summary: &'static str,
    /// Whether it happens in the kernel only: with the kernel left out, it would be 0 for ever.
    pub in_kernel: bool,
    /// Whether it is of use without being asked for by name.
    pub listed: bool,
}

const fn hardware(
    names: &'static [&'static str],
    config: u32,
    unit: &'static str,
    summary: &'static str,
) -> General {
    General { names, kind: PERF_TYPE_HARDWARE, config, unit, summary, in_kernel: false, listed: true }
}

const fn software(names: &'static [&'static str], config: u32, summary: &'static str) -> General {
    let unit = "events";
    General { names, kind: PERF_TYPE_SOFTWARE, config, unit, summary, in_kernel: false, listed: true }
}

const fn time(names: &'static [&'static str], config: u32, summary: &'static str) -> General {
    General { unit: "ns", ..software(names, config, summary) }
}

const fn in_kernel(names: &'static [&'static str], config: u32, summary: &'static str) -> General {
    General { in_kernel: true, ..software(names, config, summary) }
}

const fn unlisted(names: &'static [&'static str], config: u32, summary: &'static str) -> General {
    General { listed: false, ..software(names, config, summary) }
}

pub const GENERAL: [General; 22] = [
    time(&["task-clock"], PERF_COUNT_SW_TASK_CLOCK, "Time during which the thread ran"),
    time(
        &["cpu-clock"],
        PERF_COUNT_SW_CPU_CLOCK,
        "Time during which the thread ran, by the clock of its core",
    ),
    software(&["page-faults", "faults"], PERF_COUNT_SW_PAGE_FAULTS, "Page faults"),
    software(&["minor-faults"], PERF_COUNT_SW_PAGE_FAULTS_MIN, "Page faults that needed no input"),
    software(&["major-faults"], PERF_COUNT_SW_PAGE_FAULTS_MAJ, "Page faults that had to wait for input"),
    software(
        &["alignment-faults"],
        PERF_COUNT_SW_ALIGNMENT_FAULTS,
        "Accesses that the kernel had to align; never on x86-64",
    ),
    software(
        &["emulation-faults"],
        PERF_COUNT_SW_EMULATION_FAULTS,
        "Instructions that the kernel had to emulate",
    ),
    in_kernel(
        &["context-switches", "cs"],
        PERF_COUNT_SW_CONTEXT_SWITCHES,
        "Times that the thread lost its core",
    ),
    in_kernel(
        &["cpu-migrations", "migrations"],
        PERF_COUNT_SW_CPU_MIGRATIONS,
        "Times that the thread went on on another core",
    ),
    in_kernel(
        &["cgroup-switches"],
        PERF_COUNT_SW_CGROUP_SWITCHES,
        "Times that the thread's core went to another control group",
    ),
    unlisted(&["dummy"], PERF_COUNT_SW_DUMMY, "Nothing: always 0, to see what a reading costs"),
    unlisted(&["bpf-output"], PERF_COUNT_SW_BPF_OUTPUT, "Records that a BPF program writes to it"),
    hardware(
        &["cycles", "cpu-cycles"],
        PERF_COUNT_HW_CPU_CYCLES,
        "cycles",
        "Cycles of the core, at whatever frequency it ran",
    ),
    hardware(&["instructions"], PERF_COUNT_HW_INSTRUCTIONS, "events", "Instructions retired"),
    hardware(
        &["branches", "branch-instructions"],
        PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
        "events",
        "Branch instructions retired",
    ),
    hardware(
        &["branch-misses"],
        PERF_COUNT_HW_BRANCH_MISSES,
        "events",
        "Branches that were predicted wrongly",
    ),
    hardware(
        &["cache-references"],
        PERF_COUNT_HW_CACHE_REFERENCES,
        "events",
        "Accesses to the last level of cache, on most CPUs",
    ),
    hardware(
        &["cache-misses"],
        PERF_COUNT_HW_CACHE_MISSES,
        "events",
        "Accesses that the last level of cache did not serve, on most CPUs",
    ),
    hardware(&["bus-cycles"], PERF_COUNT_HW_BUS_CYCLES, "cycles", "Cycles of the bus"),
    hardware(
        &["ref-cycles"],
        PERF_COUNT_HW_REF_CPU_CYCLES,
        "cycles",
        "Cycles at the CPU's nominal frequency while the thread ran",
    ),
    hardware(
        &["stalled-cycles-frontend", "idle-cycles-frontend"],
        PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
        "cycles",
        "Cycles in which no instruction could be issued",
    ),
    hardware(
        &["stalled-cycles-backend", "idle-cycles-backend"],
        PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
        "cycles",
        "Cycles in which no instruction could be retired",
    ),
];

/// The event of a name.
pub fn general(name: &str) -> Option<&'static General> {
    GENERAL.iter().find(|general| general.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_the_numbers_of_perf_event_h() {
        // PERF_TYPE_HARDWARE is 0, PERF_TYPE_SOFTWARE is 1; the others are PERF_COUNT_HW_.. and
        // PERF_COUNT_SW_..
        let numbers = [
            ("cycles", 0, 0),
            ("cpu-cycles", 0, 0),
            ("instructions", 0, 1),
            ("cache-references", 0, 2),
            ("cache-misses", 0, 3),
            ("branches", 0, 4),
            ("branch-instructions", 0, 4),
            ("branch-misses", 0, 5),
            ("bus-cycles", 0, 6),
            ("stalled-cycles-frontend", 0, 7),
            ("idle-cycles-frontend", 0, 7),
            ("stalled-cycles-backend", 0, 8),
            ("idle-cycles-backend", 0, 8),
            ("ref-cycles", 0, 9),
            ("cpu-clock", 1, 0),
            ("task-clock", 1, 1),
            ("page-faults", 1, 2),
            ("faults", 1, 2),
            ("context-switches", 1, 3),
            ("cs", 1, 3),
            ("cpu-migrations", 1, 4),
            ("migrations", 1, 4),
            ("minor-faults", 1, 5),
            ("major-faults", 1, 6),
            ("alignment-faults", 1, 7),
            ("emulation-faults", 1, 8),
            ("dummy", 1, 9),
            ("bpf-output", 1, 10),
            ("cgroup-switches", 1, 11),
        ];
        for (name, kind, config) in numbers {
            let general = general(name).unwrap();
            assert_eq!((general.kind, general.config), (kind, config), "{name}");
        }
        assert_eq!(numbers.len(), GENERAL.iter().map(|general| general.names.len()).sum::<usize>());
    }
}
