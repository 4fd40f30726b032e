//! The messages between host and worker, in the order in which they are sent: a setup, then batches, each
//! with its answer.

use assay_counting::{BackendEvents, permissions};
use assay_load::plugin::{Failure, InspectedLibrary};
use assay_load::process::{Permissions, sandbox};
use assay_store::counting::CountFaults;
use assay_store::noise::BlockNoise;
use assay_store::{Ended, Row};
use serde::{Deserialize, Serialize};

use super::Batch;
use super::heartbeat::BackendStep;
use super::shared_text::TextPlace;

/// Everything that a worker must know before it measures. It comes with the first message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The library of the algorithm.
    pub library: InspectedLibrary,
    /// Id of the algorithm.
    pub algorithm: String,
    /// The counters to read around each call.
    pub counters: Vec<CounterSetup>,
    /// Where the worker finds the texts.
    pub texts: Vec<TextPlace>,
    /// Where the worker's own memory begins, as the round has drawn it.
    pub offsets: MemoryOffsets,
    /// Whether the worker runs in a simulator. Its clock then says nothing about speed or pauses.
    pub simulated: bool,
    /// Whether the start of its process is timed.
    pub times_start: bool,
    /// Whether the text is evicted from the caches before each repetition.
    pub cold: bool,
    /// The CPU to run on; `None` if the system places the worker.
    pub cpu: Option<usize>,
    /// The CPUs of the threads, if several search. The first is that of the worker's own thread. Empty if the
    /// system places them.
    pub team: Vec<usize>,
    /// The most threads that search at a time, also if the system places them. Each searches a copy of its
    /// own.
    pub threads: usize,
}

impl Setup {
    /// What the worker may do besides computing.
    pub(super) fn permissions(&self) -> Permissions {
        let used = self.counters.iter().filter(|counter| counter.used);
        let mut permissions = permissions(used.map(|counter| &counter.part));
        permissions.libraries.push(self.library.path.clone());
        permissions.binds_threads = !self.team.is_empty();
        // Threads search copies of their own, each of all texts at most, and so does an algorithm that needs
        // another alignment.
        let texts: u64 = self.texts.iter().map(TextPlace::bytes).sum();
        let copies = texts.saturating_mul(self.threads.max(1) as u64);
        permissions.memory = Some(sandbox::policy().memory.saturating_add(copies));
        permissions
    }

    /// Whether any counter is to be read.
    pub fn counts(&self) -> bool {
        self.counters.iter().any(|counter| counter.used)
    }
}

/// Where a worker's own memory begins. All offsets are multiples of a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryOffsets {
    /// Number of bytes from the start of a page to a pattern.
    pub pattern: usize,
    /// Number of unused bytes that are allocated before the searcher is made.
    pub searcher: usize,
}

/// The counters of one backend in a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterSetup {
    /// The backend and its events.
    pub part: BackendEvents,
    /// How the counts of each event are to be read.
    pub kinds: Vec<EventKind>,
    /// Whether the backend is in use. The counts of a backend that has failed are missing.
    pub used: bool,
    /// The time of a reading in nanoseconds. It is measured once for the whole run, because it decides the
    /// order in which backends are read, and all workers must have the same one. If no price is known, they
    /// are read in the requested order.
    pub price_ns: Option<u64>,
}

/// How the counts of an event are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventKind {
    /// Whether the event is a level, such as a temperature, instead of a count that grows.
    pub instant: bool,
    /// Time between two changes of the count, in nanoseconds; 0 if it may change with every reading, or if
    /// that is unknown.
    pub grain_ns: u64,
    /// Whether it is counted around all repetitions of a block, instead of around each call.
    pub per_round: bool,
}

/// Measured repetitions that a worker passes on together, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Portion {
    /// The repetitions.
    pub rows: Vec<Row>,
    /// Which of their counts are missing or scaled, in the order of the events.
    pub faults: Vec<CountFaults>,
}

impl Portion {
    /// Appends the repetitions that follow these.
    pub(super) fn extend(&mut self, more: Portion) {
        self.rows.extend(more.rows);
        let events = self.faults.len().max(more.faults.len());
        self.faults.resize(events, CountFaults::default());
        self.faults.iter_mut().zip(&more.faults).for_each(|(faults, more)| faults.add(more));
    }
}

/// The failure of a counter backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BackendFault {
    /// Number of the backend in the setup.
    pub number: usize,
    /// The step that failed.
    pub step: BackendStep,
    /// What happened, as a sentence for the user.
    pub fault: String,
}

/// How far a process has measured a batch without a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BatchEnd {
    /// As far as it can: to the end, unless each pattern needs a process of its own.
    Done,
    /// For a second. It can measure the rest.
    TimeUp,
}

/// Why a worker stopped measuring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Halt {
    /// The algorithm can't go on with patterns of this length.
    Ended(Ended),
    /// The algorithm can't go on with any pattern.
    Unusable(Ended),
    /// The worker died together with its parent, killed by the algorithm or by a counter backend; we cannot
    /// tell which. Holds the outcome to report if we blame the algorithm.
    Orphaned(Ended),
    /// A counter backend has failed. Measuring can go on without it.
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

/// Messages from the host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum ToWorker {
    /// The first message, sent once. The files of the heartbeat page and of the texts follow it.
    Setup(Box<Setup>),
    /// Repetitions to measure.
    Batch(Batch),
}

/// Messages from the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum ToHost {
    /// The worker is ready for batches: the answer to the setup.
    Ready,
    /// Measured repetitions, in order. More of the batch may follow.
    Rows(Portion),
    /// The conditions during the batch. The closing record of the batch follows.
    Noise(BlockNoise),
    /// The closing record of a batch that this process has measured as far as it can.
    Done,
    /// The closing record of a batch that took a second already. This process can measure the rest.
    TimeUp,
    /// The closing record of a setup or batch that failed.
    Halted(Halt),
    /// Time of the warm-up repetitions of the batch, in nanoseconds. The closing record of the batch follows.
    WarmedUp(u64),
}

#[cfg(test)]
mod tests {
    use assay_load::plugin::testing;

    use super::*;
    use crate::worker::shared_text::SharedText;

    #[test]
    fn memory_has_room_for_a_copy_of_all_texts_for_each_thread() {
        let texts = [SharedText::new(&[7; 9000], 4096, 0), SharedText::new(&[7; 500], 4096, 0)];
        let texts: Vec<TextPlace> = texts.iter().map(|text| text.as_ref().unwrap().place()).collect();
        let all: u64 = texts.iter().map(TextPlace::bytes).sum();
        let granted = |team: Vec<usize>, threads: usize| {
            let setup = Setup {
                // It is not loaded, so any file will do.
                library: testing::inspected(&std::env::current_exe().unwrap()).unwrap(),
                algorithm: "idle".to_owned(),
                counters: Vec::new(),
                texts: texts.clone(),
                offsets: MemoryOffsets::default(),
                simulated: false,
                times_start: false,
                cold: false,
                cpu: None,
                team,
                threads,
            };
            setup.permissions().memory.unwrap() - sandbox::policy().memory
        };
        assert!(all >= 9500, "{all}");
        assert_eq!((granted(Vec::new(), 1), granted(Vec::new(), 3)), (all, 3 * all));
        assert_eq!(granted(vec![0, 1, 2], 3), 3 * all, "threads that are bound to CPUs need no more");
    }
}
