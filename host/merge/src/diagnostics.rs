//! The tables on the quality of a merge, as files and as JSON.

use std::fs;
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_plugin_api::{Cells, Merged, Sheet};
use serde_json::{Value, json};

/// Writes each further table of a result to a file that is named by its title. The folder is created if it
/// does not exist.
///
/// # Errors
/// If it can't be written.
pub fn write_diagnostics(merged: &Merged<'_>, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::io("write", folder, &error))?;
    for sheet in &merged.tables {
        let text = table(sheet).render(OutputFormat::Csv);
        let path = folder.join(&sheet.title).with_extension("csv");
        Output::create(&path)?.write(|out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// The result with its notes, warnings and tables.
pub fn json(merged: &Merged<'_>) -> Value {
    let tables = merged.tables.iter().map(|sheet| (sheet.title.clone(), table(sheet).json()));
    json!({
        "rows": super::table(merged).json(),
        "notes": merged.notes,
        "warnings": merged.warnings,
        "tables": tables.collect::<serde_json::Map<_, _>>(),
    })
}

fn table(sheet: &Sheet) -> Table {
    let mut table = Table::new(sheet.columns.iter().map(|(name, _)| name));
    let rows = sheet.columns.first().map_or(0, |(_, cells)| cells.len());
    for row in 0..rows {
        table.push(sheet.columns.iter().map(|(_, cells)| match cells {
            Cells::Numbers(numbers) if numbers[row].is_finite() => Datum::Number(numbers[row], 3),
            Cells::Texts(texts) if !texts[row].is_empty() => texts[row].as_str().into(),
            _ => Datum::Missing,
        }));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_files_and_parts_of_an_object_and_what_is_missing_stays_so() {
        let pairs = Sheet::new("pairs").texts("event", ["a", ""]).numbers("asked", [f64::NAN, 0.1 + 0.2]);
        let merged = Merged {
            notes: vec!["well".to_owned()],
            warnings: vec!["oh".to_owned()],
            tables: vec![pairs, Sheet::new("empty")],
            ..Merged::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new/one");
        write_diagnostics(&merged, &folder).unwrap();
        let text = fs::read_to_string(folder.join("pairs.csv")).unwrap();
        assert_eq!(text, "event,asked\na,\n,0.30000000000000004\n");
        assert_eq!(
            json(&merged),
            json!({
                "rows": [],
                "notes": ["well"],
                "warnings": ["oh"],
                "tables": {
                    "pairs": [{"event": "a", "asked": null}, {"event": null, "asked": 0.1 + 0.2}],
                    "empty": [],
                },
            })
        );
        let file = folder.join("pairs.csv");
        let error = write_diagnostics(&merged, &file.join("below")).unwrap_err().to_string();
        assert!(error.contains("can't write"), "{error}");
    }
}
