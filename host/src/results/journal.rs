//! The journal: `measurements.csv`, in which every block is written before the next begins. What it holds are the very
//! rows of which statistics are made.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::blocks::BlockLog;
use super::noise::BlockNoise;
use super::{MEASUREMENTS, Row, Status};
use crate::columns::{self, Call};
use crate::error::{Error, Result};
use crate::experiment::definition::Stats;
use crate::measure::plan::Plan;

/// Writes a row for each repetition, or nothing where nothing is to be kept.
#[derive(Debug)]
pub struct Journal(Option<Open>);

#[derive(Debug)]
struct Open {
    writer: csv::Writer<File>,
    path: PathBuf,
    blocks: BlockLog,
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
}

impl Columns {
    fn of(plan: &Plan) -> Self {
        let measured = plan.experiment.stats == Stats::Algo;
        let mut extra: Vec<String> = Vec::new();
        for name in plan.algorithms.iter().flat_map(|chosen| &chosen.listing.extra) {
            if measured && !extra.contains(name) {
                extra.push(name.clone());
            }
        }
        Columns { counters: plan.counter_names(), measured, extra }
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

    /// The cells of a row behind its status.
    fn cells(&self, plan: &Plan, algorithm: usize, row: &Row) -> Vec<String> {
        let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut cells = vec![row.occurrences.to_string()];
        // The times of an instrumented algorithm are those of its instruments.
        let times = row.calls.iter().map(|call| call.ns).chain([row.total_ns()]);
        cells.extend(times.map(|ns| if self.measured { String::new() } else { ns.to_string() }));
        let counters = 0..self.counters.len();
        cells.extend(counters.flat_map(|i| COUNTED.map(|call| text(row.call(call).counts[i]))));
        if let (true, Some(measured)) = (self.measured, &row.measured) {
            cells.extend(
                measured.fields.map(|field| field.map(|value| value.to_string()).unwrap_or_default()),
            );
            cells.extend(measured.derived(plan.text.bytes.len()).map(text));
            let names = &plan.algorithms[algorithm].listing.extra;
            cells.extend(self.extra.iter().map(|column| {
                let index = names.iter().position(|name| name == column);
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
    pub fn create(folder: &Path, plan: &Plan) -> Result<Self> {
        let path = folder.join(MEASUREMENTS);
        let file = File::create(&path).map_err(|error| Error::io("write", &path, &error))?;
        let writer = csv::Writer::from_writer(file);
        let mut open = Open { writer, path, blocks: BlockLog::create(folder)?, columns: Columns::of(plan) };
        let header = open.columns.header();
        open.write(&header)?;
        Ok(Journal(Some(open)))
    }

    /// Appends measured repetitions.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn rows(&mut self, plan: &Plan, algorithm: usize, set: usize, rows: &[(usize, Row)]) -> Result<()> {
        let Some(open) = &mut self.0 else { return Ok(()) };
        for (repetition, row) in rows {
            let mut record = key(plan, algorithm, set, *repetition, Status::Ok);
            record.extend(open.columns.cells(plan, algorithm, row));
            open.write(&record)?;
        }
        open.flush()
    }

    /// Appends the repetition at which an algorithm ended, without figures: what it did there counts for nothing.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn end(
        &mut self,
        plan: &Plan,
        algorithm: usize,
        set: usize,
        repetition: usize,
        status: Status,
    ) -> Result<()> {
        let Some(open) = &mut self.0 else { return Ok(()) };
        let mut record = key(plan, algorithm, set, repetition, status);
        record.resize(open.columns.header().len(), String::new());
        open.write(&record)?;
        open.flush()
    }

    /// Appends what a worker noticed around a block, to a file of its own.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn block(
        &mut self,
        plan: &Plan,
        round: usize,
        algorithm: usize,
        set: usize,
        first_repetition: usize,
        noise: &BlockNoise,
    ) -> Result<()> {
        let Some(open) = &mut self.0 else { return Ok(()) };
        let (algorithm, length) = (&plan.algorithms[algorithm].id, plan.sets[set].length);
        open.blocks.append(round, algorithm, length, first_repetition, noise)
    }
}

impl Open {
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

fn key(plan: &Plan, algorithm: usize, set: usize, repetition: usize, status: Status) -> Vec<String> {
    vec![
        plan.algorithms[algorithm].id.clone(),
        plan.sets[set].length.to_string(),
        repetition.to_string(),
        status.name().to_owned(),
        plan.experiment.rounds().of(repetition).to_string(),
    ]
}
