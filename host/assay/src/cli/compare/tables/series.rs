//! The tables of more than two runs: a series of ratios to the first run, and the runs at which times
//! changed.

use assay_base::io::numbers::fixed;
use assay_base::io::table::{Datum, Table};
use assay_report::compare::{ComparedRun, ComparedTimes, SeriesStep};
use assay_report::{RangeAxis, Report};
use assay_stats::significance::{Comparison, Verdict};
use serde_json::{Value, json};

use super::{
    ComparedReports, DECIMALS, ONE_ROUND, ONE_RUN, SPEED_CHANGED, algorithm, beyond_floor, means_notes,
    moved, not_compared, rounds_note, too_slow_note,
};
use crate::cli::report::of_call;
use crate::cli::sheets::{TitledTable, judged, subset_note, verdict_words};

/// The columns for programs that a comparison of two runs does not have.
pub(super) const STEP_COLUMNS: [&str; 6] =
    ["previous", "step_ratio", "step_low", "step_high", "step_p", "step_verdict"];

/// The times of an algorithm, at one value of the range or over all: one for each later run, `None` where
/// they could not be compared.
struct SeriesRow<'a>(Vec<Option<&'a ComparedTimes>>);

impl<'a> SeriesRow<'a> {
    /// The rows of some of the times of each run, in the order of the first run that has them.
    fn all(runs: &'a [ComparedRun], times: impl Fn(&'a ComparedRun) -> &'a [ComparedTimes]) -> Vec<Self> {
        let mut rows: Vec<Self> = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            // A row that is new in this run follows the row before it.
            let mut next = 0;
            for times in times(run) {
                let is_known = |row: &Self| {
                    let known = row.any();
                    (&known.algorithm, known.value) == (&times.algorithm, times.value)
                };
                let known = rows[next..].iter().position(is_known).map(|more| next + more);
                let place = known.or_else(|| rows.iter().position(is_known)).unwrap_or(next);
                if !rows.get(place).is_some_and(is_known) {
                    rows.insert(place, SeriesRow(vec![None; runs.len()]));
                }
                rows[place].0[number] = Some(times);
                next = place + 1;
            }
        }
        rows
    }

    /// The times of any run, which say of what they are.
    fn any(&self) -> &'a ComparedTimes {
        self.0.iter().flatten().next().expect("a run has it")
    }

    /// The cells of the ratios, and the runs at which the times changed.
    fn data(&self) -> impl Iterator<Item = Datum> {
        let ratios = self.0.iter().map(|times| times.map_or(Datum::Missing, ratio_cell));
        let changes: Vec<String> = self
            .0
            .iter()
            .zip(2..)
            .filter_map(|(times, number)| {
                let SeriesStep { comparison, .. } =
                    times.as_ref()?.step.filter(|step| step.change().is_some())?;
                Some(format!("{number}: {} {}", fixed(comparison.ratio.ratio, DECIMALS), comparison.word()))
            })
            .collect();
        let changed = (!changes.is_empty()).then(|| Datum::Strong(changes.join(", ")));
        ratios.chain([changed.into()]).collect::<Vec<_>>().into_iter()
    }
}

/// "1.210 [1.180, 1.240] slower".
fn ratio_cell(times: &ComparedTimes) -> Datum {
    let Some(Comparison { ratio, verdict, .. }) = times.comparison else { return ONE_ROUND.into() };
    let [middle, low, high] = [ratio.ratio, ratio.low, ratio.high].map(|number| fixed(number, DECIMALS));
    let mark = if times.too_slow { "!" } else { "" };
    let text = format!("{middle}{mark} [{low}, {high}]");
    match verdict {
        Verdict::Tied => text.into(),
        Verdict::Slower => Datum::Strong(format!("{text} slower")),
        Verdict::Faster => Datum::Strong(format!("{text} faster")),
    }
}

/// "2", "3" ..: the numbers of the later runs, which are the heads of their columns.
fn numbers(later: &[Report]) -> impl Iterator<Item = String> {
    (2..).take(later.len()).map(|number: usize| number.to_string())
}

/// The table of all algorithms and range values.
pub(super) fn cells_sheet(compared: &ComparedReports<'_>, limit: Option<f64>) -> TitledTable {
    let ComparedReports { first, later, call, found, .. } = *compared;
    let axis = RangeAxis::new(&first.facts);
    let head = ["algorithm", axis.symbol()].map(str::to_owned).into_iter();
    let mut table = Table::new(head.chain(numbers(later)).chain(["changed at".to_owned()]));
    for row in SeriesRow::all(&found.runs, |run| &run.cells) {
        let head = [algorithm(row.any()), row.any().value.map(|value| axis.cell(value)).into()];
        table.push(head.into_iter().chain(row.data()));
    }
    let title = format!("{} over that in run 1, with its 95 % confidence interval:", of_call(first, call));
    let mut legend = vec![runs_note(first, later)];
    legend.extend(verdict_words(&beyond_floor(found), found.comparisons));
    let all = found.runs.iter().zip(2..);
    legend.extend(all.clone().filter_map(|(run, number)| {
        Some(format!("in run {number}, {}, because {SPEED_CHANGED}", moved(found, run)?))
    }));
    legend.push(changed_note(found.steps));
    legend.extend(subset_note(&first.facts));
    legend.push(ONE_RUN.to_owned());
    let methods = found.runs.iter().map(|run| {
        let method = if run.by_pattern { "pattern by pattern" } else { "by the medians of the rounds" };
        let rounds =
            rounds_note(&run.rounds).filter(|_| run.cells.iter().any(|one| one.comparison.is_some()));
        rounds.map(|rounds| format!("compared {method}; {rounds}"))
    });
    legend.extend(by_runs(methods));
    let mut times = found.runs.iter().flat_map(|run| run.cells.iter().chain(&run.overall));
    legend.extend(limit.filter(|_| times.any(|times| times.too_slow)).map(too_slow_note));
    for (run, number) in all {
        let lines = not_compared(&run.not_compared, &axis);
        legend.extend(lines.into_iter().map(|line| format!("run {number}: {line}")));
    }
    TitledTable { title, table, legend }
}

/// The table of the means over all range values; `None` if there is none.
pub(super) fn overall_sheet(compared: &ComparedReports<'_>) -> Option<TitledTable> {
    let ComparedReports { later, found, .. } = *compared;
    let rows = SeriesRow::all(&found.runs, |run| &run.overall);
    rows.iter().find(|row| row.0.iter().flatten().any(|times| times.comparison.is_some()))?;
    let mut table = Table::new(
        ["algorithm".to_owned()].into_iter().chain(numbers(later)).chain(["changed at".to_owned()]),
    );
    for row in rows {
        table.push([algorithm(row.any())].into_iter().chain(row.data()));
    }
    let mut legend =
        vec!["geometric mean of the ratios at all values that the run shares with run 1".to_owned()];
    let notes = found
        .runs
        .iter()
        .map(|run| Some(means_notes(&run.common).join("; ")).filter(|note| !note.is_empty()));
    legend.extend(by_runs(notes));
    Some(TitledTable { title: "Overall:".to_owned(), table, legend })
}

/// Which run has which number.
fn runs_note(first: &Report, later: &[Report]) -> String {
    let runs = std::iter::once(first).chain(later).zip(1..);
    let runs: Vec<String> = runs.map(|(report, number)| format!("{number} {}", report.facts.id)).collect();
    format!("runs: {}", runs.join(", "))
}

/// What the column of changes means.
fn changed_note(steps: usize) -> String {
    format!(
        "changed at: the runs whose time differs from that in the run before, with this ratio, beyond the floor and the \
         speed of the machine between the two; p < 0.05, corrected for these {steps} steps (Holm); what changes little by \
         little has no such run, but a ratio to run 1"
    )
}

/// Notes on the later runs: once if all have the same, or else each with the number of its run.
fn by_runs(notes: impl Iterator<Item = Option<String>>) -> Vec<String> {
    let notes: Vec<Option<String>> = notes.collect();
    if let [Some(first), others @ ..] = notes.as_slice()
        && others.iter().all(|other| other.as_ref() == Some(first))
    {
        return vec![first.clone()];
    }
    let numbered = notes.into_iter().zip(2..);
    numbered.filter_map(|(note, number)| Some(format!("run {number}: {}", note?))).collect()
}

/// The id of a run by its place among all.
fn id<'a>(place: usize, first: &'a Report, later: &'a [Report]) -> &'a str {
    place.checked_sub(1).map_or(first, |place| &later[place]).facts.id.as_str()
}

/// The step of compared times, for the [`STEP_COLUMNS`].
pub(super) fn step_data(
    times: &ComparedTimes,
    first: &Report,
    later: &[Report],
) -> impl Iterator<Item = Datum> {
    let previous = times.step.map(|step| Datum::from(id(step.previous, first, later)));
    [previous.into()].into_iter().chain(judged(times.step.map(|step| step.comparison)))
}

/// The step of compared times as an object, or `null`.
pub(super) fn step_object(times: &ComparedTimes, first: &Report, later: &[Report]) -> Value {
    times.step.map_or(Value::Null, |SeriesStep { previous, comparison }| {
        json!({
            "previous": id(previous, first, later),
            "ratio": comparison.ratio,
            "p": comparison.p,
            "verdict": comparison.word(),
        })
    })
}

#[cfg(test)]
mod tests {
    use assay_stats::significance::NullRange;

    use super::*;

    /// A run with these cells.
    fn run(cells: &[(&str, u64)]) -> ComparedRun {
        let times = |(algorithm, value): &(&str, u64)| ComparedTimes {
            algorithm: Some((*algorithm).to_owned()),
            value: Some(*value),
            comparison: None,
            too_slow: false,
            step: None,
        };
        ComparedRun {
            by_pattern: true,
            null_range: NullRange::within(0.02),
            cells: cells.iter().map(times).collect(),
            overall: Vec::new(),
            rounds: Vec::new(),
            common: Vec::new(),
            not_compared: Vec::new(),
        }
    }

    #[test]
    fn rows_that_only_some_runs_have_stand_between_the_others() {
        let runs =
            [run(&[("a", 4), ("b", 4)]), run(&[("a", 4), ("a", 8), ("b", 4), ("b", 8)]), run(&[("b", 4)])];
        let rows = SeriesRow::all(&runs, |run| &run.cells);
        let seen: Vec<(&str, u64, usize)> = rows
            .iter()
            .map(|row| {
                let times = row.any();
                (times.algorithm.as_deref().unwrap(), times.value.unwrap(), row.0.iter().flatten().count())
            })
            .collect();
        assert_eq!(seen, [("a", 4, 2), ("a", 8, 1), ("b", 4, 3), ("b", 8, 1)]);
    }

    #[test]
    fn notes_that_all_runs_share_are_given_once() {
        let notes = |notes: &[Option<&str>]| by_runs(notes.iter().map(|note| note.map(str::to_owned)));
        assert_eq!(notes(&[Some("x"), Some("x")]), ["x"]);
        assert_eq!(notes(&[Some("x"), None, Some("y")]), ["run 2: x", "run 4: y"]);
        assert_eq!(notes(&[None, None]), [] as [&str; 0]);
    }
}
