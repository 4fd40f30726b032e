//! Notes for readers of times: the algorithms that take their own times, and those that wrote none.

use assay_base::natural_order;
use assay_store::{CellResult, Clock, ExperimentFacts, Run, Status};

use super::Call;
use crate::RangeAxis;
use crate::wording;

/// A note with the algorithms that take their times by a clock of their own, each once, or a note that all
/// times are those of a simulation; `None` if all times are by the host's clock.
pub(crate) fn clock_note<'a>(
    facts: &ExperimentFacts,
    with_own_clock: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    if !facts.launcher.is_empty() {
        return Some(wording::simulation_note(facts));
    }
    let mut algorithms: Vec<&str> = Vec::new();
    for algorithm in with_own_clock {
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    (!algorithms.is_empty()).then(|| {
        format!(
            "These take the times of preparation and search themselves; their counters are of both calls \
             together: {}",
            algorithms.join(", ")
        )
    })
}

/// The [`clock_note`] of the results of a run.
pub(crate) fn clock_note_of_results(run: &Run) -> Option<String> {
    let own = run.results.iter().filter(|cell| cell.clock == Some(Clock::Own));
    clock_note(&run.experiment, own.map(|cell| cell.algorithm.as_str()))
}

/// The algorithms without figures, because they wrote no time, or no number, for some of their calls: a line
/// for each kind of call.
pub(crate) fn without_times(run: &Run) -> Vec<String> {
    if !run.experiment.has_times() {
        return Vec::new();
    }
    [Call::Search, Call::Prepare].into_iter().filter_map(|call| without_times_of(run, call)).collect()
}

/// The line of [`without_times`] for a kind of call.
fn without_times_of(run: &Run, call: Call) -> Option<String> {
    let axis = RangeAxis::new(&run.experiment);
    let done = run.results.iter().filter(|cell| cell.status == Status::Ok);
    let mut missing: Vec<&CellResult> = done.filter(|cell| cell.time(call).is_none()).collect();
    missing.sort_by(|a, b| natural_order(&a.algorithm, &b.algorithm));
    let algorithms: Vec<String> = missing
        .chunk_by(|a, b| a.algorithm == b.algorithm)
        .map(|cells| {
            let values: Vec<String> = cells.iter().map(|cell| axis.at(cell.value())).collect();
            format!("{} ({})", cells[0].algorithm, values.join(", "))
        })
        .collect();
    (!algorithms.is_empty()).then(|| {
        format!(
            "No figures of the {} where an algorithm wrote no time for a repetition, or an impossible one: {}",
            call.name(),
            algorithms.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use assay_store::testing;

    use super::*;

    fn run_of(results: Vec<CellResult>) -> Run {
        Run { results, ..testing::run() }
    }

    fn cell(algorithm: &str, clock: Option<Clock>) -> CellResult {
        CellResult { algorithm: algorithm.to_owned(), clock, ..testing::cell() }
    }

    #[test]
    fn those_that_take_their_own_times_are_named_once() {
        let note = |results| clock_note_of_results(&run_of(results));
        let (host, own) = (Some(Clock::Host), Some(Clock::Own));
        assert_eq!(note(vec![cell("a", host), cell("b", None)]), None);
        let line = note(vec![cell("a", own), cell("b", host), cell("c", own), cell("a", own)]).unwrap();
        assert!(line.ends_with(": a, c"), "{line}");
        let mut simulated = run_of(vec![cell("a", own)]);
        simulated.experiment.launcher = vec!["simulator".to_owned()];
        assert!(clock_note_of_results(&simulated).unwrap().contains("simulation"));
    }

    /// A result without search times.
    fn without(algorithm: &str, pattern_length: usize) -> CellResult {
        let algorithm = algorithm.to_owned();
        CellResult { algorithm, pattern_length, search_ns: None, ..testing::cell() }
    }

    #[test]
    fn algorithms_without_times_are_named_for_each_kind_of_call_with_the_lengths() {
        let failed = CellResult { status: Status::Crashed, ..without("failed", 8) };
        let run = run_of(vec![without("b", 8), without("a", 4), testing::cell(), without("b", 16), failed]);
        let lines = without_times(&run);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("No figures of the search where"), "{lines:?}");
        assert!(lines[0].ends_with(": a (m=4), b (m=8, m=16)"), "{lines:?}");
        let mut instrumented = run;
        instrumented.experiment.stats = assay_experiment::definition::Stats::Algo;
        assert!(without_times(&instrumented).is_empty());
    }
}
