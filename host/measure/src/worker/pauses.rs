//! Notices pauses: times in which the measuring threads did not run, because the process was stopped, the
//! machine was suspended or other programs had the CPU. What was measured across a pause is not the time of
//! the algorithm.

use super::clock::{now_ns, run_ns};

/// A thread that ran at least this much less than the time that went by was paused. It is longer than the
/// system keeps a thread waiting for others on a machine that is merely busy, which `cpu_ns` and the switches
/// of the block show.
const LONGEST_PAUSE_NS: u64 = 100_000_000;

/// The repetitions of a batch that were interrupted by a pause, and measured again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pauses {
    /// Their number.
    pub repetitions: u64,
    /// How long the thread was paused in them; with several threads, the average.
    pub paused_ns: u64,
}

/// Compares the time of the clock with that of the threads, from a moment on. Each thread has a CPU of its
/// own, or there is only one thread: otherwise they would wait for each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PauseWatch {
    since_ns: u64,
    run_ns: u64,
    threads: usize,
}

impl PauseWatch {
    /// A watch that begins now.
    pub(super) fn start(threads: usize) -> Self {
        PauseWatch { since_ns: now_ns(), run_ns: run_ns(threads), threads }
    }

    /// When the watch began.
    pub(crate) fn begun_ns(&self) -> u64 {
        self.since_ns
    }

    /// How long the threads were paused on average, if a pause lies between `begun_ns` and `now_ns`; `None`
    /// if there was none.
    ///
    /// Reading the clock of a thread is a system call, so it is read only if the repetition took long enough
    /// to hold a pause; a usual repetition costs one comparison. The watch began before `begun_ns`, but not
    /// by much, because passing rows on restarts it: what it shows as a pause lies in the repetition.
    pub(crate) fn pause_ns(&self, begun_ns: u64, now_ns: u64) -> Option<u64> {
        if now_ns - begun_ns <= LONGEST_PAUSE_NS {
            return None;
        }
        let all = (now_ns - self.since_ns).saturating_mul(self.threads as u64);
        let paused = all.saturating_sub(run_ns(self.threads) - self.run_ns);
        (paused > LONGEST_PAUSE_NS).then_some(paused / self.threads as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_is_paused_and_one_that_works_is_not() {
        let (presence, begun) = (PauseWatch::start(1), now_ns());
        std::thread::sleep(std::time::Duration::from_millis(120));
        assert!(presence.pause_ns(begun, now_ns()).is_some_and(|paused| paused > LONGEST_PAUSE_NS));
        let presence = PauseWatch::start(1);
        while run_ns(1) - presence.run_ns < LONGEST_PAUSE_NS {}
        let run = run_ns(1) - presence.run_ns;
        assert_eq!(presence.pause_ns(presence.since_ns, presence.since_ns + run + 1), None);
    }
}
