//! What a comparison prints: tables with a title and remarks for people, one table of all for programs.

use assay_stats::significance::{Comparison, PLACEMENT_FLOOR, Ratio, SAME_WITHIN};
use serde_json::Value;

use super::form::{Content, Form};
use crate::error::Result;
use crate::io::fold::for_output;
use crate::io::table::{Datum, Format, Table, markdown};
use crate::report::export::marks::BEST;
use crate::report::export::paper;

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
    /// What must stand beside the tables in a document: of what, how often and where was measured, in sentences.
    pub facts: Vec<String>,
    /// For people.
    pub sheets: Vec<Sheet>,
    /// For programs, as rows.
    pub rows: Table,
    /// For programs, as an object.
    pub object: Value,
}

impl Sheets {
    /// In one of the forms of tables; a text ends with a line feed. `label` is what LaTeX calls the tables.
    ///
    /// # Errors
    /// If Parquet can't be written.
    pub fn content(&self, form: Form, label: &str) -> Result<Content> {
        Ok(Content::Text(match form {
            Form::Csv => self.rows.render(Format::Csv),
            Form::Json => format!("{:#}\n", self.object),
            Form::Parquet => return Content::parquet(&self.rows),
            Form::Markdown => self.markdown(),
            Form::Latex => self.latex(label),
            Form::Table | Form::Html | Form::Svg | Form::Png => self.table(),
        }))
    }

    fn table(&self) -> String {
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

    fn markdown(&self) -> String {
        let line = |line: &String| format!("- {}\n", markdown::escaped(line));
        let list = |lines: &[String]| lines.iter().map(line).collect::<String>();
        let part = |text: String| Some(text).filter(|text| !text.is_empty());
        let sheet = |sheet: &Sheet| {
            let title = format!("{}\n", markdown::escaped(&sheet.title));
            [part(title), part(markdown::render(&sheet.table, BEST)), part(list(&sheet.legend_in_print()))]
        };
        let sheets = self.sheets.iter().flat_map(sheet);
        let first = list(&self.heading) + &list(&self.facts);
        let parts = std::iter::once(part(first)).chain(sheets);
        parts.flatten().collect::<Vec<_>>().join("\n")
    }

    fn latex(&self, label: &str) -> String {
        let heading: String = self.heading.iter().map(|line| format!("% {line}\n")).collect();
        let sheet = |(number, sheet): (usize, &Sheet)| {
            let said = sheet.legend_in_print().join("; ");
            let title = sheet.title.trim_end_matches(':');
            let label =
                if self.sheets.len() > 1 { format!("{label}-{}", number + 1) } else { label.to_owned() };
            let facts: String = self.facts.iter().map(|sentence| format!(" {sentence}")).collect();
            paper::latex(&sheet.table, None, &format!("{title}. {said}.{facts}"), &label)
        };
        let sheets = self.sheets.iter().enumerate().map(sheet).collect::<Vec<_>>().join("\n");
        format!("{}{heading}{sheets}", paper::PREAMBLE)
    }
}

impl Sheet {
    /// The legend where the best are bold, and else what is strong.
    fn legend_in_print(&self) -> Vec<String> {
        let strong = self.table.rows.iter().flatten().any(|datum| matches!(datum, Datum::Strong(_)));
        let bold = strong.then(|| "bold: a difference".to_owned());
        self.legend.iter().map(|line| in_print(line)).chain(bold).collect()
    }
}

/// A line of a legend where the best are bold.
fn in_print(line: &str) -> String {
    let best = line.strip_prefix(BEST).and_then(|line| line.strip_prefix(' '));
    best.map_or_else(|| line.to_owned(), |meaning| format!("bold: {meaning}"))
}

/// A ratio and the ends of its interval.
pub fn ratio(ratio: Option<Ratio>, decimals: usize) -> [Datum; 3] {
    let number = |of: fn(Ratio) -> f64| ratio.map(|ratio| Datum::Number(of(ratio), decimals)).into();
    [number(|ratio| ratio.ratio), number(|ratio| ratio.low), number(|ratio| ratio.high)]
}

/// A ratio, the ends of its interval, its significance and the verdict, for programs.
pub fn judged(judged: Option<Comparison>) -> impl Iterator<Item = Datum> {
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

/// What the words of verdicts mean, where differences up to a floor are none.
pub fn words(floor: f64, comparisons: usize) -> Vec<String> {
    let why = if floor > PLACEMENT_FLOOR { " (by how much an algorithm differs from itself)" } else { "" };
    verdict_words(&format!("{:.1} %{why}", 100.0 * floor), comparisons)
}

/// What the words of verdicts mean; `beyond` says from where on a difference is one.
pub fn verdict_words(beyond: &str, comparisons: usize) -> Vec<String> {
    let corrected = match comparisons {
        0 => return vec!["nothing could be compared".to_owned()],
        1 => "1 comparison".to_owned(),
        several => format!("all {several} comparisons"),
    };
    vec![
        format!(
            "faster, slower: beyond {beyond}, with p < 0.05; p is corrected for {corrected} (Holm), each interval holds by itself",
        ),
        format!(
            "same: no such difference, and the interval within {:.0} %; unclear: neither; more --rounds narrow the interval",
            100.0 * SAME_WITHIN
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
        let (heading, facts) = (vec!["first".to_owned()], vec!["Text: x.".to_owned()]);
        let sheets = Sheets { heading, facts, sheets: vec![sheet], rows: table, object };
        let text = |form| match sheets.content(form, "x-y").unwrap() {
            Content::Text(text) => text,
            Content::Binary(_) => panic!("{form:?} is a text"),
        };
        assert_eq!(text(Form::Csv), "a|b,ratio\nx,1.5\n");
        assert_eq!(text(Form::Json), "{\n  \"ratio\": 1.5\n}\n");
        assert_eq!(
            text(Form::Markdown),
            "- first\n- Text: x.\n\nRatios:\n\n| a\\|b | ratio |\n| --- | ---: |\n| x | **1.50** |\n\n- bold: best\n"
        );
        let shown = text(Form::Table);
        assert!(shown.starts_with("first\n\nRatios:\n") && shown.ends_with("+ best\n"), "{shown}");
        let latex = text(Form::Latex);
        assert!(
            latex.contains("% first\n") && latex.contains("\\caption{Ratios. bold: best. Text: x.}"),
            "{latex}"
        );
        assert!(latex.contains("{lr}") && latex.contains("x & \\textbf{1.50}"), "{latex}");
    }
}
