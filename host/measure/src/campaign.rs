//! The campaign passes blocks to workers in the scheduled order, checks every row that they return, and
//! writes the rows to the journal.

use std::sync::atomic::{AtomicBool, Ordering};

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_experiment::calls;
use assay_experiment::counters::BackendCounters;
use assay_experiment::definition::Stats;
use assay_experiment::points::{Point, TextGroup, text_groups};
use assay_experiment::{Resolved, cpu};
use assay_store::counting::LostBackend;
use assay_store::journal::Journal;
use assay_store::noise::{Gathered, Noise};
use assay_store::{Cell, Cost, Ended, Row, Start, Status};

use super::cpu_lock::CpuLock;
use super::pool::Pool;
use super::reference::ReferenceCounts;
use super::schedule::{Block, PointRepetitions, schedule, turns};
use super::stopping::StoppingRule;
use super::worker::{Batch, BatchResult};

/// The measuring of one experiment.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// The experiment.
    pub resolved: &'a Resolved,
}

/// The result of a campaign.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// A cell for each algorithm and point: all algorithms of one point, then those of the next.
    pub cells: Vec<Cell<'a>>,
    /// Whether the campaign ended early: the user interrupted it, or its journal could not be written.
    pub interrupted: bool,
    /// The conditions under which it measured.
    pub noise: Noise,
    /// The error that ended the campaign, if the journal could not be written or a round got no workers. The
    /// cells hold what was measured until then.
    pub written: Result<()>,
}

impl<'a> Campaign<'a> {
    /// Measures each round with new workers and checks every count. A block is in the journal before the next
    /// one begins. `progress` is called after each block, with the block and its cell.
    pub fn measure(
        self,
        counts: &mut ReferenceCounts<'a>,
        pools: &mut dyn FnMut(usize, &TextGroup) -> Result<Pool>,
        journal: &mut Journal,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(&Cell<'_>, &Block),
    ) -> Outcomes<'a> {
        let Resolved { algorithms, points, .. } = self.resolved;
        let mut cells: Vec<Cell<'_>> = points
            .iter()
            .flat_map(|point| algorithms.iter().map(move |algorithm| Cell::new(algorithm, point)))
            .collect();
        let mut locks = CpuLock::all(self.resolved.cpu, &self.resolved.team);
        let mut noise = Gathered::begin(self.resolved.cpu);
        let mut ongoing = OngoingCampaign {
            resolved: self.resolved,
            cells: &mut cells,
            noise: &mut noise,
            counts,
            journal,
            interrupted,
            stopping: StoppingRule::new(self.resolved),
            lost_backends: Vec::new(),
        };
        let written = ongoing.measure_rounds(pools, &mut |cell, block| {
            // After each block, because another run may start on this CPU at any time.
            locks.iter_mut().for_each(CpuLock::check);
            progress(cell, block);
        });
        let interrupted = written.is_err() || interrupted.load(Ordering::Relaxed);
        Outcomes { cells, interrupted, noise: noise.end(CpuLock::any_shared(&locks)), written }
    }
}

/// The state of a campaign while it measures.
struct OngoingCampaign<'a, 'b> {
    resolved: &'a Resolved,
    cells: &'b mut [Cell<'a>],
    noise: &'b mut Gathered,
    counts: &'b mut ReferenceCounts<'a>,
    journal: &'b mut Journal,
    interrupted: &'b AtomicBool,
    stopping: StoppingRule<'a>,
    /// Numbers of the counter backends that have failed. No worker uses them any more.
    lost_backends: Vec<usize>,
}

impl OngoingCampaign<'_, '_> {
    /// Measures round after round, until the stopping rule ends the run or the user interrupts it.
    fn measure_rounds(
        &mut self,
        pools: &mut dyn FnMut(usize, &TextGroup) -> Result<Pool>,
        progress: &mut impl FnMut(&Cell<'_>, &Block),
    ) -> Result<()> {
        let Resolved { experiment, points, seed, .. } = self.resolved;
        for cell in &mut *self.cells {
            if let Some(missing_feature) = cpu::lacks(&cell.algorithm.listing.cpu) {
                cell.ended = Some(Ended::CannotSearch(missing_feature));
                self.journal.end(cell, 0)?;
            }
        }
        let groups = text_groups(points);
        for round in 0.. {
            let Some(round_points) = self.stopping.points(round, self.cells) else { break };
            for turn in turns(experiment.order, groups.len(), round, *seed) {
                let group = &groups[turn];
                let turn_points: Vec<usize> = round_points
                    .iter()
                    .copied()
                    .filter(|point| group.points.binary_search(point).is_ok())
                    .collect();
                if self.interrupted.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if turn_points.is_empty() {
                    continue;
                }
                // The pool of the turn before was dropped with its texts, so memory holds the texts of one
                // pool at a time.
                let mut pool = pools(round, group)?;
                self.lost_backends.iter().for_each(|backend| pool.leave_out(*backend));
                if !self.measure_turn(&mut pool, group, turn_points, (round, turn), progress)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Measures the points that share a group of texts, in one round. Returns `false` if the run is to end,
    /// because it was interrupted or because its time is used up.
    fn measure_turn(
        &mut self,
        pool: &mut Pool,
        group: &TextGroup,
        turn_points: Vec<usize>,
        (round, turn): (usize, usize),
        progress: &mut impl FnMut(&Cell<'_>, &Block),
    ) -> Result<bool> {
        let Resolved { experiment, algorithms, points, seed, .. } = self.resolved;
        let parts: Vec<PointRepetitions> =
            turn_points.into_iter().map(|point| (point, points[point].rounds.repetitions(round))).collect();
        let all: usize = parts.iter().map(|(_, repetitions)| repetitions.len()).sum();
        let mut remaining = vec![all; algorithms.len()];
        for block in schedule(experiment.order, algorithms.len(), parts, (round, turn), *seed) {
            if self.interrupted.load(Ordering::Relaxed)
                || !self.stopping.has_time_for(&block)
                || !self.counts.count(block.point, block.repetitions.clone(), self.interrupted, || {})
            {
                return Ok(false);
            }
            let place = block.point * algorithms.len() + block.algorithm;
            // A cell that has failed is not measured further.
            if self.cells[place].status() == Status::Ok {
                self.measure_block(pool, group, place, &block)?;
            }
            remaining[block.algorithm] -= block.repetitions.len();
            if remaining[block.algorithm] == 0 {
                // Its last block of the turn is done: the process makes room for those of other algorithms.
                pool.end(block.algorithm);
            }
            progress(&self.cells[place], &block);
        }
        Ok(true)
    }

    /// Has a block measured, checks its rows, and writes them to the journal.
    fn measure_block(
        &mut self,
        pool: &mut Pool,
        group: &TextGroup,
        place: usize,
        block: &Block,
    ) -> Result<()> {
        let Resolved { experiment, algorithms, points, .. } = self.resolved;
        let cell = &mut self.cells[place];
        let repetitions = block.repetitions.clone();
        let batch = Batch::for_worker(&points[block.point], &group.texts, repetitions, experiment.warmup);
        let mut result = pool.measure(block.algorithm, &batch, self.interrupted);
        let lost: (Vec<usize>, Vec<LostBackend>) = result.lost.drain(..).unzip();
        self.lost_backends.extend(lost.0);
        let names = self.resolved.counters.iter().flat_map(BackendCounters::names);
        self.noise.add_counting(names, &result.faults, lost.1);
        note_impossible_counts(self.resolved, cell, &result.rows, self.noise);
        let (block_noise, unusable) = (result.noise, result.unusable);
        let rules = RowRules::new(self.resolved, block.point, self.counts);
        let (rows, ended_in) = check_rows(cell, block, result, &rules);
        if cell.status() == Status::Crashed {
            // The worker may live on with damaged memory, for example if it answered nonsense.
            pool.end(block.algorithm);
        }
        self.stopping.add(place, block.round, &rows);
        self.journal.rows(cell, block.repetitions.start, &rows)?;
        if let Some(repetition) = ended_in {
            self.journal.end(cell, repetition)?;
        }
        if let Some(block_noise) = block_noise {
            self.noise.add(&block_noise);
            let start = block_noise.start.filter(|_| cell.status() == Status::Ok);
            cell.starts.extend(start.map(|start| (block.round as u32, start)));
            self.journal.block(cell, block.repetitions.start, &block_noise)?;
        }
        if unusable && let Some(ended) = cell.ended.clone() {
            // The algorithm fails for any pattern, so its other cells end for the same reason, unless they
            // are complete.
            let cells_of_algorithm =
                self.cells.iter_mut().skip(block.algorithm).step_by(algorithms.len()).enumerate();
            for (point, other) in cells_of_algorithm.filter(|(_, cell)| cell.ended.is_none()) {
                if self.stopping.continues(point, other.rows.len()) {
                    other.ended = Some(ended.clone());
                    self.journal.end(other, other.rows.end())?;
                }
            }
        }
        Ok(())
    }
}

/// Notes counts that contradict each other, such as more misses than accesses. The rows keep them, because we
/// can't tell which of the counts is wrong.
fn note_impossible_counts(resolved: &Resolved, cell: &mut Cell<'_>, rows: &[Row], noise: &mut Gathered) {
    if resolved.relations.is_empty() {
        return;
    }
    let names = resolved.counter_names();
    for relation in &resolved.relations {
        let calls = rows.iter().flat_map(|row| &row.calls);
        let known: Vec<bool> = calls.filter_map(|call| relation.holds(&call.counts)).collect();
        let broken = known.iter().filter(|holds| !**holds).count();
        noise.add_impossible(&relation.sentence, relation.set.as_deref(), broken as u64, known.len() as u64);
        if broken > 0 {
            cell.impossible.extend(relation.counters.iter().map(|counter| names[*counter].clone()));
        }
    }
    cell.impossible.sort_unstable();
    cell.impossible.dedup();
}

/// What every row of a point must fulfil.
struct RowRules<'a> {
    /// How often the patterns occur.
    counts: &'a ReferenceCounts<'a>,
    /// Index of the point.
    index: usize,
    point: &'a Point,
    time_limit_ms: u64,
    /// Number of counters.
    counters: usize,
    /// Whether the algorithm is a twin, whose rows have measurements.
    instrumented: bool,
    /// Number of bytes that a repetition searches.
    text_length: usize,
}

/// By this much, an algorithm's own times may exceed the host's, because its clock may be coarse: `times`
/// moves in ticks of 10 ms, and a time that begins just before a tick is too long by one.
const OWN_CLOCK_GRAIN_NS: u64 = 10_000_000;

impl<'a> RowRules<'a> {
    /// The rules for a point.
    fn new(resolved: &'a Resolved, index: usize, counts: &'a ReferenceCounts<'a>) -> Self {
        let Resolved { experiment, counters, points, .. } = resolved;
        RowRules {
            counts,
            index,
            time_limit_ms: resolved.time_limit_ms(),
            point: &points[index],
            counters: counters.iter().map(|group| group.events.len()).sum(),
            instrumented: experiment.stats == Stats::Algo,
            text_length: points[index].bytes,
        }
    }

    /// Checks the first search of a worker, which is no row.
    fn check_start(&self, start: &Start) -> Option<Ended> {
        let repetition = usize::try_from(start.repetition).unwrap_or(usize::MAX);
        let found = start.occurrences;
        match self.counts.expected(self.index, repetition) {
            None => Some(damaged_memory(&format!("its first search was that of repetition {repetition}"))),
            Some(expected) if expected == found => None,
            Some(expected) => Some(Ended::Wrong(format!(
                "the first search of its process found {found} occurrences; there are {expected}"
            ))),
        }
    }

    /// Checks a row. Returns how its cell ends, if the row breaks a rule.
    fn check(&self, repetition: usize, row: &Row) -> Option<Ended> {
        // The shape of the row comes first: where it is wrong, the figures may be random bytes.
        if row.calls.iter().any(|call| self.is_malformed(call)) || row.measured.is_some() != self.instrumented
        {
            return Some(damaged_memory(&format!(
                "repetition {repetition} has other figures than were asked for"
            )));
        }
        if let Some(ended) = self.check_calls(repetition, row) {
            return Some(ended);
        }
        let found = row.occurrences;
        match self.counts.expected(self.index, repetition) {
            Some(expected) if expected == found => {}
            Some(expected) => {
                return Some(Ended::Wrong(format!(
                    "repetition {repetition} found {found} occurrences; there are {expected}"
                )));
            }
            None => return Some(damaged_memory(&format!("nobody asked for repetition {repetition}"))),
        }
        let measured = row.measured.as_deref();
        if let Some(figure) = measured.and_then(|measured| measured.beyond_sense(self.text_length)) {
            return Some(Ended::Error(format!(
                "repetition {repetition} reports an impossible figure: {figure}"
            )));
        }
        if let Some(own_ns) = row.own_total_ns()
            && own_ns > row.total_ns().saturating_add(OWN_CLOCK_GRAIN_NS)
        {
            let total_ns = row.total_ns();
            return Some(Ended::Error(format!(
                "repetition {repetition} took {own_ns} ns by its own clock, and was over after {total_ns} ns"
            )));
        }
        // The host ends only what goes on too long; a repetition may also end by itself, a little after the
        // limit.
        let limit = self.time_limit_ms;
        (row.total_ns() / 1_000_000 > limit)
            .then(|| Ended::TimedOut(format!("repetition {repetition} took more than {limit} ms")))
    }

    /// Checks the calls of a repetition that has several preparations or searches.
    fn check_calls(&self, repetition: usize, row: &Row) -> Option<Ended> {
        let steps = &self.point.steps;
        // A repetition with one preparation and one search has no figures beside those of the row.
        let (calls, searches) = if steps.len() == Call::ALL.len() {
            (0, 0)
        } else {
            (steps.len(), self.point.searched().count())
        };
        let malformed = row.each.iter().any(|call| self.is_malformed(call));
        if (row.each.len(), row.found.len()) != (calls, searches) || malformed {
            return Some(damaged_memory(&format!(
                "repetition {repetition} has other calls than were asked for"
            )));
        }
        let searches = (0..steps.len()).filter(|call| steps[*call].call == Call::Search);
        row.found.iter().zip(searches).find_map(|(found, call)| {
            let expected = self.counts.in_text(self.index, repetition, steps[call].text)?;
            if *found == expected {
                return None;
            }
            let place = calls::place(steps, call, repetition)?;
            Some(Ended::Wrong(format!("{place} found {found} occurrences; there are {expected}")))
        })
    }

    /// Whether a call has another number of counts than there are counters, or a count that is no finite
    /// number.
    fn is_malformed(&self, call: &Cost) -> bool {
        call.counts.len() != self.counters || call.counts.iter().flatten().any(|count| !count.is_finite())
    }
}

/// The end of a cell whose worker returned something that a sound worker does not.
fn damaged_memory(symptom: &str) -> Ended {
    Ended::Crashed(format!("{symptom}: the memory of its worker may be damaged"))
}

/// Returns the rows of a block up to the first that breaks a rule. If the cell ends in this block, its end is
/// noted, and the repetition in which it ended is returned too.
fn check_rows(
    cell: &mut Cell<'_>,
    block: &Block,
    result: BatchResult,
    rules: &RowRules<'_>,
) -> (Vec<Row>, Option<usize>) {
    let (requested, received, mut rows) = (block.repetitions.len(), result.rows.len(), result.rows);
    rows.truncate(requested);
    // If the block ended in its first repetition, the reason for that says more than a wrong count of the
    // first search.
    let start = result.noise.and_then(|noise| noise.start).filter(|_| received > 0 || result.ended.is_none());
    if let Some(ended) = start.and_then(|start| rules.check_start(&start)) {
        cell.ended = Some(ended);
        return (Vec::new(), Some(block.repetitions.start));
    }
    for (i, repetition) in block.repetitions.clone().enumerate().take(received) {
        cell.ended = rules.check(repetition, &rows[i]);
        if cell.ended.is_some() {
            rows.truncate(i);
            return (rows, Some(repetition));
        }
    }
    cell.ended = match result.ended {
        None if received != requested => {
            Some(damaged_memory(&format!("{received} repetitions came of {requested}")))
        }
        ended => ended,
    };
    // The number comes from a page that a lost worker may have overwritten, so it counts only if the block
    // has it.
    let reported = result.ended_in.filter(|repetition| block.repetitions.contains(repetition));
    let ended_in = reported.unwrap_or(block.repetitions.start + received.min(requested));
    (rows, (cell.status() != Status::Ok).then_some(ended_in))
}

#[cfg(test)]
mod tests;
