//! The formats of results.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// How a command writes its result. Each command accepts those that it can write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// A table for people
    #[default]
    Table,
    /// JSON: one object, or an array with an object for each row
    Json,
    /// Comma-separated values with a header line
    Csv,
    /// A table for issues and READMEs
    Markdown,
    /// A table for a paper, with booktabs
    Latex,
    /// The rows of csv for data frames (needs a file)
    Parquet,
    /// A page
    Html,
    /// A picture in vectors
    Svg,
    /// A picture in pixels (needs a file)
    Png,
    /// A picture for LaTeX (needs a file)
    Pdf,
    /// Line by line as PAPI's benchStats
    Benchstats,
}

use OutputFormat::{Benchstats, Csv, Html, Json, Latex, Markdown, Parquet, Pdf, Png, Svg, Table};

impl OutputFormat {
    /// The formats of all tables.
    pub const OF_TABLES: &'static [Self] = &[Table, Json, Csv, Markdown, Latex];
    /// The formats of data sets.
    pub const OF_DATA: &'static [Self] = &[Table, Json, Csv, Markdown, Latex, Parquet];
    /// The formats of comparisons of runs.
    const OF_COMPARISONS: &'static [Self] = &[Table, Json, Csv, Markdown, Latex, Parquet, Svg, Png, Pdf];
    /// The formats of descriptions of samples.
    pub(crate) const OF_SAMPLES: &'static [Self] = &[Table, Json, Csv, Markdown, Latex, Benchstats];
    /// The formats of figures of a run.
    pub(crate) const OF_FIGURES: &'static [Self] =
        &[Table, Json, Csv, Markdown, Latex, Parquet, Html, Svg, Png, Pdf];

    /// The format that belongs to the end of a file name: `x.tex` is LaTeX.
    pub fn of_file(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_lowercase();
        Self::OF_FIGURES.iter().copied().find(|format| format.ending() == ending)
    }

    /// The end of the names of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Table | Benchstats => "txt",
            Json => "json",
            Csv => "csv",
            Markdown => "md",
            Latex => "tex",
            Parquet => "parquet",
            Html => "html",
            Svg => "svg",
            Png => "png",
            Pdf => "pdf",
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it is a picture.
    pub fn is_picture(self) -> bool {
        matches!(self, Svg | Png | Pdf)
    }

    /// Whether it says what its figures are of, in a caption or otherwise, so that readers see it.
    pub fn has_caption(self) -> bool {
        !self.is_picture() && !matches!(self, Csv | Parquet)
    }

    /// Whether it is binary, so that a terminal can't show it.
    pub fn is_binary(self) -> bool {
        matches!(self, Parquet | Png | Pdf)
    }

    /// Whether this build can write it, because only some builds include Parquet.
    pub fn is_built(self) -> bool {
        self != Parquet || cfg!(feature = "parquet")
    }
}

/// A parser of [`OutputFormat::OF_TABLES`] for an option of the command line.
pub fn table_formats() -> impl TypedValueParser<Value = OutputFormat> {
    parser(OutputFormat::OF_TABLES)
}

/// A parser of [`OutputFormat::OF_DATA`].
pub fn data_formats() -> impl TypedValueParser<Value = OutputFormat> {
    parser(OutputFormat::OF_DATA)
}

/// A parser of [`OutputFormat::OF_COMPARISONS`].
pub fn comparison_formats() -> impl TypedValueParser<Value = OutputFormat> {
    parser(OutputFormat::OF_COMPARISONS)
}

/// A parser of [`OutputFormat::OF_SAMPLES`].
pub fn sample_formats() -> impl TypedValueParser<Value = OutputFormat> {
    parser(OutputFormat::OF_SAMPLES)
}

/// A parser of [`OutputFormat::OF_FIGURES`].
pub fn figure_formats() -> impl TypedValueParser<Value = OutputFormat> {
    parser(OutputFormat::OF_FIGURES)
}

fn parser(formats: &'static [OutputFormat]) -> impl TypedValueParser<Value = OutputFormat> {
    let names = formats.iter().filter_map(OutputFormat::to_possible_value);
    PossibleValuesParser::new(names)
        .map(|name| OutputFormat::from_str(&name, false).expect("the name is one of the formats'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_has_the_format() {
        assert_eq!(OutputFormat::of_file(Path::new("a/b.TEX")), Some(Latex));
        assert_eq!(OutputFormat::of_file(Path::new("a/b.xlsx")), None);
        for format in OutputFormat::OF_FIGURES {
            let file = format!("x.{}", format.ending());
            assert_eq!(OutputFormat::of_file(Path::new(&file)), Some(*format));
        }
    }

    #[test]
    fn a_command_accepts_its_formats_alone() {
        let parse = |name: &str| {
            clap::Command::new("x")
                .arg(clap::Arg::new("format").value_parser(table_formats()))
                .try_get_matches_from(["x", name])
                .map(|matches| *matches.get_one::<OutputFormat>("format").unwrap())
        };
        assert_eq!(parse("latex").unwrap(), Latex);
        assert!(
            parse("png")
                .unwrap_err()
                .to_string()
                .contains("possible values: table, json, csv, markdown, latex")
        );
    }
}
