//! How well a figure is known. Repetitions of one round share the moment, the process and where its memory lies, and so err
//! together: what can be averaged are the rounds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// How often an interval covers what it is about.
pub const CONFIDENCE: f64 = 0.95;

/// From .. to, in the unit of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Student's interval for what the values are drawn around; `None` of less than two.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        if values.len() < 2 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let student = StudentsT::new(0.0, 1.0, n - 1.0).expect("there are degrees of freedom");
        let half = student.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)) * (variance / n).sqrt();
        Some(Interval { low: mean - half, high: mean + half })
    }

    /// The narrowest interval that holds this one and a value.
    #[must_use]
    pub fn holding(self, value: f64) -> Self {
        Interval { low: self.low.min(value), high: self.high.max(value) }
    }

    /// Half of its width, as a share of its middle.
    pub fn relative_half_width(&self) -> f64 {
        (self.high - self.low) / (self.high + self.low)
    }
}

/// The median of the values of each round. Values of one round stand together.
pub fn medians_of_rounds(values: &[(u32, f64)]) -> Vec<f64> {
    let median = |round: &[(u32, f64)]| {
        let mut values: Vec<f64> = round.iter().map(|(_, value)| *value).collect();
        median(&mut values)
    };
    values.chunk_by(|a, b| a.0 == b.0).map(median).collect()
}

/// The median of at least one number: the mean of the middle two of an even number.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    f64::midpoint(values[(n - 1) / 2], values[n / 2])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Widths from a table of Student's distribution: t(0.975) is 12.706, 4.303, 2.776 and 2.262 for 1, 2, 4 and 9 degrees.
    #[test]
    fn intervals_are_those_of_the_table() {
        let half = |values: &[f64]| {
            let interval = Interval::of(values).unwrap();
            (interval.high - interval.low) / 2.0
        };
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        close(half(&[1.0, 3.0]), 12.706);
        close(half(&[1.0, 2.0, 3.0]), 4.303 / 3f64.sqrt());
        close(half(&[1.0, 2.0, 3.0, 4.0, 5.0]), 2.776 * (2.5f64 / 5.0).sqrt());
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        close(half(&ten), 2.262 * (55.0f64 / 6.0 / 10.0).sqrt());
    }

    #[test]
    fn one_value_has_no_interval_and_equal_ones_have_no_width() {
        assert_eq!((Interval::of(&[]), Interval::of(&[5.0])), (None, None));
        assert_eq!(Interval::of(&[5.0; 3]), Some(Interval { low: 5.0, high: 5.0 }));
    }

    #[test]
    fn rounds_are_told_apart() {
        let values = [(0, 3.0), (0, 1.0), (0, 9.0), (2, 4.0), (2, 5.0)];
        assert_eq!(medians_of_rounds(&values), [3.0, 4.5]);
        assert_eq!(medians_of_rounds(&[]), [] as [f64; 0]);
    }

    proptest! {
        #[test]
        fn an_interval_moves_and_grows_with_its_values(
            values in prop::collection::vec(-1e6..1e6f64, 2..30), shift in -1e6..1e6f64, scale in 0.1..10.0f64,
        ) {
            let of = |change: &dyn Fn(f64) -> f64| {
                let values: Vec<f64> = values.iter().map(|value| change(*value)).collect();
                Interval::of(&values).unwrap()
            };
            let (plain, moved) = (of(&|value| value), of(&|value| value * scale + shift));
            prop_assert!(plain.low <= plain.high);
            prop_assert!((plain.low * scale + shift - moved.low).abs() < 1e-3);
            prop_assert!((plain.high * scale + shift - moved.high).abs() < 1e-3);
        }
    }
}
