//! Fuzzing targets: everything that assay reads from others, and the search of `assay-finder`, each a function of
//! bytes that panics if a promise is broken.
//!
//! The promises: no input causes a panic; reading takes at most a bounded multiple of the input in memory; an
//! error names the line or the place in it; and what is read is the same after it was written and read again. A
//! search returns what memchr returns, and reads nothing outside of its text.
//! The binaries in `fuzz_targets/` give the functions to libFuzzer, and a test replays the corpora.

mod check;
mod collection;
mod elf;
mod event_set;
mod experiment;
mod finder;
mod journal;
mod listing;
mod merge;
mod plan;
mod report;
mod seeds;
mod smart;
mod worker;

pub use collection::collection;
pub use elf::elf;
pub use event_set::event_set;
pub use experiment::experiment;
pub use finder::finder;
pub use journal::journal;
pub use listing::listing;
pub use merge::merge;
pub use plan::plan;
pub use report::report;
pub use seeds::seeds;
pub use smart::smart;
pub use worker::worker;

/// Reads an input as assay reads it, and panics if a promise is broken.
pub type Target = fn(&[u8]);

/// Each target with its name, which is also that of its corpus.
pub const TARGETS: [(&str, Target); 12] = [
    ("collection", collection),
    ("elf", elf),
    ("event_set", event_set),
    ("experiment", experiment),
    ("finder", finder),
    ("journal", journal),
    ("listing", listing),
    ("merge", merge),
    ("plan", plan),
    ("report", report),
    ("smart", smart),
    ("worker", worker),
];
