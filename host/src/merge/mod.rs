//! Merging: tables of sub-experiments in, one data set out. The mergers are plugins; this is what they are fed.

mod blocks;
mod names;

use std::io::{self, Write};

use assay_plugin_api::{Block, Column, Merged, Options};

use crate::error::{self, Error, Result};
use crate::io::table::{Datum, Table};
use crate::plugin::Merger;

pub use blocks::{SubExperiment, drop_incomplete_rows, drop_rare, event, split};
pub use names::Codes;

/// Merges sub-experiments. `progress` is told from time to time how much of the work is done, from 0 to 1.
///
/// # Errors
/// If the merger does not read an option, what the merger answers, and if it is faulty.
pub fn merge(
    merger: &Merger,
    blocks: Vec<SubExperiment>,
    options: &[(&str, &str)],
    progress: &(dyn Fn(f64) -> bool + Sync),
) -> Result<Merged<'static>> {
    let read = || merger.options.iter().map(String::as_str);
    for (name, _) in options {
        if !read().any(|read| read == *name) {
            return Err(error::unknown(&format!("option of merger {}:", merger.facts.id), name, read()));
        }
    }
    let blocks: Vec<Block<'_>> = blocks.into_iter().map(Block::from).collect();
    let merged = merger.merge(blocks, &Options { given: options, progress });
    let merged = merged.map_err(|error| Error::new(format!("can't merge: {error}")))?;
    check(&merged)?;
    Ok(merged)
}

/// At least one column, all equally long.
///
/// # Errors
/// What the merger did wrong.
pub fn check(merged: &Merged) -> Result<()> {
    let rows = merged.columns.first().map(|column| column.values.len());
    match merged.columns.iter().find(|column| Some(column.values.len()) != rows) {
        None if rows.is_some() => Ok(()),
        None => Err(Error::new("the merger gave no columns: this is a fault of its library")),
        Some(column) => Err(Error::new(format!(
            "the merger gave {} values for `{}` and {} for the first column: this is a fault of its library",
            column.values.len(),
            column.name,
            rows.unwrap_or(0)
        ))),
    }
}

/// Writes a merged data set as CSV, row by row. Whole numbers have no decimals, others the fewest digits that give the
/// same number back; a missing value is an empty cell.
///
/// # Errors
/// If it can't be written.
pub fn write_csv(merged: &Merged, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(merged.columns.iter().map(|column| &column.name))?;
    let rows = merged.columns.first().map_or(0, |column| column.values.len());
    let mut cell = Vec::new();
    for row in 0..rows {
        for Column { values, .. } in &merged.columns {
            cell.clear();
            if values[row].is_finite() {
                write!(cell, "{}", values[row])?;
            }
            writer.write_field(&cell)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}

/// A merged data set as a table, to be printed in any format.
pub fn table(merged: &Merged) -> Table {
    let mut table = Table::new(merged.columns.iter().map(|column| &column.name));
    let rows = merged.columns.first().map_or(0, |column| column.values.len());
    for row in 0..rows {
        table.push(merged.columns.iter().map(|column| match column.values[row] {
            value if value.is_finite() => Datum::Number(value, if value.fract() == 0.0 { 0 } else { 3 }),
            _ => Datum::Missing,
        }));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, values: Vec<f64>) -> Column<'static> {
        Column { name: name.to_owned(), values: values.into() }
    }

    #[test]
    fn numbers_are_written_as_short_as_they_can_be() {
        let columns = vec![column("a", vec![21131309.5, 3.0]), column("b, c", vec![f64::NAN, 0.1 + 0.2])];
        let merged = Merged { columns, ..Merged::default() };
        let mut csv = Vec::new();
        write_csv(&merged, &mut csv).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), "a,\"b, c\"\n21131309.5,\n3,0.30000000000000004\n");
        assert_eq!(table(&merged).rows[0][1], Datum::Missing);
    }

    #[test]
    fn a_faulty_merger_is_named() {
        assert!(check(&Merged::default()).is_err());
        let columns = vec![column("a", vec![1.0]), column("b", vec![])];
        let error = check(&Merged { columns, ..Merged::default() }).unwrap_err().to_string();
        assert!(error.contains("0 values for `b` and 1 for the first"), "{error}");
    }
}
