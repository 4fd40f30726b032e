//! How a comparison of runs is printed.

use serde_json::{Value, json};

use crate::cli::report::of_call;
use crate::cli::sheets::{Sheet, Sheets, judged, ratio, significance, words};
use crate::comparison::{Common, Verdict};
use crate::io::table::{Datum, Table};
use crate::report::export::caption;
use crate::report::unlike::conditions;
use crate::report::versus::{Beside, Lack, Line, Versus};
use crate::report::{Call, Report};
use crate::results::RangeAxis;
use crate::results::repetitions::from_to;

const DECIMALS: usize = 3;

/// Why there is no ratio: what else hinders one is told below the table.
const ONE_ROUND: &str = "one round";

/// What is said wherever a difference is.
const ONE_RUN: &str = "one run a side: what stays for a whole run (memory, frequency, neighbours) is in no interval; the first \
                       run again, compared with these, shows how much that is";

/// Later runs beside the first, with what differs between them.
pub fn sheets(
    first: &Report,
    later: &[Report],
    unlikes: &[Vec<String>],
    call: Option<Call>,
    found: &Versus,
    limit: Option<f64>,
) -> Sheets {
    let of_run = |when: &str, report: &Report| {
        let run = format!("{when:<7} {}", named(report));
        let noted = conditions(&report.facts).into_iter().map(move |line| format!("noted   {line}"));
        std::iter::once(run).chain(noted)
    };
    let mut heading: Vec<String> = of_run("before:", first).collect();
    let mut sheets = Vec::new();
    for ((report, unlike), run) in later.iter().zip(unlikes).zip(&found.runs) {
        heading.extend(of_run("now:", report));
        heading.extend(unlike.iter().map(|line| format!("differs {line}")));
        sheets.extend(tables(report, call, found, run, limit, later.len() > 1));
    }
    let rows = rows(first, later, found);
    let object = object(first, later, unlikes, call, found, limit);
    Sheets { heading, facts: facts(first, later), sheets, rows, object }
}

/// Of what, how often and where each run measured; once where that is the same of all.
fn facts(first: &Report, later: &[Report]) -> Vec<String> {
    let of_first = caption::of_run(first);
    let of_later: Vec<String> = later.iter().map(caption::of_run).collect();
    if of_later.iter().all(|of| *of == of_first) {
        let ids: Vec<&str> = later.iter().map(|report| report.facts.id.as_str()).collect();
        return vec![format!("Before ({}) and now ({}): {of_first}", first.facts.id, ids.join(", "))];
    }
    let now = later.iter().zip(of_later).map(|(report, of)| format!("Now ({}): {of}", report.facts.id));
    std::iter::once(format!("Before ({}): {of_first}", first.facts.id)).chain(now).collect()
}

/// "20260102-030405-ab (before the change)".
fn named(report: &Report) -> String {
    let description = report.facts.definition.as_ref().map(|experiment| experiment.description.as_str());
    match description.filter(|text| !text.is_empty()) {
        Some(description) => format!("{} ({description})", report.facts.id),
        None => report.facts.id.clone(),
    }
}

fn tables(
    report: &Report,
    call: Option<Call>,
    found: &Versus,
    run: &Beside,
    limit: Option<f64>,
    several: bool,
) -> Vec<Sheet> {
    let how = if run.by_pattern { "pattern by pattern" } else { "by the medians of the rounds" };
    let which = if several { format!(" in {}", report.facts.id) } else { String::new() };
    let axis = report.facts.axis();
    let mut table = Table::new(["algorithm", axis.symbol(), "ratio", "from", "to", "p", "now"]);
    for line in &run.cells {
        table.push(row(line, &axis, limit.is_some()));
    }
    let title = format!("{} now{which} over that before, {how}, with an interval of 95 %:", of_call(call));
    let mut legend = words(found.floor, found.comparisons);
    let differs = |line: &Line| line.judged.is_some_and(|judged| judged.verdict != Verdict::NotTold);
    if run.cells.iter().chain(&run.overall).any(differs) {
        legend.push(ONE_RUN.to_owned());
    }
    if run.cells.iter().any(|line| line.judged.is_some()) {
        legend.extend(over(&run.rounds));
    }
    let slow = run.cells.iter().chain(&run.overall).any(|line| line.too_slow);
    if let (Some(limit), true) = (limit, slow) {
        legend.push(format!("! slower by more than {} %, beyond noise", 100.0 * limit));
    }
    legend.extend(not_compared(&run.lacking, &axis));
    let mut sheets = vec![Sheet { title, table, legend }];
    if run.overall.iter().any(|line| line.judged.is_some()) {
        let mut table = Table::new(["algorithm", "ratio", "from", "to", "p", "now"]);
        for line in &run.overall {
            let mut row = row(line, &axis, limit.is_some());
            row.remove(1);
            table.push(row);
        }
        let mut legend = vec!["the geometric mean of the ratios at all values that both have".to_owned()];
        legend.extend(means(&run.common));
        sheets.push(Sheet { title: format!("Overall{which}:"), table, legend });
    }
    sheets
}

/// What could not be compared, and why, a line for each algorithm and reason.
pub fn not_compared(lacking: &[Lack], axis: &RangeAxis) -> Vec<String> {
    let mut alike: Vec<(String, Vec<String>)> = Vec::new();
    for Lack { algorithm, value, why } in lacking {
        let what = format!("{algorithm}: {}", why.words());
        match alike.iter_mut().find(|(other, _)| *other == what) {
            Some((_, values)) => values.push(axis.label(*value)),
            None => alike.push((what, vec![axis.label(*value)])),
        }
    }
    let line = |(what, values): (String, Vec<String>)| {
        format!("not compared: {what} ({}={})", axis.symbol(), values.join(","))
    };
    alike.into_iter().map(line).collect()
}

/// Over how many rounds each ratio is.
fn over(rounds: &[(usize, usize)]) -> Option<String> {
    match rounds {
        [both] => Some(format!("each ratio is over the {} rounds that both have", from_to(*both))),
        [now, before] => {
            Some(format!("each ratio is over {} rounds now and {} before", from_to(*now), from_to(*before)))
        }
        _ => None,
    }
}

/// What overall means leave out, of each side.
fn means(common: &[Common]) -> Vec<String> {
    match common {
        [now, before] => {
            let of = |when, common: &Common| common.words().map(|words| format!("{when}: {words}"));
            [of("now", now), of("before", before)].into_iter().flatten().collect()
        }
        _ => common.iter().filter_map(|common| common.words()).collect(),
    }
}

fn row(line: &Line, axis: &RangeAxis, marked: bool) -> Vec<Datum> {
    let head = [algorithm(line), line.value.map(|value| axis.cell(value)).into()];
    let [middle, low, high] = ratio(line.judged.map(|judged| judged.ratio), DECIMALS);
    let middle = match (middle, marked) {
        (Datum::Number(ratio, decimals), true) => {
            Datum::Marked(ratio, decimals, if line.too_slow { '!' } else { ' ' })
        }
        (other, _) => other,
    };
    let significance = line.judged.map_or(Datum::Missing, |judged| significance(judged.p));
    let word = match line.judged {
        Some(judged) if judged.verdict != Verdict::NotTold => Datum::Strong(judged.word().to_owned()),
        Some(judged) => judged.word().into(),
        None => ONE_ROUND.into(),
    };
    head.into_iter().chain([middle, low, high, significance, word]).collect()
}

fn algorithm(line: &Line) -> Datum {
    line.algorithm.as_deref().unwrap_or("all").into()
}

fn rows(first: &Report, later: &[Report], found: &Versus) -> Table {
    let value = first.facts.over().column();
    let columns = ["before", "now", "algorithm", value, "ratio", "low", "high", "p", "verdict", "too_slow"];
    let mut rows = Table::new(columns);
    for (report, run) in later.iter().zip(&found.runs) {
        for line in run.cells.iter().chain(&run.overall) {
            let length = line.value.map(|value| Datum::Number(value as f64, 0)).into();
            let runs = [first, report].map(|report| Datum::from(report.facts.id.as_str()));
            let head = runs.into_iter().chain([algorithm(line), length]);
            rows.push(head.chain(judged(line.judged)).chain([Datum::Flag(line.too_slow)]));
        }
    }
    rows
}

fn object(
    first: &Report,
    later: &[Report],
    unlikes: &[Vec<String>],
    call: Option<Call>,
    found: &Versus,
    limit: Option<f64>,
) -> Value {
    let axis = first.facts.axis();
    let line = |line: &Line| {
        json!({
            "algorithm": line.algorithm,
            axis.column(): line.value,
            "ratio": line.judged.map(|judged| judged.ratio),
            "p": line.judged.map(|judged| judged.p),
            "verdict": line.judged.map(|judged| judged.word()),
            "untold": line.judged.is_none().then_some(ONE_ROUND),
            "too_slow": line.too_slow,
        })
    };
    let lack = |lack: &Lack| {
        json!({
            "algorithm": lack.algorithm,
            axis.column(): lack.value,
            "why": lack.why.words(),
        })
    };
    let run = |((report, unlike), run): ((&Report, &Vec<String>), &Beside)| {
        json!({
            "run": report.facts.id,
            "differs": unlike,
            "noted": conditions(&report.facts),
            "by_pattern": run.by_pattern,
            "rounds": run.rounds,
            "cells": run.cells.iter().map(line).collect::<Vec<_>>(),
            "overall": run.overall.iter().map(line).collect::<Vec<_>>(),
            "not_compared": run.lacking.iter().map(lack).collect::<Vec<_>>(),
        })
    };
    json!({
        "before": first.facts.id,
        "noted": conditions(&first.facts),
        "call": call.map_or("all", Call::name),
        "least_difference": found.floor,
        "fail_if_slower": limit,
        "correction": "holm",
        "comparisons": found.comparisons,
        "now": later.iter().zip(unlikes).zip(&found.runs).map(run).collect::<Vec<_>>(),
    })
}
