//! The options `--format` and `--to`, and the file or the terminal that a result goes to.

use std::path::PathBuf;

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::console::Console;
use assay_base::io::output_format::{OutputFormat, comparison_formats, figure_formats};
use assay_base::io::table::Table;
use assay_report::export::picture::Picture;
use clap::ValueHint;

/// The options that say how a result is written, and where to.
#[derive(clap::Args, Debug)]
pub(super) struct Export {
    /// Output format [default: as --to, or table]
    #[arg(long, value_name = "FORMAT", help_heading = "Results", value_parser = figure_formats())]
    format: Option<OutputFormat>,
    /// Write it to FILE, not to the terminal
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Results")]
    to: Option<PathBuf>,
}

/// The same options for a comparison of runs: tables, or a picture of the ratios.
#[derive(clap::Args, Debug)]
pub(super) struct ComparisonExport {
    /// Output format [default: as --to, or table]
    #[arg(long, value_name = "FORMAT", help_heading = "Results", value_parser = comparison_formats())]
    format: Option<OutputFormat>,
    /// Write it to FILE, not to the terminal
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Results")]
    to: Option<PathBuf>,
}

impl ComparisonExport {
    /// Opens the file before the work is done. Ranks have no picture.
    ///
    /// # Errors
    /// As [`Export::open`], or if the format is not one of them.
    pub(super) fn open(&self, is_of_ranks: bool) -> Result<Target> {
        let export = Export { format: self.format, to: self.to.clone() };
        if export.format()?.is_picture() && !is_of_ranks { export.open() } else { export.open_for_tables() }
    }
}

/// The bytes of a result.
pub(super) enum Content {
    Text(String),
    Binary(Vec<u8>),
}

impl Content {
    /// A picture in a format of pictures.
    pub(super) fn picture(picture: &Picture, form: OutputFormat) -> Self {
        match form {
            OutputFormat::Png => Content::Binary(picture.png()),
            OutputFormat::Pdf => Content::Binary(picture.pdf()),
            _ => Content::Text(picture.svg()),
        }
    }

    /// The rows of a table as Parquet.
    ///
    /// # Errors
    /// If it can't be written.
    #[cfg(feature = "parquet")]
    pub(super) fn parquet(table: &Table) -> Result<Self> {
        let whole = [assay_base::columns::PATTERN_LENGTH, "repetitions", "index", "rank", "lengths"];
        assay_base::io::table::parquet::render(table, &whole).map(Content::Binary)
    }

    /// This build has no Parquet.
    #[cfg(not(feature = "parquet"))]
    pub(super) fn parquet(_: &Table) -> Result<Self> {
        unreachable!("it was refused when the target was opened")
    }
}

/// The file or the terminal that a result goes to, and its format.
pub(super) struct Target {
    pub form: OutputFormat,
    file: Option<(PathBuf, Output)>,
}

impl Export {
    /// Whether neither option was given.
    pub(super) fn is_default(&self) -> bool {
        self.format.is_none() && self.to.is_none()
    }

    /// Opens the file for a result that can be written as tables only.
    ///
    /// # Errors
    /// As for [`open`](Self::open), or if the format is not one of tables.
    pub(super) fn open_for_tables(&self) -> Result<Target> {
        let form = self.format()?;
        if form.is_picture() || form == OutputFormat::Html {
            let forms = "table, json, csv, markdown, latex or parquet";
            return Err(Error::new(format!(
                "there is no {} of comparisons, ranks or variances",
                form.name()
            ))
            .remedy(format!("they are tables: {forms}; `assay report RESULT` draws the figures of a run")));
        }
        self.open()
    }

    /// The format of the result.
    ///
    /// # Errors
    /// If the name of the file has no known format.
    pub(super) fn format(&self) -> Result<OutputFormat> {
        match (self.format, &self.to) {
            (Some(format), _) => Ok(format),
            (None, Some(file)) => OutputFormat::of_file(file).ok_or_else(|| {
                Error::new(format!("the name `{}` has no known format", file.display())).remedy(
                    "name it .txt, .json, .csv, .md, .tex, .parquet, .html, .svg, .png or .pdf, or say `--format`",
                )
            }),
            (None, None) => Ok(OutputFormat::default()),
        }
    }

    /// Opens the file before the work is done, so that a name that can't be written costs no time.
    ///
    /// # Errors
    /// If the format is unknown, is not part of this build, or must not go to a terminal; or if the file
    /// can't be written.
    pub(super) fn open(&self) -> Result<Target> {
        let form = self.format()?;
        check_built(form, "use `--format csv`")?;
        if form.is_binary() && self.to.is_none() {
            let name = form.name();
            return Err(Error::new(format!("`--format {name}` is not for a terminal"))
                .remedy(format!("say where it goes: `--to FILE.{name}`")));
        }
        let file = match &self.to {
            Some(file) => Some((file.clone(), Output::create(file)?)),
            None => None,
        };
        Ok(Target { form, file })
    }
}

impl Target {
    /// Writes a result to the file, or prints it.
    ///
    /// # Errors
    /// If it can't be written, or is binary and goes to a terminal.
    pub(super) fn deliver(self, content: &Content, console: &Console) -> Result<()> {
        let bytes = match content {
            Content::Text(text) => text.as_bytes(),
            Content::Binary(bytes) => bytes,
        };
        match (self.file, content) {
            (Some((path, output)), _) => {
                output.write(|file| file.write_all(bytes))?;
                console.note(&format!("written to {}", path.display()));
                Ok(())
            }
            (None, Content::Text(text)) => console.print(text),
            (None, Content::Binary(_)) => {
                Err(Error::new("this is not for a terminal").remedy("say `--to FILE`"))
            }
        }
    }
}

/// Checks that a format is part of this build. `instead` is a way to get the same rows without it.
///
/// # Errors
/// If it is not.
pub(super) fn check_built(form: OutputFormat, instead: &str) -> Result<()> {
    if form.is_built() {
        return Ok(());
    }
    Err(Error::new("this assay was built without Parquet, which takes long to build").remedy(format!(
        "build it with `cargo build --release --features assay/parquet`, or {instead}, which has the same rows"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_known_ending_needs_a_format() {
        let export = |format| Export { format, to: Some(PathBuf::from("a/b.xlsx")) };
        let message = export(None).format().unwrap_err().to_string();
        assert!(message.contains("`a/b.xlsx` has no known format"), "{message}");
        assert_eq!(export(Some(OutputFormat::Csv)).format().unwrap(), OutputFormat::Csv);
    }

    #[test]
    fn what_is_not_for_a_terminal_goes_to_a_file() {
        let message = Export { format: Some(OutputFormat::Png), to: None }.open().err().unwrap().to_string();
        assert!(message.contains("--to FILE.png"), "{message}");
    }
}
