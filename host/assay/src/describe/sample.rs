//! Statistics of a list of numbers, apart from its histogram.

use assay_stats::Summary;

/// Statistics of at least one number, in the numbers' own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SampleStatistics {
    /// The number of values.
    pub count: usize,
    /// The five statistics that every part of the host reports.
    pub summary: Summary,
    /// A quarter of the numbers is less: interpolated between the two nearest, as R's and NumPy's default.
    pub lower_quartile: f64,
    /// A quarter of the numbers is greater; interpolated.
    pub upper_quartile: f64,
    /// The first value. If the values are times, it often includes work that is done only once.
    pub first: f64,
    /// The greatest of the other values; `None` if there are none.
    pub max_without_first: Option<f64>,
}

impl SampleStatistics {
    /// Statistics of finite numbers; nothing if there are none.
    pub(crate) fn from_values(values: &[f64]) -> Option<Self> {
        let (&first, others) = values.split_first()?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(SampleStatistics {
            count: values.len(),
            summary: Summary::new(values)?,
            lower_quartile: quantile(&sorted, 0.25),
            upper_quartile: quantile(&sorted, 0.75),
            first,
            max_without_first: others.iter().copied().max_by(f64::total_cmp),
        })
    }

    /// The greatest less the least.
    pub(crate) fn range(&self) -> f64 {
        self.summary.max - self.summary.min
    }

    /// The standard deviation; one number has no spread.
    pub(crate) fn spread(&self) -> Option<f64> {
        (self.count > 1).then_some(self.summary.std)
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    // The mean of two equal neighbours is that number, whatever the rounding.
    if low == high { low } else { low + place.fract() * (high - low) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_statistics() {
        let sample = SampleStatistics::from_values(&[9.0, 2.0, 4.0, 4.0, 5.0, 5.0, 7.0, 4.0]).unwrap();
        let expected = Summary { min: 2.0, med: 4.5, avg: 5.0, std: 2.0, max: 9.0, ci95: None };
        assert_eq!((sample.count, sample.summary, sample.range()), (8, expected, 7.0));
        assert_eq!(sample.spread(), Some(2.0));
        assert_eq!((sample.lower_quartile, sample.upper_quartile), (4.0, 5.5));
        assert_eq!((sample.first, sample.max_without_first), (9.0, Some(7.0)));
    }

    #[test]
    fn one_number_has_no_spread_and_none_has_nothing() {
        let sample = SampleStatistics::from_values(&[0.1]).unwrap();
        assert_eq!(sample.range(), 0.0);
        assert_eq!((sample.spread(), sample.max_without_first), (None, None));
        assert_eq!(SampleStatistics::from_values(&[]), None);
    }
}
