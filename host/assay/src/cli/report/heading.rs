//! The heading above figures, with everything that a reader must know to repeat them.

use assay_base::io::fold::for_output;
use assay_load::plugin::Statistic;
use assay_plugin_api::inputs;
use assay_report::RangeAxis;
use assay_report::wording;
use assay_report::{Call, Counter, Quantity, Report};
use assay_store::{BLOCKS, MEASUREMENTS};

use super::figure_request::{FigureRequest, IncludedCalls, MetricFigures};

/// Separates two lines of one fact in the heading.
const NEXT_LINE: &str = "\n             ";

/// The heading of the figures of one metric.
pub(super) fn heading(
    request: &FigureRequest,
    report: &Report,
    figures: &MetricFigures,
    statistics: &[Statistic],
) -> String {
    let MetricFigures { quantity, calls, table } = figures;
    let unit = Some(report.unit(quantity)).filter(|unit| !unit.is_empty());
    let formula = match quantity {
        Quantity::Metric(metric) => metric.facts.get("formula").unwrap_or("computed by its plugin"),
        Quantity::Formula(formula) => formula.metric.formula.as_str(),
        Quantity::Measured(name) if report.subtracted(name).is_some() => "as measured, less the overhead",
        Quantity::Measured(_) => "as measured",
    };
    let included = match (quantity, calls) {
        (Quantity::Measured(name), _) if report.is_of_starts(quantity) => {
            format!(
                "what the column `{name}` of {BLOCKS} holds: once in each worker that began with this length"
            )
        }
        (Quantity::Measured(name), _) if !report.is_by_call(quantity) => {
            format!("what the column `{name}` of {MEASUREMENTS} holds")
        }
        (_, call) if report.selected_call(*call).is_some() => selected(report, *call),
        (_, None) => "preparation and search".to_owned(),
        (_, Some(Call::Prepare)) => "preparation alone".to_owned(),
        (_, Some(Call::Search)) => "search alone".to_owned(),
    };
    let axis = RangeAxis::new(&report.facts);
    let first = if request.discard_first { "the first discarded" } else { "the first included" };
    let failed = if request.include_failed { ", those of cells that failed later too" } else { "" };
    let repetitions = table
        .repetitions()
        .map(|counts| format!("{} of each algorithm and {}", wording::from_to(counts), axis.over.singular()));
    let statistics =
        statistics.iter().map(|statistic| format!("{}: {}", statistic.facts.id, statistic.description()));
    let incomplete = if report.facts.interrupted { ", not complete" } else { "" };
    let run = format!("{}{incomplete}", report.facts.id);
    let facts = [
        (
            "metric",
            format!("{}{} = {formula}", quantity.name(), unit.map_or(String::new(), |u| format!(" in {u}"))),
        ),
        // The counters stand right below the formula, because it has the names of events only.
        ("counter", counters(report, quantity).join(NEXT_LINE)),
        ("statistic", statistics.collect::<Vec<_>>().join(NEXT_LINE)),
        ("included", included),
        ("overhead", overhead(report, quantity)),
        ("core_hz", core_clock(report, quantity)),
        ("clock", report.clock_note.clone().unwrap_or_default()),
        match repetitions {
            None => ("repetitions", "none has a value".to_owned()),
            Some(workers) if report.is_of_starts(quantity) => ("workers", workers),
            Some(repetitions) => ("repetitions", format!("{repetitions}, {first}{failed}")),
        },
        ("text", format!("{}, {}", report.facts.texts_in_words(), wording::lengths(&report.facts))),
        ("conditions", wording::conditions(&report.facts).join(NEXT_LINE)),
        ("noise", wording::remarks(&report.facts).join(NEXT_LINE)),
        ("run", run),
        ("columns", axis.title()),
    ];
    let known = facts.iter().filter(|(_, value)| !value.is_empty());
    let heading: String = known.map(|(name, value)| format!("{name:<11}  {value}\n")).collect();
    for_output(&heading, NEXT_LINE.len() - 1)
}

/// The call that is included, with the text that it searches.
fn selected(report: &Report, call: IncludedCalls) -> String {
    let name = report.call_name(call);
    let facts = report.facts.calls.iter().find(|facts| facts.name == name);
    let text =
        facts.map_or_else(String::new, |facts| format!(": {}", wording::text_of_call(&report.facts, facts)));
    format!("the call {name} alone{text}")
}

/// The overheads that were subtracted, by counter.
fn overhead(report: &Report, quantity: &Quantity) -> String {
    let counters = counters_of(report, quantity);
    let subtracted = counters.iter().filter_map(|name| {
        report.subtracted(name).map(|empty| format!("{name} less {empty} of an empty call"))
    });
    subtracted.collect::<Vec<_>>().join(NEXT_LINE)
}

/// The counters from which the figures of a quantity come.
pub(super) fn counters_of(report: &Report, quantity: &Quantity) -> Vec<String> {
    match quantity {
        Quantity::Metric(metric) => {
            report.events(metric).into_iter().map(|(_, counter)| counter.name.clone()).collect()
        }
        Quantity::Formula(formula) => {
            formula.inputs.iter().filter(|input| report.counter(input).is_some()).cloned().collect()
        }
        Quantity::Measured(name) => {
            report.counter(name).map(|counter| counter.name.clone()).into_iter().collect()
        }
    }
}

/// The frequency of the core, if a metric is computed from it; otherwise empty.
fn core_clock(report: &Report, quantity: &Quantity) -> String {
    match quantity {
        Quantity::Metric(metric) if metric.inputs.iter().any(|input| input == inputs::CORE_HZ) => {
            report.facts.machine.core_clock().unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The counters of the figures, unless the name of the quantity shows them; levels are marked.
fn counters(report: &Report, quantity: &Quantity) -> Vec<String> {
    match quantity {
        Quantity::Metric(metric) => {
            let events = report.events(metric).into_iter();
            events.map(|(input, counter)| format!("{input} = {}{}", counter.name, level(counter))).collect()
        }
        Quantity::Formula(formula) => {
            let named = formula.inputs.iter().filter(|input| report.counter(input).is_some());
            named.cloned().collect()
        }
        Quantity::Measured(name) => {
            let counter = report.counter(name).filter(|counter| counter.is_level).into_iter();
            counter.map(|counter| format!("{name}{}", level(counter))).collect()
        }
    }
}

/// A remark on a counter that is a level.
fn level(counter: &Counter) -> &'static str {
    if counter.is_level { ": a level, as it was read last" } else { "" }
}
