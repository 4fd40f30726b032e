//! Writes a table for a paper.

mod column;
mod width;

use super::Table;
use crate::io::latex_escape::as_typed;
use column::{ColumnKind, FigureFormat};

/// How a table is set.
#[derive(Clone, Copy, Debug, Default)]
pub struct LatexStyle<'a> {
    /// The mark of figures that are bold.
    pub bold: char,
    /// What stands above the columns of figures; empty for nothing.
    pub heading: &'a str,
    /// The number of first columns, which name a row: each part of a table that is split repeats them.
    pub keys: usize,
    /// The number of last columns that the heading is not about. They stand in the last part only.
    pub tail: usize,
    /// Whether columns of numbers are `S` columns of the package siunitx.
    pub siunitx: bool,
}

/// Some columns of a table.
#[derive(Debug)]
pub struct LatexPart {
    /// The names of its columns of figures, as LaTeX.
    pub names: Vec<String>,
    /// The kinds of its columns, as the argument of `tabular` or `longtable`.
    pub kinds: String,
    /// The number of its columns.
    pub columns: usize,
    /// The lines above the figures, with the rule below them.
    pub head: String,
    /// A line for each row of the table.
    pub body: String,
}

impl LatexPart {
    /// The part as `tabular`, with the rules of booktabs.
    pub fn tabular(&self) -> String {
        let LatexPart { kinds, head, body, .. } = self;
        format!("\\begin{{tabular}}{{{kinds}}}\n\\toprule\n{head}{body}\\bottomrule\n\\end{{tabular}}\n")
    }
}

/// The whole table as `tabular`; figures with the mark `bold` are bold.
pub fn render(table: &Table, bold: char) -> String {
    let columns: Vec<usize> = (0..table.columns.len()).collect();
    part(table, LatexStyle { bold, keys: columns.len(), ..LatexStyle::default() }, &columns).tabular()
}

/// The table in parts, none of which is wider than this many points in Computer Modern of 10 points, unless
/// it has one column of figures. Parts have about equally many columns.
pub fn parts(table: &Table, style: LatexStyle<'_>, points: f64) -> Vec<LatexPart> {
    let (keys, count) = (style.keys, table.columns.len());
    let widths: Vec<f64> = (0..count).map(|column| column_width(table, style, column)).collect();
    let heading = if style.heading.is_empty() { 0.0 } else { width::points(style.heading) + width::GAP };
    let room = points - widths[..keys].iter().sum::<f64>();
    let split = |most: usize| {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new()];
        for column in keys..count {
            let group = groups.last_mut().expect("there is one");
            let figures: f64 = group.iter().chain([&column]).map(|column| widths[*column]).sum();
            if group.is_empty() || (group.len() < most && figures.max(heading) <= room) {
                group.push(column);
            } else {
                groups.push(vec![column]);
            }
        }
        groups
    };
    let fewest = split(count);
    let even = split((count - keys).div_ceil(fewest.len()));
    let groups = if even.len() == fewest.len() { even } else { fewest };
    let columns = groups.into_iter().map(|group| (0..keys).chain(group).collect::<Vec<_>>());
    columns.map(|columns| part(table, style, &columns)).collect()
}

/// Some columns of a table: the keys, and columns of figures after them.
fn part(table: &Table, style: LatexStyle<'_>, columns: &[usize]) -> LatexPart {
    let kinds: Vec<ColumnKind> = columns.iter().map(|column| kind(table, style, *column)).collect();
    let tail = columns.iter().filter(|column| **column + style.tail >= table.columns.len()).count();
    let figures = style.keys..(columns.len() - tail).max(style.keys);
    let mut head = String::new();
    if !style.heading.is_empty() && !figures.is_empty() {
        head += &format!(
            "{}\\multicolumn{{{}}}{{c}}{{{}}}{} \\\\\n\\cmidrule(l){{{}-{}}}\n",
            " & ".repeat(style.keys),
            figures.len(),
            as_typed(style.heading),
            " &".repeat(tail),
            figures.start + 1,
            figures.end
        );
    }
    let names = columns.iter().map(|column| as_typed(&table.columns[*column]));
    let names: Vec<String> = names.collect();
    head += &line(names.iter().zip(&kinds).map(|(name, kind)| kind.name(name)).collect());
    head += "\\midrule\n";
    let mut body = String::new();
    for cells in &table.rows {
        let cells = columns.iter().zip(&kinds).map(|(column, kind)| kind.cell(&cells[*column], style.bold));
        body += &line(cells.collect());
    }
    LatexPart {
        names: names[figures].to_vec(),
        kinds: kinds.iter().map(ColumnKind::letter).collect(),
        columns: columns.len(),
        head,
        body,
    }
}

/// A line of cells.
fn line(cells: Vec<String>) -> String {
    format!("{} \\\\\n", cells.join(" & "))
}

/// The kind of a column.
fn kind(table: &Table, style: LatexStyle<'_>, column: usize) -> ColumnKind {
    let is_of_figures = !style.heading.is_empty() && style.keys <= column;
    match FigureFormat::new(table.rows.iter().map(|row| &row[column]), style.bold) {
        Some(format) if style.siunitx && format.is_plain() => ColumnKind::Siunitx(format),
        Some(format) => ColumnKind::Right(format),
        None if is_of_figures => ColumnKind::Right(FigureFormat::default()),
        None => ColumnKind::Left,
    }
}

/// The width of a column with the space around it, in points.
fn column_width(table: &Table, style: LatexStyle<'_>, column: usize) -> f64 {
    let kind = kind(table, style, column);
    let cells = table.rows.iter().map(|row| kind.width(&row[column], style.bold));
    cells.fold(width::points(&table.columns[column]), f64::max) + width::GAP
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::table::Datum;

    fn style(keys: usize) -> LatexStyle<'static> {
        LatexStyle { bold: '+', heading: "m in %", keys, ..LatexStyle::default() }
    }

    /// A table of an algorithm at lengths from 1.
    fn wide(lengths: usize, figure: f64) -> Table {
        let names = (1..=lengths).map(|length| length.to_string());
        let mut table = Table::new(std::iter::once("algorithm".to_owned()).chain(names));
        table.push(std::iter::once("hor".into()).chain((0..lengths).map(|_| Datum::Number(figure, 1))));
        table
    }

    fn names(parts: &[LatexPart]) -> Vec<String> {
        parts.iter().map(|part| part.names.join(" ")).collect()
    }

    #[test]
    fn the_best_are_bold_below_a_heading_of_their_own() {
        let mut table = Table::new(["algorithm", "4", "8"]);
        table.push(["a_b".into(), Datum::Marked(1234.5, 1, '+'), Datum::Missing]);
        let [whole] = &parts(&table, style(1), 345.0)[..] else { panic!("it fits") };
        assert_eq!(
            whole.tabular(),
            "\\begin{tabular}{lrr}\n\\toprule\n & \\multicolumn{2}{c}{m in \\%} \\\\\n\\cmidrule(l){2-3}\n\
             algorithm & 4 & 8 \\\\\n\\midrule\na\\_b & \\textbf{1,234.5} & -- \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
        assert!(
            render(&table, '+').starts_with("\\begin{tabular}{lrl}\n\\toprule\nalgorithm & 4"),
            "no heading"
        );
    }

    #[test]
    fn columns_that_do_not_fit_stand_in_further_parts_of_about_the_same_width() {
        // 6 digits of 5 points, a point, a comma, and 12 points around them, beside 60 of the name.
        assert_eq!(names(&parts(&wide(4, 12345.6), style(1), 345.0)), ["1 2 3 4"]);
        assert_eq!(names(&parts(&wide(8, 12345.6), style(1), 345.0)), ["1 2 3 4", "5 6 7 8"]);
        let three = parts(&wide(11, 12345.6), style(1), 345.0);
        assert_eq!(names(&three), ["1 2 3 4", "5 6 7 8", "9 10 11"]);
        assert!(
            three.iter().all(|part| part.body.starts_with("hor & ") && part.head.contains("algorithm & "))
        );
        assert_eq!(names(&parts(&wide(2, 1e15), style(1), 50.0)), ["1", "2"], "each is too wide");
    }

    #[test]
    fn the_heading_is_not_about_the_last_columns() {
        let mut table = wide(2, 1.0);
        table.columns.push("± %".to_owned());
        table.rows[0].push(Datum::Number(0.5, 1));
        let whole = &parts(&table, LatexStyle { tail: 1, ..style(1) }, 345.0)[0];
        assert_eq!(
            whole.head,
            " & \\multicolumn{2}{c}{m in \\%} & \\\\\n\\cmidrule(l){2-3}\nalgorithm & 1 & 2 & $\\pm$ \\% \\\\\n\\midrule\n"
        );
        assert_eq!(whole.names, ["1", "2"]);
    }

    #[test]
    fn siunitx_aligns_numbers_and_braces_protect_words() {
        let mut table = Table::new(["algorithm", "4", "8"]);
        table.push(["a".into(), Datum::Marked(1234.5, 1, '+'), Datum::Text("timed out".to_owned())]);
        table.push(["b".into(), Datum::Marked(2.25, 2, '~'), Datum::Missing]);
        let part = &parts(&table, LatexStyle { siunitx: true, ..style(1) }, 345.0)[0];
        assert_eq!(part.kinds, "lS[table-format=4.2,table-space-text-post={\\textasciitilde{}}]r");
        assert!(part.head.contains("algorithm & {4} & 8 \\\\"), "{}", part.head);
        assert_eq!(
            part.body,
            "a & \\bfseries 1234.5 & timed out \\\\\nb & 2.25{\\textasciitilde{}} & -- \\\\\n"
        );
    }
}
