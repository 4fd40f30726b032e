//! Where times change in a series of runs: each run compared with the one before it.

use std::collections::HashSet;

use assay_base::error::Result;
use assay_stats::significance::{Comparison, Difference, NullRange, Verdict, judge_each};

use super::{CellRounds, ComparedRun, cell_rounds, mean_difference, same_patterns};
use crate::setup::speed_ratios;
use crate::{Call, Report};

/// The time of a run over that in the run before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesStep {
    /// The place of the earlier run among all runs, from 0 on: the latest before this one that has the times.
    pub previous: usize,
    /// The ratio. The significance is corrected for the number of all steps.
    pub comparison: Comparison,
}

impl SeriesStep {
    /// "slower" or "faster"; `None` if no difference is shown, so the times did not change here.
    pub fn change(&self) -> Option<&'static str> {
        (self.comparison.verdict != Verdict::Tied).then(|| self.comparison.word())
    }
}

/// A cell of a later run, with its rounds compared with those of an earlier run.
struct StepRounds {
    previous: usize,
    cell: CellRounds,
}

/// Compares each later run with the one before it, and returns the number of comparisons.
///
/// # Errors
/// If measurements can't be read again.
pub(super) fn compare_steps(
    first: &Report,
    later: &[Report],
    call: Option<Call>,
    floor: f64,
    runs: &mut [ComparedRun],
) -> Result<usize> {
    let all: Vec<&Report> = std::iter::once(first).chain(later).collect();
    let compared: Vec<HashSet<(String, u64)>> = runs.iter().map(compared_cells).collect();
    let mut differences: Vec<Option<(Difference, NullRange)>> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let now = all[number + 1];
        let ranges: Vec<NullRange> = all[..=number]
            .iter()
            .map(|previous| {
                let speed = speed_ratios(&previous.facts.noise, &now.facts.noise);
                NullRange::within(floor).or_speed(&speed)
            })
            .collect();
        let steps = steps_of_run(run, number, &all, &compared, call)?;
        for step in &steps {
            let found = step.as_ref().and_then(|step| step.cell.rounds.difference());
            let previous = step.as_ref().map_or(number, |step| step.previous);
            differences.push(found.map(|found| (found, ranges[previous])));
            places.push(previous);
        }
        for times in &run.overall {
            let of_group = |step: &&StepRounds| {
                let is_member = times.algorithm.as_ref().is_none_or(|id| *id == step.cell.algorithm);
                is_member && step.previous == number
            };
            let cells: Vec<&CellRounds> =
                steps.iter().flatten().filter(of_group).map(|step| &step.cell).collect();
            differences.push(mean_difference(&cells).map(|found| (found, ranges[number])));
            places.push(number);
        }
    }
    let mut judged = judge_each(&differences).into_iter().zip(places);
    for times in runs.iter_mut().flat_map(|run| run.cells.iter_mut().chain(&mut run.overall)) {
        let (comparison, previous) = judged.next().expect("there is one for each");
        times.step = comparison.map(|comparison| SeriesStep { previous, comparison });
    }
    Ok(differences.iter().flatten().count())
}

/// The cells of a later run that were compared with those of the first.
fn compared_cells(run: &ComparedRun) -> HashSet<(String, u64)> {
    let places = run.cells.iter().map(|times| Some((times.algorithm.clone()?, times.value?)));
    places.flatten().collect()
}

/// The cells of the later run with this number, each compared with the latest earlier run that has it: the
/// first run has all of them.
fn steps_of_run(
    run: &ComparedRun,
    number: usize,
    all: &[&Report],
    compared: &[HashSet<(String, u64)>],
    call: Option<Call>,
) -> Result<Vec<Option<StepRounds>>> {
    let by_pattern: Vec<bool> =
        all[..=number].iter().map(|previous| same_patterns(previous, all[number + 1])).collect();
    let mut steps = Vec::new();
    for times in &run.cells {
        let (Some(algorithm), Some(value)) = (times.algorithm.clone(), times.value) else {
            steps.push(None);
            continue;
        };
        let cell = (algorithm, value);
        let previous = (0..number).rfind(|run| compared[*run].contains(&cell)).map_or(0, |run| run + 1);
        let (algorithm, value) = cell;
        let reports = [all[previous], all[number + 1]];
        let rounds = cell_rounds(reports, &algorithm, value, call, by_pattern[previous])?.ok();
        steps.push(
            rounds.map(|rounds| StepRounds { previous, cell: CellRounds { algorithm, value, rounds } }),
        );
    }
    Ok(steps)
}
