//! The journal: `measurements.csv`, in which every block is written before the next begins. Rows are kept
//! there and nowhere else: statistics read them back.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use assay_base::columns::{self, Call};
use assay_base::error::{Error, Result};
use assay_experiment::Resolved;
use assay_experiment::calls;
use assay_experiment::definition::Stats;
use assay_load::process::memory_file;
use crc32fast::Hasher;

use super::blocks::{BlockLog, BlockRecord, Blocks, Commit, NO_SPACE, of_another_version};
use super::checked_rows::{CheckedRow, CheckedRows};
use super::counting::BlockCounting;
use super::noise::{BlockNoise, PartNoise};
use super::row_reader::{Lines, Rows};
use super::{BLOCKS, Cell, Cost, MEASUREMENTS, Row, Status};

/// Has a line for each repetition.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// How long the file is.
    length: u64,
    /// How many rows it has.
    written: usize,
    /// Lines that are to be written.
    lines: Vec<u8>,
    /// CRC-32 of what was written until now.
    checksum: Hasher,
    columns: JournalColumns,
    blocks: BlockLog,
    /// The part of the run that writes it, from 1.
    part: u32,
    /// When this part began to write.
    begun: Instant,
    /// Number of blocks of earlier parts that have lost rows.
    lost: usize,
    /// Whether it lies in a folder that is to be kept.
    is_kept: bool,
}

/// What a block adds to the journal.
#[derive(Debug, Default)]
pub struct NewBlock<'a> {
    /// Its first repetition.
    pub first: usize,
    /// Its repetitions that were measured with the right result.
    pub rows: &'a [Row],
    /// The repetition at which its cell ended.
    pub ended_in: Option<usize>,
    /// What its worker noticed.
    pub noise: Option<BlockNoise>,
    /// What became of its counts.
    pub counting: BlockCounting,
    /// What its part of the run has noticed until now.
    pub part_noise: PartNoise,
}

/// A block that an earlier part of the run has measured.
#[derive(Clone, Debug)]
pub struct RecordedBlock {
    /// Its row in `blocks.csv`.
    pub record: BlockRecord,
    /// The lines of its repetitions that were measured with the right result.
    pub lines: Lines,
}

/// In which order the columns of a counter stand.
const COUNTED: [Call; 2] = [Call::Search, Call::Prepare];

/// Which columns a run has.
#[derive(Debug)]
struct JournalColumns {
    header: Vec<String>,
    /// Number of counters.
    counters: usize,
    instrumented: bool,
    /// Extra fields: each name once, whichever algorithms have it.
    extra: Vec<String>,
    /// Whether something else varies than the length of the patterns.
    ranges: bool,
    /// The calls of a repetition that have columns of their own, in order.
    calls: Vec<usize>,
}

impl JournalColumns {
    /// The columns of the rows of an experiment.
    fn new(resolved: &Resolved) -> Self {
        let instrumented = resolved.experiment.stats == Stats::Algo;
        let mut extra: Vec<String> = Vec::new();
        for name in resolved.algorithms.iter().flat_map(|chosen| &chosen.listing.extra) {
            if instrumented && !extra.contains(name) {
                extra.push(name.clone());
            }
        }
        let counters = resolved.counter_names();
        let mut header: Vec<String> = columns::fixed().map(str::to_owned).collect();
        let range = resolved.experiment.over().own_column();
        if let Some(column) = range {
            header.insert(columns::KEYS.len() + 1, column.to_owned());
        }
        header.extend(counters.iter().flat_map(|name| COUNTED.map(|call| call.counter(name))));
        let steps = &resolved.points[0].steps;
        let calls: Vec<usize> =
            (0..steps.len()).filter(|call| calls::is_one_of_several(steps, *call)).collect();
        let names = calls::names(steps);
        for name in calls.iter().map(|call| &names[*call]) {
            header.push(columns::call_time(name));
            header.extend(counters.iter().map(|counter| columns::call_counter(name, counter)));
        }
        if instrumented {
            header.extend(columns::instrumented().map(str::to_owned));
        }
        header.extend(extra.iter().cloned());
        JournalColumns {
            header,
            counters: counters.len(),
            instrumented,
            extra,
            ranges: range.is_some(),
            calls,
        }
    }

    /// The first line of the file.
    fn header_line(&self) -> Vec<u8> {
        let mut header = csv::Writer::from_writer(Vec::new());
        header.write_record(&self.header).expect("memory can be written");
        header.into_inner().expect("memory can be written")
    }

    /// Writes the cells of a row after its round, for an algorithm with these extra fields.
    fn write(&self, line: &mut Vec<u8>, cell_of: &Cell<'_>, row: &Row) {
        let extra = &cell_of.algorithm.listing.extra;
        cell(line, Some(row.occurrences));
        cell(line, (!self.instrumented).then(|| row.clock().name()));
        // The times of an instrumented algorithm are those of its instruments.
        let times = Call::ALL.into_iter().map(|call| row.ns(call)).chain([Some(row.total_ns())]);
        times.for_each(|ns| cell(line, ns.filter(|_| !self.instrumented)));
        for i in 0..self.counters {
            COUNTED.iter().for_each(|call| cell(line, row.call(*call).counts[i]));
        }
        for call in &self.calls {
            let Cost { ns, counts } = &row.each[*call];
            cell(line, (!self.instrumented).then_some(ns));
            counts.iter().for_each(|count| cell(line, *count));
        }
        if let (true, Some(measured)) = (self.instrumented, &row.measured) {
            measured.fields.iter().for_each(|field| cell(line, *field));
            measured.derived(cell_of.point.bytes).iter().for_each(|figure| cell(line, *figure));
            for name in &self.extra {
                let field = extra.iter().position(|other| other == name);
                cell(line, field.and_then(|field| measured.extra[field]));
            }
        }
    }
}

/// Writes a cell that is not the first; an empty one where the value is missing.
fn cell(line: &mut Vec<u8>, value: Option<impl Display>) {
    line.push(b',');
    if let Some(value) = value {
        write!(line, "{value}").expect("memory can be written");
    }
}

impl Journal {
    /// A journal that is not kept: in a temporary file, or in memory if there can be none.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn temporary(resolved: &Resolved) -> Result<Self> {
        let path = std::env::temp_dir();
        let temporary = || {
            let file = tempfile::tempfile().or_else(|_| memory_file("journal"));
            file.map_err(|error| Error::io("write a file in", &path, &error))
        };
        let blocks = BlockLog::begin(temporary()?, path.clone(), resolved.experiment.over())?;
        Journal::begin(temporary()?, path, blocks, false, resolved)
    }

    /// Starts a journal in a folder.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn create(folder: &Path, resolved: &Resolved) -> Result<Self> {
        let path = folder.join(MEASUREMENTS);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(|error| Error::io("write", &path, &error))?;
        Journal::begin(file, path, BlockLog::create(folder, resolved.experiment.over())?, true, resolved)
    }

    /// Continues the journal of a folder as this part of its run, after its last complete block. Returns the
    /// blocks that it has, with the lines of their rows.
    ///
    /// # Errors
    /// If a file can't be read or written, was damaged, or has other columns than the experiment.
    pub fn resume(folder: &Path, resolved: &Resolved, part: u32) -> Result<(Self, Vec<RecordedBlock>)> {
        let (path, over) = (folder.join(MEASUREMENTS), resolved.experiment.over());
        let mut blocks = Blocks::read(folder)?;
        let failed = |error: io::Error| Error::io("continue", &path, &error);
        let file = OpenOptions::new().read(true).write(true).open(&path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let lost = blocks.leave_out_beyond(length);
        let (Some(kept), Some(end)) = (blocks.length(), blocks.measured_length()) else {
            let log = folder.join(BLOCKS);
            if length > 0 && !log.exists() {
                return Err(Error::new(format!(
                    "`{}` is missing, without which no row counts",
                    log.display()
                )));
            }
            if blocks.sealed || blocks.records.is_empty() {
                // Rows that no block vouches for are measured again.
                let header = JournalColumns::new(resolved).header_line().len() as u64;
                let lost = lost.max(usize::from(length > header));
                return Ok((Journal { part, lost, ..Journal::create(folder, resolved)? }, Vec::new()));
            }
            return Err(of_another_version(folder));
        };
        let columns = JournalColumns::new(resolved);
        let to_read = file.try_clone().map_err(failed)?;
        let mut rows = CheckedRows::of_blocks(path.clone(), to_read, blocks.records)?;
        if rows.header != columns.header_line() {
            return Err(Error::new(format!("`{}` has other columns than the experiment", path.display()))
                .remedy(
                    "begin another run: what was measured with other counters or calls can't be continued",
                ));
        }
        let (mut recorded, mut written, mut offset) = (Vec::new(), 0, rows.header.len() as u64);
        // The lengths of the lines since the last block.
        let mut lengths: Vec<u64> = Vec::new();
        while let Some(row) = rows.next()? {
            let record = match row {
                CheckedRow::Line(line) => {
                    lengths.push(line.len() as u64);
                    continue;
                }
                CheckedRow::End(record) => *record,
            };
            let Some(Commit { repetitions: count, .. }) = record.commit else { continue };
            // A line after those of the repetitions says how the cell ended.
            let bytes = lengths.iter().take(count as usize).sum::<u64>() as u32;
            recorded.push(RecordedBlock {
                lines: Lines { offset, bytes, first: record.first_repetition, count },
                record,
            });
            written += lengths.len();
            offset += lengths.drain(..).sum::<u64>();
        }
        let checksum = rows.checksum();
        let blocks = BlockLog::resume(folder, over, kept)?;
        file.set_len(end).map_err(failed)?;
        let journal = Journal {
            file,
            path,
            length: end,
            written,
            lines: Vec::new(),
            checksum,
            columns,
            blocks,
            part,
            begun: Instant::now(),
            lost,
            is_kept: true,
        };
        Ok((journal, recorded))
    }

    fn begin(
        file: File,
        path: PathBuf,
        blocks: BlockLog,
        is_kept: bool,
        resolved: &Resolved,
    ) -> Result<Self> {
        let columns = JournalColumns::new(resolved);
        let lines = columns.header_line();
        let (checksum, part, lost) = (Hasher::new(), 1, 0);
        let mut journal = Journal {
            file,
            path,
            length: 0,
            written: 0,
            lines,
            checksum,
            columns,
            blocks,
            part,
            begun: Instant::now(),
            lost,
            is_kept,
        };
        journal.write_lines().1?;
        journal.written = 0;
        Ok(journal)
    }

    /// Appends a block: its rows, the row at which its cell ended, and then its record in `blocks.csv`, with
    /// which it counts. The lines of its rows are noted in the cell. If they can't all be written, those that
    /// could be count.
    ///
    /// # Errors
    /// If something can't be written.
    pub fn append(&mut self, cell: &mut Cell<'_>, block: NewBlock<'_>) -> Result<()> {
        let NewBlock { first, rows, ended_in, noise, counting, part_noise } = block;
        for (repetition, row) in (first..).zip(rows) {
            self.key(cell, repetition, Status::Ok);
            self.columns.write(&mut self.lines, cell, row);
            self.lines.push(b'\n');
        }
        let begin = self.length;
        let (count, mut written) = self.write_lines();
        let bytes = (self.length - begin) as u32;
        if count > 0 {
            cell.rows.push(Lines { offset: begin, bytes, first: first as u32, count: count as u32 });
        }
        if let (Some(repetition), Ok(())) = (ended_in, &written) {
            self.key(cell, repetition, cell.status());
            let missing =
                self.columns.header.len() - columns::KEYS.len() - 1 - usize::from(self.columns.ranges);
            self.lines.extend(std::iter::repeat_n(b',', missing));
            self.lines.push(b'\n');
            written = self.write_lines().1;
        }
        if self.length == begin && noise.is_none() {
            return written;
        }
        let record = BlockRecord {
            round: cell.point.rounds.round_of(first) as u32,
            algorithm: cell.algorithm.id.clone(),
            range: cell.point.value,
            first_repetition: first as u32,
            start: noise.and_then(|noise| noise.start),
            noise,
            commit: None,
        };
        let commit = Commit {
            repetitions: count as u32,
            ended: cell.ended.clone().filter(|_| ended_in.is_some()),
            counting,
            part: self.part,
            // To a tenth of a second: the seeds of the fuzzing corpora are written in less, and so are the
            // same each time.
            measuring_ms: Some(self.begun.elapsed().as_millis() as u64 / 100 * 100),
            part_noise,
            end: self.length,
            measurements_crc32: self.checksum.clone().finalize(),
        };
        let logged = self.blocks.append(&record, &commit, cell.pattern_length());
        written.and(logged)
    }

    /// The numbers of a column in these lines; NaN is missing.
    ///
    /// # Errors
    /// If they can't be read again.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn values(&self, lines: Lines, column: &str) -> Result<Vec<f64>> {
        let place = self.columns.header.iter().position(|name| name == column).expect("there is the column");
        let mut rows = Rows::default();
        rows.push(lines);
        let values = rows.read(&self.file, &[place]);
        Ok(values.map_err(|error| Error::io("read", &self.path, &error))?.remove(0))
    }

    /// Waits until what was written would survive a power cut.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sync(&self) -> Result<()> {
        if !self.is_kept {
            return Ok(());
        }
        let synced = self.file.sync_data().and_then(|()| self.blocks.sync());
        synced.map_err(|error| Error::io("write", &self.path, &error).remedy(NO_SPACE))
    }

    /// Number of blocks of earlier parts that have lost rows, as a power cut may cause. They are measured
    /// again.
    pub fn lost_blocks(&self) -> usize {
        self.lost
    }

    /// How many rows were written until now, those without figures included.
    pub fn written(&self) -> usize {
        self.written
    }

    /// The rows that were written until now, as a file to read.
    ///
    /// # Errors
    /// If the system has no room for another open file.
    pub fn rows_to_read(&self) -> Result<File> {
        self.file.try_clone().map_err(|error| Error::io("read", &self.path, &error))
    }

    /// What was written of the blocks until now, as `blocks.csv` has it.
    ///
    /// # Errors
    /// If it can't be read again.
    pub fn blocks_to_read(&self) -> Result<Vec<u8>> {
        self.blocks.text()
    }

    /// Begins a line: the algorithm, the pattern length, the repetition, how it ended, the round, and the
    /// value of the range where something else varies.
    fn key(&mut self, cell: &Cell<'_>, repetition: usize, status: Status) {
        let (id, length) = (&cell.algorithm.id, cell.pattern_length());
        let (status, round) = (status.name(), cell.point.rounds.round_of(repetition));
        write!(self.lines, "{id},{length},{repetition},{status},{round}").expect("memory can be written");
        if self.columns.ranges {
            write!(self.lines, ",{}", cell.point.value).expect("memory can be written");
        }
    }

    /// Writes the lines, and says how many. Of what can't be written all, no part of a line stays.
    fn write_lines(&mut self) -> (usize, Result<()>) {
        let (written, result) = write_most(&self.file, self.length, &self.lines);
        let complete = memchr::memrchr(b'\n', &self.lines[..written]).map_or(0, |end| end + 1);
        if complete < written {
            // If this fails too, a reader leaves out what is torn.
            let _ = self.file.set_len(self.length + complete as u64);
        }
        let count = memchr::memchr_iter(b'\n', &self.lines[..complete]).count();
        self.checksum.update(&self.lines[..complete]);
        self.length += complete as u64;
        self.written += count;
        self.lines.clear();
        let remedy = if self.is_kept {
            NO_SPACE
        } else {
            "free some space there, or name another folder for temporary files with TMPDIR"
        };
        let result = result.map_err(|error| Error::io("write", &self.path, &error).remedy(remedy));
        (count, result)
    }

    /// One that has its header, and no room for more.
    #[cfg(any(test, feature = "testing"))]
    pub fn full(resolved: &Resolved) -> Self {
        let file = OpenOptions::new().write(true).open("/dev/full").unwrap();
        Journal { file, path: MEASUREMENTS.into(), ..Journal::temporary(resolved).unwrap() }
    }
}

/// Writes as much as can be written, and says how much that was.
fn write_most(file: &impl FileExt, offset: u64, bytes: &[u8]) -> (usize, io::Result<()>) {
    let mut written = 0;
    while written < bytes.len() {
        match file.write_at(&bytes[written..], offset + written as u64) {
            Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
            Ok(more) => written += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (written, Err(error)),
        }
    }
    (written, Ok(()))
}

#[cfg(test)]
mod tests;
