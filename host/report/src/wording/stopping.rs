//! The duration of a run that decides itself when to stop (`--until`, `--budget`), and the intervals that are
//! still wider than was asked for.

use std::collections::HashSet;

use assay_experiment::definition::Experiment;
use assay_experiment::how_long::TargetWidth;
use assay_experiment::rounds::Rounds;
use assay_stats::Interval;
use assay_store::repetitions::{ends, interval};
use assay_store::{CellResult, Run, Status};

use super::from_to;
use crate::RangeAxis;

/// Up to this number of cells are named, which is as many as fit into two lines of a terminal.
const MOST_NAMED: usize = 6;

/// The number of rounds of the cells that have an interval: `10`, or `10 to 63`.
pub fn rounds(run: &Run) -> Option<String> {
    run.rounds().map(from_to)
}

/// The values at which too few rounds were measured for an interval, although other values have one.
pub fn values_without_interval(run: &Run) -> String {
    let axis = RangeAxis::new(&run.experiment);
    let without = run.results.iter().filter(|cell| cell.search_ns.is_some_and(|times| times.ci95.is_none()));
    let mut known = HashSet::new();
    let values = without.map(CellResult::value).filter(|value| known.insert(*value));
    first_of(&values.map(|value| axis.at(value)).collect::<Vec<_>>())
}

/// The effects of `--until` and `--budget`, a line each; empty for a run without them.
pub fn stopping(run: &Run) -> Vec<String> {
    let Some(definition) = run.experiment.definition.as_ref().filter(|definition| definition.goes_on())
    else {
        return Vec::new();
    };
    let cells: Vec<MeasuredCell<'_>> = measured(run)
        .filter_map(|cell| Some(MeasuredCell { cell, planned: run.experiment.rounds_at(cell.value())? }))
        .collect();
    let Some(rounds) = continued(run, definition, &cells) else { return Vec::new() };
    let over_budget = over_budget(run, definition, &cells);
    let widths = definition.until.map(|until| widths(run, until, definition.budget.is_some()));
    std::iter::once(rounds).chain(over_budget).chain(widths).collect()
}

/// The cells that were measured without a failure.
fn measured(run: &Run) -> impl Iterator<Item = &CellResult> {
    run.results.iter().filter(|cell| cell.status == Status::Ok && cell.repetitions > 0)
}

/// A cell that was measured without a failure, with the rounds that were planned for it.
struct MeasuredCell<'a> {
    cell: &'a CellResult,
    planned: Rounds,
}

impl MeasuredCell<'_> {
    /// The number of planned and further rounds over which its repetitions went. A round is one, however
    /// many parts of a resumed run measured it.
    fn rounds(&self) -> usize {
        self.planned.round_of(self.cell.repetitions - 1) + 1
    }

    /// Whether it was repeated more often than planned.
    fn continued(&self) -> bool {
        self.cell.repetitions > self.planned.runs()
    }
}

/// The planned and the final number of rounds. `None` if nothing was measured.
fn continued(run: &Run, definition: &Experiment, cells: &[MeasuredCell<'_>]) -> Option<String> {
    let (least, greatest) = ends(cells.iter().map(MeasuredCell::rounds))?;
    let planned = ends(cells.iter().map(|cell| cell.planned.count())).unwrap_or_default();
    let limits = cells.iter().map(|cell| (cell.cell.repetitions, definition.most_runs(cell.planned)));
    let reached = ends(limits.filter(|(repetitions, limit)| repetitions >= limit).map(|(_, limit)| limit));
    let reached = reached.map_or_else(String::new, |limits| {
        format!(", the limit of {} repetitions (--most-runs)", from_to(limits))
    });
    Some(if !cells.iter().any(MeasuredCell::continued) {
        format!("Stopped after {greatest} rounds{reached}")
    } else if least == greatest {
        format!("Continued from {} to {greatest} rounds{reached}", between(planned))
    } else {
        let values = ends(cells.iter().map(|cell| cell.cell.value() as usize));
        // If there is one value only, the numbers differ by algorithm, because the budget ended a round
        // midway.
        let differs_by = match values {
            Some((least, greatest)) if least < greatest => RangeAxis::new(&run.experiment).words(),
            _ => "algorithm",
        };
        let (from, to) = (between(planned), between((least, greatest)));
        format!("Continued from {from} to {to} rounds, by {differs_by}{reached}")
    })
}

/// A line if the planned rounds alone took longer than the budget.
fn over_budget(run: &Run, definition: &Experiment, cells: &[MeasuredCell<'_>]) -> Option<String> {
    let times = run.experiment.elapsed;
    let elapsed = times.set_up_s + times.measuring_s.unwrap_or(0.0);
    let budget = definition.budget.filter(|budget| elapsed > budget.duration().as_secs_f64())?;
    let planned_only = !cells.iter().any(MeasuredCell::continued);
    planned_only.then(|| format!("The rounds that were asked for took {elapsed:.0} s, more than {budget}"))
}

/// The intervals that are not as narrow as was asked for, or a line if all are.
fn widths(run: &Run, until: TargetWidth, has_budget: bool) -> String {
    let axis = RangeAxis::new(&run.experiment);
    let wide: Vec<String> = measured(run)
        .filter_map(|cell| {
            let width = interval(cell).map(half_width);
            let is_wide = width.is_none_or(|width| width > until.share());
            let width = width.map_or_else(|| "±?".to_owned(), |width| format!("±{:.1} %", 100.0 * width));
            is_wide.then(|| format!("{} {} {width}", cell.algorithm, axis.at(cell.value())))
        })
        .collect();
    if !wide.is_empty() {
        format!("Still wider than ±{until}: {}", first_of(&wide))
    } else if has_budget {
        format!(
            "At the end, all intervals are ±{until} or narrower; where the budget ended the run, only one check found that"
        )
    } else {
        format!("All intervals are ±{until} or narrower")
    }
}

/// The first of these names, and the number of the others.
fn first_of(names: &[String]) -> String {
    let named = names[..names.len().min(MOST_NAMED)].join(", ");
    if names.len() > MOST_NAMED { format!("{named} and {} more", names.len() - MOST_NAMED) } else { named }
}

/// Two numbers that may be equal, after "from" or "to": `10`, or `between 10 and 63`.
fn between((least, greatest): (usize, usize)) -> String {
    if least == greatest { greatest.to_string() } else { format!("between {least} and {greatest}") }
}

/// Half the width of an interval, relative to its middle. An interval without width may lie at 0.
fn half_width(interval: Interval) -> f64 {
    if interval.low == interval.high { 0.0 } else { interval.relative_half_width() }
}

#[cfg(test)]
mod tests {
    use assay_store::testing;

    use super::*;

    /// A run of two lengths, with this number of repetitions and this half-width in percent.
    fn run(cells: [(usize, f64); 2], change: impl FnOnce(&mut Experiment)) -> Run {
        let mut run = testing::run();
        change(run.experiment.definition.as_mut().unwrap());
        for (length, (repetitions, percent)) in [2, 8].into_iter().zip(cells) {
            let mut cell = testing::cell();
            (cell.pattern_length, cell.repetitions) = (length, repetitions);
            let ci95 = Some(Interval { low: 100.0 - percent, high: 100.0 + percent });
            cell.search_ns = cell.search_ns.map(|summary| assay_stats::Summary { ci95, ..summary });
            run.results.push(cell);
        }
        run
    }

    /// The lines on a run until all intervals are ± 2 %.
    fn until(cells: [(usize, f64); 2]) -> Vec<String> {
        stopping(&run(cells, |definition| {
            (definition.runs, definition.rounds, definition.most_runs) = (500, 10, Some(1000));
            definition.until = Some("2%".parse().unwrap());
        }))
    }

    #[test]
    fn cells_with_wide_intervals_are_named() {
        assert_eq!(
            until([(600, 1.0), (750, 2.0)]),
            [
                "Continued from 10 to between 12 and 15 rounds, by pattern length",
                "All intervals are ±2% or narrower"
            ]
        );
        assert_eq!(
            until([(1000, 1.0), (1000, 2.1)]),
            [
                "Continued from 10 to 20 rounds, the limit of 1000 repetitions (--most-runs)",
                "Still wider than ±2%: hor m=8 ±2.1 %"
            ]
        );
        let interrupted = until([(500, 1.0), (450, 2.1)]);
        assert_eq!(interrupted[0], "Stopped after 10 rounds");
        assert!(until([(0, 1.0), (0, 1.0)]).is_empty(), "nothing was measured");
    }

    #[test]
    fn a_run_without_a_stopping_rule_reports_its_rounds_only() {
        let run = run([(500, 1.0), (500, 1.0)], |definition| {
            (definition.runs, definition.rounds) = (500, 10);
        });
        assert_eq!((stopping(&run), rounds(&run)), (Vec::new(), Some("10".to_owned())));
    }

    #[test]
    fn a_budget_that_was_too_short_is_reported() {
        let mut run = run([(500, 1.0), (500, 1.0)], |definition| {
            (definition.runs, definition.budget) = (500, Some("1s".parse().unwrap()));
        });
        run.experiment.elapsed.measuring_s = Some(7.0);
        let lines = stopping(&run);
        assert!(lines[1].ends_with("s, more than 1s"), "{lines:?}");
    }
}
