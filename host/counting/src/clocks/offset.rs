//! The offset between the time stamp counters of two CPUs. Two threads, one on each CPU, exchange stamps. The
//! answering thread took its stamp between the two of the asking one, so each round trip bounds the offset
//! from both sides.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use assay_load::process::bind_to_cpu;
use serde::{Deserialize, Serialize};

/// Round trips, or for how long they are made: the shortest of them tell most.
const ROUNDS: u64 = 20_000;
const LONGEST: Duration = Duration::from_millis(100);
/// Round trips that take longer than this show nothing.
const WIDEST_NS: f64 = 10_000.0;
/// Asked for at the end.
const END: u64 = u64::MAX;

/// How far the stamps of a CPU are ahead of another's, in nanoseconds: between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StampOffset {
    /// Number of the CPU.
    pub cpu: usize,
    /// That of the other.
    pub against: usize,
    /// They are ahead by at least this; less than 0 means that they lag.
    pub least_ns: f64,
    /// They are ahead by this at most.
    pub most_ns: f64,
}

impl StampOffset {
    /// Within how many nanoseconds the two are synchronised; `None` if that is not shown: one is ahead, or
    /// may be by more than a search may be wrong.
    pub fn synchronised_within_ns(&self) -> Option<f64> {
        let within = self.most_ns.max(-self.least_ns);
        (self.least_ns <= 0.0 && 0.0 <= self.most_ns && within <= WIDEST_NS).then_some(within)
    }
}

/// Measures one pair of CPUs. `None` where there is no such counter, or a thread can't be had or kept where
/// it should be.
pub(super) fn measure(cpu: usize, against: usize) -> Option<StampOffset> {
    stamp()?;
    let (asked, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    let (asked, answered) = (&asked, &answered);
    let begun = (Instant::now(), stamp()?);
    let bounds = thread::scope(|scope| {
        // It waits actively: a thread that sleeps answers late.
        let other_thread = thread::Builder::new()
            .spawn_scoped(scope, move || {
                let kept = bind_to_cpu(cpu);
                let mut last = 0;
                while last != END {
                    last = wait_for(asked, |seen| seen != last);
                    answered.store(stamp().unwrap_or_default(), Ordering::Release);
                }
                kept
            })
            .ok()?;
        let kept = bind_to_cpu(against);
        let mut bounds = Bounds::default();
        for round in (1..ROUNDS).chain([END]) {
            let round = if begun.0.elapsed() > LONGEST { END } else { round };
            answered.store(0, Ordering::Relaxed);
            let before = stamp().unwrap_or_default();
            asked.store(round, Ordering::Release);
            let stamped = wait_for(answered, |seen| seen != 0);
            bounds.narrow(before, stamped, stamp().unwrap_or_default());
            if round == END {
                break;
            }
        }
        (other_thread.join().ok()? && kept).then_some(bounds)
    })?;
    let ns_per_tick = begun.0.elapsed().as_nanos() as f64 / stamp()?.checked_sub(begun.1)? as f64;
    let [least_ns, most_ns] = [bounds.least, bounds.most].map(|ticks| ticks as f64 * ns_per_tick);
    Some(StampOffset { cpu, against, least_ns, most_ns })
}

/// Waits for a value. A thread that shares its CPU with the other lets that run.
fn wait_for(place: &AtomicU64, wanted: impl Fn(u64) -> bool) -> u64 {
    loop {
        for _ in 0..10_000 {
            let seen = place.load(Ordering::Acquire);
            if wanted(seen) {
                return seen;
            }
            std::hint::spin_loop();
        }
        thread::yield_now();
    }
}

/// By how many ticks one counter is ahead of the other.
struct Bounds {
    least: i64,
    most: i64,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { least: i64::MIN, most: i64::MAX }
    }
}

impl Bounds {
    /// The other's stamp was taken between these two.
    fn narrow(&mut self, before: u64, other: u64, after: u64) {
        self.least = self.least.max(other.wrapping_sub(after) as i64);
        self.most = self.most.min(other.wrapping_sub(before) as i64);
    }
}

/// The counter of the CPU that this runs on: read when all that stands before is done, and before anything
/// that lags.
#[cfg(target_arch = "x86_64")]
fn stamp() -> Option<u64> {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every x86-64 has both instructions; a system that forbids the second to user programs has no
    // clock of its own without it.
    Some(unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    })
}

/// That of arm64 is one for all CPUs, by its architecture; of others nothing is known.
#[cfg(not(target_arch = "x86_64"))]
fn stamp() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_is_ahead_is_found_out_and_one_that_is_not_is_synchronised() {
        let measured = |ahead: i64| {
            let mut bounds = Bounds::default();
            for (before, delay, trip) in [(1000_i64, 30, 100), (2000, 60, 90), (3000, 5, 400)] {
                bounds.narrow(before as u64, (before + delay + ahead) as u64, (before + trip) as u64);
            }
            let [least_ns, most_ns] = [bounds.least, bounds.most].map(|ticks| ticks as f64);
            StampOffset { cpu: 1, against: 0, least_ns, most_ns }
        };
        assert_eq!((measured(0).least_ns, measured(0).most_ns), (-30.0, 5.0));
        assert_eq!(measured(0).synchronised_within_ns(), Some(30.0));
        assert_eq!((measured(500).least_ns, measured(500).synchronised_within_ns()), (470.0, None));
        assert_eq!((measured(-500).most_ns, measured(-500).synchronised_within_ns()), (-495.0, None));
        let wide = |most_ns| StampOffset { cpu: 1, against: 0, least_ns: -500.0, most_ns };
        assert_eq!(wide(10_000.0).synchronised_within_ns(), Some(10_000.0));
        assert_eq!(wide(10_001.0).synchronised_within_ns(), None, "too slow a round trip shows nothing");
    }

    #[test]
    fn the_counter_of_a_cpu_is_not_ahead_of_itself() {
        let cpu = rustix::thread::sched_getcpu();
        // Both threads on one CPU take turns, which takes long, and is sure.
        let offset = thread::spawn(move || measure(cpu, cpu)).join().unwrap();
        assert_eq!(offset.is_some(), cfg!(target_arch = "x86_64"));
        let holds = |offset: StampOffset| offset.least_ns <= 0.0 && 0.0 <= offset.most_ns;
        assert!(offset.is_none_or(holds), "{offset:?}");
        assert_eq!(thread::spawn(|| measure(1023, 1023)).join().unwrap(), None, "there is no such CPU");
    }
}
