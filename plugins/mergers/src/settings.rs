//! Options that several mergers read.

use assay_plugin_api::Options;

/// How many rows the result shall have, if that was said.
///
/// # Errors
/// If they are none, or more than `most`.
pub fn rows(options: &Options<'_>, most: usize) -> Result<Option<usize>, String> {
    match options.parse("rows")? {
        Some(rows) if !(1..=most).contains(&rows) => {
            Err(format!("option rows: {rows} is not from 1 to {most}"))
        }
        rows => Ok(rows),
    }
}
