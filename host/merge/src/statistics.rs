//! Statistics of columns that several files need.

/// The mean; NaN for no value.
pub(crate) fn mean(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    // The mean of the rest is added, so that the mean of a column that never changes is exactly its value.
    mean + values.iter().map(|value| value - mean).sum::<f64>() / values.len() as f64
}

/// The standard deviation with divisor n; 0 for a constant column.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

/// Pearson's correlation; `None` if one of the columns is constant.
pub(crate) fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let [mean_a, mean_b] = [mean(a), mean(b)];
    let sums = a.iter().zip(b).fold((0.0, 0.0, 0.0), |(aa, bb, ab), (a, b)| {
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
    fn figures_are_those_of_the_textbook() {
        assert_eq!((mean(&[1.0, 3.0]), deviation(&[1.0, 3.0])), (2.0, 1.0));
        assert!((correlation(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap() - 0.5).abs() < 1e-15);
        assert!((correlation(&[1.0, 2.0], &[2.0, 1.0]).unwrap() + 1.0).abs() < 1e-15);
    }
}
