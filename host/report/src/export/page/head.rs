//! The head of a page: the title, a summary of the run, and notices that a reader needs before the figures.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::io::console::counted;
use assay_experiment::range::Over;
use assay_store::folder::moment_of_id;
use assay_store::{ExperimentFacts, MEASUREMENTS, Run};
use maud::{Markup, html};

use super::calls;
use super::grid::Grid;
use super::quantity::{PageQuantity, half_width};
use crate::time_notes::{clock_note_of_results, without_times};
use crate::wording;

/// Intervals with a greater half-width, in percent of the median, are named in a notice.
const WIDE: f64 = 10.0;
/// Up to this many items are listed; of more, only their number is given.
const FEW: usize = 6;

/// The title: the description by the user, or the subject of the run.
pub(super) fn title(experiment: &ExperimentFacts, grid: &Grid<'_>) -> String {
    let description = experiment.definition.as_ref().map(|definition| definition.description.trim());
    description
        .filter(|description| !description.is_empty())
        .map_or_else(|| subject(experiment, grid), str::to_owned)
}

/// "Timed run of 3 algorithms on english.txt"; if there are many texts, their number.
fn subject(experiment: &ExperimentFacts, grid: &Grid<'_>) -> String {
    let reading = if experiment.instrumented() { "Instrumented run" } else { "Timed run" };
    let algorithms = counted(grid.algorithms.len(), "algorithm");
    let texts = match grid.values.len() {
        many if many > FEW && grid.axis.over == Over::Text => counted(many, "text"),
        _ => experiment.texts_in_words(),
    };
    format!("{reading} of {algorithms} on {texts}")
}

/// The texts, the patterns, the machine and the day of the run, in a line.
pub(super) fn summary(experiment: &ExperimentFacts, grid: &Grid<'_>) -> String {
    let bytes = wording::lengths(experiment);
    let pattern_lengths: BTreeSet<usize> = grid.cells().map(|cell| cell.pattern_length).collect();
    let lengths = match (pattern_lengths.first(), pattern_lengths.last()) {
        (Some(least), Some(most)) if least < most => format!("patterns of {least} to {most} bytes"),
        (Some(length), _) => format!("patterns of {length} bytes"),
        _ => "no pattern".to_owned(),
    };
    let machine = &experiment.machine;
    let cpu = machine.cpu.as_deref().unwrap_or(&machine.architecture);
    let day = day(&experiment.id).map(|day| format!(", on {day}")).unwrap_or_default();
    let text = if title(experiment, grid) == subject(experiment, grid) {
        format!("{bytes} of text")
    } else {
        format!("{} ({bytes})", subject(experiment, grid))
    };
    format!("{text}, {lengths}, {} repetitions of each; {cpu}{day}", grid.repetitions())
}

/// "22 November 2026", from the id of a run, which begins with the time.
fn day(id: &str) -> Option<String> {
    Some(moment_of_id(id)?.strftime("%-d %B %Y").to_string())
}

/// The notices before the figures: those that are missing, and what disturbed them.
pub(super) fn notices(run: &Run, grid: &Grid<'_>, first: Option<&PageQuantity<'_>>) -> Markup {
    let experiment = &run.experiment;
    let timed = first.filter(|quantity| quantity.time().is_some());
    let wide = timed.and_then(|quantity| Some((&quantity.name, wide(quantity, grid)?)));
    let design = wording::design(experiment);
    let calls = calls::left_out(&experiment.calls, &experiment.id);
    let times = clock_note_of_results(run).into_iter().chain(without_times(run));
    let conditions: Vec<String> = wording::unusual_conditions(experiment).into_iter().chain(times).collect();
    let noise = wording::remarks(experiment);
    html! {
        @for sentence in design.iter().chain(&experiment.subset).chain(&calls) { p { (sentence) "." } }
        @if experiment.interrupted {
            p.notice {
                b { "Not complete" } ": not all repetitions were measured"
                @if run.results.is_empty() {
                    ", and no results were put together; " code { "assay report " (MEASUREMENTS) }
                    " in the folder of this run (" (experiment.id) ") computes figures of what there is"
                }
            }
        }
        @for condition in conditions { p.notice { (condition) } }
        (failures(grid))
        @for remark in noise { p.notice { b { "Noise" } ": " (remark) } }
        @if let Some((name, wide)) = wide {
            p.notice {
                b { "Not well known" } ": the interval of the " (name) " is wider than ± 10 % for " (wide)
                ". More rounds tell more."
            }
        }
    }
}

fn failures(grid: &Grid<'_>) -> Markup {
    let failures = grid.failures();
    let list = html! {
        ul { @for failure in &failures { li {
            b { (failure.algorithm) ", " (grid.axis.words()) " " (listed(grid, &failure.values)) ": " (failure.status.words()) }
            @if let Some(message) = failure.message { ": " (message) }
        } } }
    };
    html! {
        @if !failures.is_empty() {
            div.notice {
                @if failures.len() <= FEW { b { "Without a result" } (list) } @else {
                    details {
                        summary { b { "Without a result" } ": " (failures.len()) " cells (an algorithm at a length)" }
                        (list)
                    }
                }
            }
        }
    }
}

/// The algorithms with wide intervals, and at which values; if there are many, their number.
fn wide(quantity: &PageQuantity<'_>, grid: &Grid<'_>) -> Option<String> {
    let mut wide: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for cell in grid.ok() {
        let width = quantity.summary(cell).and_then(half_width);
        if width.is_some_and(|width| width > WIDE) {
            wide.entry(&cell.algorithm).or_default().push(cell.value());
        }
    }
    if wide.len() > FEW {
        let cells: usize = wide.values().map(Vec::len).sum();
        return Some(format!("{cells} of {} cells", grid.ok().count()));
    }
    let lines: Vec<String> =
        wide.into_iter().map(|(algorithm, values)| wide_line(algorithm, &values, grid)).collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// "hor at 4, 8": an algorithm and the values at which its interval is wide.
fn wide_line(algorithm: &str, values: &[u64], grid: &Grid<'_>) -> String {
    let (wide, all) = (values.len(), grid.values.len());
    if all == 1 {
        algorithm.to_owned()
    } else if wide == all {
        format!("{algorithm} everywhere")
    } else if wide > FEW {
        format!("{algorithm} at {wide} of the {all} {}", grid.axis.over.plural())
    } else {
        format!("{algorithm} at {}", listed(grid, values))
    }
}

fn listed(grid: &Grid<'_>, values: &[u64]) -> String {
    values.iter().map(|value| grid.axis.label(*value)).collect::<Vec<_>>().join(", ")
}
