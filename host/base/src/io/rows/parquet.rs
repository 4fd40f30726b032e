//! Writes rows as an Apache Parquet file.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::{RowColumn, ValueKind};
use crate::error::{Error, Result, excerpt};

/// Number of rows of a group, which is in memory until it is written. With forty columns it takes some
/// 20 MiB; readers can skip groups, and much smaller ones cost them time.
const GROUP: usize = 1 << 16;

/// Writes rows in groups.
pub struct ParquetRows<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<RowColumn>,
    /// The values of the group that is not written yet, by column.
    values: Vec<GroupValues>,
    rows: usize,
}

/// The values of a column in a group.
struct GroupValues {
    /// For each row 1 if it has a value, and 0 if it is missing.
    present: Vec<i16>,
    values: TypedValues,
}

enum TypedValues {
    Whole(Vec<i64>),
    Number(Vec<f64>),
    Text(Vec<ByteArray>),
}

impl<W: Write + Send> ParquetRows<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If two columns have the same name, or the file can't be written.
    pub(crate) fn new(file: W, columns: Vec<RowColumn>) -> Result<Self> {
        let schema = schema(&columns).map_err(not_written)?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::default()));
        let values = columns.iter().map(|column| GroupValues::new(column.kind)).collect();
        Ok(ParquetRows { writer: writer.map_err(not_written)?, columns, values, rows: 0 })
    }

    /// Appends a row, given as cells of CSV.
    ///
    /// # Errors
    /// If a cell is not of the kind of its column, or the file can't be written.
    pub(crate) fn row<'a>(&mut self, cells: impl Iterator<Item = &'a [u8]>) -> Result<()> {
        for ((cell, column), values) in cells.zip(&self.columns).zip(&mut self.values) {
            let Some(()) = values.push(cell) else {
                let kind = match column.kind {
                    ValueKind::Whole => "a whole number below 2^63",
                    ValueKind::Number => "a number",
                    ValueKind::Text => "a text in UTF-8",
                };
                let cell = String::from_utf8_lossy(cell);
                return Err(Error::new(format!(
                    "column `{}`: `{}` is not {kind}",
                    column.name,
                    excerpt(&cell)
                ))
                .remedy("use `--format csv`, which has no types"));
            };
        }
        self.rows += 1;
        if self.rows == GROUP { self.end_group() } else { Ok(()) }
    }

    /// Ends the file, and gives it back.
    ///
    /// # Errors
    /// If it can't be written.
    pub(crate) fn finish(mut self) -> Result<W> {
        if self.rows > 0 {
            self.end_group()?;
        }
        self.writer.into_inner().map_err(not_written)
    }

    fn end_group(&mut self) -> Result<()> {
        let mut write = || {
            let mut group = self.writer.next_row_group()?;
            for values in &mut self.values {
                values.write(&mut group)?;
            }
            group.close().map(drop)
        };
        self.rows = 0;
        write().map_err(not_written)
    }
}

impl GroupValues {
    fn new(kind: ValueKind) -> Self {
        let values = match kind {
            ValueKind::Whole => TypedValues::Whole(Vec::new()),
            ValueKind::Number => TypedValues::Number(Vec::new()),
            ValueKind::Text => TypedValues::Text(Vec::new()),
        };
        GroupValues { present: Vec::new(), values }
    }

    /// Appends the value of a cell; `None` if it is of another kind.
    fn push(&mut self, cell: &[u8]) -> Option<()> {
        self.present.push(i16::from(!cell.is_empty()));
        if cell.is_empty() {
            return Some(());
        }
        let text = str::from_utf8(cell).ok()?;
        match &mut self.values {
            TypedValues::Whole(values) => values.push(text.parse().ok()?),
            TypedValues::Number(values) => values.push(text.parse().ok()?),
            TypedValues::Text(values) => values.push(text.into()),
        }
        Some(())
    }

    /// Writes the values as the next column of a group, and forgets them.
    fn write<W: Write + Send>(&mut self, group: &mut SerializedRowGroupWriter<'_, W>) -> ParquetResult<()> {
        match &mut self.values {
            TypedValues::Whole(values) => write_column::<Int64Type, _>(group, values, &self.present)?,
            TypedValues::Number(values) => write_column::<DoubleType, _>(group, values, &self.present)?,
            TypedValues::Text(values) => write_column::<ByteArrayType, _>(group, values, &self.present)?,
        }
        self.present.clear();
        Ok(())
    }
}

fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &mut Vec<T::T>,
    present: &[i16],
) -> ParquetResult<()> {
    let mut column = group.next_column()?.expect("the schema has as many columns");
    column.typed::<T>().write_batch(values, Some(present), None)?;
    values.clear();
    column.close()
}

fn schema(columns: &[RowColumn]) -> ParquetResult<Arc<Type>> {
    let field = |RowColumn { name, kind }: &RowColumn| {
        let (physical, converted) = match kind {
            ValueKind::Whole => (Physical::INT64, ConvertedType::NONE),
            ValueKind::Number => (Physical::DOUBLE, ConvertedType::NONE),
            ValueKind::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        builder.with_converted_type(converted).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<ParquetResult<Vec<_>>>()?;
    Type::group_type_builder("rows").with_fields(fields).build().map(Arc::new)
}

/// The error of a file that can't be written.
fn not_written(error: ParquetError) -> Error {
    Error::new(format!("Parquet can't be written: {error}"))
        .remedy("choose another --format, such as csv, or another place")
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;

    #[test]
    fn more_rows_than_a_group_are_read_again_and_missing_stays_missing() {
        let column = |name: &str, kind| RowColumn { name: name.to_owned(), kind };
        let columns = vec![column("a", ValueKind::Whole), column("b", ValueKind::Text)];
        let file = tempfile::tempfile().unwrap();
        let mut writer = ParquetRows::new(file.try_clone().unwrap(), columns).unwrap();
        for number in 0..=GROUP {
            let text = if number % 2 == 0 { "" } else { "odd" };
            writer.row([number.to_string().as_bytes(), text.as_bytes()].into_iter()).unwrap();
        }
        writer.finish().unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(rows.len(), GROUP + 1);
        assert_eq!(rows[1..3], [r#"{a: 1, b: "odd"}"#, "{a: 2, b: null}"]);
    }

    #[test]
    fn a_cell_of_another_kind_is_named_by_its_column() {
        let columns = vec![RowColumn { name: "a".to_owned(), kind: ValueKind::Whole }];
        let error = ParquetRows::new(Vec::new(), columns).unwrap().row([&b"1.5"[..]].into_iter());
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("column `a`: `1.5` is not a whole number"), "{error}");
    }
}
