//! The files that a run writes while it measures: `measurements.csv` and `blocks.csv`, complete or cut off.

use std::fs;
use std::io::Write;
use std::path::Path;

use assay_base::error::Result;
use assay_experiment::testing::example;
use assay_report::{RawData, Report};
use assay_store::blocks::Blocks;
use assay_store::journal::Journal;
use assay_store::{BLOCKS, ExperimentFacts, MEASUREMENTS};
use tempfile::TempDir;

use super::check::{bounded, names_a_place};
use super::report::figures;

/// A block of a few bytes has a record of a few hundred, and a cell of two bytes in the header is a column
/// with a name.
const FACTOR: u64 = 600;
/// Lines are read through buffers.
const CONSTANT: u64 = 1 << 20;

/// The line between the two files in an input.
const BETWEEN: &[u8] = b"---\n";

/// Messages about a file as a whole.
const WHOLE: &[&str] = &[
    "there is no column",
    "there are two columns",
    "header is not complete",
    "no control characters",
    "another version",
    "other columns than the experiment",
    "failed to fill whole buffer",
    "unexpected end of file",
    "tells of a range over",
];

thread_local! {
    /// The folder of a run that is resumed. Each thread has its own, because tests run side by side.
    static FOLDER: TempDir = tempfile::tempdir().expect("a folder can be made");
}

/// Reads the files of a run as a report does, and continues the run. The input is `measurements.csv`, a line
/// of three hyphens and `blocks.csv`; its first line is `sealed` if the checksums in it are to be put right,
/// because no fuzzer finds them by itself.
pub fn journal(input: &[u8]) {
    let (seals, text) = input.strip_prefix(b"sealed\n").map_or((false, input), |rest| (true, rest));
    let at = text.windows(BETWEEN.len()).position(|bytes| bytes == BETWEEN);
    let (measurements, blocks) = match at {
        Some(at) => (&text[..at], &text[at + BETWEEN.len()..]),
        None => (text, &b""[..]),
    };
    let blocks = if seals { sealed(measurements, blocks) } else { blocks.to_vec() };
    if let Err(error) = bounded(input, FACTOR, CONSTANT, || read(measurements, &blocks)) {
        names_a_place(&error.to_string(), WHOLE);
    }
    FOLDER.with(|folder| resume(folder.path(), measurements, &blocks));
}

/// Reads every number, and computes what reports compute of blocks.
fn read(measurements: &[u8], blocks: &[u8]) -> Result<()> {
    let mut blocks = Blocks::parse(blocks)?;
    let mut file = tempfile::tempfile().expect("a file can be made");
    file.write_all(measurements).expect("a file can be written");
    let rawdata = RawData::from_file(file, &mut blocks)?;
    let columns: Vec<usize> = (0..rawdata.columns().len()).collect();
    let mut rows = 0;
    for cell in rawdata.cells() {
        let values = rawdata.values(&cell.rows, &columns)?;
        assert!(values.iter().all(|column| column.len() == cell.rows.len()));
        rows += cell.rows.len() + cell.failed.values().sum::<usize>();
    }
    assert_eq!(rows, rawdata.len());
    // With a definition, only its pattern lengths would be read.
    let facts = ExperimentFacts { definition: None, ..assay_store::testing::run().experiment };
    Report::new(facts, rawdata).map(|report| figures(&report))
}

/// Continues a run with these files, then once more: the second time finds what the first has left.
fn resume(folder: &Path, measurements: &[u8], blocks: &[u8]) {
    let resolved = example(2, 3);
    fs::write(folder.join(MEASUREMENTS), measurements).expect("a file can be written");
    fs::write(folder.join(BLOCKS), blocks).expect("a file can be written");
    match Journal::resume(folder, &resolved, 1) {
        Err(error) => names_a_place(&error.to_string(), WHOLE),
        Ok((journal, recorded)) => {
            let written = journal.written();
            drop(journal);
            let (again, same) = Journal::resume(folder, &resolved, 2).expect("it was resumed before");
            assert_eq!((again.written(), same.len()), (written, recorded.len()));
        }
    }
}

/// The text of `blocks.csv` with the checksums that belong to its rows and to `measurements.csv`.
fn sealed(measurements: &[u8], blocks: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(blocks);
    let mut lines = text.lines();
    let Some(header) = lines.next() else { return blocks.to_vec() };
    let place = |name: &str| header.split(',').position(|column| column == name);
    let (Some(end), Some(crc32)) = (place("end"), place("measurements_crc32")) else {
        return blocks.to_vec();
    };
    let mut sealed = format!("{header}\n");
    for line in lines {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        cells.pop();
        let length = cells.get(end).and_then(|end| end.parse::<usize>().ok()).unwrap_or_default();
        if let Some(cell) = cells.get_mut(crc32) {
            *cell = format!("{:08x}", crc32fast::hash(&measurements[..length.min(measurements.len())]));
        }
        sealed += &cells.join(",");
        let checksum = crc32fast::hash(sealed.as_bytes());
        sealed += &format!(",{checksum:08x}\n");
    }
    sealed.into_bytes()
}
