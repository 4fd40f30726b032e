//! A stopwatch that stands still while this process is paused.

use std::time::{Duration, Instant};

/// Time between two looks of a host at a silent child. It is short enough for Ctrl-C to feel immediate, and
/// long enough for the looks to take no noticeable part of a CPU.
pub const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A host whose next look is later than this was paused (by Ctrl-Z, a debugger or a frozen container) or kept
/// from running. Nobody knows whether its child could run meanwhile, so the time must not count against the
/// child.
const LONGEST_GAP: Duration = LOOK_EVERY.saturating_mul(5);

/// Adds up the times between looks. A gap that is longer than [`LONGEST_GAP`] counts as [`LOOK_EVERY`]. The
/// clock itself stands still while the machine is suspended.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    last: Instant,
    counted: Duration,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Stopwatch { last: Instant::now(), counted: Duration::ZERO }
    }

    /// Looks, and returns the time so far. Callers must look every [`LOOK_EVERY`], because longer gaps do not
    /// count.
    pub fn look(&mut self) -> Duration {
        self.look_at(Instant::now())
    }

    fn look_at(&mut self, now: Instant) -> Duration {
        let gap = now.saturating_duration_since(self.last);
        self.counted += if gap > LONGEST_GAP { LOOK_EVERY } else { gap };
        self.last = now;
        self.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_does_not_count() {
        let mut watch = Stopwatch::start();
        let mut now = watch.last;
        let mut look_after = |ms| {
            now += Duration::from_millis(ms);
            watch.look_at(now).as_millis()
        };
        assert_eq!([look_after(20), look_after(25), look_after(12_000), look_after(20)], [20, 45, 65, 85]);
    }
}
