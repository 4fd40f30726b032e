//! The unit in which very small and very large counts are computed with: squares of numbers below 1e-154 are
//! 0 as `f64`, and those of numbers above 1e154 infinite, so that such columns would have no deviation.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Columns whose greatest size is in this range are computed with as they are. Squares of smaller numbers
/// could be 0, and sums of squares of greater ones infinite.
const ORDINARY: RangeInclusive<f64> = 1e-100..=1e100;

/// The unit in which a column is computed with: 1, or the power of two of its greatest size if that is not
/// ordinary. Dividing by a power of two rounds nothing.
pub fn unit(values: &[f64]) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let greatest = values.iter().fold(0.0, |greatest: f64, value| greatest.max(value.abs()));
    if greatest == 0.0 || ORDINARY.contains(&greatest) {
        return 1.0;
    }
    f64::from_bits(greatest.to_bits() & EXPONENT).max(f64::MIN_POSITIVE)
}

/// A column in this unit.
pub fn in_unit(values: &[f64], unit: f64) -> Cow<'_, [f64]> {
    if unit == 1.0 { values.into() } else { values.iter().map(|value| value / unit).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_columns_stay_and_others_come_near_to_1() {
        for ordinary in [&[][..], &[0.0, 0.0], &[1.0, 1e-306], &[-1e99, 0.0]] {
            assert_eq!((unit(ordinary), in_unit(ordinary, 1.0)), (1.0, ordinary.into()));
        }
        for size in [5e-324, 1e-310, 1e-306, 1e150, f64::MAX] {
            let column = [0.0, size, -size / 2.0];
            let scaled = in_unit(&column, unit(&column)).into_owned();
            assert!(scaled[1] > 1e-17 && scaled[1] < 2.0, "{size}: {scaled:?}");
            assert_eq!(scaled[1] * unit(&column), size);
        }
    }
}
