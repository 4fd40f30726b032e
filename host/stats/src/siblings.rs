//! Values that should be alike, such as the time of the same work on several machines: which of them lie
//! outside of what the others lead to expect.

use crate::interval::{CONFIDENCE, Interval, student};

/// Fewer siblings say nothing of how much one differs from the next.
pub const LEAST_SIBLINGS: usize = 3;

/// The interval in which a further value is expected, from the values of its siblings: Student's, for one draw
/// from a normal distribution. `comparisons` is the number of values that are judged, for which the
/// confidence is corrected (Bonferroni). `None` for fewer than three siblings.
pub fn expected_among(siblings: &[f64], comparisons: usize) -> Option<Interval> {
    let n = siblings.len() as f64;
    if siblings.len() < LEAST_SIBLINGS {
        return None;
    }
    let mean = siblings.iter().sum::<f64>() / n;
    let variance = siblings.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let confidence = 1.0 - (1.0 - CONFIDENCE) / comparisons.max(1) as f64;
    let half = student(siblings.len(), confidence) * (variance * (1.0 + 1.0 / n)).sqrt();
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
        let Interval { low, high } = expected_among(&[1.0, 2.0, 3.0, 4.0, 5.0], 1).unwrap();
        let half = 2.776 * (2.5f64 * 1.2).sqrt();
        assert!((low - (3.0 - half)).abs() < 1e-2 && (high - (3.0 + half)).abs() < 1e-2, "{low} {high}");
        assert_eq!(expected_among(&[1.0, 2.0], 1), None);
        let corrected = expected_among(&[1.0, 2.0, 3.0, 4.0, 5.0], 10).unwrap();
        assert!(corrected.low < low && corrected.high > high);
    }

    #[test]
    fn one_of_twenty_siblings_lies_outside_and_one_of_many_campaigns_has_such_a_node() {
        let mut random = SmallRng::seed_from_u64(5);
        let mut outside = |siblings: usize, comparisons: usize| {
            let draw = |random: &mut SmallRng| random.sample::<f64, _>(StandardNormal);
            let trials = 4000;
            let missed = (0..trials).filter(|_| {
                let values: Vec<f64> = (0..siblings).map(|_| draw(&mut random)).collect();
                let Interval { low, high } = expected_among(&values, comparisons).unwrap();
                !(low..=high).contains(&draw(&mut random))
            });
            missed.count() as f64 / f64::from(trials)
        };
        for siblings in [3, 10] {
            let share = outside(siblings, 1);
            assert!((0.04..0.06).contains(&share), "{share}");
            let share = outside(siblings, 10);
            assert!(share < 0.01, "{share}");
        }
    }
}
