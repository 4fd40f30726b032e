//! A worker measures one algorithm. It is the same binary in a process of its own, which loads only the
//! libraries that it needs, maps the text from shared memory, and measures whole blocks without talking to
//! the host. If its algorithm crashes, only the block that it was measuring is lost.

mod batch_share;
mod bench;
pub mod child;
mod clock;
mod clock_floor;
mod conditions;
mod counters;
mod eviction;
mod heartbeat;
mod in_process;
mod inbox;
mod overhead;
mod pattern;
mod pauses;
mod process_worker;
mod protocol;
mod scheduling;
mod shared_text;
mod team;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod texts;

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use in_process::InProcessWorker;
pub use overhead::{counting_costs, serve as serve_counting_costs};
pub(crate) use process_worker::DESCRIPTORS;
pub use process_worker::ProcessWorker;
pub use protocol::{CounterSetup, EventKind, MemoryOffsets, Setup};
pub use shared_text::SharedText;

use assay_experiment::patterns::Patterns;
use assay_experiment::points::{Point, Step};
use assay_store::counting::{CountFaults, LostBackend};
use assay_store::noise::BlockNoise;
use assay_store::{Ended, Row};

use heartbeat::BackendStep;
use protocol::BackendFault;

/// A worker ends a batch after about this time, in nanoseconds, because a run that is killed loses the block
/// that it was measuring. The host sends the rest of the batch again.
const BLOCK_NS: u64 = 1_000_000_000;

/// Repetitions to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Index of the first repetition, for messages.
    pub first: usize,
    /// Length of the patterns in bytes.
    pub length: usize,
    /// The pattern of each repetition.
    pub patterns: Patterns,
    /// The calls of each repetition. Texts are numbered as in the setup.
    pub steps: Vec<Step>,
    /// The calls of each thread, if each has its own; otherwise empty.
    pub lanes: Vec<Vec<Step>>,
    /// Number of threads that search.
    pub threads: usize,
    /// Number of warm-up repetitions before the first measured one.
    pub warmup: usize,
}

impl Batch {
    /// The batch with these repetitions of a point, for a worker that has these texts.
    pub fn for_worker(point: &Point, texts: &[usize], repetitions: Range<usize>, warmup: usize) -> Self {
        let (first, set) = (repetitions.start, &point.set);
        let numbered = |steps: &Vec<Step>| -> Vec<Step> {
            let of_worker = steps.iter().map(|step| {
                let text = texts.iter().position(|text| *text == step.text);
                Step { text: text.expect("the worker has the text"), ..*step }
            });
            of_worker.collect()
        };
        let (steps, lanes) = (numbered(&point.steps), point.lanes.iter().map(numbered).collect());
        let patterns = set.patterns.slice(repetitions);
        Batch { first, length: set.length, patterns, steps, lanes, threads: point.threads, warmup }
    }

    /// The rest of the batch after this number of repetitions.
    fn after(&self, measured: usize) -> Batch {
        let patterns = self.patterns.slice(measured..self.patterns.len());
        Batch {
            first: self.first + measured,
            patterns,
            steps: self.steps.clone(),
            lanes: self.lanes.clone(),
            ..*self
        }
    }
}

/// The result of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchResult {
    /// The repetitions that were measured, from the first on.
    pub rows: Vec<Row>,
    /// Why the other repetitions can't be measured; `None` if they can be, or all were measured.
    pub ended: Option<Ended>,
    /// Whether the worker ended the batch before its last repetition, because it took a second already.
    pub time_up: bool,
    /// Whether the algorithm would also fail with patterns of other lengths.
    pub unusable: bool,
    /// The conditions during the batch, if the worker lived long enough to report them.
    pub noise: Option<BlockNoise>,
    /// Time that it took to start processes for the batch, whether they measured or failed.
    pub starting: Duration,
    /// Time of the warm-up repetitions, as far as the worker reported it.
    pub warmup: Duration,
    /// The repetition in which a worker was lost, if it was in one. Some rows before it may be lost too.
    pub ended_in: Option<usize>,
    /// Which counts of the rows are missing or scaled, in the order of the events.
    pub faults: Vec<CountFaults>,
    /// The counter backends that failed during the batch, with their numbers. This worker does not use them
    /// any more.
    pub lost: Vec<(usize, LostBackend)>,
}

/// Measures batches of one algorithm.
pub trait Worker {
    /// Measures a batch, or a part of it if `interrupted` is set meanwhile.
    fn measure(&mut self, batch: &Batch, interrupted: &AtomicBool) -> BatchResult;

    /// Takes a counter backend out of use. Its counts are missing from now on.
    fn leave_out(&mut self, backend: usize);

    /// Ends the process of the worker, if it has one. The next batch starts another.
    fn end(&mut self) {}
}

/// Describes the failure of a counter backend in a batch to the user. Also returns the number of the backend.
fn lost_backend(setup: &Setup, fault: BackendFault, batch: &Batch) -> (usize, LostBackend) {
    let BackendFault { number, step, fault } = fault;
    let step = match step {
        BackendStep::Open => "opened",
        BackendStep::Start => "started",
        BackendStep::Read => "read",
        BackendStep::Stop => "stopped",
    };
    let place = format!("{step} for {} (m = {})", setup.algorithm, batch.length);
    (number, LostBackend { backend: setup.counters[number].part.backend.clone(), place, fault })
}
