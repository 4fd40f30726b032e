//! The offset between the time stamp counters of two CPUs. Two threads, one on each CPU, exchange stamps. The
//! answering thread took its stamp between the two of the asking one, so each round trip bounds the offset
//! from both sides.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use assay_load::process::bind_to_cpu;
use serde::{Deserialize, Serialize};

/// Greatest number of round trips. The shortest ones give the closest bounds, and more trips rarely give
/// shorter ones.
const ROUNDS: u64 = 20_000;
/// Time limit for the round trips of a pair, because they are slow if both threads share a CPU.
const LONGEST: Duration = Duration::from_millis(100);
/// Bounds wider than this do not show that two CPUs are synchronised: a search may be shorter than the error
/// that they allow.
const WIDEST_NS: f64 = 10_000.0;
/// The request that ends the answering thread.
const END: u64 = u64::MAX;

/// By how much the time stamp counter of one CPU is ahead of that of another: two bounds, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StampOffset {
    /// Number of the CPU.
    pub cpu: usize,
    /// Number of the other CPU.
    pub against: usize,
    /// Lower bound. If it is greater than 0, the counter is ahead.
    pub least_ns: f64,
    /// Upper bound. If it is less than 0, the counter lags.
    pub most_ns: f64,
}

impl StampOffset {
    /// Greatest possible offset, in nanoseconds, if the bounds allow that the counters are synchronised;
    /// `None` if one is certainly ahead, or if the bounds are too wide to show anything.
    pub fn synchronised_within_ns(&self) -> Option<f64> {
        let within = self.most_ns.max(-self.least_ns);
        (self.least_ns <= 0.0 && 0.0 <= self.most_ns && within <= WIDEST_NS).then_some(within)
    }
}

/// Measures one pair of CPUs. `None` if there is no such counter, or if a thread can't be started or bound to
/// its CPU.
pub(super) fn measure(cpu: usize, against: usize) -> Option<StampOffset> {
    stamp()?;
    let (asked, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    let (asked, answered) = (&asked, &answered);
    let begun = (Instant::now(), stamp()?);
    let bounds = thread::scope(|scope| {
        // The thread waits actively, because a thread that sleeps would answer late.
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

/// Waits until the value at a place is wanted. Yields now and then, because the other thread may need this
/// CPU.
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

/// Bounds of the number of ticks by which the counter of the answering CPU is ahead of the asking one.
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
    /// Narrows the bounds by a round trip: `other` was taken between `before` and `after`.
    fn narrow(&mut self, before: u64, other: u64, after: u64) {
        self.least = self.least.max(other.wrapping_sub(after) as i64);
        self.most = self.most.min(other.wrapping_sub(before) as i64);
    }
}

/// The time stamp counter of the CPU on which this runs. The fences keep the CPU from reading it before
/// earlier instructions are done, or after later ones have begun.
#[cfg(target_arch = "x86_64")]
fn stamp() -> Option<u64> {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every x86-64 CPU has both instructions. No memory is accessed.
    Some(unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    })
}

/// There is nothing to measure: on arm64, the architecture prescribes one counter for all CPUs, and other
/// architectures are not supported.
#[cfg(not(target_arch = "x86_64"))]
fn stamp() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_is_ahead_is_detected() {
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
        // Both threads share one CPU, so the offset is 0 and the bounds must contain it.
        let offset = thread::spawn(move || measure(cpu, cpu)).join().unwrap();
        assert_eq!(offset.is_some(), cfg!(target_arch = "x86_64"));
        let holds = |offset: StampOffset| offset.least_ns <= 0.0 && 0.0 <= offset.most_ns;
        assert!(offset.is_none_or(holds), "{offset:?}");
        assert_eq!(thread::spawn(|| measure(1023, 1023)).join().unwrap(), None, "there is no such CPU");
    }
}
