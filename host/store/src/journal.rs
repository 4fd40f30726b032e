//! The journal: `measurements.csv`, in which every block is written before the next begins. Rows are kept
//! there and nowhere else: statistics read them back.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use assay_base::columns::{self, Call};
use assay_base::error::{Error, Result};
use assay_experiment::Resolved;
use assay_experiment::calls;
use assay_experiment::definition::Stats;
use assay_load::process::memory_file;

use super::blocks::BlockLog;
use super::noise::BlockNoise;
use super::row_reader::Lines;
use super::{Cell, Cost, MEASUREMENTS, Row, Status};

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
    columns: JournalColumns,
    blocks: BlockLog,
    /// Whether it lies in a folder that is to be kept.
    is_kept: bool,
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

    fn begin(
        file: File,
        path: PathBuf,
        blocks: BlockLog,
        is_kept: bool,
        resolved: &Resolved,
    ) -> Result<Self> {
        let columns = JournalColumns::new(resolved);
        let mut header = csv::Writer::from_writer(Vec::new());
        header.write_record(&columns.header).expect("memory can be written");
        let lines = header.into_inner().expect("memory can be written");
        let mut journal = Journal { file, path, length: 0, written: 0, lines, columns, blocks, is_kept };
        journal.append().1?;
        journal.written = 0;
        Ok(journal)
    }

    /// Appends the repetitions of a cell from this one on, and notes in the cell where they are. If they can't
    /// all be written, those that could be count.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn rows(&mut self, cell: &mut Cell<'_>, first: usize, rows: &[Row]) -> Result<()> {
        for (repetition, row) in (first..).zip(rows) {
            self.key(cell, repetition, Status::Ok);
            self.columns.write(&mut self.lines, cell, row);
            self.lines.push(b'\n');
        }
        let offset = self.length;
        let (count, written) = self.append();
        if count > 0 {
            let bytes = (self.length - offset) as u32;
            let lines = Lines { offset, bytes, first: first as u32, count: count as u32 };
            cell.add(lines, &rows[..count]);
        }
        written
    }

    /// Appends the repetition at which a cell ended, without figures: what was done there counts for nothing.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn end(&mut self, cell: &Cell<'_>, repetition: usize) -> Result<()> {
        self.key(cell, repetition, cell.status());
        let missing = self.columns.header.len() - columns::KEYS.len() - 1 - usize::from(self.columns.ranges);
        self.lines.extend(std::iter::repeat_n(b',', missing));
        self.lines.push(b'\n');
        self.append().1
    }

    /// Appends what a worker noticed around a block of repetitions, to a file of its own.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn block(&mut self, cell: &Cell<'_>, first_repetition: usize, noise: &BlockNoise) -> Result<()> {
        self.blocks.append(cell, first_repetition, cell.point.rounds.round_of(first_repetition), noise)
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
    fn append(&mut self) -> (usize, Result<()>) {
        let (written, result) = write_most(&self.file, self.length, &self.lines);
        let complete = memchr::memrchr(b'\n', &self.lines[..written]).map_or(0, |end| end + 1);
        if complete < written {
            // If this fails too, a reader leaves out what is torn.
            let _ = self.file.set_len(self.length + complete as u64);
        }
        let count = memchr::memchr_iter(b'\n', &self.lines[..complete]).count();
        self.length += complete as u64;
        self.written += count;
        self.lines.clear();
        let remedy = if self.is_kept {
            "free some space, choose another folder with --out, or keep nothing with --no-save"
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
