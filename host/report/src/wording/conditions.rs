//! The conditions under which the figures of a run were measured.

use assay_store::ExperimentFacts;
use assay_store::parts::Part;

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
    cold.into_iter().chain(kind).chain(debug).chain(parts(&facts.parts)).collect()
}

/// The parts of a run that was resumed, and what differed in them.
fn parts(parts: &[Part]) -> Vec<String> {
    /// The times of this many parts fit into a line of a terminal or two.
    const NAMED: usize = 3;
    if parts.len() < 2 {
        return Vec::new();
    }
    let end = |part: &Part| part.ended.clone().unwrap_or_else(|| "an unknown time".to_owned());
    let from_to = |first: &Part, last: &Part| {
        let killed = if last.killed { ", killed" } else { "" };
        format!("{} to {}{killed}", first.began, end(last))
    };
    let times = if parts.len() <= NAMED {
        let numbered =
            parts.iter().zip(1..).map(|(part, number)| format!("{number}: {}", from_to(part, part)));
        numbered.collect::<Vec<_>>().join("; ")
    } else {
        from_to(&parts[0], &parts[parts.len() - 1])
    };
    let differing = parts.iter().zip(1..).filter(|(part, _)| !part.differs.is_empty());
    let differing = differing.map(|(part, number)| {
        let differs = part.differs.join("; ");
        format!(
            "Part {number} differs ({differs}): medians, ratios and ranks mix it with the others; only pairs are of one part"
        )
    });
    std::iter::once(format!("Resumed: measured in {} parts ({times})", parts.len()))
        .chain(differing)
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn part(minute: u32, differs: &[&str]) -> Part {
        let at = |second| format!("2026-01-02T03:{minute:02}:{second:02}Z");
        let differs = differs.iter().map(|differs| (*differs).to_owned()).collect();
        Part { began: at(0), ended: Some(at(30)), measuring_s: Some(30.0), killed: minute == 1, differs }
    }

    #[test]
    fn parts_are_told_where_there_are_several_and_what_differs_in_them() {
        assert_eq!(parts(&[part(1, &[])]), [] as [&str; 0]);
        let two = parts(&[part(1, &[]), part(2, &["the kernel: a then, b now"])]);
        assert_eq!(
            two,
            [
                "Resumed: measured in 2 parts (1: 2026-01-02T03:01:00Z to 2026-01-02T03:01:30Z, killed; \
                 2: 2026-01-02T03:02:00Z to 2026-01-02T03:02:30Z)",
                "Part 2 differs (the kernel: a then, b now): medians, ratios and ranks mix it with the others; only \
                 pairs are of one part"
            ]
        );
        let many: Vec<Part> = (1..6).map(|minute| part(minute, &[])).collect();
        assert_eq!(
            parts(&many),
            ["Resumed: measured in 5 parts (2026-01-02T03:01:00Z to 2026-01-02T03:05:30Z)"]
        );
    }
}
