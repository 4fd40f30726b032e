//! What host and worker say to each other.

use std::path::PathBuf;

use assay_counting::BackendEvents;
use assay_load::plugin::{Catalogue, Failure, Inspected, algorithm};
use assay_store::counting::CountFaults;
use assay_store::noise::BlockNoise;
use assay_store::{Ended, Row};
use serde::{Deserialize, Serialize};

use super::Batch;
use super::shared::{Deed, TextPlace};

/// What a worker needs to know before it measures: the first message that it gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The library of the algorithm.
    pub library: Inspected,
    /// Id of the algorithm.
    pub algorithm: String,
    /// The counters to read around each phase.
    pub counters: Vec<CounterSetup>,
    /// Where the texts are.
    pub texts: Vec<TextPlace>,
    /// Where the worker's own memory begins.
    pub offsets: Offsets,
    /// Whether it runs in a simulation: its clock tells nothing, not even whether it was kept from running.
    pub simulated: bool,
    /// Whether the start of its process is timed.
    pub times_start: bool,
    /// Whether the text is put out of the caches before each repetition.
    pub cold: bool,
    /// The CPU to run on, if it matters.
    pub cpu: Option<usize>,
    /// Those of the threads, where several search; the first is the worker's own. Empty where the system places them.
    pub team: Vec<usize>,
}

impl Setup {
    /// Finds the algorithm in what its library brings.
    ///
    /// # Errors
    /// If it brings none by that name.
    pub fn find(&self, catalogue: Catalogue) -> Result<algorithm::AlgorithmEntry, Failure> {
        let algorithm = catalogue.algorithms.into_iter().find(|entry| entry.facts.id == self.algorithm);
        let lacks = || Failure::Error(format!("`{}` no longer brings it", self.library.path.display()));
        algorithm.ok_or_else(lacks)
    }

    /// Whether there is any counter to read.
    pub fn counts(&self) -> bool {
        self.counters.iter().any(|counter| counter.used)
    }
}

/// Where a worker's own memory begins: multiples of 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offsets {
    /// How many bytes after the beginning of a page patterns begin.
    pub pattern: usize,
    /// How much memory is taken before the searcher is made.
    pub searcher: usize,
}

/// Events of one backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterSetup {
    /// The set.
    pub part: BackendEvents,
    /// How the counts of each event are to be read.
    pub kinds: Vec<EventKind>,
    /// Whether they are to be read: counts of one that has failed are missing.
    pub used: bool,
    /// What a reading takes in nanoseconds, as it was measured once for the whole run: it decides which backend is read within
    /// which. Where it is not known, all are read in the order in which they were asked for.
    pub price_ns: Option<u64>,
}

/// How the counts of an event are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventKind {
    /// Whether it is a level rather than something that grows.
    pub instant: bool,
    /// How often it moves, in nanoseconds; 0 if with every reading, or unknown.
    pub grain_ns: u64,
    /// Whether it is counted around all repetitions of a block, and not around each call.
    pub per_round: bool,
}

/// Measured repetitions, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Portion {
    /// The repetitions.
    pub rows: Vec<Row>,
    /// What became of their counts, in the order of the events.
    pub faults: Vec<CountFaults>,
}

impl Portion {
    /// Adds the repetitions that follow.
    pub(super) fn extend(&mut self, more: Portion) {
        self.rows.extend(more.rows);
        let events = self.faults.len().max(more.faults.len());
        self.faults.resize(events, CountFaults::default());
        self.faults.iter_mut().zip(&more.faults).for_each(|(faults, more)| faults.add(more));
    }
}

/// What a counter backend has done, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BackendFault {
    /// Its number in the setup.
    pub number: usize,
    /// What was to be done with it.
    pub deed: Deed,
    /// The sentence.
    pub fault: String,
}

/// Why a worker goes no further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Halt {
    /// It is over with the algorithm, for patterns of this length.
    Ended(Ended),
    /// It is over with the algorithm, whatever the pattern.
    Unusable(Ended),
    /// The process was ended together with its parent, by the algorithm or by a counter backend: what one reads if it was the
    /// algorithm.
    Orphaned(Ended),
    /// A counter backend has failed: without it, measuring may go on.
    Backend(BackendFault),
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        Halt::Ended(failure.into())
    }
}

impl From<BackendFault> for Halt {
    fn from(fault: BackendFault) -> Self {
        Halt::Backend(fault)
    }
}

/// From the host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum ToWorker {
    /// Once, at first: with the path of the heartbeat page.
    Setup(Box<Setup>, PathBuf),
    /// Measure this.
    Batch(Batch),
}

/// From the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum ToHost {
    /// Set up.
    Ready,
    /// Measured repetitions, in order; there may be more of the batch to come.
    Rows(Portion),
    /// What else happened during the batch; then comes its closing record.
    Noise(BlockNoise),
    /// The batch is complete: the closing record.
    Done,
    /// The batch, or the setup, ends here, and why.
    Halted(Halt),
}
