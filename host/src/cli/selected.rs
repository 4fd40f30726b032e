//! The options of commands that read part of a CSV file.

use std::path::Path;

use crate::error;
use crate::io::csv_input::{Gaps, Numbers, Selection};
use crate::results::rows_of_run;

/// Which part of the input is read.
#[derive(clap::Args, Debug)]
pub struct Selected {
    /// Read these columns alone, in this order
    #[arg(long, value_name = "TITLE,..", value_delimiter = ',', help_heading = "Part of the input")]
    columns: Vec<String>,
    /// Read rows alone that hold VALUE there (repeatable; of values for one title, any will do)
    #[arg(long = "where", value_name = "TITLE=VALUE", value_parser = condition, help_heading = "Part of the input")]
    conditions: Vec<(String, String)>,
}

fn condition(given: &str) -> Result<(String, String), String> {
    let (title, value) = given.rsplit_once('=').ok_or("it must have the form TITLE=VALUE")?;
    Ok((title.to_owned(), value.to_owned()))
}

impl Selected {
    /// As the reader takes it.
    pub fn selection(&self) -> Selection {
        Selection { columns: self.columns.clone(), conditions: self.conditions.clone() }
    }

    /// Reads it of a file.
    ///
    /// # Errors
    /// As for [`Numbers::read`]; where a run is named instead of a file, the remedy names the file.
    pub fn read(&self, path: &Path, gaps: Gaps) -> error::Result<Numbers> {
        Numbers::read(path, gaps, &self.selection()).map_err(|error| match rows_of_run(path) {
            Some(file) => error.remedy(file),
            None => error,
        })
    }
}
