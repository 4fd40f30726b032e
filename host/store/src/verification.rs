//! Compares `measurements.csv`, while it is read, with the checksums that `blocks.csv` has of it.

use std::collections::VecDeque;

use assay_base::error::{Error, Result};
use crc32fast::Hasher;

use crate::blocks::{BlockRecord, restore_or_cut};

/// The comparison of a file, as far as it was read.
#[derive(Debug)]
pub struct Verifier {
    /// The ends of the blocks that were not reached yet, and the checksums up to there.
    ahead: VecDeque<(u64, u32)>,
    checksum: Hasher,
    /// Number of bytes that were read.
    offset: u64,
    /// Number of lines that were read.
    lines: u64,
    /// The first line after the last block that was complete.
    first_line: u64,
}

impl Verifier {
    /// A comparison with these blocks, before the first line.
    pub fn new(records: &[BlockRecord]) -> Self {
        let commits = records.iter().filter_map(|record| record.commit.as_ref());
        let ahead = commits.map(|commit| (commit.end, commit.measurements_crc32)).collect();
        Verifier { ahead, checksum: Hasher::new(), offset: 0, lines: 0, first_line: 2 }
    }

    /// Reads the next line, with its end. Returns whether a block ends with it.
    ///
    /// # Errors
    /// If the lines of the block that ends here are not what the run wrote.
    pub fn line(&mut self, line: &[u8]) -> Result<bool> {
        self.checksum.update(line);
        self.offset += line.len() as u64;
        self.lines += 1;
        let mut ends = false;
        while let Some((end, expected)) = self.ahead.front().copied().filter(|(end, _)| *end <= self.offset) {
            if end != self.offset || self.checksum.clone().finalize() != expected {
                return Err(self.damage());
            }
            self.ahead.pop_front();
            ends = true;
        }
        if ends {
            self.first_line = self.lines + 1;
        }
        Ok(ends)
    }

    /// Whether all blocks were read. What follows belongs to a block that was not completed.
    pub fn is_done(&self) -> bool {
        self.ahead.is_empty()
    }

    /// The checksum of what was read.
    pub(crate) fn checksum(&self) -> Hasher {
        self.checksum.clone()
    }

    /// The error that the lines since the last complete block are others.
    fn damage(&self) -> Error {
        let Verifier { first_line, lines, .. } = self;
        let (place, are) = if first_line == lines {
            (format!("line {lines}"), "is")
        } else {
            (format!("lines {first_line} to {lines}"), "are")
        };
        Error::new(format!(
            "{place} {are} not what the run wrote: the checksum of this block is another, so the file was edited \
             or damaged"
        ))
        .remedy(restore_or_cut(first_line - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Commit;

    const LINES: [&str; 4] = ["head\n", "a,1\n", "a,2\n", "b,1\n"];

    /// Two blocks: the header with two lines, and the last line.
    fn records() -> Vec<BlockRecord> {
        let record = |lines: usize| {
            let text = LINES[..lines].concat();
            let (end, measurements_crc32) = (text.len() as u64, crc32fast::hash(text.as_bytes()));
            BlockRecord {
                commit: Some(Commit { end, measurements_crc32, ..Commit::default() }),
                ..BlockRecord::default()
            }
        };
        vec![record(3), record(4)]
    }

    fn verify(lines: &[&str]) -> Result<Vec<bool>> {
        let mut verifier = Verifier::new(&records());
        let ends = lines.iter().map(|line| verifier.line(line.as_bytes())).collect::<Result<Vec<bool>>>()?;
        assert_eq!(verifier.is_done(), lines.len() == LINES.len());
        Ok(ends)
    }

    #[test]
    fn lines_as_they_were_written_complete_their_blocks() {
        assert_eq!(verify(&LINES).unwrap(), [false, false, true, true]);
        assert_eq!(verify(&LINES[..2]).unwrap(), [false, false]);
    }

    #[test]
    fn any_other_byte_is_found_with_the_lines_of_its_block() {
        let whole = LINES.concat();
        for place in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone().into_bytes();
                bytes[place] ^= 1 << bit;
                let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
                let mut verifier = Verifier::new(&records());
                let read = lines.iter().try_for_each(|line| verifier.line(line).map(drop));
                assert!(read.is_err() || !verifier.is_done(), "byte {place}, bit {bit}");
            }
        }
        let message = |lines: &[&str]| verify(lines).unwrap_err().to_string();
        assert!(
            message(&["head\n", "a,1\n", "a,3\n"]).starts_with("lines 2 to 3 are not what the run wrote")
        );
        let last = message(&["head\n", "a,1\n", "a,2\n", "b,7\n"]);
        assert!(last.starts_with("line 4 is not") && last.contains("cut it after line 3"), "{last}");
    }
}
