//! The output of `report --baseline`.

use assay_base::error::Result;
use assay_base::io::table::{Datum, Table};
use assay_experiment::range::Over;
use assay_report::RangeAxis;
use assay_report::baseline::{Baseline, BaselineCell, NoRatio};
use assay_report::export::caption;
use assay_report::export::marks::{self, mark};
use assay_report::wording;
use assay_report::wording::from_to;
use assay_report::{Call, Gap, Report};
use assay_stats::rounds::CommonRounds;
use assay_stats::significance::Overall;
use serde_json::{Value, json};

use crate::cli::sheets::{
    Sheets, TitledTable, judged, judged_object, ratio, significance, subset_note, words,
};

/// Decimals of ratios. More would be noise, because rounds determine a ratio to about 1 %.
const DECIMALS: usize = 3;

/// The table of all algorithms compared with the baseline, and the overall table.
pub(super) fn sheets(report: &Report, baseline: &str, call: Option<Call>) -> Result<Sheets> {
    let compared = report.baseline(baseline, call)?;
    let mut heading = vec![format!("Run {}: {}", report.facts.id, report.facts.texts_in_words())];
    heading.extend(wording::conditions(&report.facts));
    heading.extend(report.clock_note.clone());
    heading.extend(wording::remarks(&report.facts));
    Ok(Sheets {
        heading,
        facts: vec![caption::of_run(report)],
        sheets: vec![ratios(report, baseline, call, &compared), overall(&compared, report.facts.over())],
        rows: rows(report, baseline, &compared),
        object: object(report, baseline, call, &compared),
    })
}

/// The table of the ratios to the baseline.
fn ratios(report: &Report, baseline: &str, call: Option<Call>, compared: &Baseline) -> TitledTable {
    let alone = report.algorithms().len() == 1;
    let axis = RangeAxis::new(&report.facts);
    let mut table = Table::new([axis.symbol(), "algorithm", "ratio", "from", "to", "p", "time"]);
    for cell in &compared.cells {
        let mark = mark(cell.rank, alone);
        let [ratio, low, high] = if cell.algorithm == baseline && cell.no_ratio.is_none() {
            [Datum::Marked(1.0, DECIMALS, mark), Datum::Missing, Datum::Missing]
        } else {
            let [_, low, high] = ratio(cell.judged.map(|judged| judged.ratio), DECIMALS);
            let middle = cell.judged.map(|judged| Datum::Marked(judged.ratio.ratio, DECIMALS, mark));
            [middle.into(), low, high]
        };
        let word: Datum = match (cell.judged, &cell.no_ratio) {
            (Some(judged), _) => judged.word().into(),
            (None, Some(no_ratio)) => no_ratio.word().into(),
            (None, None) => "baseline".into(),
        };
        let significance = cell.judged.map_or(Datum::Missing, |judged| significance(judged.p));
        table.push([
            axis.cell(cell.value),
            cell.algorithm.as_str().into(),
            ratio,
            low,
            high,
            significance,
            word,
        ]);
    }
    let mut legend = words(compared.floor, compared.comparisons);
    legend.extend(subset_note(&report.facts));
    for algorithm in report.algorithms() {
        let cells = compared.cells.iter().filter(|cell| cell.algorithm == algorithm);
        let gaps: Vec<Gap> = cells.filter_map(|cell| cell.no_ratio.as_ref()?.gap()).collect();
        if !gaps.is_empty() {
            legend.push(format!("times of {algorithm} are {}", Gap::in_words(&gaps, &axis)));
        }
    }
    legend.extend(compared.rounds.map(|rounds| format!("each ratio is over {} rounds", from_to(rounds))));
    let timed = compared.cells.iter().filter(|cell| !matches!(cell.no_ratio, Some(NoRatio::Absent(_))));
    let ranks: Vec<_> = timed.map(|cell| cell.rank).collect();
    legend.extend(marks::legend(&ranks, alone, report.facts.noise.floor_ns, compared.floor));
    legend.extend(compared.null.as_ref().and_then(|null| null.words(call)));
    TitledTable {
        title: format!(
            "{} over that of {baseline}, pattern by pattern, with its 95 % confidence interval:",
            of_call(report, call)
        ),
        table,
        legend,
    }
}

/// "Time of the search", or "Time of search3".
pub(crate) fn of_call(report: &Report, call: Option<Call>) -> String {
    let calls = match (call, report.selected_call(call)) {
        (_, Some(selected)) => selected,
        (Some(Call::Prepare), None) => "the preparation",
        (Some(Call::Search), None) => "the search",
        (None, None) => "preparation and search",
    };
    format!("Time of {calls}")
}

/// The overall results in the order of the ranks, those without a rank last.
fn ranked(compared: &Baseline) -> Vec<&(String, Overall)> {
    let mut overall: Vec<_> = compared.overall.0.iter().collect();
    overall.sort_by(|(_, a), (_, b)| {
        let ((a_rank, a_ratio), (b_rank, b_ratio)) = (a.order(), b.order());
        a_rank.cmp(&b_rank).then(a_ratio.total_cmp(&b_ratio))
    });
    overall
}

fn rank(overall: &Overall) -> Datum {
    overall.standing.map(|standing| Datum::Number(standing.rank as f64, 0)).into()
}

/// The overall table.
fn overall(compared: &Baseline, over: Over) -> TitledTable {
    let lengths = compared.overall.1;
    let mut table = Table::new(["rank", "algorithm", "to the best", "from", "to", over.plural()]);
    for (algorithm, overall) in ranked(compared) {
        let row = [rank(overall), algorithm.as_str().into()];
        let count = Datum::Number(overall.cells as f64, 0);
        table.push(row.into_iter().chain(ratio(overall.to_best, DECIMALS)).chain([count]));
    }
    let mut legend = vec![
        format!(
            "to the best: geometric mean, over all {}, of the ratio to the best algorithm there, with its own 95 % interval",
            over.plural()
        ),
        "Tied algorithms share a rank; ties are decided by intervals that hold all at once with 95 %"
            .to_owned(),
    ];
    let with_times = compared.overall.0.iter().filter(|(_, overall)| overall.to_best.is_some());
    let common = with_times.map(|(_, overall)| overall.common).reduce(CommonRounds::fewer);
    legend.extend(common.and_then(CommonRounds::note));
    if compared.overall.0.iter().any(|(_, overall)| overall.cells < lengths) {
        legend.push(
            "no rank: an algorithm without times at one of them; its mean is of those where it has some, and no other's is \
             compared with it"
                .to_owned(),
        );
    }
    let title = match lengths {
        0 => format!("No {} could be compared:", over.singular()),
        1 => format!("At the one {} that could be compared:", over.singular()),
        _ => format!("Over the {lengths} {} that could be compared:", over.plural()),
    };
    TitledTable { title, table, legend }
}

/// Everything as rows, for programs.
fn rows(report: &Report, baseline: &str, compared: &Baseline) -> Table {
    let mut rows = Table::new([
        "algorithm",
        report.facts.over().column(),
        "against",
        "ratio",
        "low",
        "high",
        "p",
        "verdict",
        "rank",
        "lengths",
    ]);
    for cell in &compared.cells {
        let BaselineCell { value, algorithm, rank, .. } = cell;
        let rank: Datum = rank.standing.map(|standing| Datum::Number(standing.rank as f64, 0)).into();
        let head = [algorithm.as_str().into(), Datum::Number(*value as f64, 0), baseline.into()];
        rows.push(head.into_iter().chain(judged(cell.judged)).chain([rank, Datum::Missing]));
    }
    for (algorithm, overall) in ranked(compared) {
        let head = [algorithm.as_str().into(), Datum::Missing, "best".into()];
        let count = Datum::Number(overall.cells as f64, 0);
        let tail = [Datum::Missing, Datum::Missing, rank(overall), count];
        rows.push(head.into_iter().chain(ratio(overall.to_best, DECIMALS)).chain(tail));
    }
    rows
}

/// Everything as an object, for programs.
fn object(report: &Report, baseline: &str, call: Option<Call>, compared: &Baseline) -> Value {
    let axis = RangeAxis::new(&report.facts);
    let mut overall = Vec::new();
    for (algorithm, result) in ranked(compared) {
        overall.push(json!({
            "algorithm": algorithm,
            "rank": result.standing.map(|standing| standing.rank),
            "to_best": result.to_best,
            "lengths": result.cells,
        }));
    }
    json!({
        "run": report.facts.id,
        "subset": report.facts.subset,
        "baseline": baseline,
        "call": report.call_name(call),
        "least_difference": compared.floor,
        "null": compared.null,
        "correction": "holm",
        "comparisons": compared.comparisons,
        "cells": compared.cells.iter().map(|cell| cell_object(cell, &axis)).collect::<Vec<_>>(),
        "lengths": compared.overall.1,
        "overall": overall,
    })
}

/// A cell as an object.
fn cell_object(cell: &BaselineCell, axis: &RangeAxis) -> Value {
    let no_ratio = cell.no_ratio.as_ref().map(NoRatio::word);
    let place = (axis.column(), Some(cell.value));
    let mut object = judged_object(Some(&cell.algorithm), place, cell.judged, no_ratio.as_deref());
    object["rank"] = json!(cell.rank.standing.map(|standing| standing.rank));
    object["below_floor"] = json!(cell.rank.below_floor);
    object
}
