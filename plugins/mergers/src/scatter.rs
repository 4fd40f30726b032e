//! Sums of squares and products of the deviations of columns from their means, from which correlations are
//! computed.

use std::borrow::Cow;
use std::ops::Range;

use nalgebra::DMatrix;

use crate::parallel;
use crate::unit::{in_unit, unit};

/// Number of rows whose deviations are multiplied at a time.
const PIECE: usize = 1024;
/// Number of rows that one thread sums up.
const STRETCH: usize = 1 << 15;

/// The mean of a column and the sum of its squared deviations, in a unit of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The unit: 1, except for very small or large numbers.
    pub unit: f64,
    /// The mean, in units.
    pub mean: f64,
    /// The sum of squared deviations, in squared units.
    pub squares: f64,
}

/// The scatter of two columns: number of rows, means, and sums of products of the deviations from the means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// Number of rows.
    pub rows: usize,
    /// The unit of each column.
    units: [f64; 2],
    means: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl Scatter {
    /// The scatter of no rows.
    pub const EMPTY: Scatter =
        Scatter { rows: 0, units: [1.0; 2], means: [0.0; 2], squares: [0.0; 2], product: 0.0 };

    /// Computes the scatter of two columns of equal length.
    pub fn new(a: &[f64], b: &[f64]) -> Self {
        let rows = a.len().min(b.len());
        let units = [unit(a), unit(b)];
        let (a, b) = (in_unit(a, units[0]), in_unit(b, units[1]));
        let means = [mean(&a), mean(&b)];
        let (mut squares, mut product) = ([0.0; 2], 0.0);
        for (a, b) in a.iter().zip(&*b) {
            let (a, b) = (a - means[0], b - means[1]);
            squares[0] += a * a;
            squares[1] += b * b;
            product += a * b;
        }
        Scatter { rows, units, means, squares, product }
    }

    /// Merges the scatters of two sets of rows.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self.rows == 0 || other.rows == 0 {
            return if self.rows == 0 { other } else { self };
        }
        let units = [0, 1].map(|i| self.units[i].max(other.units[i]));
        self.in_units(units).joined(other.in_units(units))
    }

    /// The scatter of the deviations from the means of each of two sets of rows, so that a difference between
    /// these means does not matter.
    #[must_use]
    pub fn join_deviations(self, other: Self) -> Self {
        if self.rows == 0 || other.rows == 0 {
            return if self.rows == 0 { other } else { self };
        }
        let units = [0, 1].map(|i| self.units[i].max(other.units[i]));
        let (one, other) = (self.in_units(units), other.in_units(units));
        one.joined(Scatter { means: one.means, ..other })
    }

    /// The same scatter in other units.
    fn in_units(self, units: [f64; 2]) -> Self {
        let [a, b] = [0, 1].map(|i| self.units[i] / units[i]);
        let means = [self.means[0] * a, self.means[1] * b];
        let squares = [self.squares[0] * a * a, self.squares[1] * b * b];
        Scatter { rows: self.rows, units, means, squares, product: self.product * a * b }
    }

    /// Merges the scatters of two sets of rows in the same units.
    fn joined(self, other: Self) -> Self {
        let rows = self.rows + other.rows;
        let share = other.rows as f64 / rows as f64;
        let apart = [other.means[0] - self.means[0], other.means[1] - self.means[1]];
        let weight = self.rows as f64 * share;
        let square = |i: usize| self.squares[i] + other.squares[i] + weight * apart[i] * apart[i];
        Scatter {
            rows,
            units: self.units,
            means: [self.means[0] + share * apart[0], self.means[1] + share * apart[1]],
            squares: [square(0), square(1)],
            product: self.product + other.product + weight * apart[0] * apart[1],
        }
    }

    /// The mean of one of the columns, and the sum of its squared deviations.
    pub fn column(&self, which: usize) -> Moments {
        Moments { unit: self.units[which], mean: self.means[which], squares: self.squares[which] }
    }

    /// Pearson's correlation; `None` if a column never changes.
    pub fn correlation(&self) -> Option<f64> {
        correlation(self.product, self.squares[0], self.squares[1])
    }
}

fn correlation(product: f64, one: f64, other: f64) -> Option<f64> {
    let both = one.sqrt() * other.sqrt();
    (both > 0.0).then(|| (product / both).clamp(-1.0, 1.0))
}

/// The mean; NaN for an empty list. It is infinite if the sum of the values is.
pub fn mean(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    // The mean of the rest is added, so that the mean of a column that never changes is exactly its value.
    mean + values.iter().map(|value| value - mean).sum::<f64>() / values.len() as f64
}

/// The standard deviation with divisor n - 1; NaN for fewer than two values.
pub fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    let unit = unit(values);
    let values = in_unit(values, unit);
    let mean = mean(&values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    unit * (squares / (values.len() - 1) as f64).sqrt()
}

/// The squared distance of each value of a column from its mean, in squares of a unit that is the same for
/// all columns that are compared.
pub fn squared_distances(values: &[f64], unit: f64) -> impl Iterator<Item = f64> + use<'_> {
    let mean = if unit == 1.0 { mean(values) } else { mean(&in_unit(values, unit)) };
    values.iter().map(move |value| {
        let distance = value / unit - mean;
        distance * distance
    })
}

/// The scatter of every two of many columns of equal length. It is computed piece by piece, so that it needs
/// little memory for any number of rows.
#[derive(Clone, Debug)]
pub struct Scatters {
    rows: usize,
    /// The unit of each column.
    units: Vec<f64>,
    means: Vec<f64>,
    products: DMatrix<f64>,
}

impl Scatters {
    /// Computes the scatter of columns of equal length.
    pub fn new(columns: &[&[f64]]) -> Self {
        let (rows, count) = (columns.first().map_or(0, |column| column.len()), columns.len());
        let threads = if rows > STRETCH { parallel::processors() } else { 1 };
        let units = parallel::map(columns.to_vec(), threads, unit);
        let columns: Vec<Cow<'_, [f64]>> =
            columns.iter().zip(&units).map(|(column, unit)| in_unit(column, *unit)).collect();
        let columns: Vec<&[f64]> = columns.iter().map(|column| &**column).collect();
        let means = parallel::map(columns.clone(), threads, mean);
        let products = |from: usize| products(&columns, &means, from..rows.min(from + STRETCH));
        // The order of the sum does not depend on the threads, so the result is always the same.
        let products = parallel::map((0..rows).step_by(STRETCH).collect(), threads, products);
        let products = products.into_iter().fold(DMatrix::zeros(count, count), |sum, part| sum + part);
        Scatters { rows, units, means, products }
    }

    /// The mean of a column, and the sum of its squared deviations.
    pub fn column(&self, which: usize) -> Moments {
        let squares = self.products[(which, which)];
        Moments { unit: self.units[which], mean: self.means[which], squares }
    }

    /// The scatter of two columns.
    pub fn pair(&self, a: usize, b: usize) -> Scatter {
        Scatter {
            rows: self.rows,
            units: [self.units[a], self.units[b]],
            means: [self.means[a], self.means[b]],
            squares: [self.products[(a, a)], self.products[(b, b)]],
            product: self.products[(a, b)],
        }
    }

    /// Pearson's correlation of two columns; `None` if one never changes.
    pub fn correlation(&self, a: usize, b: usize) -> Option<f64> {
        correlation(self.products[(a, b)], self.products[(a, a)], self.products[(b, b)])
    }
}

/// The sums of products of the deviations in some rows.
fn products(columns: &[&[f64]], means: &[f64], rows: Range<usize>) -> DMatrix<f64> {
    let mut products = DMatrix::zeros(columns.len(), columns.len());
    for from in rows.clone().step_by(PIECE) {
        let length = PIECE.min(rows.end - from);
        let mut piece = DMatrix::zeros(length, columns.len());
        for ((mut deviations, column), mean) in piece.column_iter_mut().zip(columns).zip(means) {
            let values = &column[from..from + length];
            deviations.iter_mut().zip(values).for_each(|(deviation, value)| *deviation = value - mean);
        }
        products.gemm(1.0, &piece.transpose(), &piece, 1.0);
    }
    products
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_column_that_never_changes_has_no_correlation() {
        let (constant, other) = ([0.1; 7], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]);
        assert_eq!(Scatter::new(&constant, &other).correlation(), None);
        assert_eq!(Scatters::new(&[&constant, &other]).correlation(1, 0), None);
        assert_eq!(Scatter::new(&[], &[]).correlation(), None);
        assert_eq!((deviation(&constant), deviation(&[1.0, 3.0])), (0.0, 2f64.sqrt()));
        assert!(deviation(&[1.0]).is_nan());
    }

    #[test]
    fn a_correlation_is_that_of_the_textbook() {
        // Deviations -1 0 1 and 1 -2 1: product 0; -1 0 1 and -1 0 1: all of it.
        for (other, expected) in [([5.0, 2.0, 5.0], 0.0), ([7.0, 5.0, 3.0], -1.0), ([1.0, 3.0, 2.0], 0.5)] {
            let found = Scatter::new(&[1.0, 2.0, 3.0], &other).correlation().unwrap();
            assert!((found - expected).abs() < 1e-15, "{other:?}: {found}");
        }
    }

    #[test]
    fn tiny_and_huge_counts_correlate_as_others_do() {
        let (a, b) = ([1.0, 2.0, 3.0, 5.0], [2.0, 1.0, 3.0, 9.0]);
        let expected = Scatter::new(&a, &b).correlation().unwrap();
        for size in [1e-306, 5e-320, 1e306] {
            let (tiny, other) = (a.map(|value| value * size), b.map(|value| value * size));
            for columns in [[&tiny, &other], [&tiny, &b]] {
                let [one, other] = columns;
                // Powers of ten are rounded, and numbers below 2e-308 have few digits.
                let is_near = |r: Option<f64>| (r.unwrap() - expected).abs() < 1e-3;
                assert!(is_near(Scatter::new(one, other).correlation()), "{size}");
                assert!(is_near(Scatters::new(&[one, other]).correlation(0, 1)), "{size}");
                let parts = [0..2, 2..4].map(|rows| Scatter::new(&one[rows.clone()], &other[rows]));
                assert!(is_near(parts[0].join(parts[1]).correlation()), "{size}");
            }
            assert!((deviation(&tiny) / size / deviation(&a) - 1.0).abs() < 1e-3, "{size}");
        }
        // A block of counts as usual, and one of tiny ones: these do not change.
        let joined = Scatter::new(&a, &b).join(Scatter::new(&[1e-306; 4], &b));
        assert!(
            (joined.correlation().unwrap()
                - Scatter::new(&[a, [0.0; 4]].concat(), &[b, b].concat()).correlation().unwrap())
            .abs()
                < 1e-12
        );
    }

    #[test]
    fn deviations_are_joined_without_what_lies_between_the_means() {
        let (low, high) = ([1.0, 2.0, 3.0], [101.0, 102.0, 103.0]);
        let (one, other) = (Scatter::new(&low, &[3.0, 2.0, 1.0]), Scatter::new(&high, &[53.0, 52.0, 51.0]));
        assert!(one.join(other).correlation().unwrap() > 0.99);
        assert_eq!(one.join_deviations(other).correlation(), Some(-1.0));
        assert_eq!(Scatter::EMPTY.join_deviations(one), one);
    }

    proptest! {
        #[test]
        fn parts_joined_are_the_whole_and_pieces_are_the_columns(
            rows in prop::collection::vec((-1e6f64..1e6, -1.0f64..1.0), 3..3000),
            cut in any::<prop::sample::Index>(),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
            let cut = cut.index(a.len());
            let whole = Scatter::new(&a, &b).correlation().unwrap();
            let joined = Scatter::new(&a[..cut], &b[..cut]).join(Scatter::new(&a[cut..], &b[cut..]));
            let scatters = Scatters::new(&[&a, &b]);
            for other in [joined, scatters.pair(0, 1), scatters.pair(1, 0)] {
                prop_assert_eq!(other.rows, a.len());
                prop_assert!((other.correlation().unwrap() - whole).abs() < 1e-12);
            }
            prop_assert_eq!(scatters.correlation(0, 1), scatters.pair(0, 1).correlation());
        }
    }
}
