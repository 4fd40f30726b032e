//! The output of `assay merge`: its formats and files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::output_format::OutputFormat;
use assay_merge as merge;
use assay_plugin_api::Merged;

use crate::cli::export::check_built;

/// The format of a result: the one that was asked for, else the one that the name of the file says, else CSV,
/// because the result is data.
///
/// # Errors
/// If it is no format of data, can't be written by this build, or can't go to a terminal.
pub(super) fn format_of_result(asked: Option<OutputFormat>, out: Option<&Path>) -> Result<OutputFormat> {
    // A .txt file is CSV, too: other programs read it, and columns for people only would be in their way.
    let named = || OutputFormat::of_file(out?).filter(|format| *format != OutputFormat::Table);
    let format = asked.or_else(named).unwrap_or(OutputFormat::Csv);
    if !OutputFormat::OF_DATA.contains(&format) {
        return Err(Error::new(format!("a merged data set can't be written as {}", format.name()))
            .remedy("name the file .csv, .json, .md, .tex or .parquet; --picture FILE draws correlations"));
    }
    check_built(format, "write a .csv")?;
    if format.is_binary() && out.is_none() {
        return Err(
            Error::new("Parquet is not for a terminal").remedy("say where it goes: --out FILE.parquet")
        );
    }
    Ok(format)
}

/// The format of a table of a few figures: the one that was asked for, else a table for people.
pub(super) fn format_of_figures(asked: Option<OutputFormat>) -> OutputFormat {
    asked.filter(|format| OutputFormat::OF_TABLES.contains(format)).unwrap_or_default()
}

/// Writes a merged data set.
pub(super) fn write(merged: &Merged<'_>, format: OutputFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        // Row by row, because a table of all rows would take several times the memory.
        OutputFormat::Csv => merge::write_csv(merged, out),
        OutputFormat::Json => writeln!(out, "{:#}", merge::json(merged)),
        OutputFormat::Parquet => out.write_all(&parquet(merged)?),
        format => out.write_all(merge::table(merged).render(format).as_bytes()),
    }
}

#[cfg(feature = "parquet")]
fn parquet(merged: &Merged<'_>) -> io::Result<Vec<u8>> {
    assay_base::io::table::parquet::render(&merge::table(merged), &[]).map_err(io::Error::other)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Merged<'_>) -> io::Result<Vec<u8>> {
    unreachable!("it was refused before the merge")
}

/// The file of the picture, and its format.
pub(super) struct MergePicture {
    path: PathBuf,
    is_page: bool,
}

impl MergePicture {
    /// The picture with the format that the name of its file shows.
    ///
    /// # Errors
    /// If it is neither `.svg` nor `.html`.
    pub(super) fn named(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let is_page = match ending.as_str() {
            "svg" => false,
            "html" => true,
            _ => {
                return Err(Error::new(format!("--picture {}: it is an SVG or a page", path.display()))
                    .remedy("name it .svg, or .html for a page with the tables of --diagnostics"));
            }
        };
        Ok(MergePicture { path: path.to_owned(), is_page })
    }

    /// Draws the picture.
    pub(super) fn write(&self, merged: &Merged<'_>) -> Result<()> {
        let drawing = merge::picture(merged)?;
        let text = if self.is_page { merge::page(merged, &drawing) } else { drawing };
        Output::create(&self.path)?.write(|out| out.write_all(text.as_bytes()))
    }
}

/// Refuses to write to a file that is read.
///
/// # Errors
/// If one of `written` is one of `read`.
pub(super) fn refuse_overwriting<'a>(
    written: impl Iterator<Item = &'a PathBuf>,
    read: impl Iterator<Item = &'a PathBuf> + Clone,
) -> Result<()> {
    for path in written {
        // A path that does not exist yet is no input.
        let Ok(place) = path.canonicalize() else { continue };
        let mut inputs = read.clone();
        if let Some(input) = inputs.find(|input| input.canonicalize().is_ok_and(|other| other == place)) {
            return Err(Error::new(format!("`{}` is read and would be overwritten", input.display()))
                .remedy("name another file for the result"));
        }
    }
    Ok(())
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use assay_plugin_api::Column;
    use parquet::file::reader::SerializedFileReader;
    use parquet::record::{Row, RowAccessor};

    use super::*;

    #[test]
    fn a_result_is_the_same_in_parquet() {
        // The values have more digits than a table for people.
        let columns = [("cycles", vec![1200.0, 1097.25]), ("a, b", vec![0.1 + 0.2, -3e-9])];
        let columns = columns.map(|(name, values)| Column { name: name.to_owned(), values: values.into() });
        let columns = Vec::from(columns);
        let merged = Merged { columns, ..Merged::default() };
        let mut file = tempfile::tempfile().unwrap();
        assert_eq!(format_of_result(None, Some(Path::new("x.Parquet"))).unwrap(), OutputFormat::Parquet);
        write(&merged, OutputFormat::Parquet, &mut file).unwrap();
        let rows: Vec<Row> =
            SerializedFileReader::new(file).unwrap().into_iter().map(|row| row.unwrap()).collect();
        for (at, row) in rows.iter().enumerate() {
            let names: Vec<&str> = row.get_column_iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["cycles", "a, b"]);
            for (place, column) in merged.columns.iter().enumerate() {
                assert_eq!(row.get_double(place).unwrap(), column.values[at]);
            }
        }
        assert_eq!(rows.len(), 2);
    }
}
