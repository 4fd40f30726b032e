//! Writes a table as an Apache Parquet file, for data frames.

use super::{Datum, Table};
use crate::error::Result;
use crate::io::rows::parquet::ParquetRows;
use crate::io::rows::{RowColumn, ValueKind};

/// The bytes of a file with the table. The columns with the given names hold whole numbers. Other columns are
/// texts if any row has a text, and numbers otherwise. All values may be missing.
///
/// # Errors
/// If two columns have the same name.
pub fn render(table: &Table, whole: &[&str]) -> Result<Vec<u8>> {
    let is_text = |datum: &Datum| matches!(datum, Datum::Text(_) | Datum::Strong(_) | Datum::Flag(_));
    let column = |(place, name): (usize, &String)| {
        let kind = if whole.contains(&name.as_str()) {
            ValueKind::Whole
        } else if table.rows.iter().any(|row| is_text(&row[place])) {
            ValueKind::Text
        } else {
            ValueKind::Number
        };
        RowColumn { name: name.clone(), kind }
    };
    let mut writer = ParquetRows::new(Vec::new(), table.columns.iter().enumerate().map(column).collect())?;
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(Datum::plain).collect();
        writer.row(cells.iter().map(String::as_bytes))?;
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;

    #[test]
    fn what_was_written_is_read_again_and_missing_stays_missing() {
        let mut table = Table::new(["algorithm", "index", "value"]);
        table.push(["hor".into(), Datum::Missing, Datum::Number(0.1, 0)]);
        table.push(["so".into(), Datum::Number(3.0, 0), Datum::Missing]);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&render(&table, &["index"]).unwrap()).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(
            rows,
            [r#"{algorithm: "hor", index: null, value: 0.1}"#, r#"{algorithm: "so", index: 3, value: null}"#]
        );
    }
}
