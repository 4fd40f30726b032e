//! How long a run went on that decided so itself, and whose figures are not as well known as was asked for.

use std::collections::{HashMap, HashSet};

use assay_experiment::rounds::Rounds;
use assay_stats::Interval;

use super::repetitions::{ends, from_to};
use super::{CellResult, Run, Status};

/// So many are named.
const NAMED: usize = 6;

impl Run {
    /// Over how many rounds the repetitions of cells went that have an interval: "10", or "10 to 63".
    pub fn rounds_in_words(&self) -> Option<String> {
        self.rounds().map(from_to)
    }

    /// The least and the greatest of these numbers.
    pub fn rounds(&self) -> Option<(usize, usize)> {
        let counted = self.results.iter().filter(|cell| interval(cell).is_some());
        let counts = counted.map(|cell| Some(measured(cell, self.experiment.rounds_at(cell.value())?)));
        ends(counts.collect::<Option<Vec<_>>>()?)
    }

    /// At which values too few rounds were measured for an interval, though others have one.
    pub fn without_interval(&self) -> String {
        let axis = self.experiment.axis();
        let without = |cell: &&CellResult| cell.search_ns.is_some_and(|times| times.ci95.is_none());
        let mut known = HashSet::new();
        let values = self.results.iter().filter(without).map(CellResult::value);
        let values: Vec<String> =
            values.filter(|value| known.insert(*value)).map(|value| axis.at(value)).collect();
        some(&values)
    }

    /// How many patterns were searched for at each value, at least and at most; `None` if nothing was measured.
    pub fn patterns(&self) -> Option<(usize, usize)> {
        let mut repetitions: HashMap<u64, usize> = HashMap::new();
        for cell in self.results.iter().filter(|cell| cell.repetitions > 0) {
            let most = repetitions.entry(cell.value()).or_default();
            *most = cell.repetitions.max(*most);
        }
        ends(repetitions.into_values())
    }

    /// What became of `--until` and `--budget`, a line each.
    pub fn how_long(&self) -> Vec<String> {
        let Some(definition) = self.experiment.definition.as_ref().filter(|definition| definition.goes_on())
        else {
            return Vec::new();
        };
        let axis = self.experiment.axis();
        let done = || self.results.iter().filter(|cell| cell.status == Status::Ok && cell.repetitions > 0);
        let all: Vec<(&CellResult, Rounds)> =
            done().filter_map(|cell| Some((cell, self.experiment.rounds_at(cell.value())?))).collect();
        let Some((least, most)) = ends(all.iter().map(|(cell, rounds)| measured(cell, *rounds))) else {
            return Vec::new();
        };
        let asked_for = ends(all.iter().map(|(_, rounds)| rounds.count())).unwrap_or_default();
        let limit = |rounds: &Rounds| definition.most_runs(*rounds);
        let limits = all.iter().map(|(cell, rounds)| (cell.repetitions, limit(rounds)));
        let reached =
            ends(limits.filter(|(repetitions, limit)| repetitions >= limit).map(|(_, limit)| limit));
        let reached = reached
            .map_or_else(String::new, |limits| format!(": {} repetitions are the limit", from_to(limits)));
        let goes_on = |(cell, rounds): &(&CellResult, Rounds)| cell.repetitions > rounds.runs();
        let mut lines = vec![if !all.iter().any(goes_on) {
            format!("Did not go on after {most} rounds{reached}")
        } else if least == most {
            format!("Went on from {} to {most} rounds{reached}", between(asked_for))
        } else {
            let (from, to) = (between(asked_for), between((least, most)));
            let values = ends(all.iter().map(|(cell, _)| cell.value() as usize));
            // Of one value, it is the algorithms that a budget ends in the midst of a round.
            let by =
                if values.is_some_and(|(least, most)| least < most) { axis.words() } else { "algorithm" };
            format!("Went on from {from} to {to} rounds, by {by}{reached}")
        }];
        let measured = self.experiment.elapsed;
        let elapsed = measured.set_up_s + measured.measuring_s.unwrap_or(0.0);
        if let Some(budget) = definition.budget.filter(|budget| elapsed > budget.duration().as_secs_f64())
            && !all.iter().any(goes_on)
        {
            lines.push(format!("The rounds that were asked for took {elapsed:.0} s, more than {budget}"));
        }
        if let Some(until) = definition.until {
            let wide: Vec<String> = done()
                .filter_map(|cell| {
                    let width = interval(cell).map(|interval| half_width(&interval));
                    let known =
                        width.map_or_else(|| "±?".to_owned(), |width| format!("±{:.1} %", 100.0 * width));
                    let is_wide = width.is_none_or(|width| width > until.share());
                    is_wide.then(|| format!("{} {} {known}", cell.algorithm, axis.at(cell.value())))
                })
                .collect();
            let named = some(&wide);
            lines.push(match wide.is_empty() {
                true if definition.budget.is_some() => {
                    format!("At the end, all intervals are ±{until} or narrower: where the budget ended it, by one look alone")
                }
                true => format!("All intervals are ±{until} or narrower"),
                false => format!("Not as narrow as ±{until}: {named}"),
            });
        }
        lines
    }
}

/// The first of these, and how many others there are.
fn some(names: &[String]) -> String {
    let named = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > NAMED { format!("{named} and {} more", names.len() - NAMED) } else { named }
}

/// Over how many rounds the repetitions of a cell went.
fn measured(cell: &CellResult, rounds: Rounds) -> usize {
    rounds.round_of(cell.repetitions - 1) + 1
}

/// "10", or "between 10 and 63".
fn between((least, most): (usize, usize)) -> String {
    if least == most { most.to_string() } else { format!("between {least} and {most}") }
}

fn interval(cell: &CellResult) -> Option<Interval> {
    cell.search_ns?.ci95.filter(|_| cell.repetitions > 0)
}

fn half_width(interval: &Interval) -> f64 {
    if interval.low == interval.high { 0.0 } else { interval.relative_half_width() }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    /// A run of two lengths, with this number of repetitions and this half-width in percent.
    fn run(cells: [(usize, f64); 2], change: impl FnOnce(&mut assay_experiment::Experiment)) -> Run {
        let mut run = testing::run();
        change(run.experiment.definition.as_mut().unwrap());
        let result = |(length, (repetitions, percent)): (usize, (usize, f64))| {
            let mut cell = testing::cell();
            (cell.pattern_length, cell.repetitions) = (length, repetitions);
            let ci95 = Some(Interval { low: 100.0 - percent, high: 100.0 + percent });
            cell.search_ns = cell.search_ns.map(|summary| assay_stats::Summary { ci95, ..summary });
            cell
        };
        run.results = [2, 8].into_iter().zip(cells).map(result).collect();
        run
    }

    #[test]
    fn who_is_not_narrow_is_named() {
        let until = |cells| {
            run(cells, |definition| {
                (definition.runs, definition.rounds, definition.most_runs) = (500, 10, Some(1000));
                definition.until = Some("2%".parse().unwrap());
            })
            .how_long()
        };
        assert_eq!(
            until([(600, 1.0), (750, 2.0)]),
            [
                "Went on from 10 to between 12 and 15 rounds, by pattern length",
                "All intervals are ±2% or narrower"
            ]
        );
        assert_eq!(
            until([(1000, 1.0), (1000, 2.1)]),
            [
                "Went on from 10 to 20 rounds: 1000 repetitions are the limit",
                "Not as narrow as ±2%: hor m=8 ±2.1 %"
            ]
        );
        let interrupted = until([(500, 1.0), (450, 2.1)]);
        assert_eq!(interrupted[0], "Did not go on after 10 rounds");
        assert!(until([(0, 1.0), (0, 1.0)]).is_empty(), "nothing was measured");
    }

    #[test]
    fn a_run_that_was_asked_for_tells_its_rounds_alone() {
        let run = run([(500, 1.0), (500, 1.0)], |definition| {
            (definition.runs, definition.rounds) = (500, 10);
        });
        assert_eq!((run.how_long(), run.rounds_in_words()), (Vec::new(), Some("10".to_owned())));
    }

    #[test]
    fn a_budget_that_was_too_short_is_said() {
        let mut run = run([(500, 1.0), (500, 1.0)], |definition| {
            (definition.runs, definition.budget) = (500, Some("1s".parse().unwrap()));
        });
        run.experiment.elapsed.measuring_s = Some(7.0);
        assert!(run.how_long()[1].ends_with("s, more than 1s"), "{:?}", run.how_long());
    }
}
