//! The tables of `compare --ranks`: whether runs rank the same algorithms alike.

use assay_base::io::console::counted;
use assay_base::io::numbers::fixed;
use assay_base::io::table::{Datum, Table};
use assay_report::agreement::{AgreementCell, ReversedPair, RunGroup};
use assay_report::{Call, RangeAxis, Report};
use serde_json::{Value, json};

use crate::cli::report::of_call;
use crate::cli::sheets::{Sheets, TitledTable};

/// Decimals of Kendall's tau.
const DECIMALS: usize = 2;
/// How many algorithms a cell names.
const NAMED: usize = 3;

/// The tables of some groups of runs. Those of all ranks, a row for each algorithm and value, are left out unless
/// `all_ranks` is set.
pub(in crate::cli) fn rank_sheets(
    groups: &[RunGroup],
    reports: &[Report],
    call: Option<Call>,
    all_ranks: bool,
) -> Sheets {
    let axis = RangeAxis::new(&reports[0].facts);
    let mut sheets = Vec::new();
    for group in groups {
        sheets.push(agreement_sheet(group, reports, &axis, call));
        sheets.extend(all_ranks.then(|| ranks_sheet(group, &axis, call)));
    }
    Sheets {
        heading: groups.iter().map(summary).collect(),
        facts: Vec::new(),
        sheets,
        rows: rows(groups, reports),
        object: object(groups, reports, &axis, call),
    }
}

/// " on english", or nothing if the runs have different texts.
fn on_text(group: &RunGroup) -> String {
    group.text.as_ref().map_or_else(String::new, |text| format!(" on {text}"))
}

/// What the runs of a group are: "machines", or "texts".
fn kind(group: &RunGroup) -> &'static str {
    if group.text.is_some() { "machines" } else { "texts" }
}

/// "Ranks on english agree on all 4 machines at 3 of 5 values; at the others on 3 machines or fewer".
fn summary(group: &RunGroup) -> String {
    let agreed = group.cells.iter().filter(|cell| cell.is_agreed()).count();
    let (runs, cells, kind) = (group.names.len(), group.cells.len(), kind(group));
    let all = if runs == 2 { "both".to_owned() } else { format!("all {runs}") };
    let on_text = on_text(group);
    if agreed == cells {
        return format!("ranks{on_text} agree on {all} {kind}, at each of {}", counted(cells, "value"));
    }
    let others = group.cells.iter().filter(|cell| !cell.is_agreed());
    let most = others.map(|cell| cell.agreeing.len()).max().unwrap_or_default();
    format!(
        "ranks{on_text} agree on {all} {kind} at {agreed} of {}; at the others on {most} at most",
        counted(cells, "value")
    )
}

/// The table of what the runs agree about, a row for each value.
fn agreement_sheet(
    group: &RunGroup,
    reports: &[Report],
    axis: &RangeAxis,
    call: Option<Call>,
) -> TitledTable {
    let columns = [axis.symbol(), "agree", "tau", "from", "to", "best on all", "reversed"];
    let mut table = Table::new(columns);
    for cell in &group.cells {
        let tau = cell.concordance;
        let number =
            |value: Option<f64>| value.map_or(Datum::Missing, |value| Datum::Number(value, DECIMALS));
        let interval = tau.and_then(|tau| tau.interval);
        table.push([
            axis.cell(cell.value),
            agreeing(cell).into(),
            number(tau.map(|tau| tau.tau)),
            number(interval.map(|interval| interval.low)),
            number(interval.map(|interval| interval.high)),
            some(&cell.best_everywhere()).into(),
            reversed(&cell.reversed).into(),
        ]);
    }
    let mut legend: Vec<String> = group
        .names
        .iter()
        .zip(&group.runs)
        .zip(1..)
        .map(|((name, run), number)| format!("{number}: {name}, run {}", reports[*run].facts.id))
        .collect();
    let kind = kind(group);
    legend.push(format!(
        "agree: the most {kind} on which no two algorithms are each significantly faster (p < 0.05, Holm) than the other"
    ));
    legend.push(format!(
        "tau: Kendall's, the mean over pairs of {kind}, by medians; its interval of 95 % is that of the rounds"
    ));
    if group.cells.iter().any(|cell| !cell.reversed.is_empty()) {
        legend.push("reversed: hor < bm (1, 2) means that hor is faster on 1, and bm on 2".to_owned());
    }
    let title = format!("Agreement{} by the {}:", on_text(group), of_call(call).to_lowercase());
    TitledTable { title, table, legend }
}

/// "3 of 4: 1, 2, 4", or "4 of 4".
fn agreeing(cell: &AgreementCell) -> String {
    let of = cell.ranking.len();
    if cell.is_agreed() {
        return format!("{of} of {of}");
    }
    let runs: Vec<String> = cell.agreeing.iter().map(|run| (run + 1).to_string()).collect();
    format!("{} of {of}: {}", runs.len(), runs.join(", "))
}

/// The first names, and the number of others; nothing if there are none.
fn some(names: &[&str]) -> Option<String> {
    let (named, others) = names.split_at(names.len().min(NAMED));
    let more = (!others.is_empty()).then(|| format!(" and {} more", others.len()));
    (!named.is_empty()).then(|| named.join(", ") + &more.unwrap_or_default())
}

/// The first reversed pair, and the number of others; nothing if there are none.
fn reversed(pairs: &[ReversedPair]) -> Option<String> {
    let ReversedPair { one, other, runs: [first, second] } = pairs.first()?;
    let more = if pairs.len() > 1 { format!(" and {} more", pairs.len() - 1) } else { String::new() };
    Some(format!("{one} < {other} ({}, {}){more}", first + 1, second + 1))
}

/// The table of all ranks: a row for each algorithm and value, a column for each run.
fn ranks_sheet(group: &RunGroup, axis: &RangeAxis, call: Option<Call>) -> TitledTable {
    let numbers = (1..=group.names.len()).map(|number| number.to_string());
    let mut table = Table::new(["algorithm".to_owned(), axis.symbol().to_owned()].into_iter().chain(numbers));
    for cell in &group.cells {
        for (algorithm, ranks) in &cell.algorithms {
            let shown = ranks.iter().map(|rank| match rank.standing {
                None => Datum::Missing,
                Some(standing) => {
                    let text = format!("{} ({})", standing.rank, fixed(standing.to_best.ratio, DECIMALS));
                    if rank.is_best() { Datum::Strong(text) } else { Datum::Text(text) }
                }
            });
            table.push([Datum::from(algorithm.as_str()), axis.cell(cell.value)].into_iter().chain(shown));
        }
    }
    let legend = vec![format!(
        "rank, and the ratio of its time to that of the best on the same of the {}; those that are not significantly \
         slower share a rank",
        kind(group)
    )];
    let title = format!("Ranks{} by the {}:", on_text(group), of_call(call).to_lowercase());
    TitledTable { title, table, legend }
}

/// One row for each rank, for programs.
fn rows(groups: &[RunGroup], reports: &[Report]) -> Table {
    let value = reports[0].facts.over().column();
    let columns = ["text", "run", "name", value, "algorithm", "rank", "ratio_to_best", "low", "high", "best"];
    let mut rows = Table::new(columns);
    for group in groups {
        for cell in &group.cells {
            for (algorithm, ranks) in &cell.algorithms {
                for ((rank, run), name) in ranks.iter().zip(&group.runs).zip(&group.names) {
                    let Some(standing) = rank.standing else { continue };
                    let facts = &reports[*run].facts;
                    let number = |number: f64| Datum::Number(number, 3);
                    rows.push([
                        facts.texts_in_words().into(),
                        facts.id.as_str().into(),
                        name.as_str().into(),
                        Datum::Number(cell.value as f64, 0),
                        algorithm.as_str().into(),
                        Datum::Number(standing.rank as f64, 0),
                        number(standing.to_best.ratio),
                        number(standing.to_best.low),
                        number(standing.to_best.high),
                        Datum::Flag(rank.is_best()),
                    ]);
                }
            }
        }
    }
    rows
}

/// Everything as an object, for programs.
fn object(groups: &[RunGroup], reports: &[Report], axis: &RangeAxis, call: Option<Call>) -> Value {
    let cell = |group: &RunGroup, cell: &AgreementCell| {
        let id = |run: &usize| reports[group.runs[*run]].facts.id.clone();
        let ranks = cell.algorithms.iter().map(|(algorithm, ranks)| {
            let ranks = ranks.iter().map(|rank| rank.standing.map(|standing| standing.rank));
            json!({ "algorithm": algorithm, "ranks": ranks.collect::<Vec<_>>() })
        });
        let reversed = cell.reversed.iter().map(|pair| {
            json!({ "faster_in_first": pair.one, "faster_in_second": pair.other, "runs": pair.runs.each_ref().map(id) })
        });
        json!({
            axis.column(): cell.value,
            "ranking": cell.ranking.iter().map(id).collect::<Vec<_>>(),
            "agreeing": cell.agreeing.iter().map(id).collect::<Vec<_>>(),
            "tau": cell.concordance.map(|found| found.tau),
            "tau_low": cell.concordance.and_then(|found| Some(found.interval?.low)),
            "tau_high": cell.concordance.and_then(|found| Some(found.interval?.high)),
            "best_everywhere": cell.best_everywhere(),
            "reversed": reversed.collect::<Vec<_>>(),
            "algorithms": ranks.collect::<Vec<_>>(),
        })
    };
    let group = |group: &RunGroup| {
        let runs = group.runs.iter().zip(&group.names);
        let runs = runs.map(|(run, name)| json!({ "run": reports[*run].facts.id, "name": name }));
        json!({
            "text": group.text,
            "summary": summary(group),
            "runs": runs.collect::<Vec<_>>(),
            "cells": group.cells.iter().map(|one| cell(group, one)).collect::<Vec<_>>(),
        })
    };
    json!({
        "call": call.map_or("all", Call::name),
        "groups": groups.iter().map(group).collect::<Vec<_>>(),
    })
}
