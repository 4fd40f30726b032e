//! The interval in which one more value is expected: whether the time of the same work on one machine is like
//! those on the others.

use crate::interval::{CONFIDENCE, Interval, student};

/// The least number of values for an interval: from two, Student's is twelve times as wide as their spread,
/// so it would find nothing.
pub const LEAST_VALUES: usize = 3;

/// The prediction interval of 95 % for one more value like these, which are drawn from a normal distribution.
/// `comparisons` is the number of values that are judged by such intervals, for which the confidence is
/// corrected (Bonferroni). `None` for fewer than three values.
pub fn prediction_interval(values: &[f64], comparisons: usize) -> Option<Interval> {
    let n = values.len() as f64;
    if values.len() < LEAST_VALUES {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let confidence = 1.0 - (1.0 - CONFIDENCE) / comparisons.max(1) as f64;
    let half = student(values.len(), confidence) * (variance * (1.0 + 1.0 / n)).sqrt();
    Some(Interval { low: mean - half, high: mean + half })
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;

    use super::*;

    #[test]
    fn the_interval_is_that_of_the_table() {
        // Of 1 to 5: mean 3, variance 2.5, Student's 2.776 at four degrees of freedom.
        let Interval { low, high } = prediction_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 1).unwrap();
        let half = 2.776 * (2.5f64 * 1.2).sqrt();
        assert!((low - (3.0 - half)).abs() < 1e-2 && (high - (3.0 + half)).abs() < 1e-2, "{low} {high}");
        assert_eq!(prediction_interval(&[1.0, 2.0], 1), None);
        let corrected = prediction_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 10).unwrap();
        assert!(corrected.low < low && corrected.high > high);
    }

    #[test]
    fn one_of_twenty_further_values_lies_outside_and_fewer_with_the_correction() {
        let mut random = SmallRng::seed_from_u64(5);
        let mut outside = |count: usize, comparisons: usize| {
            let draw = |random: &mut SmallRng| random.sample::<f64, _>(StandardNormal);
            let trials = 4000;
            let missed = (0..trials).filter(|_| {
                let values: Vec<f64> = (0..count).map(|_| draw(&mut random)).collect();
                let Interval { low, high } = prediction_interval(&values, comparisons).unwrap();
                !(low..=high).contains(&draw(&mut random))
            });
            missed.count() as f64 / f64::from(trials)
        };
        for count in [3, 10] {
            let share = outside(count, 1);
            assert!((0.04..0.06).contains(&share), "{share}");
            let share = outside(count, 10);
            assert!(share < 0.01, "{share}");
        }
    }
}
