//! The fastest algorithms of a run of many: hundreds of rows in the order of their names don't show them.

use assay_base::columns::Call;
use assay_base::io::fold::for_output;
use assay_base::io::numbers::fixed;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_store::overall::Place;
use assay_store::{CellResult, Run, Status};

use super::{algorithms, distinct};
use crate::RangeAxis;
use crate::export::marks::mark;

/// Up to this number of algorithms, readers find the fastest in the table itself: it fits a terminal.
const FEW: usize = 20;
/// The number of the fastest that are shown.
const SHOWN: usize = 10;
/// Up to this number of algorithms of a best set are named: as many as fit two lines of a terminal.
const NAMED: usize = 16;

/// Whether the fastest algorithms of a run are shown. A report on a subset shows what was asked for.
pub(super) fn are_shown(run: &Run) -> bool {
    run.experiment.has_times() && run.experiment.subset.is_none() && algorithms(run).len() > FEW
}

/// The fastest algorithms at each range value and over all of them, and the best sets.
pub(super) fn section(run: &Run, precision: usize) -> String {
    let axis = RangeAxis::new(&run.experiment);
    let mut table = Table::new(["place"]);
    table.rows = (1..=SHOWN).map(|place| vec![Datum::Number(place as f64, 0)]).collect();
    let mut best_sets = Vec::new();
    for value in distinct(run.results.iter().map(CellResult::value)) {
        let cells = fastest_at(run, value);
        let shown = |(cell, median): &(&CellResult, f64)| {
            let mark = mark(*cell.ranks.get(Some(Call::Search)), false);
            format!("{} {}{}", cell.algorithm, fixed(median / 1000.0, precision), mark.to_string().trim())
        };
        add_column(&mut table, axis.short(value), cells.iter().map(shown));
        let is_best = |cell: &CellResult| cell.ranks.get(Some(Call::Search)).is_best();
        let best: Vec<&str> =
            cells.iter().filter(|(cell, _)| is_best(cell)).map(|(cell, _)| cell.algorithm.as_str()).collect();
        if !best.is_empty() {
            best_sets.push(format!("  {}: {}", axis.at(value), first_of(&best)));
        }
    }
    let overall = overall(run);
    if !overall.is_empty() {
        let shown = |(id, place): &(&str, Place)| format!("{id} {:.2}x", place.to_best.ratio);
        add_column(&mut table, "over all".to_owned(), overall.iter().map(shown));
    }
    let mut title = format!("The {SHOWN} fastest at each {}: search, median in µs", axis.over.singular());
    if !overall.is_empty() {
        title += "; over all: mean ratio to the best at each";
    }
    let mut text = format!("\n{}\n{}", for_output(&(title + ":"), 2), table.render(OutputFormat::Table));
    if !best_sets.is_empty() {
        let sets = for_output(&best_sets.join("\n"), 4);
        text += &format!("\nBest sets (no algorithm is known to be faster than these):\n{sets}\n");
    }
    text
}

/// The cells with times at a range value with their medians, fastest first.
fn fastest_at(run: &Run, value: u64) -> Vec<(&CellResult, f64)> {
    let done = run.results.iter().filter(|cell| cell.value() == value && cell.status == Status::Ok);
    let mut cells: Vec<_> = done.filter_map(|cell| Some((cell, cell.time(Call::Search)?.med))).collect();
    cells.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    cells
}

/// The algorithms with a rank over all range values, best first; none if there is one value.
fn overall(run: &Run) -> Vec<(&str, Place)> {
    let places = run.overall.iter().filter_map(|overall| {
        let place = (*overall.places.get(Some(Call::Search)))?;
        (place.lengths > 1 && place.rank.is_some()).then_some((overall.algorithm.as_str(), place))
    });
    let mut places: Vec<_> = places.collect();
    places.sort_by(|(_, a), (_, b)| a.rank.cmp(&b.rank).then(a.to_best.ratio.total_cmp(&b.to_best.ratio)));
    places
}

/// Adds a column of the first cells; the others are missing.
fn add_column(table: &mut Table, title: String, mut cells: impl Iterator<Item = String>) {
    table.columns.push(title);
    table.rows.iter_mut().for_each(|row| row.push(cells.next().into()));
}

/// The first names, and the number of the others.
fn first_of(names: &[&str]) -> String {
    let (named, others) = names.split_at(names.len().min(NAMED));
    let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    named.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use assay_stats::Summary;
    use assay_stats::significance::{Ratio, Standing};
    use assay_store::rank::Rank;
    use assay_store::testing;

    use super::*;

    /// A run of this number of algorithms, `a01` ..: at length 8 each is 1 µs slower than the one before, and
    /// the first two are best; at 16 it is the other way round, and nothing is ranked.
    fn run(count: usize) -> Run {
        let mut run = testing::run();
        for (length, is_ranked) in [(8, true), (16, false)] {
            for number in 1..=count {
                let micros = if length == 8 { number } else { count + 1 - number };
                let mut cell = testing::cell();
                (cell.algorithm, cell.pattern_length) = (format!("a{number:02}"), length);
                cell.search_ns = Summary::new(&[micros as f64 * 1000.0]);
                let to_best = Ratio { ratio: 1.0, low: 1.0, high: 1.0 };
                let standing = Standing { rank: number.saturating_sub(1).max(1), to_best };
                cell.ranks.search_ns = Rank { standing: is_ranked.then_some(standing), ..Rank::default() };
                run.results.push(cell);
            }
        }
        run
    }

    #[test]
    fn the_fastest_of_many_are_shown_with_the_best_sets() {
        let text = section(&run(25), 1);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(
            text.starts_with("\nThe 10 fastest at each pattern length: search, median in µs:\n"),
            "{text}"
        );
        assert_eq!(rows[2], ["place", "m=8", "m=16"]);
        assert!(rows.contains(&vec!["1", "a01", "1.0+", "a25", "1.0"]), "{text}");
        assert!(rows.contains(&vec!["10", "a10", "10.0", "a16", "10.0"]), "{text}");
        assert!(text.ends_with("faster than these):\n  m=8: a01, a02\n"), "{text}");
    }

    #[test]
    fn few_algorithms_are_all_in_the_table_and_a_subset_was_chosen() {
        assert!(are_shown(&run(21)) && !are_shown(&run(20)));
        let mut of_subset = run(21);
        of_subset.experiment.subset = Some("21 of 30 algorithms".to_owned());
        assert!(!are_shown(&of_subset));
        let many: Vec<String> = (0..18).map(|number| format!("a{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(first_of(&many).ends_with("a14, a15 and 2 more"));
    }
}
