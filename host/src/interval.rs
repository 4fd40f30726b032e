//! How well a figure is known. Repetitions of one round share the moment, the process and where its memory lies, and so err
//! together: what can be averaged are the rounds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

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
    /// Student's interval for what the values are drawn around, which covers it with this confidence; `None` of less than
    /// two.
    pub fn student(values: &[f64], confidence: f64) -> Option<Self> {
        let n = values.len() as f64;
        if values.len() < 2 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let student = StudentsT::new(0.0, 1.0, n - 1.0).expect("there are degrees of freedom");
        let half = student.inverse_cdf(f64::midpoint(1.0, confidence)) * (variance / n).sqrt();
        Some(Interval { low: mean - half, high: mean + half })
    }

    /// The interval for the median of what the values are drawn from, whatever its distribution: as many values are left out
    /// at either end as the [`CONFIDENCE`] allows (H. A. David, H. N. Nagaraja: Order Statistics, 2003). `None` of less than
    /// six, since the least and the greatest of five cover the median in 94 % of all cases.
    pub fn of_median(values: &[f64]) -> Option<Self> {
        let left_out = left_out(values.len())?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Interval { low: sorted[left_out], high: sorted[values.len() - 1 - left_out] })
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

/// How many of so many values the interval of a median leaves out at either end.
fn left_out(values: usize) -> Option<usize> {
    // A value lies below the median as a coin shows heads.
    let heads = Binomial::new(0.5, values as u64).expect("0.5 is a probability");
    let allowed = |left_out: &usize| 2.0 * heads.cdf(*left_out as u64) <= 1.0 - CONFIDENCE;
    (0..values / 2).take_while(allowed).last()
}

/// How wide the [interval of a median](Interval::of_median) is on average, of so many values from a normal distribution of
/// deviation 1: by G. Blom's approximation of their places (Statistical Estimates and Transformed Beta-Variables, 1958).
pub fn expected_width(values: usize) -> Option<f64> {
    let place = (values - left_out(values)?) as f64;
    let normal = Normal::standard();
    Some(2.0 * normal.inverse_cdf((place - 0.375) / (values as f64 + 0.25)))
}

/// Each round with the median of its values. Values of one round stand together.
pub fn by_round(values: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let of_round = |round: &[(u32, f64)]| {
        let mut values: Vec<f64> = round.iter().map(|(_, value)| *value).collect();
        (round[0].0, median(&mut values))
    };
    values.chunk_by(|a, b| a.0 == b.0).map(of_round).collect()
}

/// The median of the values of each round. Values of one round stand together.
pub fn medians_of_rounds(values: &[(u32, f64)]) -> Vec<f64> {
    by_round(values).into_iter().map(|(_, median)| median).collect()
}

/// The median of at least one number: the mean of the middle two of an even number. Sorts them.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    f64::midpoint(values[(n - 1) / 2], values[n / 2])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Widths from a table of Student's distribution: t(0.975) is 12.706, 4.303, 2.776 and 2.262 for 1, 2, 4 and 9 degrees.
    #[test]
    fn intervals_are_those_of_the_table() {
        let half = |values: &[f64]| {
            let interval = Interval::student(values, CONFIDENCE).unwrap();
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
        let of = |values: &[f64]| Interval::student(values, CONFIDENCE);
        assert_eq!((of(&[]), of(&[5.0])), (None, None));
        assert_eq!(of(&[5.0; 3]), Some(Interval { low: 5.0, high: 5.0 }));
    }

    /// Left out of 6, 8, 9, 11, 12 and 20 values at either end, from a table of the binomial distribution.
    #[test]
    fn the_interval_of_a_median_leaves_out_what_the_table_allows() {
        for (n, left_out) in [(6, 0), (8, 0), (9, 1), (10, 1), (11, 1), (12, 2), (20, 5)] {
            let values: Vec<f64> = (0..n).rev().map(f64::from).collect();
            let expected = Interval { low: f64::from(left_out), high: f64::from(n - 1 - left_out) };
            assert_eq!(Interval::of_median(&values), Some(expected), "{n}");
        }
        assert_eq!((Interval::of_median(&[]), Interval::of_median(&[1.0; 5])), (None, None));
    }

    /// The means of the greatest value that is not left out, from a table of normal order statistics (H. L. Harter, 1961).
    #[test]
    fn the_expected_width_is_that_of_the_table() {
        for (values, half) in [(6, 1.267), (8, 1.424), (9, 0.932), (10, 1.001), (12, 0.793), (20, 0.590)] {
            let found = expected_width(values).unwrap() / 2.0;
            assert!((found / half - 1.0).abs() < 0.015, "{values}: {found} instead of {half}");
        }
        assert_eq!(expected_width(5), None);
    }

    /// Pattern bytes that Brute Force reads in the default text for patterns of two bytes: so large a share of patterns up
    /// to each count.
    const LUMPS: [(f64, f64); 8] = [
        (0.34, 56_989.0),
        (0.39, 57_258.0),
        (0.44, 57_549.0),
        (0.49, 57_551.0),
        (0.55, 57_744.0),
        (0.60, 57_756.0),
        (0.66, 57_888.0),
        (1.00, 58_942.0),
    ];

    #[test]
    fn the_interval_of_a_median_covers_it_also_where_values_come_in_lumps() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut draw = || {
            let share = rng.random::<f64>();
            LUMPS.iter().find(|(up_to, _)| share < *up_to).expect("the last is 1").1
        };
        let mut covered = |of: &dyn Fn(&[f64]) -> Option<Interval>| {
            let covers = (0..1000).filter(|_| {
                let mut rounds = || median(&mut std::array::from_fn::<f64, 50, _>(|_| draw()));
                let Interval { low, high } = of(&std::array::from_fn::<f64, 10, _>(|_| rounds())).unwrap();
                low <= 57_744.0 && 57_744.0 <= high
            });
            covers.count()
        };
        let (ours, student) =
            (covered(&Interval::of_median), covered(&|values| Interval::student(values, CONFIDENCE)));
        assert!(ours >= 950 && student < 900, "{ours} and {student} of 1000");
    }

    #[test]
    fn a_width_is_a_share_of_the_middle() {
        assert_eq!(Interval { low: 9.0, high: 11.0 }.relative_half_width(), 0.1);
        assert_eq!(Interval { low: 5.0, high: 5.0 }.relative_half_width(), 0.0);
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
                Interval::student(&values, CONFIDENCE).unwrap()
            };
            let (plain, moved) = (of(&|value| value), of(&|value| value * scale + shift));
            prop_assert!(plain.low <= plain.high);
            prop_assert!((plain.low * scale + shift - moved.low).abs() < 1e-3);
            prop_assert!((plain.high * scale + shift - moved.high).abs() < 1e-3);
        }
    }
}
