//! The correlation matrix nearest to a symmetric matrix. Mergers use it if correlations that were measured
//! pair by pair contradict each other, so that no table can have all of them.
//!
//! The method projects alternately on the positive semidefinite matrices and on those with ones on the
//! diagonal. Dykstra's correction of the first projection makes the limit the nearest matrix in the Frobenius
//! norm that is both.
//!
//! Source: N. J. Higham, Computing the nearest correlation matrix: a problem from finance, IMA Journal of
//! Numerical Analysis 22(3), 2002.

use nalgebra::{DMatrix, SymmetricEigen};

/// The projections end when they move the matrix by less than this share of its norm.
const TOLERANCE: f64 = 1e-10;
const MOST_PROJECTIONS: usize = 500;

/// A correlation matrix, and its distance from the requested matrix.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// The matrix: symmetric, with ones on the diagonal, and no eigenvalue below the floor except by
    /// rounding.
    pub matrix: DMatrix<f64>,
    /// Frobenius norm of the difference; 0 if nothing had to be changed.
    pub distance: f64,
}

impl Nearest {
    /// The pairs whose correlation differs from that in `asked`, with the difference. The most changed come
    /// first.
    pub fn moved(&self, asked: &DMatrix<f64>) -> Vec<(usize, usize, f64)> {
        let pairs = (0..asked.nrows()).flat_map(|i| (i + 1..asked.nrows()).map(move |j| (i, j)));
        let mut moved: Vec<_> = pairs
            .map(|(i, j)| (i, j, self.matrix[(i, j)] - asked[(i, j)]))
            .filter(|(_, _, by)| *by != 0.0)
            .collect();
        moved.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
        moved
    }
}

/// The nearest matrix with ones on the diagonal and no eigenvalue below `floor`, from 0 to less than 1; the
/// matrix itself if it is one.
///
/// # Panics
/// If the matrix is not square, or a value is not finite.
pub fn nearest(asked: &DMatrix<f64>, floor: f64) -> Nearest {
    let d = asked.nrows();
    assert!(asked.is_square() && asked.iter().all(|value| value.is_finite()));
    let mut near = (asked + asked.transpose()) * 0.5;
    near.fill_diagonal(1.0);
    // Rounding can make an eigenvalue of 0 slightly negative.
    let rounding = 4.0 * d as f64 * f64::EPSILON;
    let least = near.clone().symmetric_eigenvalues();
    if least.iter().any(|value| *value < floor - rounding) {
        let mut correction = DMatrix::zeros(d, d);
        for _ in 0..MOST_PROJECTIONS {
            let corrected = &near - &correction;
            let valid = raise_eigenvalues(&corrected, floor);
            correction = &valid - corrected;
            let mut next = valid.clone();
            next.fill_diagonal(1.0);
            let moves = (&next - &near).norm().max((&next - valid).norm());
            near = next;
            if moves <= TOLERANCE * d as f64 {
                break;
            }
        }
        near = with_unit_diagonal(&raise_eigenvalues(&near, floor));
    }
    let distance = (&near - asked).norm();
    Nearest { matrix: near, distance }
}

/// The matrix with eigenvalues below `floor` raised to it.
pub fn raise_eigenvalues(matrix: &DMatrix<f64>, floor: f64) -> DMatrix<f64> {
    let SymmetricEigen { eigenvectors, eigenvalues } = matrix.clone().symmetric_eigen();
    let mut scaled = eigenvectors.clone();
    for (mut column, value) in scaled.column_iter_mut().zip(&eigenvalues) {
        column *= value.max(floor);
    }
    let raised = scaled * eigenvectors.transpose();
    (&raised + raised.transpose()) * 0.5
}

/// A positive semidefinite matrix, scaled to ones on the diagonal. A row of zeros gets a one as well.
pub fn with_unit_diagonal(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let scales = matrix.diagonal().map(|value| if value > 0.0 { value.sqrt().recip() } else { 0.0 });
    // The scales first: their product is the same in either order, so the result is as symmetric as the
    // matrix.
    let mut scaled =
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)] * (scales[i] * scales[j]));
    scaled.fill_diagonal(1.0);
    scaled
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn least_eigenvalue(matrix: &DMatrix<f64>) -> f64 {
        matrix.clone().symmetric_eigenvalues().min()
    }

    #[test]
    fn the_example_of_the_paper() {
        // Section 5 of the paper gives the limit to four digits, and its distance.
        let asked = DMatrix::from_row_slice(3, 3, &[1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
        let near = nearest(&asked, 0.0);
        let expected = [1.0, 0.7607, 0.1573, 0.7607, 1.0, 0.7607, 0.1573, 0.7607, 1.0];
        for (value, expected) in near.matrix.iter().zip(expected) {
            assert!((value - expected).abs() < 5e-5, "{}", near.matrix);
        }
        assert!((near.distance - 0.5278).abs() < 5e-5, "{}", near.distance);
        let moved = near.moved(&asked);
        assert_eq!(moved.len(), 3);
        assert_eq!((moved[2].0, moved[2].1), (0, 2));
    }

    #[test]
    fn what_is_a_correlation_matrix_stays() {
        let asked = DMatrix::from_row_slice(3, 3, &[1.0, 0.5, 0.5, 0.5, 1.0, 1.0, 0.5, 1.0, 1.0]);
        let near = nearest(&asked, 0.0);
        assert_eq!((near.distance, near.moved(&asked).len()), (0.0, 0));
        assert_eq!(near.matrix, asked);
        assert_eq!(nearest(&DMatrix::identity(1, 1), 0.0).matrix[(0, 0)], 1.0);
    }

    proptest! {
        #[test]
        fn no_correlation_matrix_is_nearer(
            d in 2usize..7,
            floor in prop::sample::select(vec![0.0, 0.02]),
            asked in prop::collection::vec(-1.0f64..1.0, 36),
            other in prop::collection::vec(-1.0f64..1.0, 36),
        ) {
            let symmetric = |values: &[f64]| {
                DMatrix::from_fn(d, d, |i, j| if i == j { 1.0 } else { values[6 * i.min(j) + i.max(j)] })
            };
            let asked = symmetric(&asked);
            let near = nearest(&asked, floor);
            prop_assert!(near.matrix.diagonal().iter().all(|value| *value == 1.0));
            prop_assert_eq!(&near.matrix, &near.matrix.transpose());
            prop_assert!(least_eigenvalue(&near.matrix) > floor - 1e-6);
            // Any other correlation matrix is farther away, and so are those between the two.
            let other = with_unit_diagonal(&raise_eigenvalues(&symmetric(&other), 2.0 * floor + 1e-9));
            prop_assume!(least_eigenvalue(&other) >= floor);
            for share in [1.0, 0.1, 0.01] {
                let between = &near.matrix * (1.0 - share) + &other * share;
                prop_assert!((between - &asked).norm() >= near.distance - 1e-5);
            }
        }
    }
}
