//! Time that counts: only while this process could run.

use std::time::{Duration, Instant};

/// How often a host looks at a silent child: often enough for Ctrl-C to feel immediate, seldom enough to cost
/// nothing.
pub const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A host that looks later than this after its last look was paused (by Ctrl-Z, a debugger, a frozen
/// container), or kept from running: what its child did meanwhile, and whether it could do anything, is not
/// known.
const LONGEST_GAP: Duration = LOOK_EVERY.saturating_mul(5);

/// Counts time in looks; a gap counts as one of [`LOOK_EVERY`]. The clock stands still while the machine is
/// suspended.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    last: Instant,
    counted: Duration,
}

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Self {
        Stopwatch { last: Instant::now(), counted: Duration::ZERO }
    }

    /// Looks: how long it has been. To be asked every [`LOOK_EVERY`].
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
