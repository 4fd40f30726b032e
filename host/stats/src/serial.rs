//! Serial correlation: how much less rounds show if each resembles the one before, as on a machine that is
//! slow for a while.

/// A correlation is believed if it exceeds what independent rounds show by this many standard errors: a
/// one-sided test at 10 %. Simulated with 10 rounds, believing every positive correlation widens intervals of
/// independent rounds by 20 to 27 % for nothing, and this test by 9 to 11 %; of rounds that are correlated by
/// 0.7 the coverage is 88 instead of 82 %.
const BEYOND_CHANCE: f64 = 1.28;

/// No correlation above this is supposed: with fewer than some 40 rounds, the variance of so slow a process
/// can't be estimated at all, and the factor would be any number.
const GREATEST: f64 = 0.95;

/// By which factor the standard error of a mean must be widened because its terms are serially correlated; 1
/// if they are not, as far as their number can show. The terms are one number for each round, in the order of
/// the rounds.
///
/// Estimates the correlation of neighbours, corrects it for its bias (M. G. Kendall, Note on bias in the
/// estimation of autocorrelation, Biometrika 41, 1954), and supposes a first-order autoregressive process:
/// the variance of its mean is greater than that of independent terms, and the variance that `n` correlated
/// terms show is less than the true one.
pub(crate) fn standard_error_factor(terms: &[f64]) -> f64 {
    let n = terms.len() as f64;
    let mean = terms.iter().sum::<f64>() / n;
    let squares: f64 = terms.iter().map(|term| (term - mean).powi(2)).sum();
    if terms.len() < 3 || squares <= 0.0 {
        return 1.0;
    }
    let products: f64 = terms.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let observed = products / squares;
    // Of independent terms, the expectation of the estimate is -1/n and its standard error some 1/√n.
    if (observed + 1.0 / n) * n.sqrt() <= BEYOND_CHANCE {
        return 1.0;
    }
    let correlation = (observed + (1.0 + 3.0 * observed) / n).clamp(0.0, GREATEST);
    let inflation = variance_inflation(correlation, terms.len());
    let shown = (1.0 - (inflation - 1.0) / (n - 1.0)).max(1.0 / n);
    (inflation / shown).sqrt()
}

/// The variance of the mean of `n` terms of a first-order autoregressive process over that of independent
/// terms.
fn variance_inflation(correlation: f64, n: usize) -> f64 {
    let (mut inflation, mut power) = (1.0, 1.0);
    for lag in 1..n {
        power *= correlation;
        inflation += 2.0 * (1.0 - lag as f64 / n as f64) * power;
    }
    inflation
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_variance_of_a_mean_is_that_of_the_textbook() {
        // (1 + 2 * (1/2 * 0.5)) for two terms; (1 + r) / (1 - r) for very many.
        assert_eq!(variance_inflation(0.5, 2), 1.5);
        assert!((variance_inflation(0.5, 100_000) - 3.0).abs() < 1e-3);
        assert_eq!(variance_inflation(0.0, 10), 1.0);
    }

    #[test]
    fn a_step_widens_and_alternation_does_not() {
        let step = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        assert!(standard_error_factor(&step) > 3.0, "{}", standard_error_factor(&step));
        for terms in [&[0.0, 1.0, 0.0, 1.0, 0.0, 1.0][..], &[5.0; 8], &[1.0, 2.0], &[]] {
            assert_eq!(standard_error_factor(terms), 1.0, "{terms:?}");
        }
    }

    proptest! {
        #[test]
        fn the_factor_is_finite_and_does_not_depend_on_the_unit(
            terms in prop::collection::vec(-1e3..1e3f64, 0..50), unit in 0.01..100.0f64,
        ) {
            let factor = standard_error_factor(&terms);
            prop_assert!((1.0..1e3).contains(&factor), "{}", factor);
            let scaled: Vec<f64> = terms.iter().map(|term| term * unit).collect();
            prop_assert!((standard_error_factor(&scaled) / factor - 1.0).abs() < 1e-6);
        }
    }
}
