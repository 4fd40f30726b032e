//! The measurement of a pair of events.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::drift::Drift;
use crate::scatter::Scatter;

/// A pair drifts if its correlations in the blocks differ by more than this, and by more than chance
/// explains.
const DRIFT: f64 = 0.1;
/// Probability of "more than chance explains" if there is nothing but chance.
const RARELY: f64 = 0.001;

/// The measurement of a pair of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The two events, by index in the design.
    pub events: (usize, usize),
    /// Number of blocks that hold both; 0 if they were never measured together.
    pub blocks: usize,
    /// Number of rows of these blocks, without outliers that were left out.
    pub rows: usize,
    /// Pearson's correlation over these rows. `None` if there are none, or one of the two never changes in
    /// them.
    pub correlation: Option<f64>,
    /// The same of the deviations from the means of each block, which a drift between blocks does not change.
    pub within: Option<f64>,
    /// The drift of the two events, as the variance of the means of blocks relative to that within a block.
    pub drift: [f64; 2],
    /// The variance of the transformed correlation, as a multiple of that for normal counts.
    pub excess: f64,
    /// Greatest difference between the correlations of single blocks. `None` for fewer than two blocks.
    pub spread: Option<f64>,
    /// Whether this difference is more than chance explains.
    pub drifts: bool,
}

impl Pair {
    /// The measurement, from the scatter in each block with its uncertainty as a multiple of that for normal
    /// counts.
    pub(super) fn new(
        events: (usize, usize),
        scatters: impl Iterator<Item = (Scatter, f64)>,
        drift: &[Drift],
    ) -> Self {
        let scatters: Vec<(Scatter, f64)> = scatters.collect();
        let blocks = || scatters.iter().map(|(scatter, _)| *scatter);
        let all = blocks().fold(Scatter::EMPTY, Scatter::join);
        let single: Vec<Single> = scatters
            .iter()
            .filter_map(|(scatter, excess)| {
                Some(Single { rows: scatter.rows, correlation: scatter.correlation()?, excess: *excess })
            })
            .collect();
        let least = single.iter().map(|block| block.correlation).fold(f64::INFINITY, f64::min);
        let greatest = single.iter().map(|block| block.correlation).fold(f64::NEG_INFINITY, f64::max);
        let spread = (single.len() > 1).then_some(greatest - least);
        let held: usize = single.iter().map(|block| block.rows).sum();
        let weighted: f64 = single.iter().map(|block| block.rows as f64 * block.excess).sum();
        Pair {
            events,
            blocks: scatters.len(),
            rows: all.rows,
            correlation: all.correlation(),
            within: blocks().fold(Scatter::EMPTY, Scatter::join_deviations).correlation(),
            drift: [drift[events.0], drift[events.1]].map(|drift| drift.limit.unwrap_or(0.0)),
            excess: if held > 0 { weighted / held as f64 } else { 1.0 },
            spread,
            drifts: spread.is_some_and(|spread| spread > DRIFT) && differ(&single),
        }
    }

    /// The 95 % confidence interval of the correlation, by Fisher's transformation and its uncertainty. If
    /// the blocks drift, it has the correlation of rows that are measured under the conditions of one block,
    /// and that of rows under the conditions of all blocks, however the drifts of the two events are related.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let r = self.correlation?;
        let half = 1.959_963_984_540_054 * (self.excess / ((self.rows as f64) - 3.0)).sqrt();
        let ends = |r: f64| ((r.atanh() - half).tanh(), (r.atanh() + half).tanh());
        let (all, within) = (ends(r), ends(self.within.unwrap_or(r)));
        let (low, high) = (all.0.min(within.0), all.1.max(within.1));
        let [a, b] = self.drift;
        // The covariance of two drifts is at most the product of their deviations.
        let (covariance, variances) = ((a * b).sqrt(), (1.0 + a) * (1.0 + b));
        let across = |r: f64| r / variances.sqrt();
        let apart = covariance / variances.sqrt();
        (self.rows > 3)
            .then(|| (low.min(across(low) - apart).max(-1.0), high.max(across(high) + apart).min(1.0)))
    }
}

/// The measurement of a pair in one block.
#[derive(Clone, Copy, Debug)]
struct Single {
    rows: usize,
    correlation: f64,
    excess: f64,
}

/// Whether correlations differ by more than chance explains: a chi-squared test of their transformations, at
/// a level of one in a thousand.
fn differ(single: &[Single]) -> bool {
    let transformed: Vec<(f64, f64)> = single
        .iter()
        .filter(|block| block.rows > 3 && block.excess > 0.0)
        // The transformation of a perfect correlation would be infinite.
        .map(|block| {
            let z = block.correlation.clamp(-0.999_999, 0.999_999).atanh();
            ((block.rows as f64 - 3.0) / block.excess, z)
        })
        .collect();
    if transformed.len() < 2 {
        return false;
    }
    let weight: f64 = transformed.iter().map(|(weight, _)| weight).sum();
    let mean = transformed.iter().map(|(weight, z)| weight * z).sum::<f64>() / weight;
    let statistic: f64 = transformed.iter().map(|(weight, z)| weight * (z - mean) * (z - mean)).sum();
    let alike = ChiSquared::new((transformed.len() - 1) as f64).expect("one degree of freedom or more");
    alike.sf(statistic) < RARELY
}
