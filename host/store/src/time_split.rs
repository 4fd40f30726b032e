//! Where the wall time of a run went.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The wall time of a part of a run by activity, in nanoseconds: from when its texts were looked for until its
/// figures were computed. The sum of the fields is the wall time, because one clock is read where an activity
/// ends and the next begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct TimeSpent {
    /// Searching in measured repetitions.
    pub searching_ns: u64,
    /// Preparing patterns in measured repetitions.
    pub preparing_ns: u64,
    /// Warm-up repetitions.
    pub warmup_ns: u64,
    /// Starting workers, which includes sharing the text and loading libraries, and ending them.
    pub workers_ns: u64,
    /// Finding texts and patterns, checking the machine and the cost of counting: before the first worker.
    pub set_up_ns: u64,
    /// Counting occurrences with the reference search.
    pub counting_ns: u64,
    /// Writing the journal of the run.
    pub writing_ns: u64,
    /// All else: measuring repetitions again that a pause interrupted, reading counters, passing messages,
    /// checking rows, computing figures.
    pub rest_ns: u64,
}

impl TimeSpent {
    /// The activities with their times in nanoseconds; all else is last.
    pub fn activities(&self) -> [(&'static str, u64); 8] {
        [
            ("searching", self.searching_ns),
            ("preparing patterns", self.preparing_ns),
            ("warm-up", self.warmup_ns),
            ("starting workers", self.workers_ns),
            ("set-up", self.set_up_ns),
            ("reference counts", self.counting_ns),
            ("writing", self.writing_ns),
            ("the rest", self.rest_ns),
        ]
    }

    /// The wall time in nanoseconds.
    pub fn wall_ns(&self) -> u64 {
        self.activities().iter().fold(0, |sum, (_, ns)| sum.saturating_add(*ns))
    }

    /// The time of both.
    #[must_use]
    pub fn and(&self, other: &TimeSpent) -> TimeSpent {
        TimeSpent {
            searching_ns: self.searching_ns.saturating_add(other.searching_ns),
            preparing_ns: self.preparing_ns.saturating_add(other.preparing_ns),
            warmup_ns: self.warmup_ns.saturating_add(other.warmup_ns),
            workers_ns: self.workers_ns.saturating_add(other.workers_ns),
            set_up_ns: self.set_up_ns.saturating_add(other.set_up_ns),
            counting_ns: self.counting_ns.saturating_add(other.counting_ns),
            writing_ns: self.writing_ns.saturating_add(other.writing_ns),
            rest_ns: self.rest_ns.saturating_add(other.rest_ns),
        }
    }
}

/// Selects the time of an activity.
pub type Activity = fn(&mut TimeSpent) -> &mut u64;

/// Splits the time that passes by activity.
#[derive(Clone, Copy, Debug)]
pub struct TimeSplit {
    /// Until when the time is split.
    until: Instant,
    spent: TimeSpent,
}

impl TimeSplit {
    /// Splits the time from this moment on.
    pub fn since(begun: Instant) -> Self {
        TimeSplit { until: begun, spent: TimeSpent::default() }
    }

    /// Adds the time since the last call to an activity.
    pub fn add(&mut self, activity: Activity) {
        self.add_parts(&[], activity);
    }

    /// Adds these parts of the time since the last call to their activities, and what is left of it to
    /// `otherwise`. A worker whose memory is damaged may report any time, so no part is greater than what the
    /// parts before it have left.
    pub fn add_parts(&mut self, parts: &[(Activity, Duration)], otherwise: Activity) {
        let now = Instant::now();
        let mut left = now.saturating_duration_since(self.until);
        for (activity, time) in parts {
            let time = left.min(*time);
            left -= time;
            add(activity(&mut self.spent), time);
        }
        add(otherwise(&mut self.spent), left);
        self.until = now;
    }

    /// The times until the last call.
    pub fn spent(&self) -> TimeSpent {
        self.spent
    }
}

fn add(sum: &mut u64, time: Duration) {
    *sum = sum.saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_time_that_has_passed() {
        let begun = Instant::now() - Duration::from_secs(10);
        let mut split = TimeSplit::since(begun);
        let parts: [(Activity, Duration); 2] = [
            (|spent| &mut spent.workers_ns, Duration::from_secs(3)),
            (|spent| &mut spent.searching_ns, Duration::MAX),
        ];
        split.add_parts(&parts, |spent| &mut spent.rest_ns);
        let spent = split.spent();
        assert_eq!((spent.workers_ns, spent.rest_ns), (3_000_000_000, 0), "{spent:?}");
        assert!(spent.searching_ns >= 7_000_000_000, "what is left of ten seconds: {spent:?}");
        std::thread::sleep(Duration::from_millis(1));
        split.add(|spent| &mut spent.writing_ns);
        let spent = split.spent();
        assert!(spent.writing_ns >= 1_000_000, "{spent:?}");
        assert_eq!(u128::from(spent.wall_ns()), (split.until - begun).as_nanos());
        assert_eq!(spent.and(&spent).wall_ns(), 2 * spent.wall_ns());
    }
}
