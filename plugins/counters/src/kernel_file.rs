//! Small files in `/proc` and `/sys` that are opened once and read again and again.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// An open file with numbers, and a buffer for its content.
#[derive(Debug)]
pub struct KernelFile {
    file: File,
    bytes: [u8; 256],
}

impl KernelFile {
    /// Opens it, without reading.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(KernelFile { file: File::open(path)?, bytes: [0; 256] })
    }

    /// The first numbers in the file at present. Nothing is allocated.
    ///
    /// # Errors
    /// If the system refuses, or there are fewer numbers.
    #[inline]
    pub fn numbers<const N: usize>(&mut self) -> io::Result<[u64; N]> {
        // The kernel generates the content again each time the file is read from its beginning.
        let length = self.file.read_at(&mut self.bytes, 0)?;
        let (mut rest, mut numbers) = (&self.bytes[..length], [0; N]);
        for number in &mut numbers {
            (*number, rest) = first_number(rest).ok_or(io::ErrorKind::InvalidData)?;
        }
        Ok(numbers)
    }
}

/// The number with which a text begins after white space, and what follows it. The text is passed once, and
/// not split into words, because readings of counters should take no longer than the system call.
#[inline]
fn first_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut text = text.trim_ascii_start();
    let mut number = digit(*text.split_off_first()?)?;
    while let Some(byte) = text.split_off_first() {
        if byte.is_ascii_whitespace() {
            break;
        }
        number = number.checked_mul(10)?.checked_add(digit(*byte)?)?;
    }
    Some((number, text))
}

#[inline]
fn digit(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| (byte - b'0').into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_again_each_time_and_missing_numbers_are_reported() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "18446744073709551615 2 3\n").unwrap();
        let mut open = KernelFile::open(file.path()).unwrap();
        assert_eq!(open.numbers().unwrap(), [u64::MAX, 2, 3]);
        assert_eq!(open.numbers::<4>().unwrap_err().kind(), io::ErrorKind::InvalidData);
        std::fs::write(&file, "7 -1\n").unwrap();
        assert_eq!(open.numbers().unwrap(), [7]);
        for text in ["7 -1", "7 ", "7 1x", "18446744073709551615 18446744073709551616"] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(open.numbers::<2>().unwrap_err().kind(), io::ErrorKind::InvalidData, "{text}");
        }
    }
}
