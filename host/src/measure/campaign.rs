//! The campaign: passes blocks to workers in the scheduled order, checks every answer, and keeps what came of it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Result;
use crate::experiment::definition::Stats;
use crate::measure::plan::Plan;
use crate::measure::pool::Pool;
use crate::measure::schedule::{Block, schedule};
use crate::measure::worker::{BatchResult, Ended, Worker};
use crate::results::journal::Journal;
use crate::results::{Cell, Outcomes, Row, Status};

/// Measures a plan. Every block goes to the journal before the next begins; `progress` is told each block, once done.
///
/// # Errors
/// If the journal can't be written: measuring ends there, and what was measured until then is returned beside the error.
pub fn measure(
    plan: &Plan,
    workers: Vec<Box<dyn Worker>>,
    journal: Journal,
    interrupted: &AtomicBool,
    progress: impl FnMut(&Block),
) -> (Outcomes, Result<()>) {
    let mut cells = vec![vec![Cell::default(); plan.sets.len()]; plan.algorithms.len()];
    let written = fill(plan, &mut cells, Pool::new(workers), journal, interrupted, progress);
    let interrupted = written.is_err() || interrupted.load(Ordering::Relaxed);
    (Outcomes { cells, interrupted }, written)
}

fn fill(
    plan: &Plan,
    cells: &mut [Vec<Cell>],
    mut pool: Pool,
    mut journal: Journal,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(&Block),
) -> Result<()> {
    let experiment = &plan.experiment;
    let (algorithms, sets) = (plan.algorithms.len(), plan.sets.len());
    for (algorithm, cells) in cells.iter_mut().enumerate() {
        if let Some(lack) = plan.lacks(algorithm) {
            for (set, cell) in cells.iter_mut().enumerate() {
                (cell.status, cell.message) = (Status::CannotSearch, Some(lack.clone()));
                journal.end(plan, algorithm, set, 0, cell.status)?;
            }
        }
    }
    let mut left = vec![sets * experiment.runs; algorithms];
    for block in schedule(experiment.order, algorithms, sets, experiment.runs, plan.seed) {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        let cell = &mut cells[block.algorithm][block.set];
        if cell.status == Status::Ok {
            let batch = plan.batch(block.set, block.repetitions.clone());
            let result = pool.measure(block.algorithm, &batch, interrupted);
            let first = cell.rows.len();
            let ended_in = judge(cell, &block, result, &Rules::of(plan, block.set));
            if cell.status == Status::Crashed {
                pool.end(block.algorithm);
            }
            journal.rows(plan, block.algorithm, block.set, &cell.rows[first..])?;
            if let Some(repetition) = ended_in {
                journal.end(plan, block.algorithm, block.set, repetition, cell.status)?;
            }
        }
        left[block.algorithm] -= block.repetitions.len();
        if left[block.algorithm] == 0 {
            pool.end(block.algorithm);
        }
        progress(&block);
    }
    Ok(())
}

/// What the rows of a pattern set must keep to.
struct Rules<'a> {
    /// How often the pattern of each repetition occurs.
    expected: &'a [u64],
    time_limit_ms: u64,
    /// Number of counters.
    counters: usize,
    instrumented: bool,
}

impl<'a> Rules<'a> {
    fn of(plan: &'a Plan, set: usize) -> Self {
        Rules {
            expected: &plan.expected[set],
            time_limit_ms: plan.experiment.time_limit_ms,
            counters: plan.counters.iter().map(|group| group.events.len()).sum(),
            instrumented: plan.experiment.stats == Stats::Algo,
        }
    }

    /// What is wrong with a row.
    fn broken_by(&self, repetition: usize, row: &Row) -> Option<(Status, String)> {
        if row.calls.iter().any(|call| call.counts.len() != self.counters)
            || row.measured.is_some() != self.instrumented
        {
            return Some(damaged(&format!("repetition {repetition} has other figures than were asked for")));
        }
        let (found, expected) = (row.occurrences, self.expected[repetition]);
        if found != expected {
            let message = format!("repetition {repetition} found {found} occurrences; there are {expected}");
            return Some((Status::Wrong, message));
        }
        let limit = self.time_limit_ms;
        (row.total_ns() / 1_000_000 > limit)
            .then(|| (Status::TimedOut, format!("repetition {repetition} took more than {limit} ms")))
    }
}

fn damaged(what: &str) -> (Status, String) {
    (Status::Crashed, format!("{what}: the memory of its worker may be damaged"))
}

/// Takes the rows of a block into its cell, up to the first that breaks a rule. If the cell ends there: in which repetition.
fn judge(cell: &mut Cell, block: &Block, result: BatchResult, rules: &Rules<'_>) -> Option<usize> {
    let (asked, came) = (block.repetitions.len(), result.rows.len());
    for (repetition, row) in block.repetitions.clone().zip(result.rows) {
        if let Some((status, message)) = rules.broken_by(repetition, &row) {
            (cell.status, cell.message) = (status, Some(message));
            return Some(repetition);
        }
        cell.rows.push((repetition, row));
    }
    let (status, message) = match result.ended {
        None if came == asked => return None,
        Some(Ended::Interrupted) => return None,
        None => damaged(&format!("{came} repetitions came of {asked}")),
        Some(Ended::CannotSearch(message)) => (Status::CannotSearch, message),
        Some(Ended::Error(message)) => (Status::Error, message),
        Some(Ended::TimedOut(message)) => (Status::TimedOut, message),
        Some(Ended::Crashed(message)) => (Status::Crashed, message),
    };
    (cell.status, cell.message) = (status, Some(message));
    // A lost worker may have said anything.
    let said = result.ended_in.filter(|repetition| block.repetitions.contains(repetition));
    Some(said.unwrap_or(block.repetitions.start + came.min(asked)))
}

#[cfg(test)]
mod tests;
