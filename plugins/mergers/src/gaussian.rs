//! Draws of normal variables with given correlations, from streams of random numbers that a seed decides.

use nalgebra::DMatrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};

/// Negative eigenvalues of at least this share of the greatest one are real; smaller ones are due to
/// rounding.
const NEGATIVE: f64 = -1e-6;

/// Random numbers. Each seed has many independent streams.
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// Normal variables with mean 0 and deviation 1.
#[derive(Clone, Debug)]
pub struct Gaussian {
    /// The matrix by which independent variables are multiplied to correlate them.
    root: DMatrix<f64>,
}

impl Gaussian {
    /// The matrix for these correlations.
    ///
    /// # Errors
    /// The least eigenvalue if it is negative, because no variables have such correlations.
    pub fn new(correlations: &DMatrix<f64>) -> Result<Self, f64> {
        if correlations.is_empty() {
            return Ok(Gaussian { root: correlations.clone() });
        }
        let eigen = correlations.clone().symmetric_eigen();
        let (least, greatest) = (eigen.eigenvalues.min(), eigen.eigenvalues.max());
        if least < NEGATIVE * greatest {
            return Err(least);
        }
        let mut root = eigen.eigenvectors;
        for (mut column, value) in root.column_iter_mut().zip(&eigen.eigenvalues) {
            column *= value.max(0.0).sqrt();
        }
        root.transpose_mut();
        Ok(Gaussian { root })
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.root.ncols()
    }

    /// Draws as many rows as `drawn` has: a column for each variable. `independent` has the same form and is
    /// overwritten.
    pub fn draw(&self, random: &mut ChaCha8Rng, independent: &mut DMatrix<f64>, drawn: &mut DMatrix<f64>) {
        independent.iter_mut().for_each(|value| *value = StandardNormal.sample(random));
        drawn.gemm(1.0, independent, &self.root, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::Scatters;

    fn drawn(correlations: &[f64], seed: u64, number: u64) -> DMatrix<f64> {
        let variables = correlations.len().isqrt();
        let gaussian = Gaussian::new(&DMatrix::from_row_slice(variables, variables, correlations)).unwrap();
        assert_eq!(gaussian.variables(), variables);
        let mut drawn = DMatrix::zeros(20_000, variables);
        gaussian.draw(&mut stream(seed, number), &mut drawn.clone(), &mut drawn);
        drawn
    }

    #[test]
    fn draws_have_the_correlations_that_were_asked_for() {
        let asked = [1.0, 0.8, -0.5, 0.8, 1.0, -0.2, -0.5, -0.2, 1.0];
        let drawn = drawn(&asked, 1, 0);
        let columns: Vec<Vec<f64>> =
            drawn.column_iter().map(|column| column.iter().copied().collect()).collect();
        let scatters = Scatters::new(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>());
        for (i, asked) in asked.iter().enumerate() {
            let found = scatters.correlation(i / 3, i % 3).unwrap();
            assert!((found - asked).abs() < 0.02, "{i}: {found} for {asked}");
        }
        let (mean, deviation) = (crate::scatter::mean(&columns[1]), crate::scatter::deviation(&columns[1]));
        assert!(mean.abs() < 0.03 && (deviation - 1.0).abs() < 0.02, "{mean} {deviation}");
    }

    #[test]
    fn variables_that_are_the_same_are_drawn_and_contradictions_refused() {
        let same = drawn(&[1.0, 1.0, 1.0, 1.0], 1, 0);
        assert!(same.row_iter().all(|row| (row[0] - row[1]).abs() < 1e-7));
        let contradiction = DMatrix::from_row_slice(3, 3, &[1.0, 0.9, 0.9, 0.9, 1.0, -0.9, 0.9, -0.9, 1.0]);
        let least = Gaussian::new(&contradiction).unwrap_err();
        assert!((least + 0.8).abs() < 1e-12, "{least}");
    }

    #[test]
    fn a_seed_and_a_number_decide_what_is_drawn() {
        let one = [1.0];
        assert_eq!(drawn(&one, 1, 0), drawn(&one, 1, 0));
        assert_ne!(drawn(&one, 1, 0), drawn(&one, 1, 1));
        assert_ne!(drawn(&one, 1, 0), drawn(&one, 2, 0));
    }
}
