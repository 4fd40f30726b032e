//! The drift of an event: by how much its mean differs between blocks, because conditions changed from one to
//! the next. An event that several blocks hold shows it, the anchor of HRM above all. One that a single block
//! holds is taken to drift as the others do.
//!
//! It is the component of the variance between blocks in an analysis of variance with random effects,
//! relative to the variance within a block. O(n) for n values. A few blocks show this variance only roughly,
//! so that its upper confidence limit counts for intervals.
//!
//! Source: S. R. Searle, G. Casella, C. E. McCulloch, Variance Components, 1992, chapter 3 (the estimator of
//! the analysis of variance for groups of different sizes, and the limits that the distribution F gives).

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use crate::scatter::Scatter;

/// The ratio of the mean squares between and within blocks from which drift is more than chance: two blocks
/// of the same kind reach it once in 600 times, and more blocks less often.
const BEYOND_CHANCE: f64 = 10.0;
/// Probability that the true drift is greater than the limit with which intervals are widened. As much is
/// allowed to intervals of correlations.
const BEYOND_LIMIT: f64 = 0.05;
/// Greatest drift that is computed with: means a thousand deviations apart. A correlation across such blocks
/// may be anything anyway, and squares of greater numbers could overflow.
const GREATEST: f64 = 1e6;

/// The drift of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// The variance of the means of blocks, relative to the variance within a block. Where the events of
    /// several blocks drift more, it is their median, because two or three blocks may agree by chance. `None`
    /// if there are no such events.
    pub assumed: Option<f64>,
    /// The same with upper confidence limits, where drift is more than chance explains.
    pub limit: Option<f64>,
    /// The variance as far as the blocks that hold the event show it; `None` if it is less than chance
    /// explains or a single block holds it.
    pub shown: Option<f64>,
}

impl Drift {
    /// The drift of each event, from its values in each block that holds it.
    pub fn of_events<'v>(
        events: impl Iterator<Item = impl Iterator<Item = &'v [f64]> + Clone>,
    ) -> Vec<Drift> {
        let estimates: Vec<Option<Estimate>> = events.map(Estimate::new).collect();
        let raised = |by: fn(&Estimate) -> f64| {
            let mut known: Vec<f64> = estimates.iter().flatten().map(by).collect();
            known.sort_by(f64::total_cmp);
            let typical = known.get(known.len() / 2).copied();
            move |own: &Option<Estimate>| {
                typical.map(|typical| own.as_ref().map_or(typical, |own| by(own).max(typical)))
            }
        };
        let (assumed, limit) = (raised(|estimate| estimate.between), raised(|estimate| estimate.limit));
        let drift = |estimate: &Option<Estimate>| Drift {
            assumed: assumed(estimate),
            limit: limit(estimate),
            shown: estimate
                .filter(|estimate| estimate.ratio > BEYOND_CHANCE)
                .map(|estimate| estimate.between),
        };
        estimates.iter().map(drift).collect()
    }
}

/// The analysis of variance of one event.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    /// The variance of the means of blocks, relative to that within a block.
    between: f64,
    /// Its upper confidence limit if it is more than chance explains, or else the same.
    limit: f64,
    /// The ratio of the mean squares between and within blocks.
    ratio: f64,
}

impl Estimate {
    /// `None` for fewer than two blocks, and if the event never changes within a block.
    fn new<'v>(blocks: impl Iterator<Item = &'v [f64]> + Clone) -> Option<Self> {
        let groups = blocks.clone().count();
        if groups < 2 {
            return None;
        }
        let scatters: Vec<Scatter> = blocks.map(|values| Scatter::new(values, values)).collect();
        let all = scatters.iter().copied().fold(Scatter::EMPTY, Scatter::join).column(0);
        let within = scatters.iter().copied().fold(Scatter::EMPTY, Scatter::join_deviations);
        let (rows, within) = (within.rows as f64, within.column(0));
        let own_squares: f64 = scatters.iter().map(|scatter| (scatter.rows as f64).powi(2)).sum();
        let (of_groups, of_rows) = ((groups - 1) as f64, rows - groups as f64);
        let ratio = ((all.squares - within.squares) / of_groups) / (within.squares / of_rows);
        let size = (rows - own_squares / rows) / of_groups;
        if of_rows <= 0.0 || within.squares <= 0.0 {
            return None;
        }
        let between = |ratio: f64| ((ratio - 1.0) / size).clamp(0.0, GREATEST);
        let limit = match FisherSnedecor::new(of_groups, of_rows) {
            Ok(chance) if ratio > BEYOND_CHANCE => between(ratio / chance.inverse_cdf(BEYOND_LIMIT)),
            _ => between(ratio),
        };
        Some(Estimate { between: between(ratio), limit, ratio })
    }
}

#[cfg(test)]
mod tests;
