//! The axes of pictures: the places of values, and the ticks with labels.

use assay_base::io::numbers::grouped;

use super::label::width;
use crate::RangeAxis;

/// An axis with its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<(f64, String)>,
}

/// The space between the outermost values and the ends of an axis, as a share of its length, so that no point
/// is cut off.
const MARGIN: f64 = 0.03;

impl Axis {
    /// An axis that covers these values: logarithmic if all of them are positive, else linear. `None` if
    /// there are none.
    pub(crate) fn covering(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (low, high) = ends(values)?;
        if low <= 0.0 {
            return Some(Self::linear(low, high));
        }
        // One value alone has room around it.
        let (low, high) = if low < high { (low, high) } else { (low / 1.5, high * 1.5) };
        let margin = (high / low).powf(MARGIN);
        let (low, high) = (low / margin, high * margin);
        Some(Axis { low, high, logarithmic: true, ticks: written(logarithmic(low, high)) })
    }

    /// A linear axis from 0, or the least value below it, to beyond the greatest value; `None` if there are
    /// no values.
    pub(crate) fn from_zero(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (low, high) = ends(values)?;
        let high = if high > 0.0 { high * (1.0 + MARGIN) } else { 1.0 };
        Some(Self::linear(low.min(0.0), high))
    }

    /// A linear axis between two values, or around one if they are equal.
    pub(crate) fn linear(low: f64, high: f64) -> Self {
        let (low, high) = if low < high { (low, high) } else { (low - 0.5, high + 0.5) };
        Axis { low, high, logarithmic: false, ticks: written(round(low, high)) }
    }

    /// An axis without ticks for a number of places, the first of them at the top: place *i* is drawn at *i*.
    pub(crate) fn places(count: usize) -> Self {
        Axis { low: count as f64 - 0.5, high: -0.5, logarithmic: false, ticks: Vec::new() }
    }

    /// An axis without ticks for a number of places, the first of them on the left: place *i* is drawn at *i*.
    pub(crate) fn columns(count: usize) -> Self {
        Axis { low: -0.5, high: count as f64 - 0.5, logarithmic: false, ticks: Vec::new() }
    }

    /// A logarithmic axis of the values of a range. Of its labels, those are left out that have no room on
    /// this number of pixels.
    pub(crate) fn of_range(values: &[u64], along: &RangeAxis, pixels: f64) -> Option<Self> {
        let mut axis = Self::covering(values.iter().map(|&value| value as f64))?;
        let mut end = f64::NEG_INFINITY;
        axis.ticks.clear();
        for &value in values {
            let text = along.label(value);
            let (at, half) = (axis.share(value as f64) * pixels, width(&text) / 2.0 + 2.0);
            if at - half >= end {
                end = at + half;
                axis.ticks.push((value as f64, text));
            }
        }
        Some(axis)
    }

    /// The place of a value: 0 at the low end of the axis, 1 at the high end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// Whether equal steps are equal factors.
    pub(crate) fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// The ticks: their values and labels.
    pub(crate) fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }
}

/// Whether a value can lie on an axis. Values of absurd size can't, because computing the ticks for them
/// would overflow.
pub(crate) fn is_drawable(value: f64) -> bool {
    value == 0.0 || (1e-250..1e250).contains(&value.abs())
}

/// The least and the greatest of the values that can be drawn; `None` if there are none.
fn ends(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.into_iter().filter(|value| is_drawable(*value)) {
        (low, high) = (low.min(value), high.max(value));
    }
    (low <= high).then_some((low, high))
}

/// Powers of ten, or 1, 2 and 5 of each decade; between values that are too close for that, round values.
fn logarithmic(low: f64, high: f64) -> Vec<f64> {
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let steps: &[f64] = if high / low > 1e4 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let all = decades.flat_map(|decade| {
        steps.iter().map(move |step| match decade {
            0.. => step * 10f64.powi(decade),
            _ => step / 10f64.powi(-decade),
        })
    });
    let ticks: Vec<f64> = all.filter(|tick| (low..=high).contains(tick)).collect();
    if ticks.len() >= 3 { ticks } else { round(low, high) }
}

/// About six multiples of 1, 2 or 5 and a power of ten.
fn round(low: f64, high: f64) -> Vec<f64> {
    /// Chosen, because it is enough to read values off the axis, and labels do not touch.
    const WANTED: f64 = 6.0;
    let rough = (high - low) / WANTED;
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * unit).find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let numbers = (low / step).ceil() as i64..=(high / step).floor() as i64;
    // Small steps divide by a whole number, because a product is not exact: 0.30000000000000004 for 0.3.
    numbers
        .map(|number| if step < 1.0 { number as f64 / (1.0 / step).round() } else { number as f64 * step })
        .collect()
}

/// Labels of ticks with the decimals that each needs. If the steps are equal, all have the same decimals.
fn written(ticks: Vec<f64>) -> Vec<(f64, String)> {
    let needed: Vec<usize> = ticks.iter().map(|&tick| needed_decimals(tick)).collect();
    let one_step = ticks
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .all(|step| (step / (ticks[1] - ticks[0]) - 1.0).abs() < 1e-6);
    let most = needed.iter().copied().max().unwrap_or_default();
    let labels = ticks.into_iter().zip(needed);
    labels.map(|(tick, own)| (tick, grouped(tick, if one_step { most } else { own }))).collect()
}

/// The fewest decimals that show a tick exactly, at most six.
fn needed_decimals(tick: f64) -> usize {
    let exact = (0..6).find(|decimals| {
        let scaled = tick * 10f64.powi(*decimals);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
    });
    exact.unwrap_or(6) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<&str> {
        axis.ticks().iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn a_logarithmic_axis_has_equal_steps_for_equal_factors() {
        let axis = Axis::covering([1.0, 100.0, 10.0]).unwrap();
        let [one, ten, hundred] = [1.0, 10.0, 100.0].map(|value| axis.share(value));
        assert!((hundred - ten - (ten - one)).abs() < 1e-9 && one > 0.0 && hundred < 1.0);
        assert_eq!(texts(&axis), ["1", "2", "5", "10", "20", "50", "100"]);
    }

    #[test]
    fn what_has_no_scale_is_on_no_axis() {
        let axis = Axis::covering([1.0, 1.7e308, f64::NAN, 10.0, 5e-324]).unwrap();
        assert!(axis.share(10.0) < 1.0 && axis.share(1.0) > 0.0);
        assert_eq!(Axis::covering([1e308]), None);
    }

    #[test]
    fn every_range_has_round_ticks() {
        assert_eq!(
            texts(&Axis::covering([1e-2, 1e4]).unwrap()),
            ["0.01", "0.1", "1", "10", "100", "1,000", "10,000"]
        );
        assert_eq!(texts(&Axis::covering([101.0, 128.0]).unwrap()), ["105", "110", "115", "120", "125"]);
        assert_eq!(texts(&Axis::covering([0.0, 1.0]).unwrap()), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(&Axis::from_zero([3.0, 95.0]).unwrap()), ["0", "20", "40", "60", "80"]);
        assert!(Axis::covering([7.0]).unwrap().ticks().len() >= 2);
        assert_eq!(Axis::covering([f64::NAN]), None);
    }

    #[test]
    fn values_are_written_where_there_is_room() {
        let axis = Axis::of_range(&[2, 4, 5, 8, 4096], &RangeAxis::default(), 300.0).unwrap();
        assert_eq!(texts(&axis), ["2", "4", "8", "4096"]);
    }
}
