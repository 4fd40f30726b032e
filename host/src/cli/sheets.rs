//! What a comparison prints: tables with a title and remarks for people, one table of all for programs.

use clap::ValueEnum;
use serde_json::Value;

use crate::comparison::{Judged, Ratio, SAME};
use crate::io::fold::for_output;
use crate::io::table::{Datum, Format, Table};

/// How a comparison is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// For people
    #[default]
    Table,
    /// Comma-separated values with a header line
    Csv,
    /// One object
    Json,
    /// Tables for an issue or a README
    Markdown,
}

/// A table for people.
pub struct Sheet {
    /// What it shows.
    pub title: String,
    /// The table.
    pub table: Table,
    /// What its words and marks mean, a line each.
    pub legend: Vec<String>,
}

/// The same for people and for programs.
pub struct Sheets {
    /// What is to be known first, a line each.
    pub heading: Vec<String>,
    /// For people.
    pub sheets: Vec<Sheet>,
    /// For programs, as rows.
    pub rows: Table,
    /// For programs, as an object.
    pub object: Value,
}

impl Sheets {
    /// In one of the layouts, ending with a line feed.
    pub fn render(&self, layout: Layout) -> String {
        match layout {
            Layout::Csv => self.rows.render(Format::Csv),
            Layout::Json => format!("{:#}\n", self.object),
            Layout::Table => {
                let paragraph = |lines: &[String]| {
                    if lines.is_empty() { String::new() } else { for_output(&lines.join("\n"), 2) + "\n" }
                };
                let sheet = |Sheet { title, table, legend }: &Sheet| {
                    let title = for_output(title, 2);
                    format!("{title}\n{}{}", table.render(Format::Table), paragraph(legend))
                };
                let sheets = self.sheets.iter().map(sheet);
                let heading = Some(paragraph(&self.heading)).filter(|text| !text.is_empty());
                heading.into_iter().chain(sheets).collect::<Vec<_>>().join("\n")
            }
            Layout::Markdown => {
                let list = |lines: &[String]| lines.iter().map(|line| format!("- {line}\n")).collect();
                let part = |text: String| Some(text).filter(|text| !text.is_empty());
                let sheet = |Sheet { title, table, legend }: &Sheet| {
                    [part(format!("{title}\n")), part(table.markdown()), part(list(legend))]
                };
                let sheets = self.sheets.iter().flat_map(sheet);
                let parts = std::iter::once(part(list(&self.heading))).chain(sheets);
                parts.flatten().collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// A ratio and the ends of its interval.
pub fn ratio(ratio: Option<Ratio>, decimals: usize) -> [Datum; 3] {
    let number = |of: fn(Ratio) -> f64| ratio.map(|ratio| Datum::Number(of(ratio), decimals)).into();
    [number(|ratio| ratio.ratio), number(|ratio| ratio.low), number(|ratio| ratio.high)]
}

/// A ratio, the ends of its interval, its significance and the verdict, for programs.
pub fn judged(judged: Option<Judged>) -> impl Iterator<Item = Datum> {
    let significance = judged.map(|judged| Datum::Number(judged.p, SIGNIFICANCE)).into();
    let verdict = judged.map(|judged| judged.word()).into();
    ratio(judged.map(|judged| judged.ratio), 3).into_iter().chain([significance, verdict])
}

/// Decimals of a significance.
const SIGNIFICANCE: usize = 4;

/// A significance for people.
pub fn significance(p: f64) -> Datum {
    if p < 1e-4 { "<0.0001".into() } else { Datum::Number(p, SIGNIFICANCE) }
}

/// What the words of verdicts mean.
pub fn words(floor: f64, comparisons: usize) -> Vec<String> {
    vec![
        format!(
            "faster, slower: beyond {:.1} %, with p < 0.05; p is corrected for all {comparisons} comparisons (Holm), each interval \
             holds by itself",
            100.0 * floor
        ),
        format!(
            "same: no such difference, and the interval within {:.0} %; unclear: it is wider, and more --rounds narrow it",
            100.0 * SAME
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_titles_and_remarks_and_programs_get_data_alone() {
        let mut table = Table::new(["a|b", "ratio"]);
        table.push(["x".into(), Datum::Marked(1.5, 2, '+')]);
        let sheet =
            Sheet { title: "Ratios:".to_owned(), table: table.clone(), legend: vec!["+ best".to_owned()] };
        let object = serde_json::json!({"ratio": 1.5});
        let sheets = Sheets { heading: vec!["first".to_owned()], sheets: vec![sheet], rows: table, object };
        assert_eq!(sheets.render(Layout::Csv), "a|b,ratio\nx,1.5\n");
        assert_eq!(sheets.render(Layout::Json), "{\n  \"ratio\": 1.5\n}\n");
        assert_eq!(
            sheets.render(Layout::Markdown),
            "- first\n\nRatios:\n\n| a\\|b | ratio |\n| --- | ---: |\n| x | 1.50+ |\n\n- + best\n"
        );
        let shown = sheets.render(Layout::Table);
        assert!(shown.starts_with("first\n\nRatios:\n") && shown.ends_with("+ best\n"), "{shown}");
    }
}
