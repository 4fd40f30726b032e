//! Histograms: bins of equal width, and the number of values in each.

use super::SampleStatistics;

/// The greatest number of bins in a histogram for people. It is chosen, because more bars are hard to survey.
const MOST_BINS: usize = 20;

/// Values beyond the quartiles by more than this multiple of their distance are far out (Tukey's outer
/// fences).
const FAR_OUT: f64 = 3.0;

/// Counts of values in bins of equal width. A value on the border of two bins belongs to the upper one; the
/// greatest belongs to the last bin. `below`, all bins and `above` sum to the count of the values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Histogram {
    /// Lower border of the first bin.
    pub start: f64,
    /// Width of a bin; 0 if all values are equal, and then there is one bin.
    pub width: f64,
    /// The number of values in each bin.
    pub counts: Vec<u64>,
    /// The number of values below the first bin, which are far out.
    pub below: u64,
    /// The number of values above the last bin, which are far out.
    pub above: u64,
}

impl Histogram {
    /// A histogram for people. The number of bins is the square root of the count, at most 20. Values that
    /// are far out (beyond the quartiles by more than three times their distance) have no bins, because a
    /// single outlier would push all other values into one bin.
    pub(crate) fn of_values(values: &[f64], sample: &SampleStatistics) -> Self {
        let fence = FAR_OUT * (sample.upper_quartile - sample.lower_quartile);
        let (mut low, mut high) = (sample.summary.min, sample.summary.max);
        // If half of the values are equal, the distance is 0 and says nothing about the others.
        if fence > 0.0 {
            let near = sample.lower_quartile - fence..=sample.upper_quartile + fence;
            (low, high) = values
                .iter()
                .filter(|value| near.contains(value))
                .fold((high, low), |(low, high), &value| (value.min(low), value.max(high)));
        }
        let bins = if low == high { 1 } else { bins(values).min(MOST_BINS) };
        Self::count(values, low, high, (high - low) / bins as f64, bins)
    }

    /// The histogram of PAPI's benchStats: over all values, with the square root of the count as the number
    /// of bins, each a whole number of units wide.
    pub(crate) fn of_whole_units(values: &[f64], sample: &SampleStatistics) -> Self {
        let bins = bins(values);
        let width = (sample.range() / bins as f64).ceil().max(1.0);
        Self::count(values, sample.summary.min, sample.summary.max, width, bins)
    }

    fn count(values: &[f64], low: f64, high: f64, width: f64, bins: usize) -> Self {
        let mut histogram = Histogram { start: low, width, counts: vec![0; bins], below: 0, above: 0 };
        for &value in values {
            if value < low {
                histogram.below += 1;
            } else if value > high {
                histogram.above += 1;
            } else {
                let bin = histogram.bin(value);
                histogram.counts[bin] += 1;
            }
        }
        histogram
    }

    /// The bin k with `k * width <= value - start < (k + 1) * width`, as these expressions are rounded. A
    /// value on the upper border of the last bin belongs to that bin.
    fn bin(&self, value: f64) -> usize {
        let distance = value - self.start;
        // If the width is 0, so is the distance, and their ratio is not a number, which is cast to bin 0.
        let mut bin = (distance / self.width) as usize;
        if bin as f64 * self.width > distance {
            bin -= 1;
        } else if (bin + 1) as f64 * self.width <= distance {
            bin += 1;
        }
        bin.min(self.counts.len() - 1)
    }

    /// Lower border of a bin; that of the bin after the last is where the histogram ends.
    pub(crate) fn border(&self, bin: usize) -> f64 {
        self.start + bin as f64 * self.width
    }

    /// The middle of a bin.
    pub(crate) fn center(&self, bin: usize) -> f64 {
        self.border(bin) + self.width / 2.0
    }

    /// The fullest bin; the lowest of several.
    pub(crate) fn fullest(&self) -> usize {
        (0..self.counts.len()).rev().max_by_key(|&bin| self.counts[bin]).unwrap_or(0)
    }
}

fn bins(values: &[f64]) -> usize {
    (values.len() as f64).sqrt().ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(values: &[f64], make: fn(&[f64], &SampleStatistics) -> Histogram) -> Histogram {
        let histogram = make(values, &SampleStatistics::from_values(values).unwrap());
        let sum = histogram.below + histogram.counts.iter().sum::<u64>() + histogram.above;
        assert_eq!(sum, values.len() as u64, "{histogram:?}");
        histogram
    }

    #[test]
    fn the_greatest_value_is_in_the_last_bin() {
        // Range 8 is a whole multiple of the 2 bins.
        let histogram = all(&[0.0, 1.0, 4.0, 8.0], Histogram::of_whole_units);
        assert_eq!((histogram.width, histogram.counts), (4.0, vec![2, 2]));
        assert_eq!(all(&[0.0, 1.0, 4.0, 8.0], Histogram::of_values).counts, [2, 2]);
    }

    #[test]
    fn equal_values_have_one_bin_or_bins_of_one_unit() {
        let histogram = all(&[7.5; 5], Histogram::of_values);
        assert_eq!((histogram.start, histogram.width, histogram.counts), (7.5, 0.0, vec![5]));
        let histogram = all(&[7.5; 5], Histogram::of_whole_units);
        assert_eq!((histogram.width, histogram.counts), (1.0, vec![5, 0, 0]));
    }

    #[test]
    fn an_outlier_stretches_nothing() {
        let mut values: Vec<f64> = (0..99).map(f64::from).collect();
        values.push(1e6);
        let histogram = all(&values, Histogram::of_values);
        assert_eq!((histogram.above, histogram.counts.len()), (1, 10));
        assert_eq!(histogram.border(10), 98.0);
        assert_eq!(all(&values, Histogram::of_whole_units).counts[0], 99);
    }

    #[test]
    fn the_lowest_of_the_fullest_bins_is_the_mode() {
        let histogram = all(&[0.0, 1.0, 2.0, 3.0], Histogram::of_values);
        assert_eq!((histogram.counts.as_slice(), histogram.fullest()), ([2, 2].as_slice(), 0));
        assert_eq!(histogram.center(0), 0.75);
    }

    #[test]
    fn a_value_on_the_border_of_two_bins_belongs_to_the_upper_one_whatever_a_division_rounds_to() {
        let mut rounded = 0;
        for width in (1..2000).map(|i| f64::from(i) / 777.0) {
            let histogram = Histogram { start: 0.0, width, counts: vec![0; 20], below: 0, above: 0 };
            for bin in 1..20 {
                let border = histogram.border(bin);
                assert_eq!(histogram.bin(border), bin, "{width}");
                assert_eq!(histogram.bin(border.next_down()), bin - 1, "{width}");
                let divided = [border / width, border.next_down() / width].map(|quotient| quotient as usize);
                rounded += usize::from(divided != [bin, bin - 1]);
            }
        }
        assert!(rounded > 100, "these widths are no test: {rounded}");
    }

    #[test]
    fn what_lies_on_a_fence_is_not_far_out() {
        // Quartiles 0 and 1: the fences are -3 and 4.
        let values = [-3.0, 0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 4.0];
        let histogram = all(&values, Histogram::of_values);
        assert_eq!(
            (histogram.below, histogram.start, histogram.border(3), histogram.above),
            (0, -3.0, 4.0, 0)
        );
        let mut outside = values;
        (outside[0], outside[8]) = (-3.5, 4.5);
        let histogram = all(&outside, Histogram::of_values);
        assert_eq!(
            (histogram.below, histogram.start, histogram.border(3), histogram.above),
            (1, 0.0, 1.0, 1)
        );
        let mut half_equal = [2.0; 9];
        half_equal[8] = 1e6;
        let histogram = all(&half_equal, Histogram::of_values);
        assert_eq!((histogram.above, histogram.border(3)), (0, 1e6), "no quartiles to judge by");
    }

    #[test]
    fn the_fullest_bin_need_not_be_the_first() {
        let histogram = all(&[0.0, 8.0, 9.0, 10.0], Histogram::of_whole_units);
        assert_eq!((histogram.counts.as_slice(), histogram.fullest()), ([1, 3].as_slice(), 1));
    }
}
