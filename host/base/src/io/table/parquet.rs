//! Writes a table as an Apache Parquet file, for data frames.

use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{Datum, Table};

/// The bytes of a file with the table. The columns with the given names hold whole numbers. Other columns are
/// texts if any row has a text, and numbers otherwise. All values may be missing.
///
/// # Errors
/// If two columns have the same name.
pub fn render(table: &Table, whole: &[&str]) -> Result<Vec<u8>> {
    let kind = |column: usize| {
        if whole.contains(&table.columns[column].as_str()) {
            Physical::INT64
        } else if table
            .rows
            .iter()
            .any(|row| matches!(row[column], Datum::Text(_) | Datum::Strong(_) | Datum::Flag(_)))
        {
            Physical::BYTE_ARRAY
        } else {
            Physical::DOUBLE
        }
    };
    let kinds: Vec<Physical> = (0..table.columns.len()).map(kind).collect();
    let field = |(name, kind): (&String, &Physical)| {
        let text = if *kind == Physical::BYTE_ARRAY { ConvertedType::UTF8 } else { ConvertedType::NONE };
        let builder = Type::primitive_type_builder(name, *kind).with_repetition(Repetition::OPTIONAL);
        builder.with_converted_type(text).build().map(Arc::new)
    };
    let fields = table.columns.iter().zip(&kinds).map(field).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder("figures").with_fields(fields).build()?);
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::default()))?;
    let mut group = writer.next_row_group()?;
    for (number, kind) in kinds.iter().enumerate() {
        let column = || table.rows.iter().map(|row| &row[number]);
        let there: Vec<i16> = column().map(|datum| i16::from(*datum != Datum::Missing)).collect();
        let numbers = || {
            column().filter_map(|datum| match datum {
                Datum::Number(number, _) | Datum::Marked(number, ..) => Some(*number),
                _ => None,
            })
        };
        let mut target = group.next_column()?.expect("the schema has as many columns");
        match kind {
            Physical::INT64 => {
                let values: Vec<i64> = numbers().map(|number| number as i64).collect();
                target.typed::<Int64Type>().write_batch(&values, Some(&there), None)?;
            }
            Physical::DOUBLE => {
                target.typed::<DoubleType>().write_batch(
                    &numbers().collect::<Vec<f64>>(),
                    Some(&there),
                    None,
                )?;
            }
            _ => {
                let present = column().filter(|datum| **datum != Datum::Missing);
                let texts: Vec<ByteArray> = present.map(|datum| datum.plain().as_str().into()).collect();
                target.typed::<ByteArrayType>().write_batch(&texts, Some(&there), None)?;
            }
        }
        target.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(bytes)
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
