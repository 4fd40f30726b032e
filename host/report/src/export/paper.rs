//! Tables of reports for other documents: LaTeX and Markdown.

use std::fmt::Write;

use assay_base::io::latex_escape::as_typed;
use assay_base::io::table::latex::{LatexPart, LatexStyle, parts};
use assay_base::io::table::{Table, markdown};

use super::marks::BEST;
use super::stat_table::WIDEST;
use crate::RangeAxis;

/// The columns that name a row of figures.
const NAMES: [&str; 2] = ["algorithm", "statistic"];

/// The width of the text of a page in points: that of the class `article` at 10 points, the narrowest of the
/// usual classes with one column (llncs has 347).
const PAGE_WIDTH: f64 = 345.0;
/// The lines of a page: `article` and llncs have 45 of 12 points on letter paper. A few stay free for the
/// rules and the space around a table.
const PAGE_LINES: usize = 41;
/// The letters of a line of a caption. English words have 70 to 80 in a line of that width.
const CAPTION_WIDTH: usize = 70;
/// The lines of a part besides its rows: its names, the heading above them, and the space before the next.
const HEAD_LINES: usize = 3;

/// A table for a LaTeX document.
#[derive(Clone, Copy, Debug)]
pub struct PaperTable<'a> {
    /// The table.
    pub table: &'a Table,
    /// The range whose values are the last columns, if they are.
    pub axis: Option<&'a RangeAxis>,
    /// What the table shows.
    pub caption: &'a str,
    /// The label to refer to it, without `tab:`.
    pub label: &'a str,
    /// Whether to align figures by the package siunitx.
    pub siunitx: bool,
}

/// Tables as LaTeX, after a comment with the packages that they need in the preamble of the document.
pub fn document(tables: &str) -> String {
    let packages = [
        ("booktabs", r"\toprule"),
        ("graphicx", r"\resizebox"),
        ("longtable", r"\begin{longtable}"),
        ("siunitx", "S["),
    ];
    let needed = packages.into_iter().filter(|(_, command)| tables.contains(command));
    let packages: Vec<&str> = needed.map(|(package, _)| package).collect();
    let bold = if packages.contains(&"siunitx") { r" \sisetup{detect-weight}" } else { "" };
    format!("% Needs in the preamble: \\usepackage{{{}}}{bold}\n{tables}", packages.join(","))
}

impl PaperTable<'_> {
    /// The table as LaTeX. A table with too many columns for the text stands in parts below each other; one
    /// that is longer than a page is a `longtable`, or several.
    pub fn latex(&self) -> String {
        let PaperTable { table, axis, caption, siunitx, .. } = *self;
        let heading = axis.map(RangeAxis::title).unwrap_or_default();
        let parts = parts(table, self.style(&heading, siunitx), PAGE_WIDTH);
        let lines = parts.len() * (table.rows.len() + HEAD_LINES) + caption.len().div_ceil(CAPTION_WIDTH);
        if lines <= PAGE_LINES { self.float(&parts) } else { self.long(&parts) }
    }

    fn style<'b>(&self, heading: &'b str, siunitx: bool) -> LatexStyle<'b> {
        let columns = &self.table.columns;
        let is_name = |name: &&String| NAMES.contains(&name.as_str());
        let keys = match self.axis {
            Some(_) => columns.iter().take_while(is_name).count(),
            // The names of a row end with that of its algorithm.
            None => columns.iter().position(|name| name == NAMES[0]).map_or(0, |place| place + 1),
        };
        let tail = usize::from(columns.last().is_some_and(|name| name == WIDEST));
        LatexStyle { bold: BEST, heading, keys, tail, siunitx }
    }

    /// One float with all parts. A part that is wider than the text after all, because a document has wider
    /// letters or narrow columns, is scaled down.
    fn float(&self, parts: &[LatexPart]) -> String {
        let parts = parts.iter().map(|part| {
            let fitted = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%";
            format!("{fitted}\n{}}}\n", part.tabular())
        });
        format!(
            "\\begin{{table}}[tbp]\n\\centering\n\\caption{{{}}}\n\\label{{tab:{}}}\n\\smallskip\n{}\\end{{table}}\n",
            as_typed(self.caption),
            self.label,
            parts.collect::<Vec<_>>().join("\\par\\medskip\n")
        )
    }

    /// A `longtable` for each part, whose rows may go on over several pages.
    fn long(&self, parts: &[LatexPart]) -> String {
        let mut text = "% A longtable needs a page of one column.\n".to_owned();
        for (number, part) in parts.iter().enumerate() {
            let LatexPart { names, kinds, columns, head, body } = part;
            let (caption, label) = if number == 0 {
                (as_typed(self.caption), self.label.to_owned())
            } else {
                let names = match names.as_slice() {
                    [first, .., last] => format!("{first} to {last}"),
                    names => names.concat(),
                };
                let rest = format!("Table~\\ref{{tab:{}}}, continued: {names}", self.label);
                (rest, format!("{}-part{}", self.label, number + 1))
            };
            // Writing to a string can't fail.
            _ = write!(
                text,
                "\\begingroup\n\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n\\begin{{longtable}}{{{kinds}}}\n\
                 \\caption{{{caption}}}\\label{{tab:{label}}}\\\\\n\\toprule\n{head}\\endfirsthead\n\
                 \\multicolumn{{{columns}}}{{l}}{{\\itshape Table \\thetable{{}} (continued)}} \\\\\n\
                 \\toprule\n{head}\\endhead\n\\bottomrule\n\\endfoot\n{body}\\end{{longtable}}\n\\endgroup\n"
            );
        }
        text
    }
}

/// A table of Markdown above its caption.
pub fn markdown(table: &Table, caption: &str) -> String {
    format!("{}\n{}\n", markdown::render(table, BEST), markdown::escaped(caption))
}

/// The label of a table in LaTeX: a run and a quantity, in letters, digits and hyphens.
pub fn label(run: &str, quantity: &str) -> String {
    format!("{run}-{quantity}")
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect()
}

#[cfg(test)]
mod tests {
    use assay_base::io::table::Datum;

    use super::*;

    /// A table of algorithms at lengths from 1.
    fn table(rows: usize, lengths: usize) -> Table {
        let names = (1..=lengths).map(|length| length.to_string());
        let mut table = Table::new(std::iter::once("algorithm".to_owned()).chain(names));
        for row in 0..rows {
            let figures = (0..lengths).map(|_| Datum::Number(12345.6, 1));
            table.push(std::iter::once(Datum::Text(format!("a{row}"))).chain(figures));
        }
        table
    }

    fn latex(table: &Table, caption: &str) -> String {
        let axis = RangeAxis::default();
        PaperTable { table, axis: Some(&axis), caption, label: "x", siunitx: false }.latex()
    }

    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn a_caption_is_escaped_and_names_stand_beside_the_lengths() {
        let mut table = Table::new(["algorithm", "statistic", "4"]);
        table.push(["a".into(), "min".into(), Datum::Number(1.0, 0)]);
        let text = latex(&table, "50 % of x_y");
        assert!(text.contains("\\caption{50 \\% of x\\_y}\n\\label{tab:x}"), "{text}");
        assert!(text.contains(" &  & \\multicolumn{1}{c}{pattern length in bytes}"), "{text}");
        assert!(markdown(&table, "a_b").ends_with("| a | min | 1 |\n\na\\_b\n"));
        assert_eq!(label("a/b", "#c"), "a-b--c");
    }

    #[test]
    fn columns_that_do_not_fit_the_text_stand_below_in_the_same_float() {
        let text = latex(&table(3, 12), "All.");
        assert_eq!((count(&text, "\\begin{table}"), count(&text, "\\begin{tabular}")), (1, 3), "{text}");
        assert_eq!((count(&text, "\\caption"), count(&text, "\na2 & ")), (1, 3), "{text}");
        assert!(!text.contains("longtable"));
        assert!(
            document(&text).starts_with("% Needs in the preamble: \\usepackage{booktabs,graphicx}\n\\begin")
        );
    }

    #[test]
    fn rows_that_do_not_fit_a_page_are_a_longtable_for_each_part() {
        let text = latex(&table(100, 8), "All of 100.");
        assert_eq!((count(&text, "\\begin{longtable}{lrrrr}"), count(&text, "\na99 & ")), (2, 2), "{text}");
        assert!(text.contains("\\caption{All of 100.}\\label{tab:x}\\\\\n"), "{text}");
        let second = "\\caption{Table~\\ref{tab:x}, continued: 5 to 8}\\label{tab:x-part2}\\\\\n";
        assert!(text.contains(second), "{text}");
        assert_eq!(count(&text, "algorithm & "), 4, "names stand on each page: {text}");
        assert!(document(&text).starts_with("% Needs in the preamble: \\usepackage{booktabs,longtable}\n"));
    }

    #[test]
    fn a_long_caption_takes_lines_of_the_page() {
        let rows = table(30, 2);
        assert!(latex(&rows, "Short.").starts_with("\\begin{table}"));
        assert!(latex(&rows, &"long ".repeat(200)).contains("\\begin{longtable}"));
    }

    #[test]
    fn a_document_with_siunitx_says_so() {
        let (table, axis) = (table(1, 1), RangeAxis::default());
        let paper = PaperTable { table: &table, axis: Some(&axis), caption: "", label: "x", siunitx: true };
        let text = document(&paper.latex());
        let start =
            "% Needs in the preamble: \\usepackage{booktabs,graphicx,siunitx} \\sisetup{detect-weight}\n";
        assert!(text.starts_with(start) && text.contains("{lS[table-format=5.1]}"), "{text}");
    }
}
