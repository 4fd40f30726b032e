//! The frequency of a core, measured by a chain of instructions in which each needs the result of the one
//! before: it takes the same number of cycles on every core.

use std::time::{Duration, Instant};

/// Steps of a chain in a turn of its loop; turns of a block, which takes some 0.1 to 0.3 ms.
const STEPS: u64 = 64;
const TURNS: u64 = 6000;

/// A chain of one kind of instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chain {
    /// One cycle each, on every core of today.
    Additions,
    /// Three cycles each on x86-64 and on most cores of aarch64.
    Multiplications,
}

impl Chain {
    fn cycles(self) -> u64 {
        TURNS * STEPS * if self == Chain::Additions { 1 } else { 3 }
    }

    /// Goes through a block.
    #[inline(never)]
    fn run(self, mut state: u64) -> u64 {
        macro_rules! block {
            ($step:literal) => {
                for _ in 0..TURNS {
                    // SAFETY: a register is computed with, and nothing else.
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

/// The frequency of the core that the calling thread runs on, in hertz: measured for some time, by blocks of
/// which a quick one counts, since others were interrupted. `None` where the two chains don't agree within 3
/// %: then one of them does not take the cycles that are taken for known, or the core changed its speed
/// meanwhile.
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

/// Nearly the highest of the frequencies: the highest may be an error of the clock.
fn quick(mut hz: Vec<f64>) -> f64 {
    hz.sort_by(f64::total_cmp);
    hz[(hz.len() - 1) * 9 / 10]
}

fn agreed(a: f64, b: f64) -> Option<f64> {
    ((a - b).abs() <= 0.03 * a.min(b)).then_some(a)
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
    fn chains_that_disagree_tell_nothing() {
        assert_eq!(agreed(3.0e9, 3.05e9), Some(3.0e9));
        assert_eq!((agreed(3.0e9, 3.2e9), agreed(3.2e9, 3.0e9)), (None, None));
        assert_eq!(quick((1..=11).map(f64::from).collect()), 10.0);
    }

    #[test]
    fn a_core_runs_at_some_gigahertz() {
        // Where something else runs beside the test the chains may disagree.
        for _ in 0..20 {
            if let Some(hz) = core_hz(Duration::from_millis(5)) {
                assert!((1e8..2e10).contains(&hz), "{hz}");
                return;
            }
        }
    }
}
