//! What a child may do.

use serde::{Deserialize, Serialize};

use super::launch::Launch;

/// The first message to a child. Whatever else it needs for its work follows in later messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Be started anew by another program, and then do a task.
    Launched(Launch, Box<Task>),
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
    /// Measure what the counters of a run cost: the one item is all of them.
    CountingCosts,
    /// Ask counter backends how to start the process in which they count: each item is a set of events.
    Launcher,
    /// Measure the clocks of cores and of counter backends: each item is one.
    Clocks,
}

impl Task {
    /// The same, in a process that another program starts, if there is one.
    pub fn launched(self, launch: Option<&Launch>) -> Task {
        match launch {
            Some(launch) => Task::Launched(launch.clone(), Box::new(self)),
            None => self,
        }
    }

    /// How many times as much patience there is with it. What another program simulates takes up to a hundred
    /// times as long, but no call that is waited for takes more than a small part of the patience; a program
    /// that was stopped would be waited for.
    pub fn slower(&self) -> u32 {
        if matches!(self, Task::Launched(..)) { 12 } else { 1 }
    }
}
