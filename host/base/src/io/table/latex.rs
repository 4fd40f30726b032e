//! Writes a table for a paper.

use super::{Datum, Table};
use crate::io::latex_escape::as_typed;
use crate::io::numbers::grouped;

/// The table as `tabular` of LaTeX, with the rules of booktabs; cells with the mark `bold` are bold. The
/// `heading` stands above the columns from `from` on.
pub fn render(table: &Table, bold: char, heading: &str, from: usize) -> String {
    let count = table.columns.len();
    let side = |column: usize| if column >= from || table.is_of_numbers(column) { 'r' } else { 'l' };
    let columns: String = (0..count).map(side).collect();
    let row = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let mut text = format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
    if from < count {
        text += &format!(
            "{}\\multicolumn{{{}}}{{c}}{{{}}} \\\\\n\\cmidrule(l){{{}-{count}}}\n",
            " & ".repeat(from),
            count - from,
            as_typed(heading),
            from + 1
        );
    }
    text += &row(table.columns.iter().map(|name| as_typed(name)).collect());
    text += "\\midrule\n";
    for cells in &table.rows {
        text += &row(cells.iter().map(|datum| shown(datum, bold)).collect());
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

fn shown(datum: &Datum, bold: char) -> String {
    match datum {
        Datum::Marked(number, decimals, mark) if *mark == bold => {
            format!("\\textbf{{{}}}", grouped(*number, *decimals))
        }
        Datum::Marked(number, decimals, mark) => {
            grouped(*number, *decimals) + &as_typed(mark.to_string().trim())
        }
        Datum::Number(number, decimals) => grouped(*number, *decimals),
        Datum::Strong(text) => format!("\\textbf{{{}}}", as_typed(text)),
        Datum::Missing => "--".to_owned(),
        other => as_typed(&other.shown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strong_word_is_bold_and_typed_as_it_is() {
        assert_eq!(shown(&Datum::Strong("a_b".to_owned()), '+'), "\\textbf{a\\_b}");
    }

    #[test]
    fn the_best_are_bold_below_a_heading_of_their_own() {
        let mut table = Table::new(["algorithm", "4", "8"]);
        table.push(["a_b".into(), Datum::Marked(1234.5, 1, '+'), Datum::Missing]);
        assert_eq!(
            render(&table, '+', "m in %", 1),
            "\\begin{tabular}{lrr}\n\\toprule\n & \\multicolumn{2}{c}{m in \\%} \\\\\n\\cmidrule(l){2-3}\n\
             algorithm & 4 & 8 \\\\\n\\midrule\na\\_b & \\textbf{1,234.5} & -- \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }
}
