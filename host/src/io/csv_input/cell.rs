//! A cell as a number.

use super::Gaps;
use crate::error::excerpt;

/// Greatest magnitude of a number: squares of greater ones can't be summed.
const GREATEST: f64 = 1e150;
/// Whole numbers of so many digits are `f64`s exactly.
const EXACT_DIGITS: usize = 15;

/// The number that a cell holds, without blanks around it; NaN where it is missing.
///
/// # Errors
/// What is wrong with it.
pub fn number(cell: &[u8], gaps: Gaps) -> Result<f64, String> {
    // Counts are whole numbers: these are many, and the others are read by the library, which takes three times as long.
    if (1..=EXACT_DIGITS).contains(&cell.len()) && cell.iter().all(u8::is_ascii_digit) {
        return Ok(cell.iter().fold(0u64, |number, digit| 10 * number + u64::from(digit - b'0')) as f64);
    }
    let text = String::from_utf8_lossy(cell);
    if text.is_empty() || text.eq_ignore_ascii_case("na") || text.eq_ignore_ascii_case("nan") {
        return match gaps {
            Gaps::Missing => Ok(f64::NAN),
            Gaps::Refused if text.is_empty() => Err("the cell is empty".to_owned()),
            Gaps::Refused => Err(format!("`{text}` is not a number")),
        };
    }
    let shown = || excerpt(&text);
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= GREATEST => Ok(number),
        Ok(number) if number.is_finite() => {
            Err(format!("`{}` is greater than can be computed with", shown()))
        }
        Ok(_) => Err(format!("`{}` is not a finite number", shown())),
        Err(_) => Err(format!("`{}` is not a number", shown())),
    }
}
