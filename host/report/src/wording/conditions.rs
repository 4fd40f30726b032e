//! The conditions under which the figures of a run were measured.

use assay_store::ExperimentFacts;

use super::design;

/// How the figures were measured, if it was unusual: a sentence for each fact that a reader must know.
pub fn conditions(facts: &ExperimentFacts) -> Vec<String> {
    design(facts).into_iter().chain(unusual_conditions(facts)).collect()
}

/// The unusual conditions that do not belong to the design of the experiment: cold caches, a special kind of
/// patterns, debug builds.
pub fn unusual_conditions(facts: &ExperimentFacts) -> Vec<String> {
    let cold = facts.definition.as_ref().is_some_and(|definition| definition.cold);
    let cold = cold.then(|| "Cold: the text was flushed from the caches before each repetition".to_owned());
    let kind = facts.definition.as_ref().and_then(|definition| definition.patterns.kind.condition());
    // Counts of characters and comparisons are the same in a debug build; times are not.
    let debug = if facts.instrumented() { None } else { debug_builds(facts) };
    let debug = debug.map(|builds| format!("Debug build: {builds}; times of a release build are others"));
    cold.into_iter().chain(kind).chain(debug).collect()
}

/// The program and the libraries that are debug builds: `assay, assay-comparison`.
fn debug_builds(facts: &ExperimentFacts) -> Option<String> {
    let host = (!facts.machine.optimised).then_some("assay");
    let libraries = facts.libraries.iter().filter(|library| library.debug == Some(true));
    let all: Vec<&str> = host.into_iter().chain(libraries.map(|library| library.name.as_str())).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// The reason why a run under a simulator has no times, with the name of the counter backend.
pub fn simulation_note(facts: &ExperimentFacts) -> String {
    let backend = facts.counters.first().and_then(|facts| facts.name.split(':').next()).unwrap_or_default();
    format!(
        "{backend} ran the searches in a simulation, whose times are no times of this machine: none are shown or compared"
    )
}
