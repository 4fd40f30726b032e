//! The campaign: passes blocks to workers in the scheduled order, checks every answer, and keeps what came of it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Result;
use crate::experiment::definition::Stats;
use crate::measure::cpu_lock::CpuLock;
use crate::measure::placement::Placement;
use crate::measure::plan::Plan;
use crate::measure::pool::Pool;
use crate::measure::schedule::{Block, schedule};
use crate::measure::worker::{BatchResult, Ended, SharedText, Worker};
use crate::results::journal::Journal;
use crate::results::noise::Gathered;
use crate::results::{Cell, Outcomes, Row, Status};

/// Makes the workers of a round, one for each algorithm.
pub type MakeWorkers<'a> = dyn FnMut(&SharedText, &mut Placement) -> Result<Vec<Box<dyn Worker>>> + 'a;

/// Measures a plan. Every block goes to the journal before the next begins; `progress` is told each block, once done.
///
/// # Errors
/// If the journal can't be written, or a round's workers can't be made: measuring ends there, and what was measured until then is returned beside the error.
pub fn measure(
    plan: &Plan,
    workers: &mut MakeWorkers<'_>,
    journal: Journal,
    interrupted: &AtomicBool,
    progress: impl FnMut(&Block),
) -> (Outcomes, Result<()>) {
    let cells = vec![vec![Cell::default(); plan.sets.len()]; plan.algorithms.len()];
    let lock = plan.cpu.map(CpuLock::new);
    let noise = Gathered::begin(plan.cpu, lock.as_ref().and_then(CpuLock::shared));
    let mut campaign = Campaign { plan, workers, pool: Pool::new(Vec::new()), journal, cells, noise };
    let written = campaign.run(interrupted, progress);
    let Campaign { cells, noise, .. } = campaign;
    let interrupted = written.is_err() || interrupted.load(Ordering::Relaxed);
    (Outcomes { cells, interrupted, noise: noise.end() }, written)
}

/// A campaign under way.
struct Campaign<'a, 'b> {
    plan: &'a Plan,
    workers: &'a mut MakeWorkers<'b>,
    pool: Pool,
    journal: Journal,
    cells: Vec<Vec<Cell>>,
    noise: Gathered,
}

impl Campaign<'_, '_> {
    fn run(&mut self, interrupted: &AtomicBool, mut progress: impl FnMut(&Block)) -> Result<()> {
        let experiment = &self.plan.experiment;
        let (algorithms, sets) = (self.plan.algorithms.len(), self.plan.sets.len());
        self.leave_out()?;
        let mut left = vec![sets * experiment.runs; algorithms];
        let (mut round, mut text) = (None, None);
        for block in schedule(experiment.order, algorithms, sets, experiment.rounds(), self.plan.seed) {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            if round != Some(block.round) {
                round = Some(block.round);
                // The workers of the round before are gone, or hold what they have mapped.
                text = Some(self.begin(block.round)?);
            }
            if self.cells[block.algorithm][block.set].status == Status::Ok {
                self.measure(&block, interrupted)?;
            }
            left[block.algorithm] -= block.repetitions.len();
            if left[block.algorithm] == 0 {
                self.pool.end(block.algorithm);
            }
            progress(&block);
        }
        drop(text);
        Ok(())
    }

    /// Algorithms that can't run on this CPU.
    fn leave_out(&mut self) -> Result<()> {
        for (algorithm, cells) in self.cells.iter_mut().enumerate() {
            let Some(lack) = self.plan.lacks(algorithm) else { continue };
            for (set, cell) in cells.iter_mut().enumerate() {
                (cell.status, cell.message) = (Status::CannotSearch, Some(lack.clone()));
                self.journal.end(self.plan, algorithm, set, 0, cell.status)?;
            }
        }
        Ok(())
    }

    /// Begins a round: fresh workers, that find everything at other places. The text must last as long as the round.
    fn begin(&mut self, round: usize) -> Result<SharedText> {
        let mut placement = Placement::of_round(self.plan.seed, round);
        let text = self.plan.share_text(placement.text())?;
        self.pool = Pool::new((self.workers)(&text, &mut placement)?);
        Ok(text)
    }

    fn measure(&mut self, block: &Block, interrupted: &AtomicBool) -> Result<()> {
        let (plan, algorithm, set) = (self.plan, block.algorithm, block.set);
        let cell = &mut self.cells[algorithm][set];
        let batch = plan.batch(set, block.repetitions.clone());
        let result = self.pool.measure(algorithm, &batch, interrupted);
        let (first, noise) = (cell.rows.len(), result.noise);
        let ended_in = judge(cell, block, result, &Rules::of(plan, set));
        if cell.status == Status::Crashed {
            self.pool.end(algorithm);
        }
        self.journal.rows(plan, algorithm, set, &cell.rows[first..])?;
        if let Some(repetition) = ended_in {
            self.journal.end(plan, algorithm, set, repetition, cell.status)?;
        }
        if let Some(noise) = noise {
            self.noise.add(&noise);
            self.journal.block(plan, block.round, algorithm, set, block.repetitions.start, &noise)?;
        }
        Ok(())
    }
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
    Some(said.unwrap_or(block.repetitions.start + came))
}

#[cfg(test)]
mod tests;
