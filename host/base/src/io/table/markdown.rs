//! Writes a table for issues and READMEs.

use super::{Datum, Table};
use crate::io::numbers::grouped;

/// The table in the Markdown of GitHub. Cells with the mark `bold` are bold.
pub fn render(table: &Table, bold: char) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rule = |column: usize| if table.is_of_numbers(column) { "---:" } else { "---" }.to_owned();
    let mut text = row(table.columns.iter().map(|name| escaped(name)).collect());
    text += &row((0..table.columns.len()).map(rule).collect());
    for cells in &table.rows {
        text += &row(cells.iter().map(|datum| shown(datum, bold)).collect());
    }
    text
}

fn shown(datum: &Datum, bold: char) -> String {
    let marked = |number: f64, decimals: usize, mark: char| {
        let figure = grouped(number, decimals);
        if mark == bold { format!("**{figure}**") } else { figure + &escaped(mark.to_string().trim()) }
    };
    match datum {
        Datum::Marked(number, decimals, mark) => marked(*number, *decimals, *mark),
        Datum::Within { value, decimals, mark, .. } => marked(*value, *decimals, *mark) + &datum.interval(),
        Datum::Number(number, decimals) => grouped(*number, *decimals),
        Datum::Strong(text) => format!("**{}**", escaped(text)),
        other => escaped(&other.shown()),
    }
}

/// A text in which no character is Markdown.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '|' | '\\' | '*' | '_' | '`' | '~' | '[' | ']' | '#' => escaped.extend(['\\', letter]),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_bold_and_nothing_else_is_marked_up() {
        let mut table = Table::new(["algorithm", "4"]);
        table.push(["a|b_*".into(), Datum::Marked(1234.5, 1, '+')]);
        table.push(["c".into(), Datum::Marked(0.5, 1, '~')]);
        table.push(["d".into(), Datum::Missing]);
        table.push(["e".into(), Datum::Within { value: 2.0, half_width: 0.25, decimals: 2, mark: '+' }]);
        assert_eq!(
            render(&table, '+'),
            "| algorithm | 4 |\n| --- | ---: |\n| a\\|b\\_\\* | **1,234.5** |\n| c | 0.5\\~ |\n| d | - |\n\
             | e | **2.00** ± 0.25 |\n"
        );
    }
}
