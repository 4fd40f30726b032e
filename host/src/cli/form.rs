//! In which form a report leaves the program, and to where.

use std::path::{Path, PathBuf};

use clap::{ValueEnum, ValueHint};

use crate::error::{Error, Result};
use crate::io::atomic::Output;
use crate::io::console::Console;
use crate::io::table::Table;

/// In which form figures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people
    #[default]
    Table,
    /// One object: the run, the text and the figures
    Json,
    /// Comma-separated values with a header line
    Csv,
    /// A table for issues and READMEs
    Markdown,
    /// A table for a paper, with booktabs
    Latex,
    /// The rows of csv for data frames (needs --to)
    Parquet,
    /// The page of the run
    Html,
    /// A picture in vectors
    Svg,
    /// A picture in pixels (needs --to)
    Png,
}

impl Form {
    /// Whether it is drawn.
    pub fn is_picture(self) -> bool {
        matches!(self, Form::Svg | Form::Png)
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn is_binary(self) -> bool {
        matches!(self, Form::Parquet | Form::Png)
    }

    /// By the ending of a file's name.
    fn of(file: &Path) -> Result<Self> {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        match ending.as_str() {
            "txt" => Ok(Form::Table),
            "json" => Ok(Form::Json),
            "csv" => Ok(Form::Csv),
            "md" => Ok(Form::Markdown),
            "tex" => Ok(Form::Latex),
            "parquet" => Ok(Form::Parquet),
            "html" => Ok(Form::Html),
            "svg" => Ok(Form::Svg),
            "png" => Ok(Form::Png),
            _ => Err(Error::new(format!("the name `{}` does not tell its format", file.display())).remedy(
                "name it .txt, .json, .csv, .md, .tex, .parquet, .html, .svg or .png, or say `--format`",
            )),
        }
    }
}

/// What is said of form and place on a command line.
#[derive(clap::Args, Debug)]
pub struct Export {
    /// How to print it [default: what the name of the file says, or else a table]
    #[arg(long, value_name = "FORMAT", help_heading = "Results")]
    format: Option<Form>,
    /// Write it to FILE, not to the terminal
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Results")]
    to: Option<PathBuf>,
}

/// What leaves the program.
pub enum Content {
    Text(String),
    Binary(Vec<u8>),
}

impl Content {
    /// The rows of a table as Parquet.
    ///
    /// # Errors
    /// If it can't be written.
    #[cfg(feature = "parquet")]
    pub fn parquet(table: &Table) -> Result<Self> {
        let whole = [crate::columns::PATTERN_LENGTH, "repetitions", "index", "rank", "lengths"];
        let bytes = crate::io::table::parquet::render(table, &whole);
        bytes.map(Content::Binary).map_err(|error| Error::new(format!("Parquet can't be written: {error}")))
    }

    /// Not in this build.
    #[cfg(not(feature = "parquet"))]
    pub fn parquet(_: &Table) -> Result<Self> {
        unreachable!("it was refused when the target was opened")
    }
}

/// Where it goes, in which form.
pub struct Target {
    pub form: Form,
    file: Option<(PathBuf, Output)>,
}

impl Export {
    /// Whether nothing was said of it.
    pub fn is_default(&self) -> bool {
        self.format.is_none() && self.to.is_none()
    }

    /// Opens what tables are to be written to.
    ///
    /// # Errors
    /// As for [`open`](Self::open), or if the form is not one of tables.
    pub fn open_for_tables(&self) -> Result<Target> {
        let form = self.form()?;
        if form.is_picture() || form == Form::Html {
            let forms = "table, json, csv, markdown, latex or parquet";
            return Err(Error::new(format!("there is no {} of a comparison or of variances", form.name()))
                .remedy(format!(
                    "they are tables: {forms}; `assay report RESULT` draws the figures of a run"
                )));
        }
        self.open()
    }

    fn form(&self) -> Result<Form> {
        match (self.format, &self.to) {
            (Some(form), _) => Ok(form),
            (None, Some(file)) => Form::of(file),
            (None, None) => Ok(Form::default()),
        }
    }

    /// Opens what is to be written, before the work is done.
    ///
    /// # Errors
    /// If the form is not told, can't be had, or must not go to a terminal; or if the file can't be written.
    pub fn open(&self) -> Result<Target> {
        let form = self.form()?;
        if form == Form::Parquet && cfg!(not(feature = "parquet")) {
            return Err(Error::new("this assay was built without Parquet, which takes long to build").remedy(
                "build it with `cargo build --release --features assay/parquet`, or use `--format csv`, which has the same rows",
            ));
        }
        if form.is_binary() && self.to.is_none() {
            let name = form.name();
            return Err(Error::new(format!("`--format {name}` is not for a terminal"))
                .remedy(format!("say where it goes: `--to FILE.{name}`")));
        }
        let open = |file: &PathBuf| Ok((file.clone(), Output::create(file)?));
        Ok(Target { form, file: self.to.as_ref().map(open).transpose()? })
    }
}

impl Target {
    /// Writes it to the file, or prints it.
    ///
    /// # Errors
    /// If that fails.
    pub fn deliver(self, content: &Content, console: &Console) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_tells_its_form() {
        assert_eq!(Form::of(Path::new("a/b.TEX")).unwrap(), Form::Latex);
        let message = Form::of(Path::new("a/b.xlsx")).unwrap_err().to_string();
        assert!(message.contains("`a/b.xlsx` does not tell its format"), "{message}");
        for form in Form::value_variants() {
            let name = form.name();
            let ending = match form {
                Form::Table => "txt",
                Form::Markdown => "md",
                Form::Latex => "tex",
                _ => &name,
            };
            assert_eq!(Form::of(Path::new(&format!("x.{ending}"))).unwrap(), *form);
        }
    }

    #[test]
    fn what_is_not_for_a_terminal_goes_to_a_file() {
        let message = Export { format: Some(Form::Png), to: None }.open().err().unwrap().to_string();
        assert!(message.contains("--to FILE.png"), "{message}");
    }
}
