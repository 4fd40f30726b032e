//! The distribution of values, in bins and as a smooth curve. Both are in shares per unit, so that they can
//! be compared.

/// Bins of equal width.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bins {
    low: f64,
    width: f64,
    /// The share of the values for each unit.
    heights: Vec<f64>,
}

impl Bins {
    /// Bins for these values; `None` if there are none. The number of bins is the square root of the number
    /// of values, as in `describe`.
    pub(super) fn new(values: &[f64]) -> Option<Self> {
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        let count = ((values.len() as f64).sqrt().ceil() as usize).max(1);
        // Equal values fill one bin, which is one pixel wide, so that it can be seen.
        let width = ((high - low) / count as f64).max(1.0);
        let mut heights = vec![0.0; count];
        for value in values {
            let bin = (((value - low) / width) as usize).min(count - 1);
            heights[bin] += 1.0 / (values.len() as f64 * width);
        }
        Some(Bins { low, width, heights })
    }

    /// The height of each bin.
    pub(crate) fn heights(&self) -> impl Iterator<Item = f64> {
        self.heights.iter().copied()
    }

    /// The two ends of each bin, and its height.
    pub(super) fn bars(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        self.heights().enumerate().map(|(bin, height)| (self.edge(bin), self.edge(bin + 1), height))
    }

    /// The low end of a bin.
    fn edge(&self, bin: usize) -> f64 {
        self.low + self.width * bin as f64
    }
}

/// Steps between the places at which a density is computed. A curve over 600 pixels with 240 steps looks
/// smooth.
const STEPS: usize = 240;

/// The density of some values between two places, by a Gaussian kernel whose width is that of B. W. Silverman
/// (Density Estimation for Statistics and Data Analysis, 1986): 0.9 min(deviation, IQR / 1.34) n^(-1/5).
pub(crate) fn density(values: &[f64], from: f64, to: f64) -> Vec<(f64, f64)> {
    let n = values.len() as f64;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mean = sorted.iter().sum::<f64>() / n;
    let deviation = (sorted.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
    let range = super::series::quantile(&sorted, 0.75) - super::series::quantile(&sorted, 0.25);
    let spread = if range > 0.0 { deviation.min(range / 1.34) } else { deviation };
    // A narrower kernel could fall between two places.
    let width = (0.9 * spread * n.powf(-0.2)).max((to - from) / STEPS as f64);
    let step = (to - from) / STEPS as f64;
    let places = (0..=STEPS).map(|i| from + step * i as f64);
    places.map(|place| (place, density_at(place, &sorted, width))).collect()
}

/// The density of some ascending values at a place, by a Gaussian kernel of this width.
fn density_at(place: f64, sorted: &[f64], width: f64) -> f64 {
    // Values beyond four widths are left out, because each adds less than 0.04 % of the peak of a kernel.
    let near = sorted.partition_point(|value| *value < place - 4.0 * width)
        ..sorted.partition_point(|value| *value <= place + 4.0 * width);
    let sum: f64 = sorted[near].iter().map(|value| (-0.5 * ((place - value) / width).powi(2)).exp()).sum();
    sum / (sorted.len() as f64 * width * (2.0 * std::f64::consts::PI).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_and_density_have_an_area_of_one() {
        let values: Vec<f64> = (0..400).map(|i| 300.0 + 100.0 * (f64::from(i) * 0.7).sin()).collect();
        let bins = Bins::new(&values).unwrap();
        let area: f64 = bins.bars().map(|(from, to, height)| (to - from) * height).sum();
        assert!((area - 1.0).abs() < 1e-9 && bins.heights().count() == 20, "{area}");
        let curve = density(&values, 0.0, 600.0);
        let area: f64 = curve.iter().map(|(_, height)| height * 600.0 / STEPS as f64).sum();
        assert!((area - 1.0).abs() < 0.01, "{area}");
    }

    #[test]
    fn values_that_are_alike_are_one_peak() {
        let bins = Bins::new(&[5.0; 9]).unwrap();
        let heights: Vec<f64> = bins.heights().collect();
        assert!((heights[0] - 1.0).abs() < 1e-9 && heights[1..] == [0.0, 0.0], "{heights:?}");
        assert_eq!(Bins::new(&[]), None);
        let curve = density(&[5.0; 9], 0.0, 10.0);
        let top = curve.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!((top.0 - 5.0).abs() < 0.05, "{top:?}");
    }
}
