//! Columns on three scales, each with mean 0 and mean square 1: the measured values, their ranks, and their
//! normal scores.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::ranks::order;

/// The columns of a block on a scale, each with its event.
pub type Scaled = Vec<(usize, Vec<f64>)>;

/// The normal scores of `n` values, in ascending order, standardised.
pub fn normal_scores(n: usize) -> Vec<f64> {
    let normal = Normal::standard();
    let scores: Vec<f64> = (0..n).map(|i| normal.inverse_cdf((i as f64 + 0.5) / n as f64)).collect();
    standardised(&scores).unwrap_or(scores)
}

/// The values with mean 0 and mean square 1; `None` if all values are equal.
pub fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The mean square of large numbers may overflow.
    let scale = if (greatest - least).is_finite() { 1.0 } else { 0.5 };
    let width = scale * greatest - scale * least;
    if values.is_empty() || width <= 0.0 {
        return None;
    }
    let n = values.len() as f64;
    let mut values: Vec<f64> = values.iter().map(|value| (scale * value - scale * least) / width).collect();
    let mean = values.iter().sum::<f64>() / n;
    values.iter_mut().for_each(|value| *value -= mean);
    let deviation = (values.iter().map(|value| value * value).sum::<f64>() / n).sqrt();
    values.iter_mut().for_each(|value| *value /= deviation);
    Some(values)
}

/// The ranks of values, from 0. Equal values have the mean of their ranks.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let (order, mut ranks, mut first) = (order(values), vec![0.0; values.len()], 0);
    for equal in order.chunk_by(|&a, &b| values[a as usize] == values[b as usize]) {
        let rank = first as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&row| ranks[row as usize] = rank);
        first += equal.len();
    }
    ranks
}

/// The normal scores of the mid-ranks.
pub fn scores_by_rank(values: &[f64]) -> Vec<f64> {
    let (normal, n) = (Normal::standard(), values.len() as f64);
    mid_ranks(values).iter().map(|rank| normal.inverse_cdf((rank + 0.5) / n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        assert_eq!(mid_ranks(&[5.0, 1.0, 5.0, 9.0, 5.0]), [2.0, 0.0, 2.0, 4.0, 2.0]);
        assert_eq!(mid_ranks(&[0.0, -0.0]), [0.5, 0.5]);
    }

    #[test]
    fn what_never_changes_has_no_scale_and_what_is_huge_has_one() {
        assert_eq!(standardised(&[0.1; 5]), None);
        assert_eq!(standardised(&[]), None);
        assert_eq!(standardised(&[-f64::MAX, f64::MAX]), Some(vec![-1.0, 1.0]));
        assert_eq!(standardised(&[0.0, 5e-324]), Some(vec![-1.0, 1.0]));
    }

    #[test]
    fn scores_are_symmetric_and_of_unit_square() {
        let scores = normal_scores(101);
        assert!(scores.is_sorted() && scores[50].abs() < 1e-12);
        assert!((scores.iter().map(|score| score * score).sum::<f64>() / 101.0 - 1.0).abs() < 1e-12);
        assert_eq!(normal_scores(1), [0.0]);
        assert!(scores_by_rank(&[3.0, 3.0, 3.0]).iter().all(|score| score.abs() < 1e-15));
    }
}
