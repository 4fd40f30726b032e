//! A table in Markdown, as issues and READMEs show it.

use super::{Datum, Table};

/// Columns of numbers are set to the right.
pub(super) fn render(table: &Table) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ");
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let is_number = |datum: &Datum| matches!(datum, Datum::Number(..) | Datum::Marked(..));
    let rule = |column| {
        let numbers = table.rows.iter().any(|row| is_number(&row[column]));
        if numbers { "---:" } else { "---" }.to_owned()
    };
    let head = line(table.columns.iter().map(|title| escaped(title)).collect());
    let rule = line((0..table.columns.len()).map(rule).collect());
    let row = |row: &Vec<Datum>| line(row.iter().map(|datum| escaped(datum.shown().trim_end())).collect());
    head + &rule + &table.rows.iter().map(row).collect::<String>()
}
