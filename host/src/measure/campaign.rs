//! The campaign: passes blocks to workers in the scheduled order, checks every answer, and keeps what came of it.

use std::sync::atomic::{AtomicBool, Ordering};

use super::cpu_lock::CpuLock;
use super::pool::Pool;
use super::reference::Counts;
use super::schedule::{Block, schedule};
use super::stopping::Stopping;
use super::worker::{Batch, BatchResult};
use crate::error::Result;
use crate::experiment::counters::Group;
use crate::experiment::definition::Stats;
use crate::experiment::{Resolved, cpu};
use crate::results::counting::LostBackend;
use crate::results::journal::Journal;
use crate::results::noise::{Gathered, Noise};
use crate::results::{Cell, Ended, Row, Start, Status};

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// The experiment.
    pub resolved: &'a Resolved,
}

/// What came of a campaign.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// A cell for each algorithm and pattern length: all algorithms of one length, then those of the next.
    pub cells: Vec<Cell<'a>>,
    /// Whether it ended early: by the user, or because its journal could not be written.
    pub interrupted: bool,
    /// What else happened meanwhile.
    pub noise: Noise,
    /// Whether the journal could be written and every round have its workers. Measuring ends where not; what was measured
    /// until then is in the cells.
    pub written: Result<()>,
}

impl<'a> Campaign<'a> {
    /// Measures, each round with workers of its own, and checks what they count. Every block goes to the journal before the next
    /// begins; `progress` is told each, once done, with its cell.
    pub fn measure(
        self,
        counts: &mut Counts<'a>,
        pools: &mut dyn FnMut(usize) -> Result<Pool>,
        journal: &mut Journal,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(&Cell<'_>, &Block),
    ) -> Outcomes<'a> {
        let Resolved { algorithms, sets, .. } = self.resolved;
        let of_set = |length| algorithms.iter().map(move |algorithm| Cell::new(algorithm, length));
        let mut cells: Vec<Cell<'_>> = sets.iter().flat_map(|set| of_set(set.length)).collect();
        let mut lock = self.resolved.cpu.map(CpuLock::new);
        let mut noise = Gathered::begin(self.resolved.cpu);
        let looked = |cell: &Cell<'_>, block: &Block| {
            lock.as_mut().map(CpuLock::look);
            progress(cell, block);
        };
        let written = self.fill(&mut cells, &mut noise, counts, pools, journal, interrupted, looked);
        let interrupted = written.is_err() || interrupted.load(Ordering::Relaxed);
        Outcomes { cells, interrupted, noise: noise.end(lock.and_then(|lock| lock.shared())), written }
    }

    /// Notes counts that can't be, which stay.
    fn look_for_impossible(self, cell: &mut Cell<'_>, rows: &[Row], noise: &mut Gathered) {
        let Resolved { relations, .. } = self.resolved;
        if relations.is_empty() {
            return;
        }
        let names = self.resolved.counter_names();
        for relation in relations {
            let calls = rows.iter().flat_map(|row| &row.calls);
            let known: Vec<bool> = calls.filter_map(|call| relation.holds(&call.counts)).collect();
            let broken = known.iter().filter(|holds| !**holds).count();
            noise.add_impossible(&relation.told, relation.set.as_deref(), broken as u64, known.len() as u64);
            if broken > 0 {
                cell.impossible.extend(relation.counters.iter().map(|counter| names[*counter].clone()));
            }
        }
        cell.impossible.sort_unstable();
        cell.impossible.dedup();
    }

    #[expect(clippy::too_many_arguments, reason = "what is measured, with what, and who is told")]
    fn fill(
        self,
        cells: &mut [Cell<'_>],
        noise: &mut Gathered,
        counts: &mut Counts<'a>,
        pools: &mut dyn FnMut(usize) -> Result<Pool>,
        journal: &mut Journal,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(&Cell<'_>, &Block),
    ) -> Result<()> {
        let Resolved { experiment, algorithms, sets, seed, .. } = self.resolved;
        for cell in &mut *cells {
            if let Some(lack) = cpu::lacks(&cell.algorithm.listing.cpu) {
                cell.ended = Some(Ended::CannotSearch(lack));
                journal.end(cell, 0)?;
            }
        }
        let mut pool = Pool::new(Vec::new());
        let mut lost_backends = Vec::new();
        let mut stopping = Stopping::new(self.resolved);
        for round in 0.. {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            let Some(lengths) = stopping.lengths(round, cells) else { break };
            // Those of the round before end first: there is room for one text.
            drop(pool);
            pool = pools(round)?;
            lost_backends.iter().for_each(|backend| pool.leave_out(*backend));
            let repetitions = experiment.rounds().repetitions(round);
            let mut left = vec![lengths.len() * repetitions.len(); algorithms.len()];
            for block in schedule(experiment.order, algorithms.len(), lengths, repetitions, round, *seed) {
                if interrupted.load(Ordering::Relaxed)
                    || !stopping.has_time_for(&block)
                    || !counts.count(block.set, block.repetitions.clone(), interrupted, || {})
                {
                    return Ok(());
                }
                let place = block.set * algorithms.len() + block.algorithm;
                let cell = &mut cells[place];
                if cell.status() == Status::Ok {
                    let batch = Batch::of(&sets[block.set], block.repetitions.clone(), experiment.warmup);
                    let mut result = pool.measure(block.algorithm, &batch, interrupted);
                    let lost: (Vec<usize>, Vec<LostBackend>) = result.lost.drain(..).unzip();
                    lost_backends.extend(lost.0);
                    let names = self.resolved.counters.iter().flat_map(Group::names);
                    noise.add_counting(names, &result.faults, lost.1);
                    self.look_for_impossible(cell, &result.rows, noise);
                    let (noticed, unusable) = (result.noise, result.unusable);
                    let (rows, ended_in) = judge(cell, &block, result, &Rules::of(self, block.set, counts));
                    if cell.status() == Status::Crashed {
                        pool.end(block.algorithm);
                    }
                    stopping.add(place, &rows);
                    journal.rows(cell, block.repetitions.start, &rows)?;
                    if let Some(repetition) = ended_in {
                        journal.end(cell, repetition)?;
                    }
                    if let Some(noticed) = noticed {
                        noise.add(&noticed);
                        let start = noticed.start.filter(|_| cell.status() == Status::Ok);
                        cell.starts.extend(start.map(|start| (block.round as u32, start)));
                        journal.block(cell, block.repetitions.start, &noticed)?;
                    }
                    if let (true, Some(why)) = (unusable, cell.ended.clone()) {
                        let of_algorithm =
                            cells.iter_mut().skip(block.algorithm).step_by(algorithms.len()).enumerate();
                        for (set, other) in of_algorithm.filter(|(_, cell)| cell.ended.is_none()) {
                            if stopping.goes_on(set, other.rows.len()) {
                                other.ended = Some(why.clone());
                                journal.end(other, other.rows.end())?;
                            }
                        }
                    }
                }
                left[block.algorithm] -= block.repetitions.len();
                if left[block.algorithm] == 0 {
                    pool.end(block.algorithm);
                }
                progress(&cells[place], &block);
            }
        }
        Ok(())
    }
}

/// What the rows of a pattern set must keep to.
struct Rules<'a> {
    /// How often the patterns occur.
    counts: &'a Counts<'a>,
    set: usize,
    time_limit_ms: u64,
    /// Number of counters.
    counters: usize,
    instrumented: bool,
    text_length: usize,
}

impl<'a> Rules<'a> {
    fn of(campaign: Campaign<'a>, set: usize, counts: &'a Counts<'a>) -> Self {
        let Resolved { experiment, counters, .. } = campaign.resolved;
        Rules {
            counts,
            set,
            time_limit_ms: campaign.resolved.time_limit_ms(),
            counters: counters.iter().map(|group| group.events.len()).sum(),
            instrumented: experiment.stats == Stats::Algo,
            text_length: campaign.resolved.text.bytes.len(),
        }
    }

    /// What is wrong with the first search of a worker, which is no row.
    fn broken_by_start(&self, start: &Start) -> Option<Ended> {
        let repetition = usize::try_from(start.repetition).unwrap_or(usize::MAX);
        let (found, expected) = (start.occurrences, self.counts.of(self.set, repetition));
        match expected {
            None => Some(damaged(&format!("its first search was that of repetition {repetition}"))),
            Some(expected) => (found != expected).then(|| {
                Ended::Wrong(format!(
                    "the first search of its process found {found} occurrences; there are {expected}"
                ))
            }),
        }
    }

    /// What is wrong with a row.
    fn broken_by(&self, repetition: usize, row: &Row) -> Option<Ended> {
        let counted = |count: &Option<f64>| count.is_none_or(f64::is_finite);
        let odd = row
            .calls
            .iter()
            .any(|call| call.counts.len() != self.counters || !call.counts.iter().all(counted));
        if odd || row.measured.is_some() != self.instrumented {
            return Some(damaged(&format!("repetition {repetition} has other figures than were asked for")));
        }
        let found = row.occurrences;
        match self.counts.of(self.set, repetition) {
            Some(expected) if expected == found => {}
            Some(expected) => {
                return Some(Ended::Wrong(format!(
                    "repetition {repetition} found {found} occurrences; there are {expected}"
                )));
            }
            None => return Some(damaged(&format!("nobody asked for repetition {repetition}"))),
        }
        if let Some(figure) =
            row.measured.as_deref().and_then(|measured| measured.beyond_sense(self.text_length))
        {
            return Some(Ended::Error(format!("repetition {repetition} tells what can't be: {figure}")));
        }
        let limit = self.time_limit_ms;
        (row.total_ns() / 1_000_000 > limit)
            .then(|| Ended::TimedOut(format!("repetition {repetition} took more than {limit} ms")))
    }
}

fn damaged(what: &str) -> Ended {
    Ended::Crashed(format!("{what}: the memory of its worker may be damaged"))
}

/// The rows of a block up to the first that breaks a rule. If its cell ends there: in which repetition.
fn judge(
    cell: &mut Cell<'_>,
    block: &Block,
    result: BatchResult,
    rules: &Rules<'_>,
) -> (Vec<Row>, Option<usize>) {
    let (asked, came, mut rows) = (block.repetitions.len(), result.rows.len(), result.rows);
    rows.truncate(asked);
    // What ended a block in its first repetition says more than a wrong count of the search before it.
    let start = result.noise.and_then(|noise| noise.start).filter(|_| came > 0 || result.ended.is_none());
    if let Some(ended) = start.and_then(|start| rules.broken_by_start(&start)) {
        cell.ended = Some(ended);
        return (Vec::new(), Some(block.repetitions.start));
    }
    for (i, repetition) in block.repetitions.clone().enumerate().take(came) {
        cell.ended = rules.broken_by(repetition, &rows[i]);
        if cell.ended.is_some() {
            rows.truncate(i);
            return (rows, Some(repetition));
        }
    }
    cell.ended = match result.ended {
        None if came != asked => Some(damaged(&format!("{came} repetitions came of {asked}"))),
        ended => ended,
    };
    // A lost worker may have said anything.
    let said = result.ended_in.filter(|repetition| block.repetitions.contains(repetition));
    let ended_in = said.unwrap_or(block.repetitions.start + came.min(asked));
    (rows, (cell.status() != Status::Ok).then_some(ended_in))
}

#[cfg(test)]
mod tests;
