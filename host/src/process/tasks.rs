//! What a child may do.

use serde::{Deserialize, Serialize};

/// The first message to a child. What else it needs for its work it is told afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Measure one algorithm.
    Measure,
    /// Load libraries: each item is a path.
    Inspect,
    /// Try an algorithm: each item says what to do with it.
    TryOut,
    /// Compute with what a library brings: metrics, statistics, mergers, corpora.
    Serve,
    /// Ask counter backends for their events: each item is a library and an id.
    Events,
    /// Let sets of events go through their lives: each item is a step.
    Rehearse {
        /// The CPU to do it on, if it matters.
        cpu: Option<usize>,
    },
    /// Measure what counting costs: each item is a library, a backend and an event.
    CounterCost {
        /// How often to read.
        reads: u32,
    },
}
