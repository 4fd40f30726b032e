//! The tables and data of a comparison of runs.

mod series;

use assay_base::io::table::{Datum, Table};
use assay_report::RangeAxis;
use assay_report::compare::{ComparedRun, ComparedTimes, NotComparable, NotCompared, RunComparison};
use assay_report::export::caption;
use assay_report::setup::conditions;
use assay_report::wording::from_to;
use assay_report::{Call, NotMadeFor, Report};
use assay_stats::rounds::CommonRounds;
use assay_stats::significance::{RUN_FLOOR, Verdict};
use serde_json::{Value, json};

use crate::cli::report::of_call;
use crate::cli::sheets::{
    Sheets, TitledTable, judged, judged_object, ratio, significance, subset_note, verdict_words,
};

/// Decimals of ratios: the noise floor is 1 %, so three show a tenth of it.
const DECIMALS: usize = 3;

/// The reason why times have no ratio. Cells with other reasons are listed below the table.
const ONE_ROUND: &str = "one round";

/// The note below every table that shows a difference.
const ONE_RUN: &str = "one run on each side: no interval contains what stays the same during a whole run (the state \
                       of memory, other programs); repeat the first run and compare that run as well, to see how \
                       large this is";

/// A comparison with the runs that were compared.
#[derive(Clone, Copy)]
pub(super) struct ComparedReports<'a> {
    /// The first run.
    pub first: &'a Report,
    /// The others.
    pub later: &'a [Report],
    /// For each of these, its differences from the first besides the times, a line each.
    pub differences: &'a [Vec<String>],
    /// The call whose times are compared; `None` for all calls together.
    pub call: Option<Call>,
    /// The ratios.
    pub found: &'a RunComparison,
}

/// The tables of a comparison, with what differs between the runs above them. `limit` is the share by which a
/// time may be slower.
pub(super) fn sheets(compared: &ComparedReports<'_>, limit: Option<f64>) -> Sheets {
    let ComparedReports { first, later, differences, found, .. } = *compared;
    let is_series = later.len() > 1;
    let mut heading = run_heading(if is_series { "1:" } else { "before:" }, first);
    for ((report, lines), number) in later.iter().zip(differences).zip(2..) {
        let role = if is_series { format!("{number}:") } else { "now:".to_owned() };
        heading.extend(run_heading(&role, report));
        heading.extend(lines.iter().map(|line| format!("differs {line}")));
    }
    let mut sheets = Vec::new();
    if let ([report], [run]) = (later, found.runs.as_slice()) {
        sheets.push(cells_sheet(compared, report, run, limit));
        sheets.extend(overall_sheet(report, run, limit));
    } else {
        sheets.push(series::cells_sheet(compared, limit));
        sheets.extend(series::overall_sheet(compared));
    }
    let (rows, object) = (rows(first, later, found), object(compared, limit));
    Sheets { heading, facts: facts(first, later), sheets, rows, object }
}

/// The lines on a run above the tables: its name and its conditions.
fn run_heading(role: &str, report: &Report) -> Vec<String> {
    let mut lines = vec![format!("{role:<7} {}", name(report))];
    let noted = report.facts.subset.clone().into_iter().chain(conditions(&report.facts));
    lines.extend(noted.map(|line| format!("noted   {line}")));
    lines
}

/// The text, the repetitions and the machine of each run, in sentences; once if they are the same for all.
fn facts(first: &Report, later: &[Report]) -> Vec<String> {
    let before = caption::of_run(first);
    let now: Vec<String> = later.iter().map(caption::of_run).collect();
    if now.iter().all(|sentence| *sentence == before) {
        let ids: Vec<&str> = later.iter().map(|report| report.facts.id.as_str()).collect();
        return vec![format!("Before ({}) and now ({}): {before}", first.facts.id, ids.join(", "))];
    }
    let now = later.iter().zip(now).map(|(report, facts)| format!("Now ({}): {facts}", report.facts.id));
    std::iter::once(format!("Before ({}): {before}", first.facts.id)).chain(now).collect()
}

/// "20260102-030405-ab (before the change)".
fn name(report: &Report) -> String {
    let description = report.facts.definition.as_ref().map(|experiment| experiment.description.as_str());
    match description.filter(|text| !text.is_empty()) {
        Some(description) => format!("{} ({description})", report.facts.id),
        None => report.facts.id.clone(),
    }
}

/// The table of all algorithms and range values that a later run shares with the first.
fn cells_sheet(
    compared: &ComparedReports<'_>,
    report: &Report,
    run: &ComparedRun,
    limit: Option<f64>,
) -> TitledTable {
    let method = if run.by_pattern { "pattern by pattern" } else { "by the medians of the rounds" };
    let axis = RangeAxis::new(&report.facts);
    let mut table = Table::new(["algorithm", axis.symbol(), "ratio", "from", "to", "p", "now"]);
    for times in &run.cells {
        table.push(row(times, &axis, limit.is_some()));
    }
    let call = of_call(report, compared.call);
    let title = format!("{call} now over that before, {method}, with its 95 % confidence interval:");
    let mut legend = verdict_words(&beyond(compared.found, run), compared.found.comparisons);
    legend.extend(subset_note(&report.facts));
    let mut comparisons = run.cells.iter().chain(&run.overall).filter_map(|times| times.comparison);
    if comparisons.any(|comparison| comparison.verdict != Verdict::Tied) {
        legend.push(ONE_RUN.to_owned());
    }
    if run.cells.iter().any(|times| times.comparison.is_some()) {
        legend.extend(rounds_note(&run.rounds));
    }
    let mut all = run.cells.iter().chain(&run.overall);
    legend.extend(limit.filter(|_| all.any(|times| times.too_slow)).map(too_slow_note));
    legend.extend(not_compared(&run.not_compared, &axis));
    TitledTable { title, table, legend }
}

/// The table of the means over all range values; `None` if there is none.
fn overall_sheet(report: &Report, run: &ComparedRun, limit: Option<f64>) -> Option<TitledTable> {
    run.overall.iter().find(|times| times.comparison.is_some())?;
    let axis = RangeAxis::new(&report.facts);
    let mut table = Table::new(["algorithm", "ratio", "from", "to", "p", "now"]);
    for times in &run.overall {
        let mut row = row(times, &axis, limit.is_some());
        row.remove(1);
        table.push(row);
    }
    let mut legend = vec!["geometric mean of the ratios at all values that both runs have".to_owned()];
    legend.extend(means_notes(&run.common));
    Some(TitledTable { title: "Overall:".to_owned(), table, legend })
}

/// What the mark of times that are too slow means.
fn too_slow_note(limit: f64) -> String {
    format!("! significantly slower by more than {} %", 100.0 * limit)
}

/// The shares of the time beyond which a ratio is a difference: the run floor, or more if the machine's own
/// speed explains more.
fn beyond(found: &RunComparison, run: &ComparedRun) -> String {
    match moved(found, run) {
        None => beyond_floor(found),
        Some(moved) => format!("{} ({moved}, because {SPEED_CHANGED})", beyond_floor(found)),
    }
}

/// Why a ratio beyond the floor may be no difference.
const SPEED_CHANGED: &str = "the timing loops show that the speed of the machine changed";

/// The share of the time beyond which a ratio is a difference if the speed of the machine explains nothing.
fn beyond_floor(found: &RunComparison) -> String {
    let reason = if found.floor > RUN_FLOOR { ", by how much an algorithm differs from itself" } else { "" };
    format!("{}{reason}", percent(found.floor))
}

/// "slower: by more than 7.1 %", if the machine's own speed explains more than the floor.
fn moved(found: &RunComparison, run: &ComparedRun) -> Option<String> {
    let floor = percent(found.floor);
    let sides = [("slower", run.null_range.slower()), ("faster", run.null_range.faster())];
    let moved = sides.into_iter().filter(|(_, share)| percent(*share) != floor);
    let moved: Vec<String> =
        moved.map(|(word, share)| format!("{word}: by more than {}", percent(share))).collect();
    (!moved.is_empty()).then(|| moved.join(", "))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The cells that could not be compared, a line for each algorithm and reason. Algorithms that are not made
/// for some cells have one line together, because that is no failure.
pub(super) fn not_compared(cells: &[NotCompared], axis: &RangeAxis) -> Vec<String> {
    let (refused, cells): (Vec<_>, Vec<_>) =
        cells.iter().partition(|cell| cell.reason == NotComparable::NotMadeFor);
    let refused = NotMadeFor::grouped(refused.iter().map(|cell| (cell.algorithm.as_str(), cell.value)));
    let refused = NotMadeFor::summary(&refused, axis).map(|summary| format!("not compared: {summary}"));
    let mut alike: Vec<(String, Vec<String>)> = Vec::new();
    for NotCompared { algorithm, value, reason } in cells {
        let line = format!("{algorithm}: {}", reason.words());
        match alike.iter_mut().find(|(other, _)| *other == line) {
            Some((_, values)) => values.push(axis.label(*value)),
            None => alike.push((line, vec![axis.label(*value)])),
        }
    }
    let alike = alike
        .into_iter()
        .map(|(line, values)| format!("not compared: {line} ({}={})", axis.symbol(), values.join(",")));
    alike.chain(refused).collect()
}

/// The number of rounds of each ratio.
fn rounds_note(rounds: &[(usize, usize)]) -> Option<String> {
    match rounds {
        [now] => Some(format!("each ratio is from {} rounds of the later run", from_to(*now))),
        [now, before] => {
            Some(format!("each ratio is from {} rounds now and {} before", from_to(*now), from_to(*before)))
        }
        _ => None,
    }
}

/// Notes on the rounds of each side that the overall means leave out.
fn means_notes(common: &[CommonRounds]) -> Vec<String> {
    let sides: &[&str] = if common.len() == 2 { &["now: ", "before: "] } else { &[""] };
    let notes = sides.iter().zip(common);
    notes.filter_map(|(side, common)| Some(format!("{side}{}", common.note()?))).collect()
}

/// A row of either table. If it is `marked`, its ratio has room for the mark of times that are too slow.
fn row(times: &ComparedTimes, axis: &RangeAxis, marked: bool) -> Vec<Datum> {
    let head = [algorithm(times), times.value.map(|value| axis.cell(value)).into()];
    let [middle, low, high] = ratio(times.comparison.map(|one| one.ratio), DECIMALS);
    let middle = match (middle, marked) {
        (Datum::Number(ratio, decimals), true) => {
            Datum::Marked(ratio, decimals, if times.too_slow { '!' } else { ' ' })
        }
        (other, _) => other,
    };
    let significance = times.comparison.map_or(Datum::Missing, |one| significance(one.p));
    let word = match times.comparison {
        Some(one) if one.verdict != Verdict::Tied => Datum::Strong(one.word().to_owned()),
        Some(one) => one.word().into(),
        None => ONE_ROUND.into(),
    };
    head.into_iter().chain([middle, low, high, significance, word]).collect()
}

fn algorithm(times: &ComparedTimes) -> Datum {
    times.algorithm.as_deref().unwrap_or("all").into()
}

/// One row for each time of each later run, for programs.
fn rows(first: &Report, later: &[Report], found: &RunComparison) -> Table {
    let value = first.facts.over().column();
    let columns = ["before", "now", "algorithm", value, "ratio", "low", "high", "p", "verdict", "too_slow"];
    let is_series = later.len() > 1;
    let more = if is_series { &series::STEP_COLUMNS[..] } else { &[] };
    let mut rows = Table::new(columns.iter().chain(more).copied());
    for (report, run) in later.iter().zip(&found.runs) {
        for times in run.cells.iter().chain(&run.overall) {
            let length = times.value.map(|value| Datum::Number(value as f64, 0)).into();
            let runs = [first, report].map(|report| Datum::from(report.facts.id.as_str()));
            let head = runs.into_iter().chain([algorithm(times), length]);
            let mut row: Vec<Datum> = head.chain(judged(times.comparison)).collect();
            row.push(Datum::Flag(times.too_slow));
            if is_series {
                row.extend(series::step_data(times, first, later));
            }
            rows.push(row);
        }
    }
    rows
}

/// The whole comparison as one object, for programs.
fn object(compared: &ComparedReports<'_>, limit: Option<f64>) -> Value {
    let ComparedReports { first, later, differences, call, found } = *compared;
    let axis = RangeAxis::new(&first.facts);
    let times = |times: &ComparedTimes| {
        let mut object = times_object(times, &axis);
        if later.len() > 1 {
            object["step"] = series::step_object(times, first, later);
        }
        object
    };
    let mut runs = Vec::new();
    for ((report, lines), run) in later.iter().zip(differences).zip(&found.runs) {
        runs.push(json!({
            "run": report.facts.id,
            "subset": report.facts.subset,
            "differs": lines,
            "noted": conditions(&report.facts),
            "by_pattern": run.by_pattern,
            "least_slower": run.null_range.slower(),
            "least_faster": run.null_range.faster(),
            "rounds": run.rounds,
            "cells": run.cells.iter().map(times).collect::<Vec<_>>(),
            "overall": run.overall.iter().map(times).collect::<Vec<_>>(),
            "not_compared":
                run.not_compared.iter().map(|cell| not_compared_object(cell, &axis)).collect::<Vec<_>>(),
        }));
    }
    let mut object = json!({
        "before": first.facts.id,
        "subset": first.facts.subset,
        "noted": conditions(&first.facts),
        "call": first.call_name(call),
        "least_difference": found.floor,
        "fail_if_slower": limit,
        "correction": "holm",
        "comparisons": found.comparisons,
        "now": runs,
    });
    if later.len() > 1 {
        object["steps"] = json!(found.steps);
    }
    object
}

/// Compared times as an object.
fn times_object(times: &ComparedTimes, axis: &RangeAxis) -> Value {
    let no_ratio = times.comparison.is_none().then_some(ONE_ROUND);
    let place = (axis.column(), times.value);
    let mut object = judged_object(times.algorithm.as_deref(), place, times.comparison, no_ratio);
    object["too_slow"] = json!(times.too_slow);
    object
}

/// A cell that could not be compared as an object.
fn not_compared_object(cell: &NotCompared, axis: &RangeAxis) -> Value {
    json!({
        "algorithm": cell.algorithm,
        axis.column(): cell.value,
        "why": cell.reason.words(),
    })
}
