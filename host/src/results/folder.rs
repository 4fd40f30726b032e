//! What a run leaves behind: a folder, complete or not there at all.
//!
//! Until it is complete, it is a hidden folder, `.ID.partial`, that says from the start what is being measured: so a run
//! that is killed, or that can't write, leaves the experiment and what was measured of it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::journal::Journal;
use super::{RESULTS, Run, Status};
use crate::columns;
use crate::error::{Error, Result};
use crate::experiment::Resolved;
use crate::io::atomic::Output;

/// A folder that is being filled. It gets its name when it is complete; before that, it is hidden, and removed if nothing was
/// measured.
#[derive(Debug)]
pub struct SaveFolder {
    partial: PathBuf,
    place: PathBuf,
    kept: bool,
}

impl SaveFolder {
    /// Makes the folder for a run of this name in `out`.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn create(out: &Path, id: &str) -> Result<Self> {
        let failed = |path: &Path, error: io::Error| {
            Error::io("make the folder", path, &error)
                .remedy("choose another folder with --out, or keep nothing with --no-save")
        };
        fs::create_dir_all(out).map_err(|error| failed(out, error))?;
        let partial = out.join(partial(id));
        fs::create_dir(&partial).map_err(|error| failed(&partial, error))?;
        Ok(SaveFolder { partial, place: out.join(id), kept: false })
    }

    /// Where it is until it is complete.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Writes what is known before anything is measured, and starts the journal.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn begin(&self, resolved: &Resolved, run: &Run) -> Result<Journal> {
        self.write(super::EXPERIMENT, |file| file.write_all(resolved.experiment.to_toml().as_bytes()))?;
        self.write_run(run)?;
        Journal::create(&self.partial, resolved)
    }

    /// Keeps what is in it from now on, complete or not: something was measured.
    #[must_use]
    pub fn keep(mut self) -> Self {
        self.kept = true;
        self
    }

    /// Says with an error where what was measured lies.
    pub fn explain(&self, error: Error) -> Error {
        let place = self.partial.display();
        error.remedy(format!("what was measured is kept in `{place}`, where `assay report` finds it"))
    }

    /// Writes what is derived from the measurements, the patterns with how often each occurs (by set and repetition), and a
    /// page; and gives the folder its name.
    ///
    /// # Errors
    /// If something can't be written; no file is there in part then.
    pub fn finish(
        &self,
        resolved: &Resolved,
        occurrences: &[Vec<u64>],
        run: &Run,
        page: &str,
    ) -> Result<PathBuf> {
        self.write_run(run)?;
        self.write("statistics.csv", |file| file.write_all(statistics(run).as_bytes()))?;
        self.write("patterns.csv", |file| patterns(file, resolved, occurrences))?;
        self.write("report.html", |file| file.write_all(page.as_bytes()))?;
        fs::rename(&self.partial, &self.place)
            .map_err(|error| Error::io("make the folder", &self.place, &error))?;
        Ok(self.place.clone())
    }

    fn write_run(&self, run: &Run) -> Result<()> {
        self.write(RESULTS, |file| {
            serde_json::to_writer_pretty(&mut *file, run)?;
            file.write_all(b"\n")
        })
    }

    fn write(&self, name: &str, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let written = Output::create(&self.partial.join(name)).and_then(|file| file.write(fill));
        written.map_err(|error| {
            error.remedy("free some space, choose another folder with --out, or use --no-save")
        })
    }
}

impl Drop for SaveFolder {
    fn drop(&mut self) {
        if !self.kept {
            // Best effort: there is another error to tell already.
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

/// A row for each pattern: its length and repetition, the position from which it was drawn, the reference count; and its
/// bytes, where there is no position to find them at.
fn patterns(file: &mut dyn Write, resolved: &Resolved, occurrences: &[Vec<u64>]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record([
        columns::PATTERN_LENGTH,
        columns::REPETITION,
        "position",
        columns::OCCURRENCES,
        "pattern_hex",
    ])?;
    for (set, occurrences) in resolved.sets.iter().zip(occurrences) {
        for (repetition, occurrences) in occurrences.iter().enumerate() {
            let (position, bytes) = match set.position(repetition) {
                Some(position) => (position.to_string(), String::new()),
                None => (String::new(), hex::encode(set.pattern(&resolved.text.bytes, repetition))),
            };
            let (length, repetition) = (set.length.to_string(), repetition.to_string());
            writer.write_record([length, repetition, position, occurrences.to_string(), bytes])?;
        }
    }
    writer.flush()
}

/// The summary as CSV: a row for each algorithm, pattern length, quantity and statistic; and one for each algorithm and
/// length without statistics, with its status alone.
pub fn statistics(run: &Run) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: [&str; 6]| writer.write_record(record).expect("writing to memory");
    write([columns::ALGORITHM, columns::PATTERN_LENGTH, "quantity", "statistic", "value", columns::STATUS]);
    for cell in &run.results {
        let (length, status) = (cell.pattern_length.to_string(), cell.status.name());
        if cell.status != Status::Ok {
            write([&cell.algorithm, &length, "", "", "", status]);
        }
        for (quantity, summary) in cell.quantities() {
            for (statistic, value) in summary.named() {
                write([&cell.algorithm, &length, &quantity, statistic, &value.to_string(), status]);
            }
        }
    }
    String::from_utf8(writer.into_inner().expect("writing to memory")).expect("made of texts")
}

/// The name of a run's folder until it is complete.
pub fn partial(id: &str) -> String {
    format!(".{id}.partial")
}

/// The id of a run, if this is the name of its folder until it is complete.
pub fn partial_name(name: &str) -> Option<&str> {
    name.strip_prefix('.')?.strip_suffix(".partial")
}

/// A name for a run: the moment it began, in UTC, and a few random digits.
pub fn new_id() -> String {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    format!("{now}-{:04x}", rand::random::<u16>())
}
