//! The start of the merge: a table of normal scores with given correlations, apart from rounding to ranks.

use nalgebra::DMatrix;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::standard::normal_scores;
use crate::nearest::nearest;
use crate::ranks::order;

/// Least eigenvalue of the requested matrix. Smaller ones are raised to it, because a matrix with an
/// eigenvalue of 0 has no Cholesky root.
const FLOOR: f64 = 1e-9;

/// Columns of `n` normal scores with the requested correlations: they are shuffled independently, made
/// exactly uncorrelated, and then correlated.
pub fn correlated(asked: &DMatrix<f64>, n: usize, rng: &mut ChaCha8Rng) -> DMatrix<f64> {
    let (d, scores) = (asked.nrows(), normal_scores(n));
    let mut drawn = DMatrix::zeros(n, d);
    for mut column in drawn.column_iter_mut() {
        column.copy_from_slice(&scores);
        column.as_mut_slice().shuffle(rng);
    }
    let sample = drawn.tr_mul(&drawn) / n as f64;
    let mut rows = drawn.transpose();
    // If there are fewer rows than events, the columns can't be made uncorrelated, and stay as they are.
    if let Some(root) = sample.cholesky().filter(|_| n > d)
        && let Some(whitened) = root.l().solve_lower_triangular(&rows)
    {
        rows = whitened;
    }
    match nearest(asked, FLOOR).matrix.cholesky() {
        Some(root) => (root.l() * rows).transpose(),
        None => rows.transpose(),
    }
}

/// For each column: the row of each rank.
pub fn orders(columns: &DMatrix<f64>) -> Vec<Vec<u32>> {
    columns.column_iter().map(|column| order(column.as_slice())).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn correlations_are_as_asked() {
        let asked = DMatrix::from_row_slice(3, 3, &[1.0, 0.9, 0.1, 0.9, 1.0, -0.2, 0.1, -0.2, 1.0]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let table = correlated(&asked, 200, &mut rng);
        assert!((table.tr_mul(&table) / 200.0 - &asked).amax() < 1e-9);
        let orders = orders(&table);
        assert!(
            orders[0].windows(2).all(|rows| table[(rows[0] as usize, 0)] <= table[(rows[1] as usize, 0)])
        );
        assert_eq!(correlated(&asked, 2, &mut rng).shape(), (2, 3));
    }
}
