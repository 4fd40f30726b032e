//! The quantities of a table that are compared.

use super::super::statistics::{correlation, deviation};

/// The grid on which copulas are compared: tenths.
const TENTHS: usize = 10;
/// The quantiles that are compared: hundredths.
const QUANTILES: usize = 100;

/// The quantities of a table: for each pair at `i * d + j`, and for each event.
pub(crate) struct Pairs {
    /// Pearson's correlations.
    pub pearson: Vec<Option<f64>>,
    /// Spearman's correlations.
    pub spearman: Vec<Option<f64>>,
    /// The share of rows in which both events are among their greatest tenth.
    pub top: Vec<Option<f64>>,
    /// Ranks as shares, from above 0 to below 1; equal values have the mean of theirs.
    shares: Vec<Vec<f64>>,
    /// The quantiles at 1 to 99 %.
    pub quantiles: Vec<Vec<f64>>,
    /// Standard deviations.
    pub deviation: Vec<f64>,
}

impl Pairs {
    /// Computes the quantities of columns of equal length.
    pub(crate) fn from_columns(columns: &[&[f64]]) -> Self {
        let shares: Vec<Vec<f64>> = columns.iter().map(|values| shares(values)).collect();
        let by_pairs = |of: &dyn Fn(usize, usize) -> Option<f64>| {
            let d = columns.len();
            (0..d * d).map(|at| if at / d < at % d { of(at / d, at % d) } else { None }).collect::<Vec<_>>()
        };
        let n = columns[0].len() as f64;
        let limit = 1.0 - 1.0 / TENTHS as f64;
        let both = |i: usize, j: usize| {
            let both = shares[i].iter().zip(&shares[j]).filter(|(a, b)| **a > limit && **b > limit);
            Some(both.count() as f64 / n)
        };
        let mut pairs = Pairs {
            pearson: by_pairs(&|i, j| correlation(columns[i], columns[j])),
            spearman: by_pairs(&|i, j| correlation(&shares[i], &shares[j])),
            top: by_pairs(&both),
            shares: Vec::new(),
            quantiles: columns.iter().map(|values| quantiles(values)).collect(),
            deviation: columns.iter().map(|values| deviation(values)).collect(),
        };
        pairs.shares = shares;
        pairs
    }

    /// The share of rows in which both are at most at their tenth a and b, for a and b from 1 to 9.
    pub(crate) fn copula(&self, i: usize, j: usize) -> Vec<f64> {
        let mut counts = [[0u32; TENTHS]; TENTHS];
        let tenth = |share: f64| ((share * TENTHS as f64).ceil() as usize).clamp(1, TENTHS) - 1;
        for (a, b) in self.shares[i].iter().zip(&self.shares[j]) {
            counts[tenth(*a)][tenth(*b)] += 1;
        }
        let n = self.shares[i].len() as f64;
        let mut copula = Vec::with_capacity((TENTHS - 1) * (TENTHS - 1));
        let mut above = [0u32; TENTHS];
        for counts in &counts[..TENTHS - 1] {
            let mut sum = 0;
            for (count, above) in counts.iter().zip(&mut above) {
                sum += count;
                *above += sum;
            }
            copula.extend(above[..TENTHS - 1].iter().map(|count| f64::from(*count) / n));
        }
        copula
    }
}

fn shares(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut shares, mut first) = (vec![0.0; values.len()], 0);
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let middle = first as f64 + equal.len() as f64 / 2.0;
        equal.iter().for_each(|&row| shares[row] = middle / values.len() as f64);
        first += equal.len();
    }
    shares
}

/// The quantiles at 0.01 to 0.99, interpolated between values.
fn quantiles(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let quantile = |percent: usize| {
        let place = (percent * (sorted.len() - 1)) as f64 / QUANTILES as f64;
        let below = place as usize;
        let above = sorted[(below + 1).min(sorted.len() - 1)];
        sorted[below] + place.fract() * (above - sorted[below])
    };
    (1..QUANTILES).map(quantile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_equal_values_are_shared() {
        assert_eq!(shares(&[1.0, 0.0, 1.0, 1.0]), [0.625, 0.125, 0.625, 0.625]);
    }
}
