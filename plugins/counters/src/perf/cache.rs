//! Names of cache events: a cache, what is done to it, and whether it is there, as in
//! `L1-dcache-load-misses`.

use perf_event_open_sys::bindings::*;

/// A cache, and what `perf list` knows to be done to it.
struct Cache {
    name: &'static str,
    number: u32,
    operations: &'static [Operation],
    /// What a load is there, and where it goes.
    load: &'static str,
    what: &'static str,
}

/// What is done to a cache, in a summary, in names of all and in those of misses.
struct Operation {
    number: u32,
    all: &'static str,
    misses: &'static str,
    summary: &'static str,
}

const LOAD: Operation =
    Operation { number: PERF_COUNT_HW_CACHE_OP_READ, all: "loads", misses: "load-misses", summary: "" };
const STORE: Operation = Operation {
    number: PERF_COUNT_HW_CACHE_OP_WRITE,
    all: "stores",
    misses: "store-misses",
    summary: "Stores",
};
const PREFETCH: Operation = Operation {
    number: PERF_COUNT_HW_CACHE_OP_PREFETCH,
    all: "prefetches",
    misses: "prefetch-misses",
    summary: "Prefetches",
};

const fn cache(
    name: &'static str,
    number: u32,
    operations: &'static [Operation],
    load: &'static str,
    what: &'static str,
) -> Cache {
    Cache { name, number, operations, load, what }
}

const CACHES: [Cache; 7] = [
    cache(
        "L1-dcache",
        PERF_COUNT_HW_CACHE_L1D,
        &[LOAD, STORE, PREFETCH],
        "Loads",
        "the first-level data cache",
    ),
    cache(
        "L1-icache",
        PERF_COUNT_HW_CACHE_L1I,
        &[LOAD, PREFETCH],
        "Instruction fetches",
        "the first-level instruction cache",
    ),
    cache("LLC", PERF_COUNT_HW_CACHE_LL, &[LOAD, STORE, PREFETCH], "Loads", "the last-level cache"),
    cache(
        "dTLB",
        PERF_COUNT_HW_CACHE_DTLB,
        &[LOAD, STORE, PREFETCH],
        "Loads",
        "the cache of address translations for data",
    ),
    cache(
        "iTLB",
        PERF_COUNT_HW_CACHE_ITLB,
        &[LOAD],
        "Instruction fetches",
        "the cache of address translations for instructions",
    ),
    cache("branch", PERF_COUNT_HW_CACHE_BPU, &[LOAD], "Branches", "the branch predictor"),
    cache("node", PERF_COUNT_HW_CACHE_NODE, &[LOAD, STORE, PREFETCH], "Loads", "the memory of the NUMA node"),
];

/// An event of a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheEvent {
    pub name: String,
    /// The cache, the operation and the result, a byte each.
    pub config: u64,
    /// A sentence without its end.
    pub summary: String,
}

/// All that have a name.
pub fn cache_events() -> impl Iterator<Item = CacheEvent> {
    let pairs =
        CACHES.iter().flat_map(|cache| cache.operations.iter().map(move |operation| (cache, operation)));
    pairs.flat_map(|(cache, operation)| {
        let Cache { name, number, what, .. } = cache;
        let event = |kind, result: u32, verb| CacheEvent {
            name: format!("{name}-{kind}"),
            config: u64::from(number | operation.number << 8 | result << 16),
            summary: match operation.summary {
                "" => format!("{} {verb} {what}", cache.load),
                summary => format!("{summary} {verb} {what}"),
            },
        };
        [
            event(operation.all, PERF_COUNT_HW_CACHE_RESULT_ACCESS, "that asked"),
            event(operation.misses, PERF_COUNT_HW_CACHE_RESULT_MISS, "that missed"),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_the_numbers_of_perf_event_h() {
        // PERF_COUNT_HW_CACHE_..: L1D 0, L1I 1, LL 2, DTLB 3, ITLB 4, BPU 5, NODE 6; OP_READ 0, OP_WRITE 1,
        // OP_PREFETCH 2 in the second byte; RESULT_ACCESS 0, RESULT_MISS 1 in the third.
        let numbers = [
            ("L1-dcache-loads", 0x0),
            ("L1-dcache-load-misses", 0x10000),
            ("L1-dcache-stores", 0x100),
            ("L1-dcache-store-misses", 0x10100),
            ("L1-dcache-prefetches", 0x200),
            ("L1-dcache-prefetch-misses", 0x10200),
            ("L1-icache-loads", 0x1),
            ("L1-icache-load-misses", 0x10001),
            ("L1-icache-prefetches", 0x201),
            ("L1-icache-prefetch-misses", 0x10201),
            ("LLC-loads", 0x2),
            ("LLC-load-misses", 0x10002),
            ("LLC-stores", 0x102),
            ("LLC-store-misses", 0x10102),
            ("LLC-prefetches", 0x202),
            ("LLC-prefetch-misses", 0x10202),
            ("dTLB-loads", 0x3),
            ("dTLB-load-misses", 0x10003),
            ("dTLB-stores", 0x103),
            ("dTLB-store-misses", 0x10103),
            ("dTLB-prefetches", 0x203),
            ("dTLB-prefetch-misses", 0x10203),
            ("iTLB-loads", 0x4),
            ("iTLB-load-misses", 0x10004),
            ("branch-loads", 0x5),
            ("branch-load-misses", 0x10005),
            ("node-loads", 0x6),
            ("node-load-misses", 0x10006),
            ("node-stores", 0x106),
            ("node-store-misses", 0x10106),
            ("node-prefetches", 0x206),
            ("node-prefetch-misses", 0x10206),
        ];
        let made: Vec<(String, u64)> = cache_events().map(|event| (event.name, event.config)).collect();
        let expected: Vec<(String, u64)> =
            numbers.iter().map(|(name, config)| ((*name).to_owned(), *config)).collect();
        assert_eq!(made, expected);
    }
}
