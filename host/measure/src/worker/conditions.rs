//! The conditions under which a worker measures a block: the speed of the machine, and how much of the CPU it
//! got.

use std::hint::black_box;

use assay_store::Start;
use assay_store::noise::BlockNoise;
use nix::sys::resource::{UsageWho, getrusage};

use super::clock::{now_ns, run_ns};
use super::pauses::Pauses;

/// Steps of each loop that is timed before a block: they take about 10 µs, which is long beside a reading of
/// the clock and short beside a block.
const STEPS: u32 = 8000;
/// The quickest of this many loops counts, because an interrupt makes one of them slow, and a slow CPU all.
const LOOPS: u32 = 3;
/// Chains of the throughput loop: more independent multiplications than a core can begin while one of them is
/// computed, so that the loop takes as long as the core needs to issue them.
const CHAINS: usize = 6;

/// The conditions at the start of a block.
#[derive(Debug)]
pub(super) struct BlockStart {
    reference_ns: u64,
    throughput_ns: u64,
    running: RunTimer,
}

/// Measures elapsed time, and the time for which the searching threads ran.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunTimer {
    switches: Option<u64>,
    now_ns: u64,
    cpu_ns: u64,
    threads: usize,
}

/// Elapsed time, the time for which the thread ran (with several threads, their average), and the number of
/// times that it had to give up its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunTime {
    switches: Option<u64>,
    elapsed_ns: u64,
    cpu_ns: u64,
}

impl RunTimer {
    /// A timer that starts now.
    pub(super) fn now(threads: usize) -> Self {
        // The clock is read before the CPU time here and after it in `ran`, so elapsed time is never less
        // than CPU time. The switches come first and last, because their system call may itself cause one.
        RunTimer { switches: switches(threads), now_ns: now_ns(), cpu_ns: run_ns(threads), threads }
    }

    /// The time until now.
    pub(super) fn ran(self) -> RunTime {
        let cpu_ns = run_ns(self.threads).saturating_sub(self.cpu_ns) / self.threads as u64;
        let elapsed_ns = now_ns() - self.now_ns;
        let switches = self.switches.zip(switches(self.threads));
        let switches = switches.map(|(before, after)| after.saturating_sub(before));
        RunTime { switches, cpu_ns, elapsed_ns }
    }
}

impl BlockStart {
    /// Times the loops, and starts the timer of the block after them, so that the loops are no part of its
    /// time.
    pub(super) fn now() -> Self {
        let (reference_ns, throughput_ns) = (quickest(reference_loop_ns), quickest(throughput_loop_ns));
        BlockStart { reference_ns, throughput_ns, running: RunTimer::now(1) }
    }

    /// The conditions of the block, which has ended.
    ///
    /// `floor_ns` is the time of an empty call. Pauses are no part of the block's time, because what they
    /// interrupted was measured again. `together` is the time of the threads, if several searched; `start` is
    /// the start of the worker, if it was started for this block.
    pub(super) fn end(
        &self,
        floor_ns: u64,
        pauses: Pauses,
        together: Option<RunTime>,
        start: Option<Start>,
    ) -> BlockNoise {
        let RunTime { switches, elapsed_ns, cpu_ns } = together.unwrap_or_else(|| self.running.ran());
        BlockNoise {
            floor_ns,
            reference_ns: self.reference_ns,
            throughput_ns: Some(self.throughput_ns),
            involuntary_switches: switches,
            cpu_ns,
            elapsed_ns: elapsed_ns.saturating_sub(pauses.paused_ns),
            measured_again: pauses.repetitions,
            start,
        }
    }
}

/// The time of the quickest of [`LOOPS`] loops.
fn quickest(loop_ns: fn() -> u64) -> u64 {
    (0..LOOPS).map(|_| loop_ns()).min().unwrap_or_default()
}

/// A step of the loops: it touches no memory.
fn step(state: u64) -> u64 {
    (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Time of a loop of which each step needs the one before, so that it takes the same number of cycles
/// everywhere.
fn reference_loop_ns() -> u64 {
    let start = now_ns();
    let mut state = black_box(1_u64);
    for _ in 0..STEPS {
        state = step(state);
    }
    black_box(state);
    now_ns() - start
}

/// Time of a loop of independent chains. Another program on the same core takes a part of the core's
/// throughput, which makes this loop slower, and so any search that computes much at once; the reference loop
/// mostly waits, and does not notice.
fn throughput_loop_ns() -> u64 {
    let start = now_ns();
    let mut states = black_box([1_u64; CHAINS]);
    for _ in 0..STEPS / 2 {
        states = states.map(step);
    }
    black_box(states);
    now_ns() - start
}

/// The number of times that the system took the CPU from the searching threads: from the calling thread if it
/// is the only one, otherwise from any thread of the process.
fn switches(threads: usize) -> Option<u64> {
    let who = if threads == 1 { UsageWho::RUSAGE_THREAD } else { UsageWho::RUSAGE_SELF };
    getrusage(who).ok()?.involuntary_context_switches().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_timed_from_its_start_to_its_end() {
        let begun = BlockStart::now();
        let mut state = 1_u64;
        while run_ns(1) < begun.running.cpu_ns + 2_000_000 {
            state = black_box(state.wrapping_mul(3));
        }
        let noise = begun.end(30, Pauses::default(), None, None);
        assert!(noise.reference_ns > 1000, "{noise:?}: {STEPS} multiplications can't be quicker");
        assert!(noise.throughput_ns.is_some_and(|ns| ns > 1000), "{noise:?}: nor can those of the chains");
        assert!((2_000_000..=noise.elapsed_ns).contains(&noise.cpu_ns), "{noise:?}");
        assert!(noise.involuntary_switches.is_some());
    }
}
