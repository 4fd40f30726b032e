//! The uncertainty of a correlation, for any distribution of the counts.
//!
//! Fisher's transformation of a correlation has the variance 1 / (n - 3) if counts are normal, and many times
//! as much if a few rows are far from all others. By the delta method, the variance is the mean square of the
//! contributions of the rows to the correlation. Rows that pull the correlation towards themselves get a
//! greater weight, as in the jackknife, because the correlation is measured with them. O(n) per pair.
//!
//! Sources: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 11 and 21; J. G.
//! MacKinnon, H. White, Some heteroskedasticity-consistent covariance matrix estimators with improved finite
//! sample properties, 1985 (HC3).

use crate::scatter::Moments;

/// Greatest number of rows that are used. If there are more, rows at equal steps are taken.
const MOST_ROWS: usize = 1 << 15;
/// Greatest share of a correlation that one row may decide.
const MOST_PULL: f64 = 0.99;
/// The variance of a correlation nearer than this to 1 or -1 can't be computed.
const PERFECT: f64 = 1e-12;

/// A column with mean 0 and mean square 1. A long column is thinned out; one that never changes is all 0.
#[derive(Clone, Debug, Default)]
pub struct Standard {
    values: Vec<f64>,
    /// Of the column itself.
    rows: usize,
}

impl Standard {
    /// The standardised form of a column with these moments.
    pub fn new(column: &[f64], Moments { unit, mean, squares }: Moments) -> Self {
        let (rows, seen) = (column.len(), column.len().min(MOST_ROWS));
        let deviation = (squares / rows as f64).sqrt();
        let value = |i: usize| (column[i * rows / seen] / unit - mean) / deviation;
        let values = if deviation > 0.0 { (0..seen).map(value).collect() } else { vec![0.0; seen] };
        Standard { values, rows }
    }

    /// The variance of Fisher's transformation of the correlation `r` of two columns, as a multiple of that
    /// for normal counts.
    pub fn excess(&self, other: &Self, r: f64) -> f64 {
        let unexplained = 1.0 - r * r;
        if unexplained < PERFECT || self.values.is_empty() {
            return 1.0;
        }
        let square = |(u, v): (&f64, &f64)| {
            let (both, product) = (u * u + v * v, u * v);
            let pull = (1.0 + (both - 2.0 * r * product) / unexplained) / self.rows as f64;
            let adds = (product - r / 2.0 * both) / (1.0 - pull.min(MOST_PULL));
            adds * adds
        };
        let squares: f64 = self.values.iter().zip(&other.values).map(square).sum();
        squares / self.values.len() as f64 / (unexplained * unexplained)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use assay_plugin_api::{Block, Column};

    use super::*;
    use crate::pairs::Design;
    use crate::scatter::Scatter;

    fn standard(values: &[f64]) -> Standard {
        Standard::new(values, Scatter::new(values, values).column(0))
    }

    /// A row, and the correlation of all rows of its kind.
    struct Kind {
        name: &'static str,
        row: fn([f64; 2], f64) -> [f64; 2],
        correlation: f64,
    }

    const RHO: f64 = 0.6;

    fn kinds() -> [Kind; 3] {
        let sigma = 1.5f64;
        let lognormal = ((RHO * sigma * sigma).exp() - 1.0) / ((sigma * sigma).exp() - 1.0);
        // One row of a hundred is 30 deviations away, for both.
        let spikes = 900.0 * 0.01 * 0.99;
        [
            Kind { name: "normal", row: |row, _| row, correlation: RHO },
            Kind { name: "lognormal", row: |row, _| row.map(|x| (1.5 * x).exp()), correlation: lognormal },
            Kind {
                name: "spikes",
                row: |row, chance| row.map(|x| if chance < 0.01 { x + 30.0 } else { x }),
                correlation: (RHO + spikes) / (1.0 + spikes),
            },
        ]
    }

    /// How often the interval holds the truth, and how often three blocks of the same kind seem to drift.
    fn tried(kind: &Kind, rows: usize, trials: usize) -> (f64, f64) {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut block = |number: usize| {
            let rows: Vec<[f64; 2]> = (0..rows)
                .map(|_| {
                    let (x, e): (f64, f64) =
                        (StandardNormal.sample(&mut rng), StandardNormal.sample(&mut rng));
                    let chance: f64 = rng.random();
                    (kind.row)([x, RHO * x + (1.0 - RHO * RHO).sqrt() * e], chance)
                })
                .collect();
            let column = |i: usize| Column {
                name: format!("{i}"),
                values: rows.iter().map(|row| row[i]).collect::<Vec<f64>>().into(),
            };
            Block { source: format!("{number}"), columns: vec![column(0), column(1)] }
        };
        let (mut held, mut drifting) = (0, 0);
        for _ in 0..trials {
            let blocks = [block(0), block(1), block(2)];
            let pair = Design::new(&blocks).unwrap().measured()[0];
            let (low, high) = pair.interval().unwrap();
            held += usize::from(low <= kind.correlation && kind.correlation <= high);
            drifting += usize::from(pair.drifts);
        }
        (held as f64 / trials as f64, drifting as f64 / trials as f64)
    }

    #[test]
    fn intervals_hold_the_truth_and_blocks_of_one_kind_do_not_drift() {
        for kind in kinds() {
            let (held, drifting) = tried(&kind, 1000, 300);
            assert!((0.92..=0.99).contains(&held) && drifting < 0.01, "{}: {held} {drifting}", kind.name);
        }
    }

    #[test]
    fn what_is_perfect_constant_or_huge_is_borne() {
        let (rising, constant) = ([1.0, 2.0, 3.0, 5.0], [7.0; 4]);
        let huge = rising.map(|value| value * 1e149);
        assert_eq!(standard(&rising).excess(&standard(&rising), 1.0), 1.0);
        assert_eq!(standard(&constant).excess(&standard(&rising), 0.0), 0.0);
        let excess = |first: &[f64]| standard(first).excess(&standard(&[2.0, 1.0, 3.0, 9.0]), 0.5);
        assert!((excess(&huge) - excess(&rising)).abs() < 1e-9);
    }

    #[test]
    fn of_a_long_column_rows_at_equal_steps_are_enough() {
        let long =
            |rows: usize, step: usize| -> Vec<f64> { (0..rows).map(|i| (i * step % 1009) as f64).collect() };
        let excess = |rows| standard(&long(rows, 7)).excess(&standard(&long(rows, 11)), 0.0);
        assert!((excess(MOST_ROWS * 4) / excess(MOST_ROWS) - 1.0).abs() < 0.02);
    }
}
