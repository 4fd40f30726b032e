//! A fast path for lines of plain numbers. Tables of counts are large, and they rarely use more of CSV than
//! commas. Many lines are read at a time.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::Gaps;
use super::cell;

/// Number of bytes that are read at a time.
const PIECE: usize = 1 << 20;
/// Number of bytes of a word.
const WORD: usize = 8;

/// An input in pieces of whole lines. Each piece ends with a line feed; the last one gets one if it has none.
pub(crate) struct Pieces<R> {
    input: R,
    /// The beginning of the next piece.
    begun: Vec<u8>,
}

impl<R: Read> Pieces<R> {
    /// All of the input.
    pub(super) fn new(input: R) -> Self {
        Pieces { input, begun: Vec::new() }
    }

    /// The rest of the input, with a line feed at its end.
    pub(super) fn rest(self) -> impl Read {
        io::Cursor::new(self.begun).chain(self.input).chain(&b"\n"[..])
    }
}

impl<R: Read> Iterator for Pieces<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        let mut piece = Vec::with_capacity(self.begun.len() + PIECE);
        piece.append(&mut self.begun);
        loop {
            match (&mut self.input).take(PIECE as u64).read_to_end(&mut piece) {
                Err(error) => return Some(Err(error)),
                Ok(0) if piece.is_empty() => return None,
                Ok(0) => {
                    piece.push(b'\n');
                    return Some(Ok(piece));
                }
                Ok(_) => {}
            }
            if let Some(end) = memrchr(b'\n', &piece) {
                self.begun.extend_from_slice(&piece[end + 1..]);
                piece.truncate(end + 1);
                return Some(Ok(piece));
            }
        }
    }
}

/// The numbers of some lines.
#[derive(Debug, PartialEq)]
pub(crate) struct PlainLines {
    /// The numbers, column by column.
    pub columns: Vec<Vec<f64>>,
    /// Number of lines, including empty ones.
    pub count: u64,
}

impl PlainLines {
    /// Reads whole lines. `None` if a line has another number of cells or a cell is no plain number: then a
    /// reader of all of CSV is to read them, and to say what is wrong if something is.
    pub(super) fn read(mut text: &[u8], width: usize, gaps: Gaps) -> Option<Self> {
        let count = memchr_iter(b'\n', text).count();
        let mut columns: Vec<Vec<f64>> = (0..width).map(|_| Vec::with_capacity(count)).collect();
        while !text.is_empty() {
            if text[0].is_ascii_whitespace() {
                let (line, rest) = text.split_at(memchr(b'\n', text)?);
                if line.trim_ascii().is_empty() {
                    text = &rest[1..];
                    continue;
                }
            }
            let (last, others) = columns.split_last_mut()?;
            for column in others {
                column.push(cell(&mut text, b',', gaps)?);
            }
            last.push(cell(&mut text, b'\n', gaps)?);
        }
        Some(PlainLines { columns, count: count as u64 })
    }
}

/// Reads a cell and the byte after it, which ends it.
fn cell(text: &mut &[u8], end: u8, gaps: Gaps) -> Option<f64> {
    let (count, number) = count(text).unwrap_or_default();
    if count > 0 && text[count] == end {
        *text = &text[count + 1..];
        return Some(number as f64);
    }
    let length = memchr2(b',', b'\n', text)?;
    if text[length] != end {
        return None;
    }
    let value = cell::number(text[..length].trim_ascii(), gaps).ok()?;
    *text = &text[length + 1..];
    Some(value)
}

/// The whole number at the beginning of a text, with its number of digits: at most 15, because an `f64` holds
/// these exactly. `None` if it has more, or if the text is too short for this method.
fn count(text: &[u8]) -> Option<(usize, u64)> {
    let (many, high) = digits(text.first_chunk()?);
    if many < WORD {
        return Some((many, high));
    }
    let (more, low) = digits(text[WORD..].first_chunk()?);
    (more < WORD).then(|| (WORD + more, high * 10u64.pow(more as u32) + low))
}

/// The number of leading digits in eight bytes, and the number that they form. All bytes are treated at once,
/// because one after the other takes twice as long.
fn digits(bytes: &[u8; WORD]) -> (usize, u64) {
    let values = u64::from_le_bytes(*bytes) ^ u64::from_ne_bytes([b'0'; WORD]);
    let in_each = |byte: u8| u64::from_ne_bytes([byte; WORD]);
    // The highest bit of each byte that is more than 9.
    let others = (((values & in_each(0x7f)) + in_each(0x7f - 9)) | values) & in_each(0x80);
    let many = others.trailing_zeros() as usize / WORD;
    if many == 0 {
        return (0, 0);
    }
    // Zeros before the digits, then pairs of digits, pairs of these, and both.
    let values = values << (u64::BITS as usize - WORD * many);
    let pairs = (values * 10 + (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (many, (fours * 10_000 + (fours >> 32)) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_lines_and_together_the_input() {
        let line = "1234567,".repeat(50_000) + "\n";
        for end in ["", "9", "9\n"] {
            let text = line.repeat(8) + end;
            let pieces: Vec<Vec<u8>> = Pieces::new(text.as_bytes()).map(|piece| piece.unwrap()).collect();
            assert!(pieces.len() > 2 && pieces.iter().all(|piece| piece.ends_with(b"\n")));
            let expected = if end == "9" { text.clone() + "\n" } else { text.clone() };
            assert_eq!(pieces.concat(), expected.as_bytes());
            let mut pieces = Pieces::new(text.as_bytes());
            let (mut all, mut rest) = (pieces.next().unwrap().unwrap(), Vec::new());
            pieces.rest().read_to_end(&mut rest).unwrap();
            all.append(&mut rest);
            assert_eq!(all, (text + "\n").as_bytes());
        }
    }

    #[test]
    fn whole_numbers_are_read_to_the_digit() {
        for number in
            (0..=15).map(|digits| 123_456_789_012_345 % 10u64.pow(digits)).chain([0, 9, 100_000_000])
        {
            for end in [",", "\n", ".", ":", "/", "\u{ff}"] {
                let text = format!("{number}{end}{}", "9".repeat(16));
                assert_eq!(count(text.as_bytes()), Some((text.find(end).unwrap(), number)), "{text}");
            }
        }
        assert_eq!(count(b"1234567890123456,........"), None);
        assert_eq!(count(b"12,3"), None);
    }

    #[test]
    fn what_is_no_plain_number_is_left_to_others() {
        let read = |text: &str| PlainLines::read(text.as_bytes(), 2, Gaps::Missing);
        let lines = read("1,-2.5\r\n\r\n 3 , 1e3\n \n123456789012345678,4\n").unwrap();
        assert_eq!(lines.columns, [[1.0, 3.0, 123_456_789_012_345_678.0], [-2.5, 1000.0, 4.0]]);
        assert_eq!(lines.count, 5);
        assert!(read("NA,\n").unwrap().columns.iter().all(|column| column[0].is_nan()));
        for other in ["\"1\",2\n", "1\n", "1,2,3\n", "1,x\n", "1,2\u{a0}\n", "1,\0\n", "1;2\n"] {
            assert_eq!(read(other), None, "{other:?}");
        }
    }
}
