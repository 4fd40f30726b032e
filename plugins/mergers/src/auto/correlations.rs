//! Estimates the correlations of all events from blocks that each hold some of them: maximum likelihood for a
//! normal distribution of which each row shows only the columns of its block, by EM. Correlations that were
//! never measured follow from the measured ones, and the result is positive semidefinite by construction.
//!
//! With the covariances S of a block and the present estimate V, the part of the block in the next estimate
//! is `V + A (S - V_oo) A'` with `A = V_.o / V_oo`. Summed over blocks, the matrices between the V's have k
//! rows and k columns, so they can be added up first. A step then costs two products of matrices for any
//! number of blocks. Steps become longer as long as the likelihood rises.
//!
//! Sources: A. P. Dempster, N. M. Laird, D. B. Rubin, Maximum likelihood from incomplete data via the EM
//! algorithm, Journal of the Royal Statistical Society B 39(1), 1977; R. Salakhutdinov, S. Roweis, Adaptive
//! overrelaxed bound optimization methods, ICML 2003.

use nalgebra::DMatrix;

use crate::nearest::with_unit_diagonal;

/// Added to the variances of a block before its matrix is inverted, because the directions along which its
/// columns hardly vary are mostly chance.
const RIDGE: f64 = 1e-2;
/// Factor by which the next step is longer after a step that made the blocks more likely.
const GROWTH: f64 = 1.3;
/// The estimate is good enough if no correlation moves by more than this in a step.
const STILL: f64 = 1e-5;

/// The covariances that the rows of a block show.
#[derive(Clone, Debug)]
pub struct Covariances {
    events: Vec<usize>,
    matrix: DMatrix<f64>,
    rows: f64,
}

impl Covariances {
    /// The covariances of columns with mean 0 and mean square 1, each with its event.
    pub fn new(columns: &[(usize, Vec<f64>)]) -> Self {
        let (rows, k) = (columns.first().map_or(0, |(_, values)| values.len()), columns.len());
        let values = DMatrix::from_fn(rows, k, |row, i| columns[i].1[row]);
        let matrix = values.tr_mul(&values) / rows as f64;
        Covariances { events: columns.iter().map(|(event, _)| *event).collect(), matrix, rows: rows as f64 }
    }
}

/// The correlation matrix of `d` events under which the blocks are most likely, in at most this number of
/// steps. `None` if `go_on` returned false.
pub fn likeliest(
    d: usize,
    blocks: &[Covariances],
    steps: usize,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Option<DMatrix<f64>> {
    let mut here = Estimate::new(DMatrix::identity(d, d), blocks);
    let mut length = 1.0;
    for _ in 0..steps {
        if !go_on() {
            return None;
        }
        // The step without extra length never fails, because EM never makes the blocks less likely.
        let (there, reached) = [length, 1.0]
            .into_iter()
            .filter_map(|length| Some((Estimate::new(here.step(length)?, blocks), length)))
            .find(|(there, length)| *length == 1.0 || there.likelihood > here.likelihood)?;
        let moved = (&there.matrix - &here.matrix).amax();
        length = if reached < length { 1.0 } else { length * GROWTH };
        here = there;
        if moved < STILL {
            break;
        }
    }
    Some(here.matrix)
}

/// An estimate, with the likelihood of the blocks under it and the direction of the next step.
struct Estimate {
    matrix: DMatrix<f64>,
    likelihood: f64,
    pull: DMatrix<f64>,
}

impl Estimate {
    fn new(matrix: DMatrix<f64>, blocks: &[Covariances]) -> Self {
        let total: f64 = blocks.iter().map(|block| block.rows).sum();
        let (mut likelihood, mut pull) = (0.0, DMatrix::zeros(matrix.nrows(), matrix.nrows()));
        for block in blocks {
            let share = block.rows / total;
            let own = matrix.select_rows(&block.events).select_columns(&block.events);
            let ridge = DMatrix::from_diagonal_element(own.nrows(), own.nrows(), RIDGE);
            // A correlation matrix with a ridge has no eigenvalue near 0.
            let Some(cholesky) = (&own + &ridge).cholesky() else { continue };
            let inverse = cholesky.inverse();
            let logarithm: f64 = cholesky.l().diagonal().iter().map(|value| value.ln()).sum();
            likelihood -= share * (2.0 * logarithm + inverse.dot(&(&block.matrix + ridge)));
            let of_block = &inverse * (&block.matrix - own) * &inverse * share;
            for (j, &b) in block.events.iter().enumerate() {
                for (i, &a) in block.events.iter().enumerate() {
                    pull[(a, b)] += of_block[(i, j)];
                }
            }
        }
        Estimate { matrix, likelihood, pull }
    }

    /// `None` if the step is so long that the result is no correlation matrix.
    fn step(&self, length: f64) -> Option<DMatrix<f64>> {
        let next = &self.matrix + &self.matrix * &self.pull * &self.matrix * length;
        let next = with_unit_diagonal(&((&next + next.transpose()) * 0.5));
        (length == 1.0 || next.clone().cholesky().is_some()).then_some(next)
    }
}
