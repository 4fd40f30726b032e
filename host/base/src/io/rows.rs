//! Files of rows that are written one after the other, so that their number does not matter: CSV, or Parquet
//! in a build that has it.

#[cfg(feature = "parquet")]
pub(crate) mod parquet;

use std::io::{self, Write};

use super::output_format::OutputFormat;
use crate::error::{Error, NO_SPACE, Result, reason};

/// A column of such a file. Any of its cells may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowColumn {
    /// Its name.
    pub name: String,
    /// The kind of its values.
    pub kind: ValueKind,
}

/// The kind of the values of a column. It is the type in Parquet; CSV has no types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Whole numbers: 64 bits with a sign.
    Whole,
    /// Numbers: `f64`.
    Number,
    /// Texts in UTF-8.
    Text,
}

/// Writes rows to a file.
pub enum RowWriter<W: Write + Send> {
    /// As CSV with a header line.
    Csv(Box<csv::Writer<W>>),
    /// As Parquet.
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::ParquetRows<W>>),
}

impl<W: Write + Send> RowWriter<W> {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// If it can't be written, or this build can't write the format.
    pub fn new(format: OutputFormat, file: W, columns: Vec<RowColumn>) -> Result<Self> {
        match format {
            OutputFormat::Csv => {
                let mut writer = csv::Writer::from_writer(file);
                writer.write_record(columns.iter().map(|column| &column.name)).map_err(not_written)?;
                Ok(RowWriter::Csv(Box::new(writer)))
            }
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => {
                Ok(RowWriter::Parquet(Box::new(parquet::ParquetRows::new(file, columns)?)))
            }
            other => Err(Error::new(format!("rows can't be written as {}", other.name()))
                .remedy("use `--format csv`, which every build writes")),
        }
    }

    /// Appends a row, given as the cells of a line of CSV: an empty cell is missing.
    ///
    /// # Errors
    /// If the file can't be written, or a cell is not of the kind of its column.
    pub fn row<'a>(&mut self, cells: impl Iterator<Item = &'a [u8]>) -> Result<()> {
        match self {
            RowWriter::Csv(writer) => writer.write_record(cells).map_err(not_written),
            #[cfg(feature = "parquet")]
            RowWriter::Parquet(writer) => writer.row(cells),
        }
    }

    /// Ends the file, and gives it back.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn finish(self) -> Result<W> {
        match self {
            RowWriter::Csv(writer) => writer
                .into_inner()
                .map_err(|error| not_written(io::Error::new(error.error().kind(), reason(error.error())))),
            #[cfg(feature = "parquet")]
            RowWriter::Parquet(writer) => writer.finish(),
        }
    }
}

/// The error of a file that can't be written.
fn not_written(error: impl Into<io::Error>) -> Error {
    Error::new(format!("it can't be written: {}", reason(&error.into()))).remedy(NO_SPACE)
}
