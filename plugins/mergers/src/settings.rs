//! Options that several mergers read.

use assay_plugin_api::Options;

/// The requested number of rows of the result; `None` if the option is not given.
///
/// # Errors
/// If the number is 0, or more than `most`.
pub fn rows(options: &Options<'_>, most: usize) -> Result<Option<usize>, String> {
    match options.parse("rows")? {
        Some(rows) if !(1..=most).contains(&rows) => {
            Err(format!("option rows: {rows} is not from 1 to {most}"))
        }
        rows => Ok(rows),
    }
}
