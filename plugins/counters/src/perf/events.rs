//! The events, by the names that `perf list` gives them.

use perf_event::Builder;
use perf_event::events::{Cache, CacheOp, CacheResult, Event, Hardware, Software, WhichCache};

/// An event that the backend can ask the kernel for.
pub struct Known {
    pub name: &'static str,
    pub unit: &'static str,
    pub summary: &'static str,
    /// Whether it happens in the kernel only: with the kernel excluded, it would be counted as 0 for ever.
    pub in_kernel: bool,
    event: Event,
}

impl Known {
    /// A request for the event, in user mode unless it happens in the kernel.
    pub fn builder<'a>(&self) -> Builder<'a> {
        let mut builder = Builder::new().kind(self.event.clone());
        builder.exclude_kernel(!self.in_kernel);
        builder
    }

    /// Whether it takes one of the CPU's counters.
    pub fn hardware(&self) -> bool {
        !matches!(self.event, Event::Software(_))
    }
}

const fn software(name: &'static str, unit: &'static str, event: Software, summary: &'static str) -> Known {
    Known { name, unit, summary, in_kernel: false, event: Event::Software(event) }
}

const fn in_kernel(name: &'static str, event: Software, summary: &'static str) -> Known {
    Known { name, unit: "events", summary, in_kernel: true, event: Event::Software(event) }
}

const fn hardware(name: &'static str, unit: &'static str, event: Hardware, summary: &'static str) -> Known {
    Known { name, unit, summary, in_kernel: false, event: Event::Hardware(event) }
}

const fn cache(
    name: &'static str,
    which: WhichCache,
    operation: CacheOp,
    result: CacheResult,
    summary: &'static str,
) -> Known {
    let event = Event::Cache(Cache { which, operation, result });
    Known { name, unit: "events", summary, in_kernel: false, event }
}

use CacheOp::{READ, WRITE};
use CacheResult::{ACCESS, MISS};

pub const EVENTS: [Known; 30] = [
    software("task-clock", "ns", Software::TASK_CLOCK, "Time during which the thread ran."),
    software(
        "cpu-clock",
        "ns",
        Software::CPU_CLOCK,
        "Time during which the thread ran, by the clock of its core.",
    ),
    software("page-faults", "events", Software::PAGE_FAULTS, "Page faults."),
    software("minor-faults", "events", Software::PAGE_FAULTS_MIN, "Page faults that needed no input."),
    software("major-faults", "events", Software::PAGE_FAULTS_MAJ, "Page faults that had to wait for input."),
    software(
        "alignment-faults",
        "events",
        Software::ALIGNMENT_FAULTS,
        "Accesses that the kernel had to align; never on x86-64.",
    ),
    software(
        "emulation-faults",
        "events",
        Software::EMULATION_FAULTS,
        "Instructions that the kernel had to emulate.",
    ),
    in_kernel("context-switches", Software::CONTEXT_SWITCHES, "Times that the thread lost its core."),
    in_kernel("cpu-migrations", Software::CPU_MIGRATIONS, "Times that the thread went on on another core."),
    hardware("cycles", "cycles", Hardware::CPU_CYCLES, "Cycles of the core, at whatever frequency it ran."),
    hardware("instructions", "events", Hardware::INSTRUCTIONS, "Instructions retired."),
    hardware("branches", "events", Hardware::BRANCH_INSTRUCTIONS, "Branch instructions retired."),
    hardware("branch-misses", "events", Hardware::BRANCH_MISSES, "Branches that were predicted wrongly."),
    hardware(
        "cache-references",
        "events",
        Hardware::CACHE_REFERENCES,
        "Accesses to the last level of cache, on most CPUs.",
    ),
    hardware(
        "cache-misses",
        "events",
        Hardware::CACHE_MISSES,
        "Accesses that the last level of cache did not serve, on most CPUs.",
    ),
    hardware("bus-cycles", "cycles", Hardware::BUS_CYCLES, "Cycles of the bus."),
    hardware(
        "ref-cycles",
        "cycles",
        Hardware::REF_CPU_CYCLES,
        "Cycles at the CPU's nominal frequency while the thread ran.",
    ),
    hardware(
        "stalled-cycles-frontend",
        "cycles",
        Hardware::STALLED_CYCLES_FRONTEND,
        "Cycles in which no instruction could be issued.",
    ),
    hardware(
        "stalled-cycles-backend",
        "cycles",
        Hardware::STALLED_CYCLES_BACKEND,
        "Cycles in which no instruction could be retired.",
    ),
    cache("L1-dcache-loads", WhichCache::L1D, READ, ACCESS, "Loads from the first-level data cache."),
    cache(
        "L1-dcache-load-misses",
        WhichCache::L1D,
        READ,
        MISS,
        "Loads that missed the first-level data cache.",
    ),
    cache("L1-dcache-stores", WhichCache::L1D, WRITE, ACCESS, "Stores to the first-level data cache."),
    cache(
        "L1-icache-load-misses",
        WhichCache::L1I,
        READ,
        MISS,
        "Instruction fetches that missed the first-level cache.",
    ),
    cache("LLC-loads", WhichCache::LL, READ, ACCESS, "Loads from the last-level cache."),
    cache("LLC-load-misses", WhichCache::LL, READ, MISS, "Loads that missed the last-level cache."),
    cache("LLC-stores", WhichCache::LL, WRITE, ACCESS, "Stores to the last-level cache."),
    cache("dTLB-loads", WhichCache::DTLB, READ, ACCESS, "Address translations for loads."),
    cache(
        "dTLB-load-misses",
        WhichCache::DTLB,
        READ,
        MISS,
        "Address translations for loads that missed their cache.",
    ),
    cache(
        "dTLB-store-misses",
        WhichCache::DTLB,
        WRITE,
        MISS,
        "Address translations for stores that missed their cache.",
    ),
    cache(
        "iTLB-load-misses",
        WhichCache::ITLB,
        READ,
        MISS,
        "Address translations for instructions that missed their cache.",
    ),
];
