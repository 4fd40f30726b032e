//! The file of patterns of a saved run.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use assay_base::columns;
use assay_base::error::{Error, Result};
use assay_experiment::Resolved;
use assay_experiment::points::Point;
use crc32fast::Hasher;

use crate::PATTERNS;

/// The first columns. If something else than the pattern length varies, its column follows.
const COLUMNS: [&str; 5] =
    [columns::PATTERN_LENGTH, columns::REPETITION, "position", columns::OCCURRENCES, "pattern_hex"];

/// A file that is hashed while it is read or written.
struct HashedFile<F> {
    file: F,
    checksum: Hasher,
}

impl<F: Read> Read for HashedFile<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.checksum.update(&bytes[..read]);
        Ok(read)
    }
}

impl<F: Write> Write for HashedFile<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Fills a file, and returns the CRC-32 of what was written.
pub(crate) fn with_checksum(
    file: &mut dyn Write,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<u32> {
    let mut hashed = HashedFile { file, checksum: Hasher::new() };
    fill(&mut hashed)?;
    Ok(hashed.checksum.finalize())
}

/// Checks that the patterns of a run are those that it wrote, by their CRC-32 if it is known, and by the form
/// of each row.
///
/// # Errors
/// If they are missing, can't be read, or are others.
pub(crate) fn check(folder: &Path, crc32: Option<u32>) -> Result<()> {
    let path = folder.join(PATTERNS);
    let wrong = |what: &str| Err(Error::new(format!("`{}` {what}", path.display())));
    let file = File::open(&path).map_err(|error| Error::io("read", &path, &error))?;
    let mut hashed = HashedFile { file, checksum: Hasher::new() };
    let mut reader = csv::Reader::from_reader(&mut hashed);
    if !reader
        .headers()
        .is_ok_and(|header| header.len() >= COLUMNS.len() && header.iter().zip(COLUMNS).all(|(a, b)| a == b))
    {
        return wrong("has other columns than a run writes");
    }
    // The reader refuses rows with another number of cells.
    let is_number = |cell: &str| cell.parse::<u64>().is_ok();
    if !reader.records().all(|row| row.is_ok_and(|row| [0, 1, 3].iter().all(|place| is_number(&row[*place]))))
    {
        return wrong("has a row that no run writes");
    }
    drop(reader);
    if crc32.is_some_and(|crc32| crc32 != hashed.checksum.finalize()) {
        return wrong("is not what the run wrote: its checksum is another, so it was edited or damaged");
    }
    Ok(())
}

/// A row for each pattern: its length and repetition, the position from which it was drawn, the reference
/// count of all searches of the repetition; its bytes, where there is no position to find them at; and the
/// value of what else varies.
pub(crate) fn patterns(
    file: &mut dyn Write,
    resolved: &Resolved,
    occurrences: &dyn Fn(usize, usize) -> Option<u64>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    let range = resolved.experiment.over().own_column();
    writer.write_record(COLUMNS.into_iter().chain(range))?;
    let asked_for = resolved.asked_for();
    for (number, Point { set, value, rounds, .. }) in resolved.points.iter().enumerate() {
        for repetition in 0..resolved.experiment.most_repetitions(*rounds, asked_for) {
            let Some(occurrences) = occurrences(number, repetition) else { continue };
            let (position, bytes) = match set.position(repetition) {
                Some(position) => (position.to_string(), String::new()),
                None => {
                    (String::new(), hex::encode(set.pattern(&resolved.text_of(number).bytes, repetition)))
                }
            };
            let (length, repetition) = (set.length.to_string(), repetition.to_string());
            let record = [length, repetition, position, occurrences.to_string(), bytes];
            writer.write_record(record.into_iter().chain(range.map(|_| value.to_string())))?;
        }
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn patterns_that_the_run_did_not_write_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let checked = |text: &str, crc32| {
            fs::write(folder.path().join(PATTERNS), text).unwrap();
            check(folder.path(), crc32)
                .map_err(|error| error.message().rsplit_once("` ").unwrap().1.to_owned())
        };
        let header = "pattern_length,repetition,position,occurrences,pattern_hex";
        let text = format!("{header}\n8,0,17,1,\n8,1,,0,6162\n");
        let mut written = Vec::new();
        let crc32 = with_checksum(&mut written, |file| file.write_all(text.as_bytes())).unwrap();
        assert_eq!((written.as_slice(), checked(&text, Some(crc32))), (text.as_bytes(), Ok(())));
        assert!(
            checked(&text.replace("17", "18"), Some(crc32)).unwrap_err().starts_with("is not what the run")
        );
        assert_eq!(checked(&text, None), Ok(()));
        assert_eq!(checked(header, None), Ok(()));
        assert_eq!(checked("", None), Err("has other columns than a run writes".to_owned()));
        for row in ["8,0", "8,0,17,x,", "8,0,17,1,,9"] {
            let wrong = Err("has a row that no run writes".to_owned());
            assert_eq!(checked(&format!("{text}{row}\n"), None), wrong, "{row}");
        }
        fs::remove_file(folder.path().join(PATTERNS)).unwrap();
        assert!(check(folder.path(), None).is_err());
    }
}
