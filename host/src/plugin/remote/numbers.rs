//! Columns of numbers on their way between host and child, in memory that both share: one writes, the other reads.

use std::fs::File;
use std::io::{self, Read, Write};

/// Numbers that are converted at a time.
const PIECE: usize = 8192;

/// Writes numbers behind those that are there.
///
/// # Errors
/// If there is no memory left.
pub fn write(mut file: &File, numbers: &[f64]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(PIECE.min(numbers.len()) * size_of::<f64>());
    for piece in numbers.chunks(PIECE) {
        bytes.clear();
        piece.iter().for_each(|number| bytes.extend_from_slice(&number.to_ne_bytes()));
        file.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads the next `count` numbers.
///
/// # Errors
/// If there are not so many.
pub fn read(mut file: &File, count: usize) -> io::Result<Vec<f64>> {
    let there = file.metadata()?.len() / size_of::<f64>() as u64;
    if count as u64 > there {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut numbers = Vec::with_capacity(count);
    let mut bytes = vec![0; PIECE.min(count) * size_of::<f64>()];
    while numbers.len() < count {
        let piece = &mut bytes[..PIECE.min(count - numbers.len()) * size_of::<f64>()];
        file.read_exact(piece)?;
        let words = piece.chunks_exact(size_of::<f64>());
        numbers.extend(words.map(|word| f64::from_ne_bytes(word.try_into().expect("eight bytes"))));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{memory_file, path_of};

    #[test]
    fn numbers_come_through_as_they_are() {
        let numbers: Vec<f64> = (0..PIECE * 2 + 5).map(|i| i as f64 / 3.0).chain([f64::NAN]).collect();
        let file = memory_file("test").unwrap();
        let (first, last) = numbers.split_at(7);
        write(&file, first).unwrap();
        write(&file, last).unwrap();
        let other = File::open(path_of(&file)).unwrap();
        assert_eq!(read(&other, 7).unwrap(), first);
        let found = read(&other, last.len()).unwrap();
        let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(last));
        assert!(read(&other, 1).is_err() && read(&other, usize::MAX).is_err());
    }
}
