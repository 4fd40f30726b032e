//! A file of sorted rows, read from its beginning to its end.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::csv_lines;
use memchr::memchr;

use super::row_file::RowFile;

/// The rows of a sub-experiment in the order of the anchor.
pub(super) struct SortedRows {
    reader: BufReader<File>,
    path: PathBuf,
    line: Vec<u8>,
    /// Length of the anchor in the line.
    anchor: usize,
    /// Number of rows that were read.
    read: usize,
}

impl SortedRows {
    /// # Errors
    /// If the file can't be opened.
    pub(super) fn open(file: &RowFile) -> Result<Self> {
        let path = file.path();
        let opened = File::open(&path).map_err(|error| Error::io("read", &path, &error))?;
        let reader = BufReader::with_capacity(1 << 18, opened);
        Ok(SortedRows { reader, path, line: Vec::new(), anchor: 0, read: 0 })
    }

    /// Reads a row. Returns whether there was one.
    fn advance(&mut self) -> Result<bool> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line);
        if read.map_err(|error| Error::io("read", &self.path, &error))? == 0 {
            return Ok(false);
        }
        self.read += 1;
        self.anchor = memchr(b'\t', &self.line).ok_or_else(|| self.unexpected("a line has no tab"))?;
        Ok(true)
    }

    /// The other cells of a row, each after a comma. Rows are asked for in ascending order, and some may be
    /// skipped or asked for again.
    ///
    /// # Errors
    /// If the file can't be read, or the engine left rows out.
    pub(super) fn cells(&mut self, row: usize) -> Result<&[u8]> {
        while self.read <= row {
            if !self.advance()? {
                return Err(self.unexpected("rows are missing"));
            }
        }
        Ok(self.line[self.anchor + 1..].trim_ascii_end())
    }

    /// The anchor of the next row; `None` after the last one.
    ///
    /// # Errors
    /// If the file can't be read, or holds something else.
    pub(super) fn anchor(&mut self) -> Result<Option<f64>> {
        if !self.advance()? {
            return Ok(None);
        }
        let number = csv_lines::number(&self.line[..self.anchor]);
        number.map(Some).ok_or_else(|| self.unexpected("an anchor is no number"))
    }

    /// The error that the engine did not do what it was asked for.
    pub(super) fn unexpected(&self, what: &str) -> Error {
        Error::new(format!(
            "`{}`, line {}: {what} in what the engine has sorted",
            self.path.display(),
            self.read
        ))
        .remedy("use another version of the engine, or merge without --engine")
    }
}
