//! The frequency of a core, measured with a chain of instructions. Each instruction needs the result of the
//! one before, so the number of cycles of the chain is known.

use std::time::{Duration, Instant};

/// Steps of a chain in one pass of its loop, so that the loop itself adds little.
const STEPS: u64 = 64;
/// Passes of the loop in a block. A block then takes 0.1 to 0.3 ms: long compared with a reading of the
/// clock, and short enough that some blocks are not interrupted.
const TURNS: u64 = 6000;

/// A chain of one kind of instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chain {
    /// Each takes one cycle on all present cores.
    Additions,
    /// Each takes three cycles on x86-64 and on most cores of aarch64.
    Multiplications,
}

impl Chain {
    /// Number of cycles of a block.
    fn cycles(self) -> u64 {
        TURNS * STEPS * if self == Chain::Additions { 1 } else { 3 }
    }

    /// Runs a block, and returns the value that the chain has computed.
    #[inline(never)]
    fn run(self, mut state: u64) -> u64 {
        macro_rules! block {
            ($step:literal) => {
                for _ in 0..TURNS {
                    // SAFETY: the instructions only change the register of `state`.
                    unsafe {
                        std::arch::asm!(
                            concat!(".rept 64\n", $step, "\n.endr"),
                            s = inout(reg) state, c = in(reg) 3_u64, options(pure, nomem, nostack),
                        );
                    }
                }
            };
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Chain::Additions => block!("add {s}, {c}"),
            #[cfg(target_arch = "x86_64")]
            Chain::Multiplications => block!("imul {s}, {c}"),
            #[cfg(target_arch = "aarch64")]
            Chain::Additions => block!("add {s}, {s}, {c}"),
            #[cfg(target_arch = "aarch64")]
            Chain::Multiplications => block!("mul {s}, {s}, {c}"),
            #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
            _ => state = state.wrapping_add(3),
        }
        state
    }
}

/// Measures for this time the frequency of the core on which the calling thread runs, in hertz. Blocks of
/// both chains take turns. `None` if the two chains disagree by more than [`TOLERANCE`], because then one of
/// them takes another number of cycles on this core, or the core changed its speed meanwhile.
pub(super) fn core_hz(time: Duration) -> Option<f64> {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        return None;
    }
    let begin = Instant::now();
    let mut found = [Vec::new(), Vec::new()];
    while found[1].is_empty() || begin.elapsed() < time {
        for (chain, found) in [Chain::Additions, Chain::Multiplications].into_iter().zip(&mut found) {
            let start = Instant::now();
            std::hint::black_box(chain.run(std::hint::black_box(1)));
            found.push(chain.cycles() as f64 / start.elapsed().as_secs_f64());
        }
    }
    let [additions, multiplications] = found.map(quick);
    agreed(additions, multiplications)
}

/// The 90 % quantile of the frequencies. Most blocks below it were interrupted; the highest values may be
/// errors of the clock.
fn quick(mut hz: Vec<f64>) -> f64 {
    hz.sort_by(f64::total_cmp);
    hz[(hz.len() - 1) * 9 / 10]
}

/// Greatest relative difference of the two chains. The numbers of cycles are whole, so a wrong assumption
/// changes a frequency by a third or more; 3 % leaves room for noise.
const TOLERANCE: f64 = 0.03;

/// The first frequency, if both agree.
fn agreed(a: f64, b: f64) -> Option<f64> {
    ((a - b).abs() <= TOLERANCE * a.min(b)).then_some(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_takes_all_its_steps() {
        if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            assert_eq!(Chain::Additions.run(5), 5 + 3 * TURNS * STEPS);
            let power = (0..TURNS * STEPS).fold(5_u64, |power, _| power.wrapping_mul(3));
            assert_eq!(Chain::Multiplications.run(5), power);
        }
    }

    #[test]
    fn chains_that_disagree_give_no_frequency() {
        assert_eq!(agreed(3.0e9, 3.05e9), Some(3.0e9));
        assert_eq!((agreed(3.0e9, 3.2e9), agreed(3.2e9, 3.0e9)), (None, None));
        assert_eq!(quick((1..=11).map(f64::from).collect()), 10.0);
    }

    #[test]
    fn a_core_runs_at_some_gigahertz() {
        // Other programs on the machine may make the chains disagree, so there are several attempts.
        for _ in 0..20 {
            if let Some(hz) = core_hz(Duration::from_millis(5)) {
                assert!((1e8..2e10).contains(&hz), "{hz}");
                return;
            }
        }
    }
}
