//! Rows and columns, written as a table, as JSON, CSV, Markdown or LaTeX.

pub mod latex;
mod layout;
pub mod markdown;
#[cfg(feature = "parquet")]
pub mod parquet;

pub use layout::pairs;

use super::fold;
use super::numbers::{fixed, grouped};
use super::output_format::OutputFormat;

/// Data in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, each with a value for each column.
    pub rows: Vec<Vec<Datum>>,
}

/// The mark of the best figures, which documents set in bold.
const BEST: char = '+';

/// The content of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// A text.
    Text(String),
    /// A text that documents set in bold.
    Strong(String),
    /// A number, with the number of decimals in tables. JSON and CSV have all digits.
    Number(f64, usize),
    /// A number followed by a mark that only tables show. A blank keeps the place of the mark empty.
    Marked(f64, usize, char),
    /// A number with its interval, of which only tables for people show the half-width: it has the decimals
    /// and the mark of the number.
    Within {
        /// The number.
        value: f64,
        /// Half of the width of its interval.
        half_width: f64,
        /// The decimals of both.
        decimals: usize,
        /// The mark after the number.
        mark: char,
    },
    /// Yes or no.
    Flag(bool),
    /// A missing value.
    Missing,
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Datum::Text(text.to_owned())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Datum::Text(text)
    }
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Datum::Missing, Into::into)
    }
}

impl Datum {
    fn shown(&self) -> String {
        match self {
            Datum::Text(text) | Datum::Strong(text) => text.clone(),
            Datum::Number(number, decimals) => fixed(*number, *decimals),
            Datum::Marked(number, decimals, mark) => format!("{}{mark}", fixed(*number, *decimals)),
            Datum::Within { value, decimals, mark, .. } => {
                format!("{}{mark}{}", fixed(*value, *decimals), self.interval())
            }
            Datum::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Datum::Missing => "-".to_owned(),
        }
    }

    /// The interval after a number, " ± 0.5"; empty for other cells.
    fn interval(&self) -> String {
        match self {
            Datum::Within { half_width, decimals, .. } => format!(" ± {}", grouped(*half_width, *decimals)),
            _ => String::new(),
        }
    }

    /// The number of a cell; `None` if it is another cell.
    fn number(&self) -> Option<f64> {
        match self {
            Datum::Number(number, _) | Datum::Marked(number, ..) | Datum::Within { value: number, .. } => {
                Some(*number)
            }
            Datum::Text(_) | Datum::Strong(_) | Datum::Flag(_) | Datum::Missing => None,
        }
    }

    fn plain(&self) -> String {
        match self {
            Datum::Text(text) | Datum::Strong(text) => text.clone(),
            Datum::Number(number, _) | Datum::Marked(number, ..) | Datum::Within { value: number, .. } => {
                number.to_string()
            }
            Datum::Flag(flag) => flag.to_string(),
            Datum::Missing => String::new(),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Datum::Text(text) | Datum::Strong(text) => text.clone().into(),
            Datum::Number(number, _) | Datum::Marked(number, ..) | Datum::Within { value: number, .. } => {
                if number.fract() == 0.0 && number.abs() < 9e15 {
                    (*number as i64).into()
                } else {
                    (*number).into()
                }
            }
            Datum::Flag(flag) => (*flag).into(),
            Datum::Missing => serde_json::Value::Null,
        }
    }
}

impl Table {
    /// An empty table with these columns.
    pub fn new<T: Into<String>>(columns: impl IntoIterator<Item = T>) -> Self {
        Table { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = Datum>) {
        let row: Vec<Datum> = row.into_iter().collect();
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    /// The table in one of the [formats of tables](OutputFormat::OF_TABLES), ending with a line feed.
    pub fn render(&self, format: OutputFormat) -> String {
        match format {
            OutputFormat::Json => {
                let text = serde_json::to_string_pretty(&self.json()).expect("values that came from here");
                text + "\n"
            }
            OutputFormat::Csv => self.csv(),
            OutputFormat::Markdown => markdown::render(self, BEST),
            OutputFormat::Latex => latex::render(self, BEST),
            // Commands whose results are tables accept no other format, so this is the table for people.
            OutputFormat::Table
            | OutputFormat::Parquet
            | OutputFormat::Html
            | OutputFormat::Svg
            | OutputFormat::Png
            | OutputFormat::Pdf
            | OutputFormat::Benchstats => layout::render(self, fold::width(std::io::stdout())),
        }
    }

    /// An array with an object per row.
    pub fn json(&self) -> serde_json::Value {
        let object =
            |row: &Vec<Datum>| self.columns.iter().cloned().zip(row.iter().map(Datum::json)).collect();
        serde_json::Value::Array(self.rows.iter().map(object).map(serde_json::Value::Object).collect())
    }

    /// Whether a column holds numbers, which are set to the right.
    fn is_of_numbers(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row[column].number().is_some())
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = self.rows.iter().map(|row| row.iter().map(Datum::plain).collect());
        for row in std::iter::once(self.columns.clone()).chain(rows) {
            writer.write_record(row).expect("writing to memory");
        }
        let bytes = writer.into_inner().expect("writing to memory");
        String::from_utf8(bytes).expect("made of texts")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_never_a_number() {
        let mut table = Table::new(["a", "b"]);
        table.push(["x,y".into(), Datum::Missing]);
        assert_eq!(table.render(OutputFormat::Csv), "a,b\n\"x,y\",\n");
        assert_eq!(table.json(), serde_json::json!([{"a": "x,y", "b": null}]));
        assert!(table.render(OutputFormat::Table).contains('-'));
    }
}
