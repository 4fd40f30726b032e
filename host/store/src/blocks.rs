//! `blocks.csv`: a row for each block of repetitions, with the conditions under which it was measured. A
//! block of `measurements.csv` counts once its row is here. The row says where its lines end, and has
//! checksums, so that damage to either file is found.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use assay_base::columns::{ALGORITHM, PATTERN_LENGTH, ROUND, STARTS, STATUS};
use assay_base::error::{Error, Result};
use assay_experiment::range::Over;
use assay_load::plugin::printable;
use crc32fast::Hasher;

use crate::counting::BlockCounting;
use crate::noise::{BlockNoise, PartNoise};
use crate::{BLOCKS, Ended, Start, Status};

/// A block of repetitions of one algorithm at one value of the range; or the end of such a cell without a
/// further repetition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockRecord {
    /// Number of the round.
    pub round: u32,
    /// Id of the algorithm.
    pub algorithm: String,
    /// The value of the range.
    pub range: u64,
    /// The first repetition.
    pub first_repetition: u32,
    /// The conditions, without the start of the worker; `None` if the worker did not live to report them, or
    /// if an early version wrote the file.
    pub noise: Option<BlockNoise>,
    /// The start of the worker, if it began with this block.
    pub start: Option<Start>,
    /// What the block has in `measurements.csv`; `None` if an earlier version wrote the file.
    pub commit: Option<Commit>,
}

/// What a block has in `measurements.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Commit {
    /// Number of repetitions that were measured with the right result.
    pub repetitions: u32,
    /// Why the cell is not measured further, if it ended in this block.
    pub ended: Option<Ended>,
    /// What became of its counts.
    pub counting: BlockCounting,
    /// The part of the run in which it was measured: 1, and one more each time that the run was resumed.
    pub part: u32,
    /// For how long this part had measured when the block was complete, in milliseconds; `None` if an earlier
    /// version wrote the file.
    pub measuring_ms: Option<u64>,
    /// What this part had noticed until then.
    pub part_noise: PartNoise,
    /// Length of `measurements.csv` with the lines of this block, in bytes.
    pub end: u64,
    /// CRC-32 of `measurements.csv` up to there.
    pub measurements_crc32: u32,
}

/// The columns before those of [`BlockNoise`].
const KEYS: [&str; 7] = [ROUND, PATTERN_LENGTH, ALGORITHM, FIRST_REPETITION, REPETITIONS, STATUS, MESSAGE];
const FIRST_REPETITION: &str = "first_repetition";
const REPETITIONS: &str = "repetitions";
const MESSAGE: &str = "message";
/// The columns of [`BlockNoise`], in the order of [`noise_cells`].
const NOISE: [&str; 7] = [
    "floor_ns",
    "reference_ns",
    "throughput_ns",
    "involuntary_switches",
    "cpu_ns",
    "elapsed_ns",
    "measured_again",
];
/// The columns after those of the start of the worker and the range. The last is [`CHECKSUM`].
const COMMIT: [&str; 7] =
    ["counting", "part", "measuring_ms", "steal_ms", "shared_cpu", "end", "measurements_crc32"];
/// The column with the CRC-32 of the file up to the comma before it.
const CHECKSUM: &str = "crc32";

/// What to do if a file of a run that is kept can't be written.
pub(crate) const NO_SPACE: &str =
    "free some space, choose another folder with --out, or keep nothing with --no-save";

/// What to do if a file of a run was damaged after this line.
pub(crate) fn restore_or_cut(line: u64) -> String {
    format!(
        "restore the file from a copy; or cut it after line {line}, and `assay run --resume ID` measures the rest again"
    )
}

/// Writes a row for each block.
#[derive(Debug)]
pub(crate) struct BlockLog {
    file: File,
    path: PathBuf,
    over: Over,
    /// Length of the file.
    length: u64,
    /// CRC-32 of what was written until now.
    checksum: Hasher,
}

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
        let mut log = BlockLog { file, path, over, length: 0, checksum: Hasher::new() };
        log.write(header_line(over))?;
        Ok(log)
    }

    /// Continues the file in a folder after its first `length` bytes. What follows them is removed.
    ///
    /// # Errors
    /// If it can't be read or written, or has other columns than this version writes.
    pub(crate) fn resume(folder: &Path, over: Over, length: u64) -> Result<Self> {
        let path = folder.join(BLOCKS);
        let open = || {
            let file = File::options().read(true).write(true).open(&path)?;
            let mut text = vec![0; length as usize];
            file.read_exact_at(&mut text, 0)?;
            Ok((file, text))
        };
        let failed = |error: io::Error| Error::io("continue", &path, &error);
        let (file, text) = open().map_err(failed)?;
        if !text.starts_with(&header_line(over)) {
            return Err(of_another_version(folder));
        }
        file.set_len(length).map_err(failed)?;
        let mut checksum = Hasher::new();
        checksum.update(&text);
        Ok(BlockLog { file, path, over, length, checksum })
    }

    /// Appends a block, whose cell has patterns of this length.
    ///
    /// # Errors
    /// If it can't be written. No part of the row stays then.
    pub(crate) fn append(
        &mut self,
        block: &BlockRecord,
        commit: &Commit,
        pattern_length: usize,
    ) -> Result<()> {
        let Commit { repetitions, ended, counting, part, measuring_ms, part_noise, end, measurements_crc32 } =
            commit;
        let status = ended.as_ref().map_or(Status::Ok, Ended::status);
        let message = ended.as_ref().and_then(Ended::message).map(printable::line).unwrap_or_default();
        let keys = [
            block.round.to_string(),
            pattern_length.to_string(),
            block.algorithm.clone(),
            block.first_repetition.to_string(),
            repetitions.to_string(),
            status.name().to_owned(),
            message.to_string(),
        ];
        let start = block.start.unwrap_or_default().figures();
        let noise = block.noise.map_or([None; NOISE.len()], noise_cells);
        let numbers = noise.into_iter().chain(start).map(cell);
        let range = self.over.own_column().map(|_| block.range.to_string());
        let commit = [
            counting.to_cell(),
            part.to_string(),
            cell(*measuring_ms),
            cell(part_noise.steal_ms),
            cell(part_noise.shared_cpu),
            end.to_string(),
            format!("{measurements_crc32:08x}"),
        ];
        let mut line = csv_line(keys.into_iter().chain(numbers).chain(range).chain(commit));
        line.pop();
        let mut checksum = self.checksum.clone();
        checksum.update(&line);
        line.extend(format!(",{:08x}\n", checksum.finalize()).bytes());
        self.write(line)
    }

    /// What was written until now.
    ///
    /// # Errors
    /// If it can't be read again.
    pub(crate) fn text(&self) -> Result<Vec<u8>> {
        let mut text = vec![0; self.length as usize];
        self.file.read_exact_at(&mut text, 0).map_err(|error| Error::io("read", &self.path, &error))?;
        Ok(text)
    }

    /// Waits until what was written would survive a power cut.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&mut self, line: Vec<u8>) -> Result<()> {
        self.file.write_all_at(&line, self.length).map_err(|error| {
            // If this fails too, a reader leaves out what is torn.
            let _ = self.file.set_len(self.length);
            Error::io("write", &self.path, &error).remedy(NO_SPACE)
        })?;
        self.length += line.len() as u64;
        self.checksum.update(&line);
        Ok(())
    }
}

/// The first line of the file.
fn header_line(over: Over) -> Vec<u8> {
    let names = KEYS.into_iter().chain(NOISE).chain(STARTS).chain(over.own_column());
    csv_line(names.chain(COMMIT).chain([CHECKSUM]).map(str::to_owned))
}

/// The error of a run that cannot be continued, because its blocks have other columns.
pub(crate) fn of_another_version(folder: &Path) -> Error {
    Error::new(format!(
        "another version of assay began `{}`, and its {BLOCKS} has other columns",
        folder.display()
    ))
    .remedy("begin another run, or continue it with that version")
}

/// A line of CSV, with its end.
fn csv_line(cells: impl Iterator<Item = String>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells).expect("memory can be written");
    writer.into_inner().expect("memory can be written")
}

/// The text of a cell; empty if its value is missing.
fn cell<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The numbers of the columns [`NOISE`].
fn noise_cells(noise: BlockNoise) -> [Option<u64>; NOISE.len()] {
    [
        Some(noise.floor_ns),
        Some(noise.reference_ns),
        noise.throughput_ns,
        noise.involuntary_switches,
        Some(noise.cpu_ns),
        Some(noise.elapsed_ns),
        Some(noise.measured_again),
    ]
}

/// The content of `blocks.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    /// The blocks in the order in which they were measured.
    pub records: Vec<BlockRecord>,
    /// The places after the rows of these blocks, in bytes.
    ends: Vec<u64>,
    /// Whether the file has the columns of the starts of workers.
    pub have_starts: bool,
    /// Whether the rows have checksums: those of earlier versions have none.
    pub sealed: bool,
}

impl Blocks {
    /// Reads the file of a folder. There are no blocks if there is no such file.
    ///
    /// # Errors
    /// If it can't be read, or if it was damaged: the file and the line.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(BLOCKS);
        match std::fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Blocks::default()),
            Err(error) => Err(Error::io("read", &path, &error)),
            Ok(text) => Blocks::parse(&text).map_err(|error| error.within(&path)),
        }
    }

    /// Reads the text of such a file. A last line without its end is left out.
    ///
    /// # Errors
    /// If it is no CSV, or a row is not what the run wrote.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let length = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        let text = &text[..length];
        let mut reader = csv::Reader::from_reader(text);
        let header = reader.headers().map_err(no_csv)?.clone();
        let range = Over::of_columns(header.iter()).column();
        let mut columns = HashMap::new();
        for (place, name) in header.iter().enumerate() {
            // If two columns have one name, the first counts.
            columns.entry(name).or_insert(place);
        }
        let sealed = columns.contains_key(CHECKSUM);
        if sealed {
            check(text)?;
        }
        let have_starts = STARTS.iter().all(|name| columns.contains_key(name));
        let mut blocks = Blocks { have_starts, sealed, ..Blocks::default() };
        if !columns.contains_key(ALGORITHM) || !columns.contains_key(range) {
            return Ok(blocks);
        }
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(no_csv)? {
            let row = BlockRow { columns: &columns, record: &record };
            let Some(range) = row.number(range) else { continue };
            let commit = match row.commit() {
                None if sealed => {
                    return Err(Error::new(no_row(record.position().map_or(0, csv::Position::line))));
                }
                commit => commit,
            };
            blocks.ends.push(reader.position().byte());
            blocks.records.push(BlockRecord {
                round: row.number(ROUND).unwrap_or_default(),
                algorithm: row.cell(ALGORITHM).unwrap_or_default().to_owned(),
                range,
                first_repetition: row.number(FIRST_REPETITION).unwrap_or_default(),
                noise: row.noise(),
                start: row.start(),
                commit,
            });
        }
        Ok(blocks)
    }

    /// Leaves out the last blocks that are not complete in a file of `length` bytes: a power cut may keep
    /// their rows and lose their lines. Returns their number.
    pub fn leave_out_beyond(&mut self, length: u64) -> usize {
        let is_there =
            |record: &BlockRecord| record.commit.as_ref().is_none_or(|commit| commit.end <= length);
        let complete = self.records.iter().take_while(|record| is_there(record)).count();
        let left_out = self.records.len() - complete;
        self.records.truncate(complete);
        self.ends.truncate(complete);
        left_out
    }

    /// Length in bytes of the file up to the row of the last of these blocks; `None` if there are none.
    pub(crate) fn length(&self) -> Option<u64> {
        self.ends.last().copied()
    }

    /// Length in bytes of `measurements.csv` up to the last line of these blocks; `None` if there are none,
    /// or if an earlier version wrote the file.
    pub fn measured_length(&self) -> Option<u64> {
        self.records.last()?.commit.as_ref().map(|commit| commit.end)
    }
}

/// The error of a row that is no CSV, or that has another number of cells than the header.
fn no_csv(error: csv::Error) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    Error::new(match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("line {line} has {len} cells and the header {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => format!("line {line} is no text in UTF-8"),
        _ => no_row(line),
    })
}

fn no_row(line: u64) -> String {
    format!("line {line} is not a row that a run writes")
}

/// Compares the checksum of each row.
fn check(text: &[u8]) -> Result<()> {
    let mut checksum = Hasher::new();
    for (line, number) in text.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        if number > 1 {
            let comma = memchr::memrchr(b',', line).unwrap_or(0);
            checksum.update(&line[..comma]);
            if line[comma..] != *format!(",{:08x}\n", checksum.clone().finalize()).as_bytes() {
                return Err(Error::new(format!(
                    "line {number} is not what the run wrote: its checksum is another, so the file was edited or \
                     damaged"
                ))
                .remedy(restore_or_cut(number - 1)));
            }
            checksum.update(&line[comma..]);
        } else {
            checksum.update(line);
        }
    }
    Ok(())
}

/// A row of `blocks.csv`.
struct BlockRow<'a> {
    /// The places of the columns by name.
    columns: &'a HashMap<&'a str, usize>,
    record: &'a csv::StringRecord,
}

impl BlockRow<'_> {
    /// The cell of a column; `None` if there is no such column.
    fn cell(&self, column: &str) -> Option<&str> {
        self.record.get(*self.columns.get(column)?)
    }

    /// The number in a column; `None` if there is none.
    fn number<T: std::str::FromStr>(&self, column: &str) -> Option<T> {
        self.cell(column)?.parse().ok()
    }

    /// The conditions of the block; `None` if one is missing that each version since the first with these
    /// columns writes.
    fn noise(&self) -> Option<BlockNoise> {
        Some(BlockNoise {
            floor_ns: self.number(NOISE[0])?,
            reference_ns: self.number(NOISE[1])?,
            throughput_ns: self.number(NOISE[2]),
            involuntary_switches: self.number(NOISE[3]),
            cpu_ns: self.number(NOISE[4])?,
            elapsed_ns: self.number(NOISE[5])?,
            measured_again: self.number(NOISE[6])?,
            start: None,
        })
    }

    /// The start of the worker; `None` if it did not begin with this block.
    fn start(&self) -> Option<Start> {
        let start = Start { times: STARTS.map(|name| self.number(name)).into(), ..Start::default() };
        start.figures().iter().any(Option::is_some).then_some(start)
    }

    /// What the block has in `measurements.csv`.
    fn commit(&self) -> Option<Commit> {
        let [counting, part, measuring_ms, steal_ms, shared_cpu, end, crc32] = COMMIT;
        let status = Status::of_name(self.cell(STATUS)?)?;
        Some(Commit {
            repetitions: self.number(REPETITIONS)?,
            ended: Ended::new(status, self.cell(MESSAGE)?),
            counting: BlockCounting::of_cell(self.cell(counting)?)?,
            part: self.number(part)?,
            measuring_ms: self.number(measuring_ms),
            part_noise: PartNoise {
                steal_ms: self.number(steal_ms),
                shared_cpu: self.cell(shared_cpu).and_then(|cell| cell.parse().ok()),
            },
            end: self.number(end)?,
            measurements_crc32: u32::from_str_radix(self.cell(crc32)?, 16).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_row_is_named_by_its_line() {
        let message = |text: &[u8]| Blocks::parse(text).unwrap_err().to_string();
        assert_eq!(message(b"algorithm,pattern_length\na,1\nb\n"), "line 3 has 1 cells and the header 2");
        assert_eq!(message(b"algorithm,pattern_length\n\xff,1\n"), "line 2 is no text in UTF-8");
    }

    #[test]
    fn a_file_with_the_columns_of_an_earlier_version_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let (path, over) = (folder.path().join(BLOCKS), Over::PatternLength);
        let resume = |length| BlockLog::resume(folder.path(), over, length);
        let length = BlockLog::create(folder.path(), over).unwrap().length;
        assert!(resume(length).is_ok());
        let older = std::fs::read_to_string(&path).unwrap().replace(",steal_ms", "") + "a row\n";
        std::fs::write(&path, &older).unwrap();
        let error = resume(length - 9).unwrap_err().to_string();
        assert!(error.starts_with("another version of assay began `"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), older, "nothing was cut off");
    }
}
