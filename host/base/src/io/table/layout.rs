//! Writes a table for people. Numbers, ids and paths are never broken. Columns that are too wide for the
//! terminal go into further tables below, and only prose is wrapped, between words.

use std::collections::HashSet;
use std::ops::Range;

use comfy_table::{Cell, CellAlignment, LineStyle, TableStyle};

use super::{Datum, Table};
use crate::io::console::printable;
use crate::io::fold::{self, wrapped};

/// Spaces between columns: one is the style's line between them, the other a column's padding.
const GAP: usize = 2;

/// Least width of prose that makes room for other columns.
const NARROWEST_PROSE: usize = 30;

/// Names with their values, one line for each name. A long value continues on the next line.
pub fn pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let names = pairs.clone().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let room = fold::width(std::io::stdout())
        .unwrap_or(usize::MAX)
        .saturating_sub(2 * GAP + names)
        .max(NARROWEST_PROSE);
    let margin = format!("\n{:1$}", "", 2 * GAP + names);
    let pair = |(name, value)| {
        let value = wrapped(&printable(value), room).replace('\n', &margin);
        format!("{:GAP$}{name:<names$}{:GAP$}{value}\n", "", "")
    };
    pairs.map(pair).collect()
}

/// The table as lines that fit the width, without trailing spaces. Columns that have no room are printed in
/// further tables below, each of which repeats the columns that identify the rows.
pub(super) fn render(data: &Table, width: Option<usize>) -> String {
    let natural = widths(data, str::to_owned);
    let Some(width) = width else {
        let all: Vec<usize> = (0..natural.len()).collect();
        return block(data, &all, &vec![usize::MAX; all.len()]);
    };
    let words = widths(data, |text| text.replace(' ', "\n"));
    let least: Vec<usize> =
        natural.iter().zip(words).map(|(&natural, word)| word.max(natural.min(NARROWEST_PROSE))).collect();
    let keys = keys(data, &least, width);
    let groups = groups(&least, keys, width);
    let blocks = groups.into_iter().map(|group| {
        let shown: Vec<usize> = (0..keys).chain(group).collect();
        let text = block(data, &shown, &shares(&shown, keys, &natural, &least, width));
        // A word that is too long for its line makes no rule longer than the terminal is wide.
        let rule = |line: &str| line.starts_with('─').then(|| line.chars().take(width).collect::<String>());
        text.lines().map(|line| rule(line).unwrap_or(line.to_owned()) + "\n").collect::<String>()
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// The width of each column, if its texts are written in this way.
fn widths(data: &Table, written: impl Fn(&str) -> String) -> Vec<usize> {
    let mut table = comfy_table::Table::new();
    table.set_header(data.columns.iter().map(|title| written(&printable(title))));
    for row in &data.rows {
        table.add_row(row.iter().map(|cell| written(&printable(&cell.shown()))));
    }
    table.column_max_content_widths().into_iter().map(usize::from).collect()
}

/// Number of first columns that are repeated: as few as identify the rows, within half of the width.
fn keys(data: &Table, least: &[usize], width: usize) -> usize {
    let tell_apart = |count: usize| {
        let mut seen = HashSet::new();
        data.rows.iter().all(|row| seen.insert(row[..count].iter().map(Datum::plain).collect::<Vec<_>>()))
    };
    let fit = |count: &usize| *count == 1 || taken(&least[..*count]) <= width / 2;
    let fitting = (1..least.len()).take_while(fit);
    fitting.clone().find(|&count| tell_apart(count)).or(fitting.last()).unwrap_or(0)
}

/// The width of columns with the gaps after them.
fn taken(widths: &[usize]) -> usize {
    widths.iter().map(|width| width + GAP).sum()
}

/// The columns after the repeated ones, split into parts that fit the width.
fn groups(least: &[usize], keys: usize, width: usize) -> Vec<Range<usize>> {
    let room = (width + GAP).saturating_sub(taken(&least[..keys]));
    let mut groups = Vec::new();
    let mut start = keys;
    for end in keys + 1..=least.len() {
        if end - start > 1 && taken(&least[start..end]) > room {
            groups.push(start..end - 1);
            start = end - 1;
        }
    }
    groups.push(start..least.len());
    groups
}

/// The width of every column of the data. Prose gets the width that the others leave. A column that does not
/// fit even alone gets all the width beside the repeated columns.
fn shares(shown: &[usize], keys: usize, natural: &[usize], least: &[usize], width: usize) -> Vec<usize> {
    let room = width.saturating_sub(taken(&least[..keys]));
    let mut shares: Vec<usize> = least.iter().map(|&least| least.min(room).max(1)).collect();
    shares[..keys].copy_from_slice(&least[..keys]);
    let least = shown.iter().map(|&column| shares[column] + GAP).sum();
    let mut left = (width + GAP).saturating_sub(least);
    for &column in shown {
        let more = left.min(natural[column].saturating_sub(shares[column]));
        shares[column] += more;
        left -= more;
    }
    shares
}

/// A table with some of the columns.
fn block(data: &Table, shown: &[usize], widths: &[usize]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    let numeric = |column: usize| {
        let mut cells = data.rows.iter().map(|row| &row[column]);
        cells.clone().any(|cell| cell.number().is_some()) || cells.all(|cell| *cell == Datum::Missing)
    };
    let aligned: Vec<CellAlignment> = shown
        .iter()
        .map(|&column| if numeric(column) { CellAlignment::Right } else { CellAlignment::Left })
        .collect();
    let row = |text: &dyn Fn(usize) -> String| -> Vec<Cell> {
        let cells = shown.iter().zip(&aligned);
        cells
            .map(|(&column, align)| {
                Cell::new(wrapped(&printable(&text(column)), widths[column])).set_alignment(*align)
            })
            .collect()
    };
    table.set_header(row(&|column| data.columns[column].clone()));
    for cells in &data.rows {
        table.add_row(row(&|column| cells[column].shown()));
    }
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, u16::from(place + 1 < shown.len())));
    }
    table.trim_fmt() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> Datum {
        Datum::Number(value, 2)
    }

    #[test]
    fn a_pipe_gets_one_table_without_trailing_spaces() {
        let mut data = Table::new(["algorithm", "m=2", "m=4"]);
        data.push(["bf".into(), number(1234.5), number(1.0)]);
        data.push(["twoway".into(), "timed out".into(), Datum::Missing]);
        let text = "\
algorithm        m=2   m=4
──────────────────────────
bf           1234.50  1.00
twoway     timed out     -
";
        assert_eq!(render(&data, None), text);
        assert_eq!(render(&data, Some(26)), text);
    }

    #[test]
    fn columns_that_are_too_wide_continue_below_and_repeat_the_identifying_columns() {
        let mut data = Table::new(["m", "algorithm", "x", "y"]);
        for algorithm in ["bf", "bm"] {
            data.push([Datum::Number(2.0, 0), algorithm.into(), number(123_456.0), number(1.0)]);
        }
        let text = "\
m  algorithm          x
───────────────────────
2  bf         123456.00
2  bm         123456.00

m  algorithm     y
──────────────────
2  bf         1.00
2  bm         1.00
";
        assert_eq!(render(&data, Some(28)), text);
        data.rows.truncate(1);
        let text = render(&data, Some(17));
        assert!(
            text.ends_with("\n\nm          x\n────────────\n2  123456.00\n\nm     y\n───────\n2  1.00\n"),
            "{text}"
        );
    }

    #[test]
    fn only_prose_is_wrapped() {
        let mut data = Table::new(["id", "name", "path"]);
        let name = "all values in the order in which they were measured";
        data.push(["all".into(), name.into(), "/usr/lib/assay/libassay_statistics.so".into()]);
        let lines: Vec<String> = render(&data, Some(75)).lines().map(str::to_owned).collect();
        assert_eq!(lines[2], "all  all values in the order in  /usr/lib/assay/libassay_statistics.so");
        assert_eq!(lines[3], "     which they were measured");
        for width in 1..75 {
            let text = render(&data, Some(width));
            assert!(text.contains("/usr/lib/assay/libassay_statistics.so"), "{text}");
            let fits = |line: &str| line.chars().count() <= width.max(44) || line.contains('/');
            assert!(text.lines().all(fits), "{width}\n{text}");
        }
    }

    #[test]
    fn a_cell_can_not_command_the_terminal() {
        let mut data = Table::new(["a\x1b[2J"]);
        data.push(["\x1b[31mred".into()]);
        assert_eq!(render(&data, None).lines().last(), Some("\\u{1b}[31mred"));
        assert!(!render(&data, Some(80)).contains('\x1b'));
    }
}
