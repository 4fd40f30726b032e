//! The conditions under which the figures of a run were measured.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::io::console::counted;
use assay_store::ExperimentFacts;
use assay_store::gathered::GatheredFacts;
use assay_store::parts::Part;

use super::design;
use crate::RangeAxis;

/// How the figures were measured, if it was unusual, and what is left out: a sentence for each fact that a
/// reader must know.
pub fn conditions(facts: &ExperimentFacts) -> Vec<String> {
    design(facts).into_iter().chain(facts.subset.clone()).chain(unusual_conditions(facts)).collect()
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
    let parts = match &facts.gathered {
        Some(gathered) => gathered_from(&facts.parts, gathered, &RangeAxis::new(facts)),
        None => parts(&facts.parts),
    };
    cold.into_iter().chain(kind).chain(debug).chain(parts).collect()
}

/// The tasks that a run was gathered from, by node, and those that are missing.
fn gathered_from(parts: &[Part], gathered: &GatheredFacts, axis: &RangeAxis) -> Vec<String> {
    let tasks = |node: Option<&str>| {
        let of_parts = parts.iter().filter_map(|part| part.task.as_ref());
        let of_node = of_parts.filter(|task| node.is_none_or(|node| task.node == node));
        of_node.map(|task| task.task).collect::<BTreeSet<u32>>().len()
    };
    let nodes: Vec<String> =
        gathered.nodes.iter().map(|node| format!("{} on {}", tasks(Some(&node.node)), node.node)).collect();
    let group = gathered.group.map(|[number, of]| {
        format!(
            "This run has algorithm group {number} of {of}: to compare with the others, use ratios to {} (--baseline), \
             which is in every group",
            gathered.reference
        )
    });
    let missing = gathered.missing.iter().map(|missing| {
        let values: Vec<String> = missing.values.iter().map(|value| axis.label(*value)).collect();
        format!("{}={} (task {})", axis.symbol(), values.join(","), missing.task)
    });
    let missing: Vec<String> = missing.collect();
    let missing = (!missing.is_empty()).then(|| format!("Missing: {}", missing.join("; ")));
    let all = counted(tasks(None), "task");
    let from = match gathered.nodes.as_slice() {
        [node] => format!("Gathered from {all} on {}", node.node),
        _ => format!("Gathered from {all}: {}", nodes.join(", ")),
    };
    std::iter::once(from).chain(group).chain(missing).chain(resumed_tasks(parts)).collect()
}

/// The tasks of a gathered run that were interrupted and resumed, and what differed in their parts.
fn resumed_tasks(parts: &[Part]) -> Vec<String> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for task in parts.iter().filter_map(|part| part.task.as_ref()) {
        *counts.entry(task.task).or_default() += 1;
    }
    let resumed = counts.iter().filter(|(_, parts)| **parts > 1);
    let resumed: Vec<String> =
        resumed.map(|(task, parts)| format!("task {task} was measured in {parts} parts")).collect();
    let resumed = (!resumed.is_empty()).then(|| format!("Resumed: {}", resumed.join(", ")));
    resumed.into_iter().chain(differing(parts)).collect()
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
    std::iter::once(format!("Resumed: measured in {} parts ({times})", parts.len()))
        .chain(differing(parts))
        .collect()
}

/// What differed in the parts of a run that was resumed by force.
fn differing(parts: &[Part]) -> impl Iterator<Item = String> {
    parts.iter().zip(1..).filter(|(part, _)| !part.differs.is_empty()).map(|(part, number)| {
        let differs = part.differs.join("; ");
        format!(
            "Part {number} differs ({differs}): medians, ratios and ranks mix it with the others; only pairs are of one part"
        )
    })
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
    use assay_store::gathered::{MissingTask, NodeFacts, PartTask};
    use assay_store::noise::Noise;
    use assay_store::testing;

    use super::*;

    fn part(minute: u32, differs: &[&str]) -> Part {
        let at = |second| format!("2026-01-02T03:{minute:02}:{second:02}Z");
        let differs = differs.iter().map(|differs| (*differs).to_owned()).collect();
        Part {
            began: at(0),
            ended: Some(at(30)),
            measuring_s: Some(30.0),
            spent: None,
            killed: minute == 1,
            differs,
            task: None,
        }
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

    #[test]
    fn a_gathered_run_names_its_machines_its_group_and_what_is_missing() {
        let of = |task, node: &str| Part {
            task: Some(PartTask { task, run: "r".to_owned(), node: node.to_owned() }),
            ..part(1, &[])
        };
        let mut run = testing::run();
        let node = |name: &str| NodeFacts {
            node: name.to_owned(),
            machine: run.experiment.machine.clone(),
            cpu: None,
            checks: Vec::new(),
            noise: Noise::default(),
        };
        let missing = MissingTask { task: 4, values: vec![64, 128], state: "failed".to_owned() };
        let gathered = GatheredFacts {
            reference: "hor".to_owned(),
            group: Some([1, 2]),
            nodes: vec![node("n1"), node("n2")],
            missing: vec![missing],
            ..GatheredFacts::default()
        };
        // Task 1 was resumed, and so has two parts.
        let parts = [of(1, "n1"), of(1, "n1"), of(2, "n1"), of(3, "n2")];
        (run.experiment.gathered, run.experiment.parts) = (Some(gathered), parts.to_vec());
        let lines = unusual_conditions(&run.experiment);
        assert!(lines.contains(&"Gathered from 3 tasks: 2 on n1, 1 on n2".to_owned()), "{lines:?}");
        assert!(lines.contains(&"Missing: m=64,128 (task 4)".to_owned()), "{lines:?}");
        assert!(
            lines.iter().any(|line| line.starts_with("This run has algorithm group 1 of 2")),
            "{lines:?}"
        );
        let resumed: Vec<&String> = lines.iter().filter(|line| line.starts_with("Resumed")).collect();
        assert_eq!(resumed, ["Resumed: task 1 was measured in 2 parts"]);
    }
}
