//! What host and worker say to each other.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Batch;
use super::shared::TextPlace;
use crate::plugin::Inspected;
use crate::results::noise::BlockNoise;
use crate::results::{Ended, Row};

/// What a worker needs to know before it measures: the first message that it gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The library of the algorithm.
    pub library: Inspected,
    /// Id of the algorithm.
    pub algorithm: String,
    /// The counters to read around each phase.
    pub counters: Vec<CounterSetup>,
    /// Where the text is.
    pub text: TextPlace,
    /// Where the worker's own memory begins.
    pub offsets: Offsets,
    /// The CPU to run on, if it matters.
    pub cpu: Option<usize>,
}

/// Where a worker's own memory begins: multiples of 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offsets {
    /// How far behind the begin of a page patterns begin.
    pub pattern: usize,
    /// How much memory is taken before the searcher is made.
    pub searcher: usize,
}

/// Events of one backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterSetup {
    /// The library of the backend.
    pub library: Inspected,
    /// Id of the backend.
    pub backend: String,
    /// The events, and whether each is a level rather than something that grows.
    pub events: Vec<(String, bool)>,
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
    Rows(Vec<Row>),
    /// What else happened during the batch; then comes its closing record.
    Noise(BlockNoise),
    /// The batch is complete: the closing record.
    Done,
    /// The batch, or the setup, ends here, and why.
    Ended(Ended),
}
