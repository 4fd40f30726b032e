//! What `report --variance` prints.

use assay_base::error::Result;
use assay_base::io::table::{Datum, Table};
use assay_report::RangeAxis;
use assay_report::export::caption;
use assay_report::variance::{NoVariance, Parts, Variance};
use assay_report::wording;
use assay_report::{Call, Report};
use assay_stats::Components;
use serde_json::json;

use super::baseline::of_call;
use crate::cli::sheets::{Sheets, TitledTable};

/// Decimals of a deviation in percent.
const DECIMALS: usize = 2;

/// The parts of the variance, as deviations in percent, and what more of anything would buy.
pub(super) fn sheets(report: &Report, call: Option<Call>) -> Result<Sheets> {
    let variance = report.variance(call)?;
    let mut heading = vec![format!("Run {}: {}", report.facts.id, wording::texts(&report.facts))];
    heading.extend(wording::conditions(&report.facts));
    heading.extend(variance.disturbances.iter().cloned());
    heading.extend(wording::remarks(&report.facts));
    if variance.disturbances.is_empty() && !variance.looked_for.is_empty() {
        heading.push(format!("Looked for, and found none beyond chance: {}", variance.looked_for.join(", ")));
    }
    heading.extend(variance.not_looked_for.iter().map(|kind| format!("Not looked for: {kind}")));
    let axis = RangeAxis::new(&report.facts);
    let without = without(report, &variance);
    let without_parts =
        |cell: &NoVariance| json!({axis.column(): cell.value, "algorithm": cell.algorithm, "why": cell.why});
    let rows = table(&variance, &axis, true);
    let object = json!({
        "run": report.facts.id,
        "call": call.map_or("all", Call::name),
        "disturbances": variance.disturbances,
        "looked_for": variance.looked_for,
        "not_looked_for": variance.not_looked_for,
        "noise": report.noise()?,
        "cells": rows.json(),
        "without_parts": variance.without.iter().map(without_parts).collect::<Vec<_>>(),
    });
    let title = format!("{}: standard deviations in %, and predicted widths of intervals:", of_call(call));
    let mut sheets = Vec::new();
    if variance.cells.is_empty() {
        heading.extend(without);
    } else {
        let legend = legend(&variance).into_iter().chain(without).collect();
        sheets.push(TitledTable { title, table: table(&variance, &axis, false), legend });
    }
    Ok(Sheets { heading, facts: vec![caption::of_run(report)], sheets, rows, object })
}

/// Why there is no row, and at which values.
type Reason<'a> = (&'a str, Vec<u64>);

/// Who has no row where, and why, a line for each reason and those whom it holds for at the same values.
fn without(report: &Report, variance: &Variance) -> Vec<String> {
    let (axis, range) = (RangeAxis::new(&report.facts), report.range());
    // With the algorithms of which it holds.
    let mut groups: Vec<(Reason<'_>, Vec<&str>)> = Vec::new();
    for algorithm in report.algorithms() {
        let mut reasons: Vec<Reason<'_>> = Vec::new();
        for lack in variance.without.iter().filter(|lack| lack.algorithm == algorithm) {
            match reasons.iter_mut().find(|(why, _)| *why == lack.why) {
                Some((_, values)) => values.push(lack.value),
                None => reasons.push((&lack.why, vec![lack.value])),
            }
        }
        for reason in reasons {
            match groups.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, algorithms)) => algorithms.push(algorithm),
                None => groups.push((reason, vec![algorithm])),
            }
        }
    }
    let line = |((why, values), algorithms): (Reason<'_>, Vec<&str>)| {
        let who = if algorithms.len() == report.algorithms().len() {
            "all algorithms".to_owned()
        } else {
            algorithms.join(", ")
        };
        let at = if range.len() > 1 && values == range {
            format!("all {}", axis.over.plural())
        } else {
            values.into_iter().map(|value| axis.at(value)).collect::<Vec<_>>().join(", ")
        };
        format!("no row: {who} at {at}: {why}")
    };
    groups.into_iter().map(line).collect()
}

/// For people, or with the names and full words that programs want.
fn table(variance: &Variance, axis: &RangeAxis, for_programs: bool) -> Table {
    let names = if for_programs {
        [
            axis.column(),
            "algorithm",
            "pattern_percent",
            "repetition_percent",
            "within_round_percent",
            "moment_percent",
            "process_percent",
            "between_rounds_percent",
            "outliers",
            "width_twice_repetitions",
            "width_twice_rounds",
            "width_twice_both",
        ]
    } else {
        [
            axis.symbol(),
            "algorithm",
            "pattern",
            "repetition",
            "within",
            "round",
            "process",
            "between",
            "outliers",
            "2x rep.",
            "2x rounds",
            "2x both",
        ]
    };
    let mut table = Table::new(names);
    for Parts { value, algorithm, components } in &variance.cells {
        let percent = |part: Option<f64>| -> Datum {
            part.map(|variance| Datum::Number(100.0 * variance.sqrt(), DECIMALS)).into()
        };
        let width = |repetitions, rounds| -> Datum {
            components.width(repetitions, rounds).map(|width| Datum::Number(width, DECIMALS)).into()
        };
        let (pattern, repetition) = within(components, variance.one_pattern);
        table.push([
            if for_programs { Datum::Number(*value as f64, 0) } else { axis.cell(*value) },
            algorithm.as_str().into(),
            percent(pattern),
            percent(repetition),
            percent(Some(components.within)),
            percent(components.moment),
            percent(components.process()),
            percent(Some(components.between)),
            Datum::Number(components.outliers as f64, 0),
            width(2, 1),
            width(1, 2),
            // Twice the rounds with as many repetitions each: twice as many in all.
            width(2, 2),
        ]);
    }
    table
}

/// The parts of patterns and repetitions. Where all repetitions have one pattern, it has no part in what
/// differs.
fn within(components: &Components, one_pattern: bool) -> (Option<f64>, Option<f64>) {
    if one_pattern { (None, Some(components.within)) } else { (components.pattern, components.repetition()) }
}

fn legend(variance: &Variance) -> Vec<String> {
    let patterns = if variance.own_patterns {
        "more repetitions also mean more patterns, because each repetition has its own"
    } else {
        "more repetitions don't mean more patterns, because the patterns are given"
    };
    let mut legend: Vec<String> = [
        "pattern: differences between the patterns of a length",
        "repetition: differences when the same pattern is searched for again",
        "within: the two columns before it together",
        "round: differences between rounds that all algorithms share, such as drift",
        "process: differences between worker processes, such as their places in memory",
        "between: the two columns before it together",
        "2x rep., 2x rounds, 2x both: predicted width of the interval of the median, divided by its present width, with twice \
         the repetitions in each round, with twice the rounds and as many repetitions in all, or with both",
        patterns,
    ]
    .map(str::to_owned)
    .into();
    let lacks = |part: fn(&Components) -> Option<f64>| {
        variance.cells.iter().any(|cell| part(&cell.components).is_none())
    };
    if lacks(|parts| parts.pattern) && !variance.one_pattern {
        legend.push(
            "pattern and repetition can be separated only for an algorithm that is measured twice (`run --null`)"
                .to_owned(),
        );
    }
    if lacks(|parts| parts.width(1, 2)) {
        legend.push(
            "2x .. is missing if there are fewer than six rounds, which have no interval, or if nothing varies".to_owned(),
        );
    }
    if lacks(|parts| parts.moment) {
        legend.push("round and process can be separated only if two algorithms take part".to_owned());
    }
    legend
}
