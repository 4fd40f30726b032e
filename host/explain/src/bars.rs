//! Stacked bars in a terminal: how long each kind of work takes by the model.

use assay_base::io::numbers::{decimals, fixed};

use crate::explanation::{ExplainedCell, Explanation};
use crate::work::WorkKind;

/// Columns of a line.
const WIDTH: usize = 80;
/// Columns of a time.
const TIME: usize = 9;
/// The longest name that is shown whole.
const LONGEST_NAME: usize = 20;

/// A bar for each of these algorithms at each range value, at one scale for each value, within 80 columns. Empty if the
/// model is too poor to show.
pub fn bars(explanation: &Explanation, algorithms: &[String]) -> String {
    if !explanation.claims {
        return String::new();
    }
    let mut text =
        "Time of a search in µs, and what it consists of by the cost model; | is the\nmeasured time. "
            .to_owned();
    let legend = |kind: WorkKind| format!("{} {}", kind.letter(), kind.plural());
    let (first, rest) = WorkKind::ALL.split_at(2);
    let line = |kinds: &[WorkKind]| kinds.iter().map(|kind| legend(*kind)).collect::<Vec<_>>().join(", ");
    text += &format!("{},\n{}\n", line(first), line(rest));
    let name = |id: &str| id.chars().take(LONGEST_NAME).collect::<String>();
    let names = algorithms.iter().map(|id| name(id).chars().count()).max().unwrap_or(0);
    for cells in by_value(explanation, algorithms) {
        let longest = cells.iter().map(|cell| predicted(cell).max(cell.time_ns)).fold(0.0, f64::max);
        let digits = decimals(cells.iter().map(|cell| cell.time_ns / 1000.0));
        text += &format!("\n{}\n", cells[0].at);
        for cell in cells {
            let time = fixed(cell.time_ns / 1000.0, digits);
            let bar = bar(cell, longest, WIDTH - names - TIME - 4);
            text += &format!("  {:<names$}{time:>TIME$}  {bar}\n", name(&cell.algorithm));
        }
    }
    text
}

/// The cells of these algorithms at each range value, in the order in which they were asked for.
pub(crate) fn by_value<'a>(
    explanation: &'a Explanation,
    algorithms: &[String],
) -> Vec<Vec<&'a ExplainedCell>> {
    let mut values: Vec<u64> = Vec::new();
    for cell in &explanation.cells {
        if !values.contains(&cell.value) {
            values.push(cell.value);
        }
    }
    let cell = |id: &String, value: u64| {
        explanation.cells.iter().find(|cell| cell.algorithm == *id && cell.value == value)
    };
    let at = |value: u64| algorithms.iter().filter_map(|id| cell(id, value)).collect::<Vec<_>>();
    values.into_iter().map(at).filter(|cells| !cells.is_empty()).collect()
}

/// The time that the model predicts; 0 if there is none.
pub(crate) fn predicted(cell: &ExplainedCell) -> f64 {
    cell.parts_ns.map_or(0.0, |parts| parts.sum())
}

/// Letters for the parts of a cell, with a mark at the measured time. The time `longest` has all columns.
fn bar(cell: &ExplainedCell, longest: f64, columns: usize) -> String {
    let scale = (columns - 1) as f64 / longest;
    let parts = cell.parts_ns.unwrap_or_default();
    let mut bar = String::new();
    let (mut end, mut length) = (0.0, 0);
    for kind in WorkKind::ALL {
        end += parts.get(kind) * scale;
        while length < end.round() as usize {
            bar.push(kind.letter());
            length += 1;
        }
    }
    let mark = (cell.time_ns * scale).round() as usize;
    let mut letters: Vec<char> = bar.chars().collect();
    letters.resize(letters.len().max(mark + 1), ' ');
    letters[mark] = '|';
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::explain;
    use crate::testing::{machine_cells, unexplainable_cells};
    use crate::work::PerWork;

    fn cell(time_ns: f64, parts: [f64; 5]) -> ExplainedCell {
        ExplainedCell {
            algorithm: "a".to_owned(),
            value: 1,
            at: "m=1".to_owned(),
            time_ns,
            counts: PerWork::default(),
            parts_ns: Some(PerWork(parts)),
        }
    }

    #[test]
    fn parts_are_as_long_as_they_take() {
        let parts = [4.0, 2.0, 0.0, 0.0, 1.0];
        assert_eq!(bar(&cell(7.0, parts), 10.0, 11), "ttttlls|");
        assert_eq!(bar(&cell(10.0, parts), 10.0, 11), "ttttlls   |");
        assert_eq!(bar(&cell(2.0, parts), 10.0, 11), "tt|tlls");
        // What is shorter than a letter is rounded, and the sum of all is not.
        assert_eq!(bar(&cell(3.0, [0.4; 5]), 10.0, 11), "lb |");
    }

    #[test]
    fn bars_fit_80_columns_and_the_longest_fills_them() {
        let explanation = explain(&machine_cells(12, 3, 0.01, 2).cells, &[]);
        let ids = ["a3".to_owned(), "a1".to_owned()];
        let drawn = bars(&explanation, &ids);
        let widths: Vec<usize> = drawn.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width <= WIDTH), "{drawn}");
        let rows: Vec<&str> = drawn.lines().filter(|line| line.starts_with("  a")).collect();
        let is_full = |row: &&&str| row.chars().count() + 1 >= WIDTH;
        assert_eq!(rows.iter().filter(is_full).count(), 3, "one for each value:\n{drawn}");
        assert_eq!(rows.len(), 6, "{drawn}");
        assert!(
            rows[0].starts_with("  a3 ") && rows.iter().all(|row| row.matches('|').count() == 1),
            "{drawn}"
        );
        assert_eq!(bars(&explain(&unexplainable_cells(12, 3, 2), &[]), &ids), "");
    }
}
