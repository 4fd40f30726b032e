//! Writes a merged data set as CSV, or as a table in any format.

use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

use assay_base::io::in_order::in_order;
use assay_base::io::table::{Datum, Table};
use assay_plugin_api::Merged;

/// Whole numbers below this one are exact as `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Number of rows that are written at a time.
const PIECE: usize = 2048;

/// Writes a merged data set as CSV, row by row. Whole numbers have no decimals, others the fewest digits that
/// give the same number back; a missing value is an empty cell.
///
/// # Errors
/// If it can't be written.
pub fn write_csv(merged: &Merged, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&header(merged.columns.iter().map(|column| &*column.name))?)?;
    let rows = merged.columns.first().map_or(0, |column| column.values.len());
    let columns: Vec<&[f64]> = merged.columns.iter().map(|column| &*column.values).collect();
    let mut written = Ok(());
    in_order(
        (0..rows).step_by(PIECE),
        |from| lines(&columns, from..rows.min(from + PIECE)),
        |lines| {
            if written.is_ok() {
                written = out.write_all(&lines);
            }
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    written
}

/// The line with the names of the columns.
pub(super) fn header<'a>(names: impl Iterator<Item = &'a str>) -> io::Result<Vec<u8>> {
    let mut header = csv::Writer::from_writer(Vec::new());
    header.write_record(names)?;
    header.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// Some rows as lines of CSV.
fn lines(columns: &[&[f64]], rows: Range<usize>) -> Vec<u8> {
    // A table with one column needs quotes for missing values, because a row would otherwise be an empty
    // line.
    let missing: &[u8] = if columns.len() == 1 { b"\"\"" } else { b"" };
    let mut lines = Vec::new();
    for row in rows {
        for values in columns {
            match values[row] {
                value if value.is_finite() => push_number(&mut lines, value),
                _ => lines.extend_from_slice(missing),
            }
            lines.push(b',');
        }
        if let Some(end) = lines.last_mut() {
            *end = b'\n';
        }
    }
    lines
}

/// Adds a finite number to a line: a whole one without decimals, another in the fewest digits that give it
/// back.
pub(super) fn push_number(line: &mut Vec<u8>, value: f64) {
    let rounded = value as i64;
    if rounded as f64 == value && value.abs() < EXACT {
        // This writes the same digits as `Display`, in a fifth of the time.
        line.extend_from_slice(itoa::Buffer::new().format(rounded).as_bytes());
    } else {
        write!(line, "{value}").expect("writing to memory");
    }
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
    use assay_plugin_api::Column;

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
    fn whole_numbers_are_shown_without_decimals() {
        let merged = Merged { columns: vec![column("a", vec![3.0, 2.5])], ..Merged::default() };
        let rows = table(&merged).rows;
        assert_eq!([&rows[0][0], &rows[1][0]], [&Datum::Number(3.0, 0), &Datum::Number(2.5, 3)]);
    }
}
