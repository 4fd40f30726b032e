//! The campaign: passes blocks to workers in the scheduled order, checks every answer, and keeps what came of it.

use std::sync::atomic::{AtomicBool, Ordering};

use super::journal::Journal;
use super::outcome::{Cell, Outcomes, Status};
use super::plan::Plan;
use super::schedule::{Block, schedule};
use super::worker::{BatchResult, Ended, Worker};
use crate::error::Result;

/// Measures a plan. Every block goes to the journal before the next begins; `progress` is told each block, once done.
///
/// # Errors
/// If the journal can't be written.
pub fn measure(
    plan: &Plan,
    workers: &mut [Box<dyn Worker>],
    journal: &mut Journal,
    interrupted: &AtomicBool,
    mut progress: impl FnMut(&Block),
) -> Result<Outcomes> {
    let experiment = &plan.experiment;
    let (algorithms, sets) = (plan.algorithms.len(), plan.sets.len());
    let mut cells = vec![vec![Cell::default(); sets]; algorithms];
    for (algorithm, cells) in cells.iter_mut().enumerate() {
        if let Some(lack) = plan.lacks(algorithm) {
            for (set, cell) in cells.iter_mut().enumerate() {
                (cell.status, cell.message) = (Status::CannotSearch, Some(lack.clone()));
                journal.end(plan, algorithm, set, 0, cell.status)?;
            }
        }
    }
    for block in schedule(experiment.order, algorithms, sets, experiment.runs, plan.seed) {
        let cell = &mut cells[block.algorithm][block.set];
        if cell.status == Status::Ok && !interrupted.load(Ordering::Relaxed) {
            let batch = plan.batch(block.set, block.repetitions.clone());
            let result = workers[block.algorithm].measure(&batch, interrupted);
            let first = cell.rows.len();
            judge(cell, &block, result, &plan.expected[block.set], experiment.time_limit_ms);
            journal.rows(plan, block.algorithm, block.set, &cell.rows[first..])?;
            if cell.status != Status::Ok {
                let repetition = block.repetitions.start + cell.rows.len() - first;
                journal.end(plan, block.algorithm, block.set, repetition, cell.status)?;
            }
        }
        progress(&block);
    }
    Ok(Outcomes { cells, interrupted: interrupted.load(Ordering::Relaxed) })
}

/// Takes the rows of a block into its cell, up to the first that is wrong or took too long.
fn judge(cell: &mut Cell, block: &Block, result: BatchResult, expected: &[u64], time_limit_ms: u64) {
    for (repetition, row) in block.repetitions.clone().zip(result.rows) {
        let (found, expected) = (row.occurrences, expected[repetition]);
        if found != expected {
            let message = format!("repetition {repetition} found {found} occurrences; there are {expected}");
            (cell.status, cell.message) = (Status::Wrong, Some(message));
            return;
        }
        if (row.prepare_ns + row.search_ns) / 1_000_000 > time_limit_ms {
            let message = format!("repetition {repetition} took more than {time_limit_ms} ms");
            (cell.status, cell.message) = (Status::TimedOut, Some(message));
            return;
        }
        cell.rows.push((repetition, row));
    }
    let (status, message) = match result.ended {
        None | Some(Ended::Interrupted) => return,
        Some(Ended::CannotSearch(message)) => (Status::CannotSearch, message),
        Some(Ended::Error(message)) => (Status::Error, message),
        Some(Ended::TimedOut(message)) => (Status::TimedOut, message),
        Some(Ended::Crashed(message)) => (Status::Crashed, message),
    };
    (cell.status, cell.message) = (status, Some(message));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::worker::Row;

    fn row(occurrences: u64, search_ns: u64) -> Row {
        Row { occurrences, search_ns, ..Row::default() }
    }

    fn judged(rows: Vec<Row>, ended: Option<Ended>) -> Cell {
        let mut cell = Cell::default();
        let block = Block { algorithm: 0, set: 0, repetitions: 10..13 };
        judge(&mut cell, &block, BatchResult { rows, ended }, &[1; 13], 300);
        cell
    }

    #[test]
    fn a_wrong_count_ends_a_cell_and_does_not_enter_it() {
        let cell = judged(vec![row(1, 5), row(2, 5), row(1, 5)], None);
        assert_eq!((cell.status, cell.rows.len()), (Status::Wrong, 1));
        assert_eq!(cell.message.as_deref(), Some("repetition 11 found 2 occurrences; there are 1"));
    }

    #[test]
    fn a_search_over_the_limit_does_not_enter_even_if_it_ended_by_itself() {
        let cell = judged(vec![row(1, 400_000_000)], None);
        assert_eq!((cell.status, cell.rows.len()), (Status::TimedOut, 0));
    }

    #[test]
    fn what_was_measured_before_a_fault_is_kept() {
        let cell = judged(vec![row(1, 5)], Some(Ended::Crashed("x".into())));
        assert_eq!((cell.status, cell.rows.as_slice()), (Status::Crashed, &[(10, row(1, 5))][..]));
        let cell = judged(vec![row(1, 5)], Some(Ended::Interrupted));
        assert_eq!((cell.status, cell.rows.len()), (Status::Ok, 1));
    }
}
