//! A worker measures one algorithm: the same binary, started again, that loads only the libraries it needs, has the text
//! as shared memory, and measures whole blocks without talking to the host. What its algorithm does wrong costs the
//! block that it was measuring.

pub mod child;
mod clock;
mod conditions;
mod floor;
mod measure;
mod pattern;
mod process;
mod protocol;
mod shared;

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

pub use child::pin;
pub use measure::InProcess;
pub use process::ProcessWorker;
pub use protocol::{CounterSetup, Offsets, Setup};
pub use shared::SharedText;

use crate::results::noise::BlockNoise;

// serde has a name `FIELDS` of its own.
use assay_plugin_api::{EXTRA_FIELDS, FIELDS as STANDARD_FIELDS};

/// Repetitions to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Index of the first repetition, for messages.
    pub first: usize,
    /// Length of the patterns in bytes.
    pub length: usize,
    /// The pattern of each repetition.
    pub patterns: Patterns,
    /// Repetitions before the first that are not measured.
    pub warmup: usize,
}

impl Batch {
    /// What is left after so many repetitions.
    fn from(&self, measured: usize) -> Batch {
        let patterns = match &self.patterns {
            Patterns::At(positions) => Patterns::At(positions[measured..].to_vec()),
            Patterns::Same(pattern, times) => Patterns::Same(pattern.clone(), times - measured),
        };
        Batch { first: self.first + measured, patterns, ..*self }
    }
}

/// The patterns of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Patterns {
    /// From these positions of the text.
    At(Vec<usize>),
    /// The same bytes, so many times.
    Same(Vec<u8>, usize),
}

impl Patterns {
    /// Number of repetitions.
    pub fn len(&self) -> usize {
        match self {
            Patterns::At(positions) => positions.len(),
            Patterns::Same(_, times) => *times,
        }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One repetition, as measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Time of the preparation in nanoseconds.
    pub prepare_ns: u64,
    /// Time of the search in nanoseconds.
    pub search_ns: u64,
    /// Occurrences that the algorithm found.
    pub occurrences: u64,
    /// For each counter: what the preparation and what the search cost.
    pub counts: Vec<PhaseCounts>,
    /// What an instrumented algorithm measured; boxed, since there are many rows and most are timed.
    pub measured: Option<Box<Measured>>,
}

impl Row {
    /// Time of both phases in nanoseconds. A worker whose memory is damaged may send any number.
    pub fn total_ns(&self) -> u64 {
        self.prepare_ns.saturating_add(self.search_ns)
    }
}

/// What one counter counted; `None` where it did not count all the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseCounts {
    /// During the preparation.
    pub prepare: Option<f64>,
    /// During the search.
    pub search: Option<f64>,
}

/// What an instrumented algorithm measured in one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Standard fields.
    pub fields: [Option<u64>; STANDARD_FIELDS],
    /// Extra fields.
    pub extra: [Option<u64>; EXTRA_FIELDS],
}

/// What came of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchResult {
    /// The repetitions that were measured, from the first on.
    pub rows: Vec<Row>,
    /// Why the rest was not.
    pub ended: Option<Ended>,
    /// What else happened meanwhile, where the worker lived to tell.
    pub noise: Option<BlockNoise>,
}

/// Why a batch ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The algorithm is not made for this.
    CannotSearch(String),
    /// It reported an error, or panicked.
    Error(String),
    /// It took longer than the time limit.
    TimedOut(String),
    /// The worker died.
    Crashed(String),
    /// The user interrupted the run.
    Interrupted,
}

/// Measures batches of one algorithm.
pub trait Worker {
    /// Measures a batch. `interrupted` is watched meanwhile.
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult;

    /// Ends its process, if it has one. The next batch starts another.
    fn end(&mut self) {}
}
