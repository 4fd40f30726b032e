//! How numbers are written for people.

/// The decimals that a column of numbers needs: none for whole numbers, else three significant digits of the smallest
/// one, at least one decimal and at most six.
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
    (2.0 - magnitude).clamp(1.0, 6.0) as usize
}

/// A number with a comma between groups of three digits: `1,048,576`.
pub fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let digits = text.trim_start_matches('-').split('.').next().unwrap_or_default().len();
    let start = text.len() - text.trim_start_matches('-').len();
    let mut grouped = String::with_capacity(text.len() + digits / 3);
    for (index, character) in text.char_indices() {
        if index > start && index < start + digits && (start + digits - index) % 3 == 0 {
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
    fn digits_are_grouped_before_the_point() {
        assert_eq!(grouped(1_048_576.0, 0), "1,048,576");
        assert_eq!(grouped(-123_456.789, 3), "-123,456.789");
        assert_eq!(grouped(999.0, 1), "999.0");
    }
}
