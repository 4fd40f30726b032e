//! `blocks.csv`: under which conditions each block of repetitions was measured.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use assay_base::columns::STARTS;
use assay_base::error::{Error, Result};
use assay_experiment::range::Over;

use crate::noise::BlockNoise;
use crate::{BLOCKS, Cell};

/// Writes a row for each block, as it comes.
#[derive(Debug)]
pub(crate) struct BlockLog {
    writer: csv::Writer<File>,
    path: PathBuf,
    /// Whether something else varies than the length of the patterns.
    ranges: bool,
}

const COLUMNS: [&str; 11 + STARTS.len()] = [
    "round",
    "pattern_length",
    "algorithm",
    "first_repetition",
    "floor_ns",
    "reference_ns",
    "throughput_ns",
    "involuntary_switches",
    "cpu_ns",
    "elapsed_ns",
    "measured_again",
    STARTS[0],
    STARTS[1],
    STARTS[2],
    STARTS[3],
    STARTS[4],
];

impl BlockLog {
    /// Starts the file in a folder.
    ///
    /// # Errors
    /// If it can't be written.
    pub(crate) fn create(folder: &Path, over: Over) -> Result<Self> {
        let path = folder.join(BLOCKS);
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        BlockLog::begin(file.map_err(|error| Error::io("write", &path, &error))?, path, over)
    }

    /// Starts it in an empty file.
    ///
    /// # Errors
    /// If it can't be written.
    pub(crate) fn begin(file: File, path: PathBuf, over: Over) -> Result<Self> {
        let range = over.own_column();
        let mut log = BlockLog { writer: csv::Writer::from_writer(file), path, ranges: range.is_some() };
        log.write(COLUMNS.into_iter().chain(range).map(str::to_owned))?;
        Ok(log)
    }

    /// Appends a block.
    ///
    /// # Errors
    /// If it can't be written.
    pub(crate) fn append(
        &mut self,
        cell: &Cell<'_>,
        first_repetition: usize,
        round: usize,
        noise: &BlockNoise,
    ) -> Result<()> {
        let start = noise.start.unwrap_or_default().figures();
        let [load, initialise, first_prepare, first_search, read_back] =
            start.map(|ns| ns.map(|ns| ns.to_string()).unwrap_or_default());
        let value = self.ranges.then(|| cell.point.value.to_string());
        let record: [String; COLUMNS.len()] = [
            round.to_string(),
            cell.pattern_length().to_string(),
            cell.algorithm.id.clone(),
            first_repetition.to_string(),
            noise.floor_ns.to_string(),
            noise.reference_ns.to_string(),
            noise.throughput_ns.map(|ns| ns.to_string()).unwrap_or_default(),
            noise.involuntary_switches.map(|switches| switches.to_string()).unwrap_or_default(),
            noise.cpu_ns.to_string(),
            noise.elapsed_ns.to_string(),
            noise.measured_again.to_string(),
            load,
            initialise,
            first_prepare,
            first_search,
            read_back,
        ];
        self.write(record.into_iter().chain(value))
    }

    /// What was written until now.
    ///
    /// # Errors
    /// If it can't be read again.
    pub(crate) fn text(&self) -> Result<Vec<u8>> {
        let file = self.writer.get_ref();
        // Read by its offsets: the place at which the next block is to be written stays.
        let read = || {
            let mut text = vec![0; file.metadata()?.len() as usize];
            file.read_exact_at(&mut text, 0)?;
            Ok(text)
        };
        read().map_err(|error: io::Error| Error::io("read", &self.path, &error))
    }

    fn write(&mut self, record: impl Iterator<Item = String>) -> Result<()> {
        let written = self.writer.write_record(record).map_err(io::Error::other);
        let written = written.and_then(|()| self.writer.flush());
        written.map_err(|error| {
            Error::io("write", &self.path, &error)
                .remedy("free some space, choose another folder with --out, or keep nothing with --no-save")
        })
    }
}

#[cfg(test)]
mod tests {
    use assay_experiment::testing::hor;

    use super::*;

    #[test]
    fn what_a_worker_could_not_tell_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = BlockLog::create(folder.path(), Over::PatternLength).unwrap();
        let noise = BlockNoise {
            floor_ns: 31,
            reference_ns: 12_000,
            cpu_ns: 7,
            elapsed_ns: 8,
            ..BlockNoise::default()
        };
        let (hor, resolved) = (hor(), assay_experiment::testing::example(1, 1));
        log.append(&Cell::new(&hor, &resolved.points[0]), 150, 3, &noise).unwrap();
        let text = std::fs::read_to_string(folder.path().join(BLOCKS)).unwrap();
        assert_eq!(text, format!("{}\n3,2,hor,150,31,12000,,,7,8,0,,,,,\n", COLUMNS.join(",")));
    }
}
