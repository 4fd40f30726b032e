//! Merging: tables of sub-experiments in, one data set out. The mergers are plugins; this is what they are fed.

mod blocks;
mod diagnostics;
mod names;
mod picture;
mod trial;
mod validation;

use std::collections::HashSet;
use std::io::{self, Write};

use assay_plugin_api::{Block, Column, Merged, Options, Sheet};

use crate::error::{self, Error, Result};
use crate::io::table::{Datum, Table};
use crate::plugin::Merger;

pub use blocks::{SubExperiment, drop_incomplete_rows, drop_rare, event, split};
pub use diagnostics::{json, write_diagnostics};
pub use names::Codes;
pub use picture::picture;
pub use trial::trial;
pub use validation::{Measure, Validation, validate};

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

/// Whole numbers below are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// More notes than this nobody reads.
const MOST_NOTES: usize = 1000;
/// In bytes.
const LONGEST_NAME: usize = 1024;
const LONGEST_TITLE: usize = 64;

/// Whether a merger gave at least one column, and in each table columns that are equally long and have names of their own, and tables that have titles of their own.
///
/// # Errors
/// What the merger did wrong.
pub fn check(merged: &Merged) -> Result<()> {
    let fault =
        |gave: String| Err(Error::new(format!("the merger gave {gave}: this is a fault of its library")));
    if merged.columns.is_empty() {
        return fault("no columns".to_owned());
    }
    for said in [&merged.notes, &merged.warnings] {
        if said.len() > MOST_NOTES {
            return fault(format!("{} notes where {MOST_NOTES} are the most", said.len()));
        }
    }
    let columns = merged.columns.iter().map(|column| (column.name.as_str(), column.values.len()));
    equally_long(columns).or_else(fault)?;
    let mut titles = HashSet::new();
    for Sheet { title, columns } in &merged.tables {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if title.is_empty() || title.len() > LONGEST_TITLE || !title.bytes().all(plain) {
            return fault(format!("a table `{title}`, whose title is no name for a file"));
        }
        if !titles.insert(title) {
            return fault(format!("two tables `{title}`"));
        }
        equally_long(columns.iter().map(|(name, cells)| (name.as_str(), cells.len()))).or_else(fault)?;
    }
    Ok(())
}

/// What is wrong with the columns of a table: each has a name, and so many rows.
fn equally_long<'a>(columns: impl Iterator<Item = (&'a str, usize)>) -> Result<(), String> {
    let (mut seen, mut first) = (HashSet::new(), None);
    for (name, rows) in columns {
        let first = *first.get_or_insert(rows);
        if name.len() > LONGEST_NAME {
            return Err(format!("a column with a name of {} bytes", name.len()));
        }
        if rows != first {
            return Err(format!("{rows} values for `{name}` and {first} for the first column"));
        }
        if !seen.insert(name) {
            return Err(format!("two columns `{name}`"));
        }
    }
    Ok(())
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
    let (mut cell, mut whole) = (Vec::new(), itoa::Buffer::new());
    for row in 0..rows {
        for Column { values, .. } in &merged.columns {
            cell.clear();
            match values[row] {
                // The same digits, in a fifth of the time.
                value if value.fract() == 0.0 && value.abs() < EXACT => {
                    cell.extend_from_slice(whole.format(value as i64).as_bytes());
                }
                value if value.is_finite() => write!(cell, "{value}")?,
                _ => {}
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
        let columns = vec![column("a", vec![21131309.5, -3.0]), column("b, c", vec![f64::NAN, 0.1 + 0.2])];
        let merged = Merged { columns, ..Merged::default() };
        let mut csv = Vec::new();
        write_csv(&merged, &mut csv).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), "a,\"b, c\"\n21131309.5,\n-3,0.30000000000000004\n");
        assert_eq!(table(&merged).rows[0][1], Datum::Missing);
    }

    #[test]
    fn a_merger_is_given_the_blocks_and_the_options_that_it_reads() {
        let merger = Merger::of(assay_plugin_api::Merger {
            id: "scale",
            options: &[("by", "a factor"), ("silent", "gives nothing")],
            merge: |blocks, options| {
                let by: f64 = options.parse("by")?.unwrap_or(1.0);
                let column = |Column { name, values }: Column<'_>| Column {
                    name,
                    values: values.iter().map(|value| by * value).collect(),
                };
                let blocks = blocks.into_iter().filter(|_| options.get("silent").is_none());
                let columns = blocks.flat_map(|block| block.columns).map(column).collect();
                Ok(Merged { columns, ..Merged::default() })
            },
            ..assay_plugin_api::Merger::UNKNOWN
        });
        let merged = |options: &[(&str, &str)]| {
            let (source, events) = ("x.csv".to_owned(), vec![("a".to_owned(), None)]);
            let block = SubExperiment { source, events, columns: vec![vec![1.0, 2.5]] };
            merge(&merger, vec![block], options, &|_| true)
        };
        assert_eq!(merged(&[("by", "2")]).unwrap().columns, [column("a", vec![2.0, 5.0])]);
        let fault = |options| merged(options).unwrap_err().to_string();
        let unknown = fault(&[("by", "2"), ("bye", "3")]);
        assert!(
            unknown.contains("unknown option of merger scale: `bye`\n  help: did you mean by?"),
            "{unknown}"
        );
        assert!(fault(&[("by", "two")]).starts_with("can't merge: the merger `scale` of here.so: option by"));
        assert!(fault(&[("silent", "")]).contains("the merger gave no columns"));
    }

    #[test]
    fn a_faulty_merger_is_named() {
        assert!(check(&Merged::default()).is_err());
        let right = || Merged { columns: vec![column("a", vec![1.0])], ..Merged::default() };
        let ragged = || vec![column("a", vec![1.0]), column("b", vec![])];
        let refused = |merged: Merged| check(&merged).unwrap_err().to_string();
        let columns = |columns| refused(Merged { columns, ..right() });
        assert!(check(&right()).is_ok());
        assert!(columns(ragged()).contains("0 values for `b` and 1 for the first"));
        assert!(columns(vec![column("a", vec![1.0]), column("a", vec![2.0])]).contains("two columns `a`"));
        assert!(columns(vec![column(&"a".repeat(2000), vec![1.0])]).contains("a name of 2000 bytes"));
        let ragged = Sheet::new("t").texts("a", ["x"]).numbers("b", []);
        let further = Merged { tables: vec![ragged], ..right() };
        assert!(refused(further).contains("0 values for `b`"));
        let titled = |titles: &[&str]| {
            let tables = titles.iter().map(|title| Sheet::new(title)).collect();
            refused(Merged { tables, ..right() })
        };
        for title in ["", "../x", "a b", &"a".repeat(65)] {
            assert!(titled(&[title]).contains("whose title is no name for a file"), "{title}");
        }
        assert!(titled(&["pairs", "pairs"]).contains("two tables `pairs`"));
        assert!(refused(Merged { notes: vec![String::new(); 1001], ..right() }).contains("1001 notes"));
        assert!(refused(Merged { warnings: vec![String::new(); 1001], ..right() }).contains("1001 notes"));
    }

    #[test]
    fn whole_numbers_are_shown_without_decimals() {
        let merged = Merged { columns: vec![column("a", vec![3.0, 2.5])], ..Merged::default() };
        let rows = table(&merged).rows;
        assert_eq!([&rows[0][0], &rows[1][0]], [&Datum::Number(3.0, 0), &Datum::Number(2.5, 3)]);
    }

    #[test]
    fn a_merger_may_go_to_the_limits() {
        let columns = vec![column(&"a".repeat(LONGEST_NAME), vec![1.0])];
        let notes = vec![String::new(); MOST_NOTES];
        assert!(check(&Merged { columns, notes, ..Merged::default() }).is_ok());
    }
}
