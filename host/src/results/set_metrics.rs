//! What event sets compute of the searches of a cell: of each repetition, and then statistics of that.

use super::figures::Figures;
use super::journal::Journal;
use super::provenance::Machine;
use super::{Cell, Status};
use crate::columns::{self, Call};
use crate::counters::sets::EventSet;
use crate::error::Result;
use crate::experiment::Resolved;

/// Where the values of a name come from.
enum Source {
    /// The column of the journal.
    Column(String),
    Fixed(f64),
}

/// The metrics of the sets that a run counted, as `set.metric`. One is missing where an input is, in some repetition.
///
/// # Errors
/// If the rows can't be read again.
pub fn set_metrics(
    cell: &Cell<'_>,
    resolved: &Resolved,
    journal: &Journal,
    machine: &Machine,
) -> Result<Figures> {
    let counters = resolved.counter_names();
    let source = |set: &EventSet, name: &str| match set.input(name)? {
        // Those of a simulation are no times.
        "ns" => resolved.launch.is_none().then(|| Source::Column(Call::Search.time().to_owned())),
        "text_length" => Some(Source::Fixed(cell.point.bytes as f64)),
        "pattern_length" => Some(Source::Fixed(cell.pattern_length() as f64)),
        "occurrences" => Some(Source::Column(columns::OCCURRENCES.to_owned())),
        "threads" => Some(Source::Fixed(cell.point.threads as f64)),
        "core_hz" => machine.core_hz.map(Source::Fixed),
        "tsc_hz" => machine.tsc_hz.map(Source::Fixed),
        event => counters.iter().any(|counter| counter == event).then(|| Source::Column(event.to_owned())),
    };
    let mut figures = Vec::new();
    for set in &resolved.event_sets {
        for (id, _, formula) in set.formulas() {
            let sources: Option<Vec<Source>> = formula.names().iter().map(|name| source(set, name)).collect();
            let summary = match sources.filter(|_| cell.status() == Status::Ok) {
                None => None,
                Some(sources) => {
                    let mut inputs = Vec::with_capacity(sources.len());
                    for source in &sources {
                        inputs.push(match source {
                            Source::Column(column) => journal.read(cell, &[column])?.remove(0),
                            Source::Fixed(value) => vec![*value; cell.rows.len()],
                        });
                    }
                    let value = |i: usize| {
                        let values: Vec<f64> = inputs.iter().map(|input| input[i]).collect();
                        formula.value(&values).unwrap_or(f64::NAN)
                    };
                    let values: Vec<f64> = (0..cell.rows.len()).map(value).collect();
                    cell.summary(&values)
                }
            };
            figures.push((id, summary));
        }
    }
    Ok(figures.into_iter().collect())
}
