//! What the starts of workers took, as `blocks.csv` has it: a figure of each worker, and none of each repetition.

use std::path::Path;

use crate::columns::{ALGORITHM, STARTS};
use crate::error::{Error, Result};
use crate::experiment::range::Over;

/// The starts of a saved run, in the order of their blocks.
#[derive(Debug, Default)]
pub(super) struct Starts {
    all: Vec<Started>,
    /// Whether the file has their columns.
    pub are_kept: bool,
}

#[derive(Debug)]
struct Started {
    algorithm: String,
    /// The value of the range that the worker began with.
    range: u64,
    /// In the order of [`STARTS`].
    figures: [Option<f64>; STARTS.len()],
}

/// The number of a column of starts.
pub(super) fn column(name: &str) -> Option<usize> {
    STARTS.iter().position(|start| *start == name)
}

impl Starts {
    /// Reads `blocks.csv`. There are no starts where there is no such file, or an earlier version wrote it; a last line that is
    /// torn is left out.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn read(path: &Path) -> Result<Self> {
        let text = match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Starts::default()),
            text => text.map_err(|error| Error::io("read", path, &error))?,
        };
        let complete = memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1);
        let odd = |error: csv::Error| Error::new(error.to_string()).within(path);
        let mut reader = csv::Reader::from_reader(&text[..complete]);
        let header = reader.headers().map_err(odd)?.clone();
        let place = |name: &str| header.iter().position(|column| column == name);
        let range = Over::of_columns(header.iter()).column();
        let (keys, figures) = ([ALGORITHM, range].map(place), STARTS.map(place));
        let [Some(algorithm), Some(range)] = keys else { return Ok(Starts::default()) };
        let mut all = Vec::new();
        for record in reader.records() {
            let record = record.map_err(odd)?;
            let figures = figures.map(|place| record.get(place?)?.parse::<u64>().ok().map(|ns| ns as f64));
            let Some(range) = record.get(range).and_then(|range| range.parse().ok()) else { continue };
            if figures.iter().any(Option::is_some) {
                all.push(Started { algorithm: record[algorithm].to_owned(), range, figures });
            }
        }
        Ok(Starts { all, are_kept: figures.iter().all(Option::is_some) })
    }

    /// A figure of each worker of an algorithm that began with this value of the range.
    pub fn values(&self, algorithm: &str, range: u64, column: usize) -> Vec<Option<f64>> {
        let of_cell = self.all.iter().filter(|start| start.algorithm == algorithm && start.range == range);
        of_cell.map(|start| start.figures[column]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Starts {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Starts::read(file.path()).unwrap()
    }

    #[test]
    fn starts_are_those_of_the_blocks_in_which_a_worker_began() {
        let starts = read(&format!(
            "algorithm,pattern_length,{}\nhor,8,1,2,3,4,5\nhor,8,,,,,\nhor,4,1,2,,,\nbf,8,7,7,7,7,7\nbf,4,9,9",
            STARTS.join(",")
        ));
        let values = |algorithm, range, name| starts.values(algorithm, range, column(name).unwrap());
        assert_eq!(values("hor", 8, "first_search_ns"), [Some(4.0)]);
        assert_eq!(values("hor", 4, "first_search_ns"), [None]);
        assert_eq!(values("bf", 8, "load_ns"), [Some(7.0)]);
        assert_eq!(values("bf", 4, "load_ns"), []);
        assert!(starts.are_kept && column("search_ns").is_none());
    }

    #[test]
    fn a_run_of_an_earlier_version_has_no_starts() {
        assert!(!read("round,pattern_length,algorithm,floor_ns\n0,8,hor,31\n").are_kept);
        assert!(!read("").are_kept && !Starts::read(Path::new("nowhere/blocks.csv")).unwrap().are_kept);
    }
}
