//! Whether the measuring threads were there: one that was paused, or long kept from running, has measured something else than
//! its algorithm.

use super::clock::{now_ns, run_ns};

/// A thread that ran so much less than the time that went by was away.
const LONGEST_ABSENCE_NS: u64 = 100_000_000;

/// What was torn apart by absences, and measured again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Torn {
    /// How many repetitions.
    pub repetitions: u64,
    /// How long the thread was away in them; of several, on average.
    pub away_ns: u64,
}

/// Compares the time of the clock with that of the threads from a moment on. Each has a CPU of its own, or it is the only one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Presence {
    since_ns: u64,
    run_ns: u64,
    threads: usize,
}

impl Presence {
    /// From now on.
    pub(super) fn start(threads: usize) -> Self {
        Presence { since_ns: now_ns(), run_ns: run_ns(threads), threads }
    }

    /// When that began.
    pub(crate) fn begun_ns(&self) -> u64 {
        self.since_ns
    }

    /// For how long the threads were away, on average, if what went on from `begun_ns` to `now_ns` was torn apart. Their clock is
    /// asked only if it took long, so that this costs a repetition nothing; a thread that is away while little else was done
    /// was away then.
    pub(crate) fn absence_ns(&self, begun_ns: u64, now_ns: u64) -> Option<u64> {
        if now_ns - begun_ns <= LONGEST_ABSENCE_NS {
            return None;
        }
        let all = (now_ns - self.since_ns).saturating_mul(self.threads as u64);
        let away = all.saturating_sub(run_ns(self.threads) - self.run_ns);
        (away > LONGEST_ABSENCE_NS).then_some(away / self.threads as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_is_away_and_one_that_works_is_not() {
        let (presence, begun) = (Presence::start(1), now_ns());
        std::thread::sleep(std::time::Duration::from_millis(120));
        assert!(presence.absence_ns(begun, now_ns()).is_some_and(|away| away > LONGEST_ABSENCE_NS));
        let presence = Presence::start(1);
        while run_ns(1) - presence.run_ns < LONGEST_ABSENCE_NS {}
        let run = run_ns(1) - presence.run_ns;
        assert_eq!(presence.absence_ns(presence.since_ns, presence.since_ns + run + 1), None);
    }
}
