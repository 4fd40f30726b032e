//! What must stand beside published figures: what they are, of which text, how often and where measured.

use super::marks::SMALL;
use crate::columns::Call;
use crate::report::{Quantity, Report, StatTable};
use crate::results::ExperimentFacts;
use crate::results::repetitions::from_to;

/// What figures are, with their unit: "search time in µs", "search in GB/s".
pub fn named(report: &Report, quantity: &Quantity, call: Option<Call>) -> String {
    let call = match report.is_by_call(quantity).then_some(call) {
        None => None,
        Some(None) => Some("preparation and search"),
        Some(Some(Call::Prepare)) => Some("preparation"),
        Some(Some(Call::Search)) => Some("search"),
    };
    let rate = is_rate(report, quantity);
    let unit = report.unit(quantity);
    let unit = match &*unit {
        "" => String::new(),
        unit => format!(" in {unit}"),
    };
    let name = quantity.name().replace('_', " ");
    match call {
        None => format!("{name}{unit}"),
        Some(call) if report.is_time(quantity) && ["ns", "microseconds"].contains(&quantity.name()) => {
            format!("{call} time{unit}")
        }
        Some(call) if rate => format!("{call}{unit}"),
        Some(call) => format!("{name} of the {call}{unit}"),
    }
}

/// Whether the unit of a metric says what it is: `gbps` is in GB/s, and would be read as another unit beside it.
fn is_rate(report: &Report, quantity: &Quantity) -> bool {
    matches!(quantity, Quantity::Metric(_)) && report.unit(quantity).contains('/')
}

/// The [`facts`] of a whole run.
pub fn of_run(report: &Report) -> String {
    facts(&report.facts, report.repetitions())
}

/// Of which text, how often and where was measured, in sentences.
pub fn facts(facts: &ExperimentFacts, repetitions: Option<(usize, usize)>) -> String {
    let repetitions = repetitions.map_or_else(|| "no".to_owned(), from_to);
    let interrupted = if facts.interrupted { "; interrupted" } else { "" };
    let conditions: String = facts.conditions().iter().map(|condition| format!(" {condition}.")).collect();
    let cpu = facts.machine.cpu.as_deref().unwrap_or(&facts.machine.architecture);
    format!(
        "Text: {} ({}{}); {repetitions} repetitions of each algorithm and {}{interrupted}; seed {}; {cpu}; assay {}.{conditions}",
        facts.texts_in_words(),
        facts.lengths_in_words(),
        if facts.has_one_text() { format!(", {} different", facts.text.alphabet) } else { String::new() },
        facts.over().words(),
        facts.seed,
        facts.machine.assay,
    )
}

/// The caption of a table: what it shows, and [`facts`].
pub fn of_table(report: &Report, quantity: &Quantity, call: Option<Call>, table: &StatTable) -> String {
    let formula = match quantity {
        Quantity::Metric(metric) if is_rate(report, quantity) => metric.facts.get("formula"),
        _ => None,
    };
    let formula = formula.map_or_else(String::new, |formula| format!(", {formula}"));
    let what = capitalised(&named(report, quantity, call)) + &formula;
    let word = |id: &str| if id == "med" { "median".to_owned() } else { id.to_owned() };
    let statistics = table.statistics().into_iter().map(word).collect::<Vec<_>>().join(", ");
    let bold = if table.has_best() {
        " Bold: best, or not to be told from the best, pattern by pattern."
    } else {
        ""
    };
    let small = table.legend().into_iter().filter(|line| line.starts_with(SMALL));
    let small: String = small.map(|line| format!(" {line}.")).collect();
    format!("{what} ({statistics}).{bold}{small} {}", facts(&report.facts, table.repetitions()))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
