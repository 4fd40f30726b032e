//! The journal: `measurements.csv`, in which every block is written before the next begins. What it holds are the very
//! rows of which statistics are made.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::blocks::BlockLog;
use super::noise::BlockNoise;
use super::{Cell, MEASUREMENTS, Row, Status};
use crate::columns::{self, Call};
use crate::error::{Error, Result};
use crate::experiment::Resolved;
use crate::experiment::definition::Stats;
use crate::experiment::rounds::Rounds;

/// Writes a row for each repetition, or nothing where nothing is to be kept.
#[derive(Debug)]
pub struct Journal(Option<Open>);

#[derive(Debug)]
struct Open {
    writer: csv::Writer<File>,
    path: PathBuf,
    blocks: BlockLog,
    rounds: Rounds,
    columns: Columns,
}

/// In which order the columns of a counter stand.
const COUNTED: [Call; 2] = [Call::Search, Call::Prepare];

/// Which columns a run has, behind the times.
#[derive(Debug)]
struct Columns {
    counters: Vec<String>,
    measured: bool,
    /// Extra fields: each name once, whichever algorithms have it.
    extra: Vec<String>,
    /// Length of the text, for what is derived from it.
    text_length: usize,
}

impl Columns {
    fn of(resolved: &Resolved) -> Self {
        let measured = resolved.experiment.stats == Stats::Algo;
        let mut extra: Vec<String> = Vec::new();
        for name in resolved.algorithms.iter().flat_map(|chosen| &chosen.listing.extra) {
            if measured && !extra.contains(name) {
                extra.push(name.clone());
            }
        }
        let text_length = resolved.text.bytes.len();
        Columns { counters: resolved.counter_names(), measured, extra, text_length }
    }

    fn header(&self) -> Vec<String> {
        let mut header: Vec<String> = columns::fixed().map(str::to_owned).collect();
        header.extend(self.counters.iter().flat_map(|name| COUNTED.map(|call| call.counter(name))));
        if self.measured {
            header.extend(columns::instrumented().map(str::to_owned));
        }
        header.extend(self.extra.iter().cloned());
        header
    }

    /// What a row has behind its round, for an algorithm with these extra fields.
    fn cells(&self, extra: &[String], row: &Row) -> Vec<String> {
        let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut cells = vec![row.occurrences.to_string()];
        // The times of an instrumented algorithm are those of its instruments.
        let times = Call::ALL.into_iter().map(|call| row.ns(call)).chain([Some(row.total_ns())]);
        let times = times.map(|ns| ns.filter(|_| !self.measured));
        cells.extend(times.map(|ns| ns.map(|ns| ns.to_string()).unwrap_or_default()));
        let counters = 0..self.counters.len();
        cells.extend(counters.flat_map(|i| COUNTED.map(|call| text(row.call(call).counts[i]))));
        if let (true, Some(measured)) = (self.measured, &row.measured) {
            cells.extend(
                measured.fields.map(|field| field.map(|value| value.to_string()).unwrap_or_default()),
            );
            cells.extend(measured.derived(self.text_length).map(text));
            cells.extend(self.extra.iter().map(|column| {
                let index = extra.iter().position(|name| name == column);
                index
                    .and_then(|index| measured.extra[index])
                    .map(|value| value.to_string())
                    .unwrap_or_default()
            }));
        }
        cells
    }
}

impl Journal {
    /// Keeps nothing.
    pub fn none() -> Self {
        Journal(None)
    }

    /// Starts a journal in a folder.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn create(folder: &Path, resolved: &Resolved) -> Result<Self> {
        let path = folder.join(MEASUREMENTS);
        let file = File::create(&path).map_err(|error| Error::io("write", &path, &error))?;
        let writer = csv::Writer::from_writer(file);
        let (blocks, rounds) = (BlockLog::create(folder)?, resolved.experiment.rounds());
        let mut open = Open { writer, path, blocks, rounds, columns: Columns::of(resolved) };
        let header = open.columns.header();
        open.write(&header)?;
        Ok(Journal(Some(open)))
    }

    /// Appends the repetitions of a cell from an index on.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn rows(&mut self, cell: &Cell<'_>, from: usize) -> Result<()> {
        let Some(open) = &mut self.0 else { return Ok(()) };
        for (repetition, row) in &cell.rows[from..] {
            let mut record = open.key(cell, *repetition, Status::Ok);
            record.extend(open.columns.cells(&cell.algorithm.listing.extra, row));
            open.write(&record)?;
        }
        open.flush()
    }

    /// Appends the repetition at which a cell ended, without figures: what was done there counts for nothing.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn end(&mut self, cell: &Cell<'_>, repetition: usize) -> Result<()> {
        let Some(open) = &mut self.0 else { return Ok(()) };
        let mut record = open.key(cell, repetition, cell.status());
        record.resize(open.columns.header().len(), String::new());
        open.write(&record)?;
        open.flush()
    }

    /// Appends what a worker noticed around a block of repetitions, to a file of its own.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn block(&mut self, cell: &Cell<'_>, first_repetition: usize, noise: &BlockNoise) -> Result<()> {
        let Some(open) = &mut self.0 else { return Ok(()) };
        open.blocks.append(cell, first_repetition, open.rounds.of(first_repetition), noise)
    }
}

impl Open {
    fn key(&self, cell: &Cell<'_>, repetition: usize, status: Status) -> Vec<String> {
        vec![
            cell.algorithm.id.clone(),
            cell.pattern_length.to_string(),
            repetition.to_string(),
            status.name().to_owned(),
            self.rounds.of(repetition).to_string(),
        ]
    }

    fn write(&mut self, record: &[String]) -> Result<()> {
        self.writer.write_record(record).map_err(|error| self.failed(io::Error::other(error)))
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush().map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::io("write", &self.path, &error)
            .remedy("free some space, choose another folder with --out, or keep nothing with --no-save")
    }
}
