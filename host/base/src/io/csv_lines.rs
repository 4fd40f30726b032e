//! Reads lines of plain CSV as programs write them: no cell is quoted, and numbers have their shortest form.
//! Cells are read one at a time, without a copy. [`csv_input`](super::csv_input) reads the files of users,
//! which may be any CSV, and leaves plain numbers to this module.

/// A line without its line feed. `None` if it has none, because then the program that wrote it was stopped
/// and the last cell may be incomplete.
pub fn complete(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\n")?;
    Some(line.strip_suffix(b"\r").unwrap_or(line))
}

/// The cells of a line.
pub fn cells(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| *byte == b',')
}

/// Whole numbers of at most this many digits are exact as `f64`, so their digits can be summed up. That takes
/// a third of the time of the library's parser, and most cells are counts.
const EXACT_DIGITS: usize = 15;

/// The number in a cell, NaN for an empty one; `None` if the cell holds anything but a finite number.
pub fn number(cell: &[u8]) -> Option<f64> {
    if cell.is_empty() {
        return Some(f64::NAN);
    }
    if cell.len() <= EXACT_DIGITS && cell.iter().all(u8::is_ascii_digit) {
        return Some(cell.iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0')) as f64);
    }
    let number: f64 = str::from_utf8(cell).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_cut_into_cells() {
        assert_eq!(complete(b"a,,1\r\n"), Some(&b"a,,1"[..]));
        assert_eq!(complete(b"a,1"), None, "it was cut off");
        assert_eq!(cells(b"a,,1").collect::<Vec<_>>(), [&b"a"[..], b"", b"1"]);
    }

    #[test]
    fn a_cell_holds_a_finite_number_or_none() {
        assert!(number(b"").unwrap().is_nan());
        for cell in ["x", "NaN", "inf", "1e999", "1 ", "0x1", "é", "-", "."] {
            assert_eq!(number(cell.as_bytes()), None, "{cell}");
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back_bit_for_bit(bits: u64, whole: u64, shift in 0..64u32) {
            let float = f64::from_bits(bits);
            if float.is_finite() {
                prop_assert_eq!(number(float.to_string().as_bytes()).map(f64::to_bits), Some(bits));
            }
            let whole = whole >> shift;
            prop_assert_eq!(number(whole.to_string().as_bytes()), Some(whole as f64));
        }
    }
}
