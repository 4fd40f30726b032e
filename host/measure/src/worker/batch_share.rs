//! The part of a batch that a process measures, which depends on how far the start of the process is.

use assay_load::plugin::Needs;
use assay_store::Start;

use super::Batch;

/// How far the start of the process is, if it is timed.
pub(super) enum StartTiming {
    /// The start is not timed, or was reported.
    Untimed,
    /// The library is loaded and everything is made that needs no pattern, in these times. Nothing was
    /// searched yet.
    Initialised { load_ns: u64, made_ns: u64 },
    /// The first search is done, and the times are to be reported.
    Complete(Start),
}

/// The part of a batch that this process measures.
#[derive(Clone, Copy)]
pub(super) struct BatchShare {
    /// Repetitions before the first measured one.
    pub warmup: usize,
    /// Repetitions that are measured.
    pub measured: usize,
}

impl BatchShare {
    /// The share of a process. `None` if the process has searched for a pattern that needs a process of its
    /// own (`used_up`), and the algorithm needs another process for the next one.
    pub(super) fn new(batch: &Batch, needs: &Needs, used_up: bool, start: &StartTiming) -> Option<Self> {
        let all = batch.patterns.len();
        if needs.fresh_process() {
            return (!used_up).then_some(BatchShare { warmup: 0, measured: all.min(1) });
        }
        let warmup = if all == 0 {
            0
        } else if matches!(start, StartTiming::Initialised { .. }) {
            // The first search of a process is cold, so it must not be a row: it is a repetition of its own.
            batch.warmup.max(1)
        } else {
            batch.warmup
        };
        Some(BatchShare { warmup, measured: all })
    }
}
