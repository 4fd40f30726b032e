//! Reads the number in a cell.

use super::Gaps;
use crate::error::excerpt;
use crate::io::csv_lines;

/// Greatest magnitude of a number. Statistics sum up squares, and those of greater numbers would be infinite.
const GREATEST: f64 = 1e150;

/// The number in a cell without blanks around it; NaN if it is missing.
///
/// # Errors
/// Says what is wrong with the cell.
pub(super) fn number(cell: &[u8], gaps: Gaps) -> Result<f64, String> {
    match csv_lines::number(cell) {
        Some(number) if number.abs() <= GREATEST => Ok(number),
        _ => gap(cell, gaps),
    }
}

/// The value of a cell without a number: NaN if values may be missing, otherwise an error.
fn gap(cell: &[u8], gaps: Gaps) -> Result<f64, String> {
    let text = String::from_utf8_lossy(cell);
    if text.is_empty() || text.eq_ignore_ascii_case("na") || text.eq_ignore_ascii_case("nan") {
        return match gaps {
            Gaps::Missing => Ok(f64::NAN),
            Gaps::Refused if text.is_empty() => Err("the cell is empty".to_owned()),
            Gaps::Refused => Err(format!("`{text}` is not a number")),
        };
    }
    let shown = excerpt(&text);
    Err(match text.parse::<f64>() {
        Ok(number) if number.is_finite() => format!("`{shown}` is greater than can be computed with"),
        Ok(_) => format!("`{shown}` is not a finite number"),
        Err(_) => format!("`{shown}` is not a number"),
    })
}
