//! Least squares whose solution is not negative.

use nalgebra::{DMatrix, DVector};

/// A gradient below this share of the greatest possible one is rounding: columns and right side have 16 digits, and the
/// products of some thousand rows lose four of them.
const TOLERANCE: f64 = 1e-12;

/// How often a variable may enter, for each variable. The method ends after about as many entries as there are variables;
/// the limit only keeps rounding from making it go in circles.
const MOST_ENTRIES: usize = 30;

/// The `x` without negative elements for which `|matrix x - right|` is least, by the method of active sets of C. L. Lawson
/// and R. J. Hanson (Solving Least Squares Problems, 1974, chapter 23).
///
/// A variable enters where the residual falls fastest. If that makes others negative, the step ends where the first of
/// them is 0, and this one leaves.
pub(crate) fn non_negative(matrix: &DMatrix<f64>, right: &DVector<f64>) -> DVector<f64> {
    let variables = matrix.ncols();
    // Columns of length 1, because counts differ by orders of magnitude.
    let lengths: Vec<f64> = matrix.column_iter().map(|column| column.norm()).collect();
    let mut scaled = matrix.clone();
    for (mut column, length) in scaled.column_iter_mut().zip(&lengths) {
        if *length > 0.0 {
            column /= *length;
        }
    }
    let (scaled, right) = reduced(scaled, right.clone());
    let tolerance = TOLERANCE * right.norm();
    let mut x = DVector::zeros(variables);
    let mut free = vec![false; variables];
    // Variables that would enter and not move, because of rounding.
    let mut stuck = vec![false; variables];
    for _ in 0..MOST_ENTRIES * variables {
        let gradient = scaled.tr_mul(&(&right - &scaled * &x));
        let may_enter = (0..variables).filter(|&j| !free[j] && !stuck[j] && gradient[j] > tolerance);
        let Some(entering) = may_enter.max_by(|&i, &j| gradient[i].total_cmp(&gradient[j])) else { break };
        free[entering] = true;
        let mut step = unconstrained(&scaled, &right, &free);
        if step[entering] <= 0.0 {
            (free[entering], stuck[entering]) = (false, true);
            continue;
        }
        stuck.fill(false);
        while let Some((leaving, share)) = first_at_zero(&x, &step, &free) {
            x += (&step - &x) * share;
            (free[leaving], x[leaving]) = (false, 0.0);
            step = unconstrained(&scaled, &right, &free);
        }
        x = step;
    }
    DVector::from_fn(variables, |j, _| if lengths[j] > 0.0 { x[j] / lengths[j] } else { 0.0 })
}

/// The same problem with as many rows as columns, by the decomposition of the matrix: the residual differs by what no
/// solution can reach.
fn reduced(matrix: DMatrix<f64>, mut right: DVector<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let columns = matrix.ncols();
    if matrix.nrows() <= columns {
        return (matrix, right);
    }
    let decomposition = matrix.qr();
    decomposition.q_tr_mul(&mut right);
    (decomposition.r(), right.rows(0, columns).into_owned())
}

/// The least squares of the free variables alone; the others are 0.
fn unconstrained(matrix: &DMatrix<f64>, right: &DVector<f64>, free: &[bool]) -> DVector<f64> {
    /// Columns that depend on others up to this share of the largest singular value have the shortest solution.
    const DEPENDENT: f64 = 1e-10;
    let chosen: Vec<usize> = (0..free.len()).filter(|&j| free[j]).collect();
    let mut x = DVector::zeros(free.len());
    if chosen.is_empty() {
        return x;
    }
    let values = matrix.select_columns(&chosen).svd(true, true);
    let limit = DEPENDENT * values.singular_values.max();
    let solution = values.solve(right, limit).expect("both factors were computed");
    chosen.iter().zip(solution.iter()).for_each(|(j, value)| x[*j] = *value);
    x
}

/// The free variable that reaches 0 first on the way from `x` to `step`, and the share of the way; none if no free one
/// does.
fn first_at_zero(x: &DVector<f64>, step: &DVector<f64>, free: &[bool]) -> Option<(usize, f64)> {
    let falling = (0..free.len()).filter(|&j| free[j] && step[j] <= 0.0);
    // A variable that stays at 0 has no way to go.
    let share = |j: usize| if x[j] > 0.0 { x[j] / (x[j] - step[j]) } else { 0.0 };
    falling.map(|j| (j, share(j))).min_by(|(_, one), (_, other)| one.total_cmp(other))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn solved(rows: &[&[f64]], right: &[f64]) -> Vec<f64> {
        let matrix = DMatrix::from_row_iterator(
            rows.len(),
            rows[0].len(),
            rows.iter().flat_map(|row| row.iter().copied()),
        );
        non_negative(&matrix, &DVector::from_row_slice(right)).iter().copied().collect()
    }

    #[track_caller]
    fn assert_near(found: &[f64], expected: &[f64]) {
        let near = |(found, expected): (&f64, &f64)| (found - expected).abs() < 1e-9 * (1.0 + expected.abs());
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(near),
            "{found:?} {expected:?}"
        );
    }

    #[test]
    fn solutions_by_hand_are_found() {
        // The plain least squares are not negative.
        assert_near(&solved(&[&[2.0, 0.0], &[0.0, 4.0], &[0.0, 0.0]], &[6.0, 2.0, 5.0]), &[3.0, 0.5]);
        // The plain solution is (2, -1), so the second variable is 0, and the first the mean of 2 and 1.
        assert_near(&solved(&[&[1.0, 0.0], &[1.0, 1.0]], &[2.0, 1.0]), &[1.5, 0.0]);
        // Whatever is positive makes it worse.
        assert_near(&solved(&[&[1.0, 2.0], &[3.0, 1.0]], &[-1.0, -2.0]), &[0.0, 0.0]);
        // A column of zeros has no cost.
        assert_near(&solved(&[&[1.0, 0.0], &[1.0, 0.0]], &[2.0, 4.0]), &[3.0, 0.0]);
    }

    #[test]
    fn columns_of_very_different_size_and_columns_that_depend_on_others_do_no_harm() {
        let rows: [&[f64]; 3] = [&[1e9, 1e-6], &[1e9, 2e-6], &[2e9, 5e-6]];
        let found = solved(&rows, &[3.0, 4.0, 9.0]);
        assert_near(&[found[0] * 1e9, found[1] * 1e-6], &[2.0, 1.0]);
        let found = solved(&[&[1.0, 2.0], &[2.0, 4.0], &[3.0, 6.0]], &[5.0, 10.0, 15.0]);
        assert_near(&[found[0] + 2.0 * found[1]], &[5.0]);
    }

    proptest! {
        /// The conditions of Kuhn and Tucker: no element is negative, the gradient is 0 where one is positive, and
        /// elsewhere the residual would grow.
        #[test]
        fn no_other_solution_is_better(
            cells in prop::collection::vec(0.0..10.0_f64, 8 * 4),
            right in prop::collection::vec(-5.0..10.0_f64, 8),
        ) {
            let matrix = DMatrix::from_row_slice(8, 4, &cells);
            let right = DVector::from_row_slice(&right);
            let x = non_negative(&matrix, &right);
            let gradient = matrix.tr_mul(&(&right - &matrix * &x));
            let limit = 1e-8 * matrix.norm() * right.norm();
            for (x, gradient) in x.iter().zip(gradient.iter()) {
                prop_assert!(*x >= 0.0);
                prop_assert!(*gradient <= limit, "{x} {gradient}");
                prop_assert!(*x == 0.0 || gradient.abs() <= limit, "{x} {gradient}");
            }
        }
    }
}
