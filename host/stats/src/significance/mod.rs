//! Whether one algorithm is really faster than another, from the rounds that both were measured in.

mod comparison;
mod difference;
mod overall;
mod rounds_needed;
mod standing;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use comparison::{Comparison, SAME_WITHIN, holm, judge, judge_each};
pub use difference::{Difference, NullRange};
pub use overall::{Overall, overall};
pub use rounds_needed::rounds_needed;
pub use standing::{Standing, standings};

use crate::interval::CONFIDENCE;
use crate::rounds::{Sample, log_ratios, values};

/// Differences up to this share of the time are not claimed within a run, because copies of one algorithm
/// differ by that much: what remains of the luck of code placement where functions begin at multiples of 64
/// bytes. Measured with the benchmark `identical` on a library that is built as ours are
/// (docs/src/validation.md); where functions begin anywhere, the luck is greater.
pub const PLACEMENT_FLOOR: f64 = 0.01;

/// Differences up to this share of the time are not claimed between two runs, and neither is what the
/// machine's own speed [explains](NullRange::or_speed). What remains for a whole run has a standard deviation
/// of 0.8 to 1.5 % in each run (pairs of equal runs differ by 1.1 to 2.1 % beside the reference loop),
/// measured with 40 runs each of `hor` and `bm` on 54 KB and on 1 MiB of English (AMD EPYC, family 26, a
/// shared virtual machine). With a floor of 1 %, any of eight words was wrong in 1.0 and 2.8 % of the pairs,
/// with 2 % in 0.3 and 0.5 %, without the loop and with 1 % in 43 and 50 %.
pub const RUN_FLOOR: f64 = 0.02;

/// A ratio of two times, with its confidence interval. All three are positive and finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ratio {
    /// Geometric mean over the rounds.
    pub ratio: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// What a ratio shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It takes less time.
    Faster,
    /// It takes more time.
    Slower,
    /// Neither is shown: statistically tied.
    Tied,
}

impl Ratio {
    /// The ratio of two lists of times, pattern by pattern; both ascend by repetition. The interval is one of
    /// `comparisons` that hold together with 95 % (C. E. Bonferroni, 1936). `None` if the lists share fewer
    /// than two rounds, because one round says nothing about how rounds differ, and if the interval has no
    /// finite end.
    pub fn paired(times: &[Sample], baseline: &[Sample], comparisons: usize) -> Option<Self> {
        let confidence = 1.0 - (1.0 - CONFIDENCE) / comparisons as f64;
        Difference::paired(&values(&log_ratios(times, baseline)))?.ratio(confidence)
    }

    /// Slower or faster only if the whole interval lies beyond the floor around 1; the floor is a share of
    /// the time.
    pub fn verdict(&self, floor: f64) -> Verdict {
        if self.low > 1.0 + floor {
            Verdict::Slower
        } else if self.high < 1.0 / (1.0 + floor) {
            Verdict::Faster
        } else {
            Verdict::Tied
        }
    }
}
