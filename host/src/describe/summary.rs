//! Statistics of a list of numbers.

/// Statistics of at least one number, in the numbers' own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many numbers there are.
    pub count: usize,
    /// The least.
    pub min: f64,
    /// A quarter of the numbers is less: interpolated between the two nearest, as R's and NumPy's default.
    pub lower_quartile: f64,
    /// The one in the middle; the mean of the two in the middle if their count is even.
    pub median: f64,
    /// A quarter of the numbers is greater; interpolated.
    pub upper_quartile: f64,
    /// The greatest.
    pub max: f64,
    /// Their sum, taken in the given order, divided by their count.
    pub mean: f64,
    /// Square root of the population variance; one number has none.
    pub std: Option<f64>,
    /// The first. Where numbers are times, it often holds what is done only once.
    pub first: f64,
    /// The greatest of the others, if there are any.
    pub max_without_first: Option<f64>,
}

impl Summary {
    /// Statistics of finite numbers; nothing if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let (&first, others) = values.split_first()?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Some(Summary {
            count: values.len(),
            min: sorted[0],
            lower_quartile: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            upper_quartile: quantile(&sorted, 0.75),
            max: sorted[sorted.len() - 1],
            mean,
            std: (!others.is_empty()).then(|| variance.sqrt()),
            first,
            max_without_first: others.iter().copied().max_by(f64::total_cmp),
        })
    }

    /// The greatest less the least.
    pub fn range(&self) -> f64 {
        self.max - self.min
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
        let summary = Summary::of(&[9.0, 2.0, 4.0, 4.0, 5.0, 5.0, 7.0, 4.0]).unwrap();
        assert_eq!((summary.count, summary.min, summary.max, summary.range()), (8, 2.0, 9.0, 7.0));
        assert_eq!((summary.mean, summary.std, summary.median), (5.0, Some(2.0), 4.5));
        assert_eq!((summary.lower_quartile, summary.upper_quartile), (4.0, 5.5));
        assert_eq!((summary.first, summary.max_without_first), (9.0, Some(7.0)));
    }

    #[test]
    fn one_number_has_no_spread_and_none_has_nothing() {
        let summary = Summary::of(&[0.1]).unwrap();
        assert_eq!((summary.min, summary.median, summary.mean, summary.range()), (0.1, 0.1, 0.1, 0.0));
        assert_eq!((summary.std, summary.max_without_first), (None, None));
        assert_eq!(Summary::of(&[]), None);
    }
}
