//! The complete rows of a sub-experiment in a file, as the engine sorts them.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::console::Console;

use crate::SubExperiment;
use crate::cleaning::{EXACT, report_dropped};
use crate::render::push_number;

/// A sub-experiment whose rows are in a file.
#[derive(Debug)]
pub(super) struct RowFile {
    /// Its place among the sub-experiments, from 1.
    pub(super) number: usize,
    pub(super) source: String,
    /// The events other than the anchor.
    pub(super) events: Vec<String>,
    /// Number of complete rows.
    pub(super) rows: usize,
    /// Events with counts so large that their last digits are lost, for messages.
    pub(super) inexact: Vec<String>,
    /// The folder of the file.
    folder: PathBuf,
}

impl RowFile {
    /// Its name in messages.
    pub(super) fn place(&self) -> String {
        format!("block {} ({})", self.number, self.source)
    }

    /// Name of the file with the rows in their order.
    pub(super) fn unsorted(&self) -> String {
        format!("rows-{}", self.number)
    }

    /// Name of the file with the rows in the order of the anchor.
    pub(super) fn sorted(&self) -> String {
        format!("sorted-{}", self.number)
    }

    /// Path of the sorted file.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(self.sorted())
    }

    /// Removes the file that is not needed any more once it was sorted.
    ///
    /// # Errors
    /// If it can't be removed.
    pub(super) fn remove_unsorted(&self) -> Result<()> {
        let path = self.folder.join(self.unsorted());
        fs::remove_file(&path).map_err(|error| Error::io("remove", &path, &error))
    }
}

/// Writes the rows of a sub-experiment. A line has the anchor, the number of the row and the other cells,
/// with tabs between them. A comma is before each cell, as in the result.
pub(super) struct RowFileWriter {
    block: SubExperiment,
    file: RowFile,
    path: PathBuf,
    out: BufWriter<File>,
    /// Index of the anchor among the columns.
    anchor: usize,
    line: Vec<u8>,
    /// Number of rows, also of those that are not complete.
    seen: usize,
    /// For each column, whether it has counts above [`EXACT`].
    large: Vec<bool>,
}

impl RowFileWriter {
    /// A writer for a sub-experiment without rows, whose column `anchor` is the anchor.
    ///
    /// # Errors
    /// If the file can't be made.
    pub(super) fn new(folder: &Path, number: usize, block: SubExperiment, anchor: usize) -> Result<Self> {
        let mut events: Vec<String> = block.events.iter().map(|(name, _)| name.clone()).collect();
        let large = vec![false; events.len()];
        events.remove(anchor);
        let file = RowFile {
            number,
            source: block.source.clone(),
            events,
            rows: 0,
            inexact: Vec::new(),
            folder: folder.to_owned(),
        };
        let path = folder.join(file.unsorted());
        let out = File::create_new(&path).map_err(|error| Error::io("write", &path, &error))?;
        let out = BufWriter::with_capacity(1 << 18, out);
        Ok(RowFileWriter { block, file, path, out, anchor, line: Vec::new(), seen: 0, large })
    }

    /// Number of columns.
    pub(super) fn width(&self) -> usize {
        self.large.len()
    }

    /// Writes the complete ones among some rows.
    ///
    /// # Errors
    /// If the disk is full.
    pub(super) fn write(&mut self, columns: &[Vec<f64>]) -> Result<()> {
        for row in 0..columns[0].len() {
            self.seen += 1;
            if columns.iter().any(|column| column[row].is_nan()) {
                continue;
            }
            self.line.clear();
            // Positive and negative zero are equal.
            push_number(&mut self.line, columns[self.anchor][row] + 0.0);
            self.line.push(b'\t');
            push_number(&mut self.line, self.file.rows as f64);
            self.line.push(b'\t');
            for (index, column) in columns.iter().enumerate() {
                self.large[index] |= column[row].abs() > EXACT;
                if index != self.anchor {
                    self.line.push(b',');
                    push_number(&mut self.line, column[row]);
                }
            }
            self.line.push(b'\n');
            self.out.write_all(&self.line).map_err(|error| Error::io("write", &self.path, &error))?;
            self.file.rows += 1;
        }
        Ok(())
    }

    /// The file, when all rows are in it. Says how many rows were not complete.
    ///
    /// # Errors
    /// If none was complete, or the disk is full.
    pub(super) fn finish(mut self, console: &Console) -> Result<RowFile> {
        self.out.flush().map_err(|error| Error::io("write", &self.path, &error))?;
        report_dropped(&self.block.source, self.seen - self.file.rows, self.seen, console)?;
        let events = self.block.events.iter().zip(&self.large).filter(|(_, large)| **large);
        self.file.inexact = events.map(|((name, _), _)| format!("{name} in {}", self.block.source)).collect();
        Ok(self.file)
    }
}
