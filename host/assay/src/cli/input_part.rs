//! Options of commands that read part of a CSV file.

use std::path::Path;

use assay_base::error::{self, Error};
use assay_base::io::csv_input::{Gaps, Numbers, Selection};
use assay_store::rows_of_run;

/// The part of the input that a command reads.
#[derive(clap::Args, Debug)]
pub(super) struct InputPart {
    /// Read only these columns, in this order
    #[arg(long, value_name = "TITLE,..", value_delimiter = ',', help_heading = "Part of the input")]
    columns: Vec<String>,
    /// Read only rows that have VALUE in this column (repeatable; several values for one column are
    /// alternatives)
    #[arg(long = "where", value_name = "TITLE=VALUE", value_parser = condition, help_heading = "Part of the input")]
    conditions: Vec<(String, String)>,
}

/// Splits `TITLE=VALUE`.
fn condition(given: &str) -> Result<(String, String), String> {
    let (title, value) = given.rsplit_once('=').ok_or("it must have the form TITLE=VALUE")?;
    Ok((title.to_owned(), value.to_owned()))
}

impl InputPart {
    /// The part as the reader of CSV takes it.
    pub(super) fn selection(&self) -> Selection {
        Selection { columns: self.columns.clone(), conditions: self.conditions.clone() }
    }

    /// Reads this part of a file.
    ///
    /// # Errors
    /// As [`Numbers::read`]. If the path is the folder of a run, the remedy names the file of its rows.
    pub(super) fn read(&self, path: &Path, gaps: Gaps) -> error::Result<Numbers> {
        Numbers::read(path, gaps, &self.selection()).map_err(|error| with_rows_of_run(error, path))
    }

    /// The titles of this part of a file.
    ///
    /// # Errors
    /// As [`read`](Self::read), about the header.
    pub(super) fn titles(&self, path: &Path) -> error::Result<Numbers> {
        Numbers::titles(path, &self.selection()).map_err(|error| with_rows_of_run(error, path))
    }
}

/// An error of reading a path. If that is the folder of a run, the remedy names the file of its rows.
fn with_rows_of_run(error: Error, path: &Path) -> Error {
    match rows_of_run(path) {
        Some(file) => error.remedy(file),
        None => error,
    }
}
