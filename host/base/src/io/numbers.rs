//! Formats numbers for people.

/// Greatest number of decimals of a column.
const MOST_DECIMALS: usize = 6;

/// The decimals that a column of numbers needs: none for whole numbers, else three significant digits of the
/// smallest one, at least one decimal and at most six.
pub fn decimals(values: impl IntoIterator<Item = f64>) -> usize {
    let (mut whole, mut smallest) = (true, f64::INFINITY);
    for value in values {
        whole &= value.fract() == 0.0;
        if value != 0.0 {
            smallest = smallest.min(value.abs());
        }
    }
    if whole {
        return 0;
    }
    let magnitude = smallest.log10().floor();
    (2.0 - magnitude).clamp(1.0, MOST_DECIMALS as f64) as usize
}

/// The most decimals that a figure with an interval supports: the half-width of the interval has two
/// significant digits with them, which usually suffice for an uncertainty (JCGM 100:2008, Guide to the
/// expression of uncertainty in measurement, 7.2.6), so further digits of the figure would be noise.
pub fn supported_decimals(half_width: f64) -> usize {
    if half_width == 0.0 {
        return MOST_DECIMALS;
    }
    (1.0 - half_width.log10().floor()).clamp(0.0, MOST_DECIMALS as f64) as usize
}

/// A number with this many decimals. A number that would show zeros only, or more digits than an `f64` holds,
/// is written as a power of ten.
pub fn fixed(value: f64, decimals: usize) -> String {
    /// Above 2^53, about this, not every whole number is an `f64`.
    const MOST: f64 = 1e16;
    let vanishes =
        value != 0.0 && decimals >= MOST_DECIMALS && value.abs() < 0.5 * 10f64.powi(-(decimals as i32));
    if vanishes || (value.is_finite() && value.abs() >= MOST) {
        format!("{value:.2e}")
    } else {
        format!("{value:.decimals$}")
    }
}

/// A number with a comma between groups of three digits: `1,048,576`.
pub fn grouped(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let digits = text.trim_start_matches('-').split(['.', 'e']).next().unwrap_or_default().len();
    let start = text.len() - text.trim_start_matches('-').len();
    let mut grouped = String::with_capacity(text.len() + digits / 3);
    for (index, character) in text.char_indices() {
        if index > start && index < start + digits && (start + digits - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(character);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_has_three_digits() {
        assert_eq!(decimals([3.0, 1e9]), 0);
        assert_eq!(decimals([12.345, 1234.5]), 1);
        assert_eq!(decimals([0.012, 0.0]), 4);
        assert_eq!(decimals([1e-12, 0.5]), 6);
        assert_eq!(decimals([1234.5]), 1);
        assert_eq!(decimals([]), 0);
    }

    #[test]
    fn an_interval_supports_as_many_decimals_as_show_two_of_its_digits() {
        let decimals = [0.0, 0.00123, 0.5, 1.0, 5.0, 87.0, 1e9].map(supported_decimals);
        assert_eq!(decimals, [6, 4, 2, 1, 1, 0, 0]);
    }

    #[test]
    fn digits_are_grouped_before_the_point() {
        assert_eq!(grouped(1_048_576.0, 0), "1,048,576");
        assert_eq!(grouped(-123_456.789, 3), "-123,456.789");
        assert_eq!(grouped(999.0, 1), "999.0");
        assert_eq!(grouped(1e300, 3), "1.00e300");
    }

    #[test]
    fn numbers_with_too_many_digits_or_none_are_printed_with_their_power_of_ten() {
        assert_eq!(
            [0.0, 1e-12, -4e-7, 6e-7].map(|value| fixed(value, 6)),
            ["0.000000", "1.00e-12", "-4.00e-7", "0.000001"]
        );
        assert_eq!(
            [1e15, -1e16, f64::INFINITY].map(|value| fixed(value, 0)),
            ["1000000000000000", "-1.00e16", "inf"]
        );
        assert_eq!(fixed(0.3, 0), "0", "fewer decimals were asked for");
    }
}
