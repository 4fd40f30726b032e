//! The statistics that every list of times gets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::interval::{Interval, median};

/// Statistics of at least one number, in the unit of the numbers. The statistic plugins of these names
/// compute the same.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Summary {
    /// Smallest.
    pub min: f64,
    /// Median: the mean of the middle two of an even number.
    pub med: f64,
    /// Mean.
    pub avg: f64,
    /// Standard deviation: the square root of the population variance.
    pub std: f64,
    /// Greatest.
    pub max: f64,
    /// Confidence interval of 95 % for the median, from how the rounds differ; `None` for fewer than six
    /// rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<Interval>,
}

impl Summary {
    /// Statistics of finite numbers; `None` if there are none.
    pub fn new(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let mut sorted = values.to_vec();
        let med = median(&mut sorted);
        let avg = mean(values);
        Some(Summary {
            min: sorted[0],
            med,
            avg,
            std: mean_square(values, avg).sqrt(),
            max: sorted[sorted.len() - 1],
            ci95: None,
        })
    }

    /// Statistics of values, each with the number of its round.
    pub fn of_rounds(mut values: Vec<(u32, f64)>) -> Option<Self> {
        // In a run that was resumed, repetitions of one round may lie between those of another.
        values.sort_by_key(|(round, _)| *round);
        let all: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
        let summary = Self::new(&all)?;
        Some(Summary { ci95: Interval::of_median(&values), ..summary })
    }

    /// Statistics of the same values after `amount` is subtracted from each.
    #[must_use]
    pub fn minus(self, amount: f64) -> Self {
        let Summary { min, med, avg, std, max, ci95 } = self;
        let ci95 = ci95.map(|Interval { low, high }| Interval { low: low - amount, high: high - amount });
        Summary { min: min - amount, med: med - amount, avg: avg - amount, std, max: max - amount, ci95 }
    }

    /// Statistics of the same values in a unit that is `unit` times as large.
    #[must_use]
    pub fn divided_by(self, unit: f64) -> Self {
        let Summary { min, med, avg, std, max, ci95 } = self;
        let ci95 = ci95.map(|Interval { low, high }| Interval { low: low / unit, high: high / unit });
        Summary { min: min / unit, med: med / unit, avg: avg / unit, std: std / unit, max: max / unit, ci95 }
    }

    /// Names and values as in `report.json`; the ends of the interval have names of their own.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let Summary { min, med, avg, std, max, ci95 } = *self;
        let ends = ci95.map(|ci95| [("ci95_low", ci95.low), ("ci95_high", ci95.high)]);
        let always = [("min", min), ("med", med), ("avg", avg), ("std", std), ("max", max)];
        always.into_iter().chain(ends.into_iter().flatten())
    }
}

/// The mean in two passes: the second removes most of the rounding error of the first.
fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let rough = values.iter().sum::<f64>() / n;
    rough + values.iter().map(|value| value - rough).sum::<f64>() / n
}

/// The mean of the squared distances from a centre.
fn mean_square(values: &[f64], centre: f64) -> f64 {
    values.iter().map(|value| (value - centre).powi(2)).sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_list() {
        let summary = Summary::new(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((summary.min, summary.med, summary.avg, summary.max), (1.0, 2.5, 2.5, 4.0));
        assert_eq!(summary.std, 1.25f64.sqrt());
        let values: Vec<f64> = Summary::new(&[7.0]).unwrap().named().map(|(_, value)| value).collect();
        assert_eq!(values, [7.0, 7.0, 7.0, 0.0, 7.0]);
        assert_eq!(Summary::new(&[]), None);
    }

    #[test]
    fn the_interval_is_that_of_the_rounds() {
        let mut values = vec![(0, 1.0), (0, 2.0), (0, 9.0)];
        values.extend((1..6).map(|round| (round, f64::from(round + 3))));
        let summary = Summary::of_rounds(values.clone()).unwrap();
        assert_eq!((summary.med, summary.ci95), (5.5, Some(Interval { low: 1.0, high: 9.0 })));
        let names: Vec<&str> = summary.named().map(|(name, _)| name).collect();
        assert_eq!(names, ["min", "med", "avg", "std", "max", "ci95_low", "ci95_high"]);
        assert_eq!(Summary::of_rounds(values[..7].to_vec()).unwrap().ci95, None);
    }

    #[test]
    fn the_interval_holds_the_median_also_where_nearly_all_rounds_lie_on_one_side_of_it() {
        // One round of many values, and nine of one.
        let mut values = vec![(0, 20.0); 20];
        values.extend((1..10).map(|round| (round, 30.0 + f64::from(round))));
        let summary = Summary::of_rounds(values.clone()).unwrap();
        assert_eq!((summary.med, summary.ci95), (20.0, Some(Interval { low: 20.0, high: 36.0 })));
    }

    #[test]
    fn a_mean_is_not_off_by_its_sum_s_rounding() {
        // A sum from left to right gives 0.9999999999999999.
        assert_eq!(Summary::new(&[0.1; 10]).unwrap().avg, 0.1);
    }
}
