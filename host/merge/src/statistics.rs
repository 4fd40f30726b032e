//! Statistics of columns that several files need.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The mean; NaN for no value.
pub(crate) fn mean(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    // The mean of the rest is added, so that the mean of a column that never changes is exactly its value.
    mean + values.iter().map(|value| value - mean).sum::<f64>() / values.len() as f64
}

/// Columns whose greatest size is in this range are computed with as they are. Squares of smaller numbers
/// could be 0, and sums of squares of greater ones infinite.
const ORDINARY: RangeInclusive<f64> = 1e-100..=1e100;

/// A column and the unit in which it is: a power of two of its greatest size, so that dividing by it rounds
/// nothing; 1 if it is ordinary.
fn in_unit(values: &[f64]) -> (Cow<'_, [f64]>, f64) {
    const EXPONENT: u64 = 0x7ff << 52;
    let greatest = values.iter().fold(0.0, |greatest: f64, value| greatest.max(value.abs()));
    if greatest == 0.0 || !greatest.is_finite() || ORDINARY.contains(&greatest) {
        return (values.into(), 1.0);
    }
    let unit = f64::from_bits(greatest.to_bits() & EXPONENT).max(f64::MIN_POSITIVE);
    (values.iter().map(|value| value / unit).collect(), unit)
}

/// The standard deviation with divisor n; 0 for a constant column.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let (values, unit) = in_unit(values);
    let mean = mean(&values);
    unit * (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

/// The column with mean 0 and length 1; `None` if it is constant.
pub(crate) fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let values = in_unit(values).0;
    let mean = mean(&values);
    let mut values: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let length = product(&values, &values).sqrt();
    (length > 0.0).then(|| {
        values.iter_mut().for_each(|value| *value /= length);
        values
    })
}

/// The sum of the products of two columns.
pub(crate) fn product(a: &[f64], b: &[f64]) -> f64 {
    // Each lane has a sum of its own, so that no addition waits for the one before.
    const LANES: usize = 4;
    let (chunks_a, rest_a) = a.as_chunks::<LANES>();
    let (chunks_b, rest_b) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum::<f64>()
}

/// Pearson's correlation; `None` if one of the columns is constant.
pub(crate) fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let [a, b] = [in_unit(a).0, in_unit(b).0];
    let [mean_a, mean_b] = [mean(&a), mean(&b)];
    let sums = a.iter().zip(&*b).fold((0.0, 0.0, 0.0), |(aa, bb, ab), (a, b)| {
        let (a, b) = (a - mean_a, b - mean_b);
        (aa + a * a, bb + b * b, ab + a * b)
    });
    let lengths = sums.0.sqrt() * sums.1.sqrt();
    (lengths > 0.0).then(|| (sums.2 / lengths).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_changes_has_no_deviation_and_no_correlation() {
        // The sum of many 0.1 is no multiple of 0.1.
        let (constant, rising) = ([0.1; 1001], (0..1001).map(f64::from).collect::<Vec<f64>>());
        assert_eq!((mean(&constant), deviation(&constant)), (0.1, 0.0));
        assert_eq!(correlation(&constant, &rising), None);
        assert_eq!(correlation(&rising, &constant), None);
    }

    #[test]
    fn tiny_and_huge_counts_have_deviations_and_correlations() {
        for size in [2f64.powi(-1018), 2f64.powi(1018)] {
            let [a, b] = [[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]].map(|column| column.map(|value| value * size));
            assert!((correlation(&a, &b).unwrap() - 0.5).abs() < 1e-15);
            assert_eq!(deviation(&a) / size, deviation(&[1.0, 2.0, 3.0]));
        }
    }

    #[test]
    fn figures_are_those_of_the_textbook() {
        assert_eq!((mean(&[1.0, 3.0]), deviation(&[1.0, 3.0])), (2.0, 1.0));
        assert!((correlation(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap() - 0.5).abs() < 1e-15);
        assert!((correlation(&[1.0, 2.0], &[2.0, 1.0]).unwrap() + 1.0).abs() < 1e-15);
    }
}
