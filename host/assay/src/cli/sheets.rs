//! The output of `--baseline`, `--variance` and `compare`: tables with titles and legends for people, and one
//! table of everything for programs.

use assay_base::error::Result;
use assay_base::io::fold::for_output;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table, markdown};
use assay_report::export::marks::BEST;
use assay_report::export::paper::{self, PaperTable};
use assay_stats::significance::{Comparison, PLACEMENT_FLOOR, Ratio, SAME_WITHIN};
use assay_store::ExperimentFacts;
use serde_json::{Value, json};

use super::export::Content;

/// A table for people.
pub(super) struct TitledTable {
    /// What the table shows.
    pub title: String,
    /// The table.
    pub table: Table,
    /// The legend: the meanings of words and marks, a line each.
    pub legend: Vec<String>,
}

/// The output of a command, for people and for programs.
pub(super) struct Sheets {
    /// The lines before the tables.
    pub heading: Vec<String>,
    /// Sentences for documents: the text, the repetitions and the machine.
    pub facts: Vec<String>,
    /// The tables for people.
    pub sheets: Vec<TitledTable>,
    /// Everything as rows, for programs.
    pub rows: Table,
    /// Everything as an object, for programs.
    pub object: Value,
}

impl Sheets {
    /// The output in one of the forms of tables. A text ends with a line feed. `label` is the label of the
    /// tables in LaTeX, and `siunitx` aligns their figures by that package.
    ///
    /// # Errors
    /// If Parquet can't be written.
    pub(super) fn content(&self, form: OutputFormat, label: &str, siunitx: bool) -> Result<Content> {
        Ok(Content::Text(match form {
            OutputFormat::Csv => self.rows.render(OutputFormat::Csv),
            OutputFormat::Json => format!("{:#}\n", self.object),
            OutputFormat::Parquet => return Content::parquet(&self.rows),
            OutputFormat::Markdown => self.markdown(),
            OutputFormat::Latex => self.latex(label, siunitx),
            OutputFormat::Table
            | OutputFormat::Html
            | OutputFormat::Svg
            | OutputFormat::Png
            | OutputFormat::Pdf
            | OutputFormat::Benchstats => self.table(),
        }))
    }

    /// The output for people.
    pub(super) fn table(&self) -> String {
        let mut parts = Vec::new();
        if !self.heading.is_empty() {
            parts.push(paragraph(&self.heading));
        }
        for TitledTable { title, table, legend } in &self.sheets {
            let title = for_output(title, 2);
            parts.push(format!("{title}\n{}{}", table.render(OutputFormat::Table), paragraph(legend)));
        }
        parts.join("\n")
    }

    /// The output as Markdown.
    fn markdown(&self) -> String {
        let mut parts = vec![markdown_list(&self.heading) + &markdown_list(&self.facts)];
        for sheet in &self.sheets {
            parts.push(format!("{}\n", markdown::escaped(&sheet.title)));
            parts.push(markdown::render(&sheet.table, BEST));
            parts.push(markdown_list(&sheet.legend_in_print()));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }

    /// The output as LaTeX. `label` is the label of the tables; several tables are numbered.
    fn latex(&self, label: &str, siunitx: bool) -> String {
        let heading: String = self.heading.iter().map(|line| format!("% {line}\n")).collect();
        let facts: String = self.facts.iter().map(|sentence| format!(" {sentence}")).collect();
        let mut sheets = Vec::new();
        for (sheet, number) in self.sheets.iter().zip(1..) {
            let legend = sheet.legend_in_print().join("; ");
            let title = sheet.title.trim_end_matches(':');
            let label = if self.sheets.len() > 1 { format!("{label}-{number}") } else { label.to_owned() };
            let table = PaperTable {
                table: &sheet.table,
                axis: None,
                caption: &format!("{title}. {legend}.{facts}"),
                label: &label,
                siunitx,
            };
            sheets.push(table.latex());
        }
        paper::document(&(heading + &sheets.join("\n")))
    }
}

/// Lines of a heading or a legend, folded to the width of the output; empty if there are none.
fn paragraph(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { for_output(&lines.join("\n"), 2) + "\n" }
}

/// Lines as a list of Markdown.
fn markdown_list(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {}\n", markdown::escaped(line))).collect()
}

impl TitledTable {
    /// The legend for documents, in which bold takes the place of marks.
    fn legend_in_print(&self) -> Vec<String> {
        let strong = self.table.rows.iter().flatten().any(|datum| matches!(datum, Datum::Strong(_)));
        let bold = strong.then(|| "bold: a difference".to_owned());
        self.legend.iter().map(|line| in_print(line)).chain(bold).collect()
    }
}

/// A line of a legend for documents, in which the best are bold instead of marked.
fn in_print(line: &str) -> String {
    let best = line.strip_prefix(BEST).and_then(|line| line.strip_prefix(' '));
    best.map_or_else(|| line.to_owned(), |meaning| format!("bold: {meaning}"))
}

/// The cells of a ratio and the ends of its interval.
pub(super) fn ratio(ratio: Option<Ratio>, decimals: usize) -> [Datum; 3] {
    match ratio {
        Some(Ratio { ratio, low, high }) => [ratio, low, high].map(|number| Datum::Number(number, decimals)),
        None => [const { Datum::Missing }; 3],
    }
}

/// A ratio, the ends of its interval, its significance and the verdict, for programs.
pub(super) fn judged(judged: Option<Comparison>) -> impl Iterator<Item = Datum> {
    let significance = judged.map(|judged| Datum::Number(judged.p, SIGNIFICANCE)).into();
    let verdict = judged.map(|judged| judged.word()).into();
    ratio(judged.map(|judged| judged.ratio), 3).into_iter().chain([significance, verdict])
}

/// A comparison as an object, for programs: the ratio with its interval, its significance and the verdict.
/// Without one, `no_ratio` is the reason.
pub(super) fn judged_object(
    algorithm: Option<&str>,
    (column, value): (&str, Option<u64>),
    judged: Option<Comparison>,
    no_ratio: Option<&str>,
) -> Value {
    json!({
        "algorithm": algorithm,
        column: value,
        "ratio": judged.map(|judged| judged.ratio),
        "p": judged.map(|judged| judged.p),
        "verdict": judged.map(|judged| judged.word()),
        "no_ratio": no_ratio,
    })
}

/// Decimals of a significance: people see smaller values as `<0.0001`.
const SIGNIFICANCE: usize = 4;

/// The cell of a significance, for people.
pub(super) fn significance(p: f64) -> Datum {
    if p < 1e-4 { "<0.0001".into() } else { Datum::Number(p, SIGNIFICANCE) }
}

/// The meanings of the verdicts, if ratios within a noise floor are no differences.
pub(super) fn words(floor: f64, comparisons: usize) -> Vec<String> {
    let reason = if floor > PLACEMENT_FLOOR { " (by how much an algorithm differs from itself)" } else { "" };
    verdict_words(&format!("{:.1} %{reason}", 100.0 * floor), comparisons)
}

/// Where p is valid, if some algorithms or values of a run are left out. Whoever looks at all times first, and
/// then tests the greatest differences alone, finds differences by chance.
pub(super) fn subset_note(facts: &ExperimentFacts) -> Option<String> {
    facts.subset.is_some().then(|| {
        "p counts no comparison that is left out, which is right if the choice was made before the times were seen"
            .to_owned()
    })
}

/// What the words of verdicts mean; `beyond` names the differences that are not reported.
pub(super) fn verdict_words(beyond: &str, comparisons: usize) -> Vec<String> {
    let corrected = match comparisons {
        0 => return vec!["nothing could be compared here".to_owned()],
        1 => "1 comparison".to_owned(),
        several => format!("all {several} comparisons"),
    };
    vec![
        format!("faster, slower: by more than {beyond}, with p < 0.05"),
        format!("p is corrected for {corrected} (Holm); the intervals are not corrected"),
        format!(
            "same: no such difference, and the interval lies within {:.0} %; unclear: neither; more --rounds make the interval narrower",
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
        let sheet = TitledTable {
            title: "Ratios:".to_owned(),
            table: table.clone(),
            legend: vec!["+ best".to_owned()],
        };
        let object = serde_json::json!({"ratio": 1.5});
        let (heading, facts) = (vec!["first".to_owned()], vec!["Text: x.".to_owned()]);
        let sheets = Sheets { heading, facts, sheets: vec![sheet], rows: table, object };
        let text = |form| match sheets.content(form, "x-y", false).unwrap() {
            Content::Text(text) => text,
            Content::Binary(_) => panic!("{form:?} is a text"),
        };
        assert_eq!(text(OutputFormat::Csv), "a|b,ratio\nx,1.5\n");
        assert_eq!(text(OutputFormat::Json), "{\n  \"ratio\": 1.5\n}\n");
        assert_eq!(
            text(OutputFormat::Markdown),
            "- first\n- Text: x.\n\nRatios:\n\n| a\\|b | ratio |\n| --- | ---: |\n| x | **1.50** |\n\n- bold: best\n"
        );
        let shown = text(OutputFormat::Table);
        assert!(shown.starts_with("first\n\nRatios:\n") && shown.ends_with("+ best\n"), "{shown}");
        let latex = text(OutputFormat::Latex);
        assert!(
            latex.contains("% first\n") && latex.contains("\\caption{Ratios. bold: best. Text: x.}"),
            "{latex}"
        );
        assert!(latex.contains("{lr}") && latex.contains("x & \\textbf{1.50}"), "{latex}");
        let aligned = sheets.latex("x-y", true);
        assert!(
            aligned.contains("{lS[table-format=1.2]}") && aligned.contains("x & \\bfseries 1.50"),
            "{aligned}"
        );
    }
}
