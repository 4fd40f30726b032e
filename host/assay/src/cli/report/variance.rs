//! The output of `report --variance`.

use assay_base::error::Result;
use assay_base::io::table::{Datum, Table};
use assay_report::RangeAxis;
use assay_report::export::caption;
use assay_report::variance::{Variance, VarianceParts};
use assay_report::wording;
use assay_report::{Call, Report};
use assay_stats::Components;
use serde_json::json;

use super::baseline::of_call;
use crate::cli::sheets::{Sheets, TitledTable};

/// Decimals of a deviation in percent.
const DECIMALS: usize = 2;

/// The table of the parts of the variance, as deviations in percent, with the widths of intervals that more
/// repetitions or rounds would give.
pub(super) fn sheets(report: &Report, call: Option<Call>) -> Result<Sheets> {
    let variance = report.variance(call)?;
    let mut heading = vec![format!("Run {}: {}", report.facts.id, report.facts.texts_in_words())];
    heading.extend(wording::conditions(&report.facts));
    heading.extend(variance.disturbances.iter().cloned());
    heading.extend(wording::remarks(&report.facts));
    if variance.disturbances.is_empty() && !variance.looked_for.is_empty() {
        heading.push(format!("Looked for, and found none beyond chance: {}", variance.looked_for.join(", ")));
    }
    heading.extend(variance.not_looked_for.iter().map(|kind| format!("Not looked for: {kind}")));
    let axis = RangeAxis::new(&report.facts);
    let without = without(report, &variance);
    let without_parts: Vec<_> = variance
        .without
        .iter()
        .map(|cell| json!({axis.column(): cell.value, "algorithm": cell.algorithm, "why": cell.why}))
        .collect();
    let rows = table(&variance, &axis, true);
    let object = json!({
        "run": report.facts.id,
        "subset": report.facts.subset,
        "call": report.call_name(call),
        "disturbances": variance.disturbances,
        "looked_for": variance.looked_for,
        "not_looked_for": variance.not_looked_for,
        "noise": report.noise()?,
        "cells": rows.json(),
        "without_parts": without_parts,
    });
    let title =
        format!("{}: standard deviations in %, and predicted widths of intervals:", of_call(report, call));
    let mut sheets = Vec::new();
    if variance.cells.is_empty() {
        heading.extend(without);
    } else {
        let legend = legend(&variance).into_iter().chain(without).collect();
        sheets.push(TitledTable { title, table: table(&variance, &axis, false), legend });
    }
    Ok(Sheets { heading, facts: vec![caption::of_run(report)], sheets, rows, object })
}

/// The reason why there is no row, and the values at which there is none.
type Reason<'a> = (&'a str, Vec<u64>);

/// The cells without a row: a line for each reason, with the algorithms that it concerns at the same values.
fn without(report: &Report, variance: &Variance) -> Vec<String> {
    let (axis, range) = (RangeAxis::new(&report.facts), report.range());
    // Each reason with its algorithms.
    let mut groups: Vec<(Reason<'_>, Vec<&str>)> = Vec::new();
    for algorithm in report.algorithms() {
        let mut reasons: Vec<Reason<'_>> = Vec::new();
        for cell in variance.without.iter().filter(|cell| cell.algorithm == algorithm) {
            match reasons.iter_mut().find(|(why, _)| *why == cell.why) {
                Some((_, values)) => values.push(cell.value),
                None => reasons.push((&cell.why, vec![cell.value])),
            }
        }
        for reason in reasons {
            match groups.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, algorithms)) => algorithms.push(algorithm),
                None => groups.push((reason, vec![algorithm])),
            }
        }
    }
    let mut lines = Vec::new();
    for ((why, values), algorithms) in groups {
        let ids = if algorithms.len() == report.algorithms().len() {
            "all algorithms".to_owned()
        } else {
            algorithms.join(", ")
        };
        let at = if range.len() > 1 && values == range {
            format!("all {}", axis.over.plural())
        } else {
            values.into_iter().map(|value| axis.at(value)).collect::<Vec<_>>().join(", ")
        };
        lines.push(format!("no row: {ids} at {at}: {why}"));
    }
    lines
}

/// The parts, with short titles for people, or with the names of columns for programs.
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
    for VarianceParts { value, algorithm, components } in &variance.cells {
        let (pattern, repetition) = within(components, variance.one_pattern);
        table.push([
            if for_programs { Datum::Number(*value as f64, 0) } else { axis.cell(*value) },
            algorithm.as_str().into(),
            deviation(pattern),
            deviation(repetition),
            deviation(Some(components.within)),
            deviation(components.moment),
            deviation(components.process()),
            deviation(Some(components.between)),
            Datum::Number(components.outliers as f64, 0),
            width(components.width(2, 1)),
            width(components.width(1, 2)),
            width(components.width(2, 2)),
        ]);
    }
    table
}

/// A variance as a standard deviation in percent.
fn deviation(variance: Option<f64>) -> Datum {
    variance.map(|variance| Datum::Number(100.0 * variance.sqrt(), DECIMALS)).into()
}

fn width(width: Option<f64>) -> Datum {
    width.map(|width| Datum::Number(width, DECIMALS)).into()
}

/// The variances of patterns and of repetitions. If all repetitions have one pattern, patterns have none.
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
    let mut components = variance.cells.iter().map(|cell| &cell.components);
    if components.clone().any(|parts| parts.pattern.is_none()) && !variance.one_pattern {
        legend.push(
            "pattern and repetition can be separated only for an algorithm that is measured twice (`run --null`)"
                .to_owned(),
        );
    }
    if components.clone().any(|parts| parts.width(1, 2).is_none()) {
        legend.push(
            "2x .. is missing if there are fewer than six rounds, which have no interval, or if nothing varies".to_owned(),
        );
    }
    if components.any(|parts| parts.moment.is_none()) {
        legend.push("round and process can be separated only if two algorithms take part".to_owned());
    }
    legend
}
