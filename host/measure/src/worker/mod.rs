//! A worker measures one algorithm: the same binary, started again, that loads only the libraries it needs, has the text
//! as shared memory, and measures whole blocks without talking to the host. What its algorithm does wrong costs the
//! block that it was measuring.

pub mod child;
mod clock;
mod conditions;
mod counters;
mod eviction;
mod floor;
mod in_process;
mod measure;
mod overhead;
mod pattern;
mod presence;
mod process;
mod protocol;
mod shared;
mod team;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

pub use in_process::InProcess;
pub use overhead::{counting_costs, serve as serve_counting_costs};
pub(crate) use process::DESCRIPTORS;
pub use process::ProcessWorker;
pub use protocol::{CounterSetup, EventKind, Offsets, Setup};
pub use shared::SharedText;

use assay_experiment::patterns::Patterns;
use assay_experiment::points::{Point, Step};
use assay_store::counting::{CountFaults, LostBackend};
use assay_store::noise::BlockNoise;
use assay_store::{Ended, Row};

use protocol::BackendFault;
use shared::Deed;

/// Repetitions to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Index of the first repetition, for messages.
    pub first: usize,
    /// Length of the patterns in bytes.
    pub length: usize,
    /// The pattern of each repetition.
    pub patterns: Patterns,
    /// The calls of each repetition; texts are numbered as in the setup.
    pub steps: Vec<Step>,
    /// How many threads search.
    pub threads: usize,
    /// Repetitions before the first that are not measured.
    pub warmup: usize,
}

impl Batch {
    /// Some repetitions at a point, by a worker that has these texts.
    pub fn of(point: &Point, texts: &[usize], repetitions: Range<usize>, warmup: usize) -> Self {
        let (first, set) = (repetitions.start, &point.set);
        let place =
            |text: usize| texts.iter().position(|other| *other == text).expect("the worker has the text");
        let steps = point.steps.iter().map(|step| Step { text: place(step.text), ..*step }).collect();
        let patterns = set.patterns.slice(repetitions);
        Batch { first, length: set.length, patterns, steps, threads: point.threads, warmup }
    }

    /// The rest of the batch after this number of repetitions.
    fn from(&self, measured: usize) -> Batch {
        let patterns = self.patterns.slice(measured..self.patterns.len());
        Batch { first: self.first + measured, patterns, steps: self.steps.clone(), ..*self }
    }
}

/// What came of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchResult {
    /// The repetitions that were measured, from the first on.
    pub rows: Vec<Row>,
    /// Why the rest was not.
    pub ended: Option<Ended>,
    /// Whether patterns of other lengths would fare no better.
    pub unusable: bool,
    /// What else happened meanwhile, where the worker lived to tell.
    pub noise: Option<BlockNoise>,
    /// The repetition in which a lost worker ended, if it was in one. Some rows before it may be lost too.
    pub ended_in: Option<usize>,
    /// What became of the rows' counts, in the order of the events.
    pub faults: Vec<CountFaults>,
    /// The counter backends that failed meanwhile, with their numbers: this worker uses them no more.
    pub lost: Vec<(usize, LostBackend)>,
}

/// Measures batches of one algorithm.
pub trait Worker {
    /// Measures a batch. `interrupted` is watched meanwhile.
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult;

    /// Uses a counter backend no more: its counts are missing from now on.
    fn leave_out(&mut self, backend: usize);

    /// Ends its process, if it has one. The next batch starts another.
    fn end(&mut self) {}
}

/// What the user reads of a counter backend that failed in a batch, and its number.
fn lost(setup: &Setup, fault: BackendFault, batch: &Batch) -> (usize, LostBackend) {
    let BackendFault { number, deed, fault } = fault;
    let deed = match deed {
        Deed::Open => "opened",
        Deed::Start => "started",
        Deed::Read => "read",
        Deed::Stop => "stopped",
    };
    let place = format!("{deed} for {} (m = {})", setup.algorithm, batch.length);
    (number, LostBackend { backend: setup.counters[number].part.backend.clone(), place, fault })
}
