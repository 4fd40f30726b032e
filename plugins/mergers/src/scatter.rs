//! Sums of squares and products of the deviations of columns from their means, from which correlations are
//! computed.

use std::ops::Range;

use nalgebra::DMatrix;

use crate::parallel;

/// Number of rows whose deviations are multiplied at a time.
const PIECE: usize = 1024;
/// Number of rows that one thread sums up.
const STRETCH: usize = 1 << 15;

/// The scatter of two columns: number of rows, means, and sums of products of the deviations from the means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Number of rows.
    pub rows: usize,
    means: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl Scatter {
    /// Computes the scatter of two columns of equal length.
    pub fn new(a: &[f64], b: &[f64]) -> Self {
        let rows = a.len().min(b.len());
        let means = [mean(a), mean(b)];
        let (mut squares, mut product) = ([0.0; 2], 0.0);
        for (a, b) in a.iter().zip(b) {
            let (a, b) = (a - means[0], b - means[1]);
            squares[0] += a * a;
            squares[1] += b * b;
            product += a * b;
        }
        Scatter { rows, means, squares, product }
    }

    /// Merges the scatters of two sets of rows.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self.rows == 0 || other.rows == 0 {
            return if self.rows == 0 { other } else { self };
        }
        let rows = self.rows + other.rows;
        let share = other.rows as f64 / rows as f64;
        let apart = [other.means[0] - self.means[0], other.means[1] - self.means[1]];
        let weight = self.rows as f64 * share;
        let square = |i: usize| self.squares[i] + other.squares[i] + weight * apart[i] * apart[i];
        Scatter {
            rows,
            means: [self.means[0] + share * apart[0], self.means[1] + share * apart[1]],
            squares: [square(0), square(1)],
            product: self.product + other.product + weight * apart[0] * apart[1],
        }
    }

    /// The mean of one of the columns, and the sum of its squared deviations.
    pub fn column(&self, which: usize) -> (f64, f64) {
        (self.means[which], self.squares[which])
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

/// The mean; NaN for an empty list.
pub fn mean(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    // The mean of the rest is added, so that the mean of a column that never changes is exactly its value.
    mean + values.iter().map(|value| value - mean).sum::<f64>() / values.len() as f64
}

/// The standard deviation with n - 1; NaN for fewer than two values.
pub fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    if values.len() < 2 { f64::NAN } else { (squares / (values.len() - 1) as f64).sqrt() }
}

/// The scatter of every two of many columns of equal length. It is computed piece by piece, so that it needs
/// little memory for any number of rows.
#[derive(Clone, Debug)]
pub struct Scatters {
    rows: usize,
    means: Vec<f64>,
    products: DMatrix<f64>,
}

impl Scatters {
    /// Computes the scatter of columns of equal length.
    pub fn new(columns: &[&[f64]]) -> Self {
        let (rows, count) = (columns.first().map_or(0, |column| column.len()), columns.len());
        let threads = if rows > STRETCH { parallel::processors() } else { 1 };
        let means = parallel::map(columns.to_vec(), threads, mean);
        let products = |from: usize| products(columns, &means, from..rows.min(from + STRETCH));
        // The order of the sum does not depend on the threads, so the result is always the same.
        let products = parallel::map((0..rows).step_by(STRETCH).collect(), threads, products);
        let products = products.into_iter().fold(DMatrix::zeros(count, count), |sum, part| sum + part);
        Scatters { rows, means, products }
    }

    /// The mean of a column, and the sum of its squared deviations.
    pub fn column(&self, which: usize) -> (f64, f64) {
        (self.means[which], self.products[(which, which)])
    }

    /// The scatter of two columns.
    pub fn pair(&self, a: usize, b: usize) -> Scatter {
        Scatter {
            rows: self.rows,
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
