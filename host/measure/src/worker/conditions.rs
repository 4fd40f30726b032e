//! What a worker can tell of the conditions under which it measured.

use std::hint::black_box;

use assay_store::Start;
use assay_store::noise::BlockNoise;
use nix::sys::resource::{UsageWho, getrusage};

use super::clock::{now_ns, run_ns};
use super::presence::Torn;

/// Steps of each loop that is timed before a block: they take about 10 µs, which is long beside a reading of the clock and
/// short beside a block.
const STEPS: u32 = 8000;
/// The quickest of this many loops counts, because an interrupt makes one of them slow, and a slow CPU all.
const LOOPS: u32 = 3;
/// Chains of the throughput loop: more independent multiplications than a core can begin while one of them is computed, so that
/// the loop takes as long as the core needs to issue them.
const CHAINS: usize = 6;

/// Conditions at the begin of a block.
#[derive(Debug)]
pub(super) struct BlockStart {
    reference_ns: u64,
    throughput_ns: u64,
    running: ThreadUse,
}

/// How long something goes on, and for how much of that its threads run.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadUse {
    switches: Option<u64>,
    now_ns: u64,
    cpu_ns: u64,
    threads: usize,
}

/// How long something went on, how long its thread ran (of several, on average), and how often it had to give up its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ran {
    switches: Option<u64>,
    elapsed_ns: u64,
    cpu_ns: u64,
}

impl ThreadUse {
    /// From now on.
    pub(super) fn now(threads: usize) -> Self {
        // The span of the clock holds that of the CPU.
        ThreadUse { switches: switches(threads), now_ns: now_ns(), cpu_ns: run_ns(threads), threads }
    }

    /// Until now.
    pub(super) fn ran(self) -> Ran {
        let cpu_ns = run_ns(self.threads).saturating_sub(self.cpu_ns) / self.threads as u64;
        let elapsed_ns = now_ns() - self.now_ns;
        let switches = self.switches.zip(switches(self.threads));
        let switches = switches.map(|(before, after)| after.saturating_sub(before));
        Ran { switches, cpu_ns, elapsed_ns }
    }
}

impl BlockStart {
    /// A block begins.
    pub(super) fn now() -> Self {
        let quickest = |loop_ns: fn() -> u64| (0..LOOPS).map(|_| loop_ns()).min().unwrap_or_default();
        let (reference_ns, throughput_ns) = (quickest(reference_loop_ns), quickest(throughput_loop_ns));
        BlockStart { reference_ns, throughput_ns, running: ThreadUse::now(1) }
    }

    /// The block has ended.
    ///
    /// `floor_ns` is what an empty call takes here; what was torn apart is no part of the block's time; `together` is that of
    /// the threads, if several searched; `start` is that of the worker, if it began in this block.
    pub(super) fn end(
        &self,
        floor_ns: u64,
        torn: Torn,
        together: Option<Ran>,
        start: Option<Start>,
    ) -> BlockNoise {
        let Ran { switches, elapsed_ns, cpu_ns } = together.unwrap_or_else(|| self.running.ran());
        BlockNoise {
            floor_ns,
            reference_ns: self.reference_ns,
            throughput_ns: Some(self.throughput_ns),
            involuntary_switches: switches,
            cpu_ns,
            elapsed_ns: elapsed_ns.saturating_sub(torn.away_ns),
            measured_again: torn.repetitions,
            start,
        }
    }
}

/// A step of the loops: it touches no memory.
fn step(state: u64) -> u64 {
    (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Time of a loop of which each step needs the one before, so that it takes the same number of cycles everywhere.
fn reference_loop_ns() -> u64 {
    let start = now_ns();
    let mut state = black_box(1_u64);
    for _ in 0..STEPS {
        state = step(state);
    }
    black_box(state);
    now_ns() - start
}

/// Time of a loop of independent chains. Another program on the same core takes a part of the core's throughput, which makes
/// this loop slower, and so any search that computes much at once; the reference loop mostly waits, and does not notice.
fn throughput_loop_ns() -> u64 {
    let start = now_ns();
    let mut states = black_box([1_u64; CHAINS]);
    for _ in 0..STEPS / 2 {
        states = states.map(step);
    }
    black_box(states);
    now_ns() - start
}

/// How often the system took the CPU from those who search: the calling thread, or all of several together.
fn switches(threads: usize) -> Option<u64> {
    let who = if threads == 1 { UsageWho::RUSAGE_THREAD } else { UsageWho::RUSAGE_SELF };
    getrusage(who).ok()?.involuntary_context_switches().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_watched_from_its_begin_to_its_end() {
        let begun = BlockStart::now();
        let mut state = 1_u64;
        while run_ns(1) < begun.running.cpu_ns + 2_000_000 {
            state = black_box(state.wrapping_mul(3));
        }
        let noise = begun.end(30, Torn::default(), None, None);
        assert!(noise.reference_ns > 1000, "{noise:?}: {STEPS} multiplications can't be quicker");
        assert!(noise.throughput_ns.is_some_and(|ns| ns > 1000), "{noise:?}: nor can those of the chains");
        assert!((2_000_000..=noise.elapsed_ns).contains(&noise.cpu_ns), "{noise:?}");
        assert!(noise.involuntary_switches.is_some());
    }
}
