//! The campaign passes blocks to workers in the scheduled order, checks every row that they return, and
//! writes the rows to the journal.

mod earlier_parts;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_experiment::calls;
use assay_experiment::counters::BackendCounters;
use assay_experiment::definition::Stats;
use assay_experiment::points::{Point, TextGroup, text_groups};
use assay_experiment::{Resolved, cpu};
use assay_store::counting::{BlockCounting, Impossible, LostBackend};
use assay_store::journal::{Journal, NewBlock, RecordedBlock};
use assay_store::noise::{BlockNoise, Gathered, Noise};
use assay_store::{Cell, Cost, Ended, Row, Start, Status};

pub use earlier_parts::EarlierParts;

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
    /// one begins; those of earlier parts are there already. `progress` is called after each block, with the
    /// block and its cell.
    pub fn measure(
        self,
        earlier: EarlierParts,
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
            stopping: StoppingRule::new(self.resolved, earlier.measured_for),
            earlier,
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
    earlier: EarlierParts,
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
        for place in 0..self.cells.len() {
            if let Some(missing_feature) = cpu::lacks(&self.cells[place].algorithm.listing.cpu)
                && self.replay(place, 0..1)?.start == 0
                && self.cells[place].status() == Status::Ok
            {
                self.end_cell(place, 0, Ended::CannotSearch(missing_feature))?;
            }
        }
        let groups = text_groups(points);
        for round in 0.. {
            let is_replayed = !self.earlier.are_over();
            let Some(round_points) = self.stopping.points(round, self.cells, is_replayed) else { break };
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
                let mut pool = LazyPool { make: &mut || pools(round, group), made: None };
                if !self.measure_turn(&mut pool, group, turn_points, (round, turn), progress)? {
                    return Ok(());
                }
            }
            self.journal.sync()?;
        }
        Ok(())
    }

    /// Measures the points that share a group of texts, in one round. Returns `false` if the run is to end,
    /// because it was interrupted or because its time is used up.
    fn measure_turn(
        &mut self,
        pool: &mut LazyPool<'_>,
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
            let place = block.point * algorithms.len() + block.algorithm;
            let ahead = self.replay(place, block.repetitions.clone())?;
            if self.interrupted.load(Ordering::Relaxed)
                || !(ahead.is_empty() || self.stopping.has_time_for(&block))
                || !self.counts.count(block.point, block.repetitions.clone(), self.interrupted, || {})
            {
                return Ok(false);
            }
            self.measure_block(pool, group, place, &Block { repetitions: ahead, ..block.clone() })?;
            remaining[block.algorithm] -= block.repetitions.len();
            if remaining[block.algorithm] == 0
                && let Some(pool) = &mut pool.made
            {
                // Its last block of the turn is done: the process makes room for those of other algorithms.
                pool.end(block.algorithm);
            }
            progress(&self.cells[place], &block);
        }
        Ok(true)
    }

    /// Takes what earlier parts of the run have measured of these repetitions of a cell. Returns those that
    /// are left.
    fn replay(&mut self, place: usize, repetitions: Range<usize>) -> Result<Range<usize>> {
        let mut ahead = repetitions;
        for RecordedBlock { record, lines } in self.earlier.take(&self.cells[place], ahead.clone()) {
            let is_here =
                |cell: &Cell<'_>| cell.algorithm.id == record.algorithm && cell.point.value == record.range;
            let place = if is_here(&self.cells[place]) {
                ahead.start = ahead.start.max(lines.end() as usize);
                Some(place)
            } else {
                self.cells.iter().position(is_here)
            };
            let (Some(place), Some(commit)) = (place, record.commit) else { continue };
            let round = record.round as usize;
            if lines.count > 0 {
                self.cells[place].rows.push(lines);
                if self.resolved.experiment.goes_on() {
                    self.stopping.add(place, round, &self.journal.values(lines, Call::Search.time())?);
                }
            }
            self.cells[place].ended = commit.ended;
            let lost = commit.counting.lost.iter().map(|lost| lost.backend.as_str());
            let number = |backend| self.resolved.counters.iter().position(|other| other.backend == backend);
            self.lost_backends.extend(lost.filter_map(number));
            self.note(place, record.noise.as_ref(), commit.counting);
        }
        Ok(ahead)
    }

    /// Has a block measured, in pieces of about a second, unless its cell has ended.
    fn measure_block(
        &mut self,
        pool: &mut LazyPool<'_>,
        group: &TextGroup,
        place: usize,
        block: &Block,
    ) -> Result<()> {
        let mut ahead = block.repetitions.clone();
        let mut warmup = self.resolved.experiment.warmup;
        while !ahead.is_empty()
            && self.cells[place].status() == Status::Ok
            && !self.interrupted.load(Ordering::Relaxed)
        {
            let pool = pool.get(&self.lost_backends)?;
            let piece = Block { repetitions: ahead.clone(), ..block.clone() };
            let measured = self.measure_piece(pool, group, place, &piece, warmup)?;
            if measured == 0 {
                break;
            }
            ahead.start += measured;
            // The worker has just searched, so it is warm.
            warmup = 0;
        }
        Ok(())
    }

    /// Has a piece of a block measured, checks its rows, and writes them to the journal. Returns the number
    /// of repetitions that were measured.
    fn measure_piece(
        &mut self,
        pool: &mut Pool,
        group: &TextGroup,
        place: usize,
        block: &Block,
        warmup: usize,
    ) -> Result<usize> {
        let Resolved { algorithms, points, .. } = self.resolved;
        let repetitions = block.repetitions.clone();
        let batch = Batch::for_worker(&points[block.point], &group.texts, repetitions, warmup);
        let mut result = pool.measure(block.algorithm, &batch, self.interrupted);
        let (lost_numbers, lost): (Vec<usize>, Vec<LostBackend>) = result.lost.drain(..).unzip();
        self.lost_backends.extend(lost_numbers);
        let impossible = impossible_counts(self.resolved, &result.rows);
        let counting = BlockCounting { faults: std::mem::take(&mut result.faults), lost, impossible };
        let (mut noise, unusable) = (result.noise, result.unusable);
        let rules = RowRules::new(self.resolved, block.point, self.counts);
        let cell = &mut self.cells[place];
        let (rows, ended_in) = check_rows(cell, block, result, &rules);
        if cell.status() == Status::Crashed {
            // The worker may live on with damaged memory, for example if it answered nonsense.
            pool.end(block.algorithm);
        }
        if cell.status() != Status::Ok
            && let Some(noise) = &mut noise
        {
            // A first search that failed has no times.
            noise.start = None;
        }
        let times: Vec<f64> =
            rows.iter().map(|row| row.ns(Call::Search).map_or(f64::NAN, |ns| ns as f64)).collect();
        self.stopping.add(place, block.round, &times);
        let first = block.repetitions.start;
        let new = NewBlock { first, rows: &rows, ended_in, noise, counting: counting.clone() };
        self.journal.append(cell, new)?;
        self.note(place, noise.as_ref(), counting);
        if unusable && let Some(ended) = self.cells[place].ended.clone() {
            // The algorithm fails for any pattern, so its other cells end for the same reason, unless they
            // are complete.
            for other in (block.algorithm..self.cells.len()).step_by(algorithms.len()) {
                let cell = &self.cells[other];
                if cell.ended.is_none() && self.stopping.continues(other / algorithms.len(), cell.rows.len())
                {
                    self.end_cell(other, cell.rows.end(), ended.clone())?;
                }
            }
        }
        Ok(rows.len())
    }

    /// Ends a cell at this repetition without a measurement.
    fn end_cell(&mut self, place: usize, repetition: usize, ended: Ended) -> Result<()> {
        let cell = &mut self.cells[place];
        cell.ended = Some(ended);
        self.journal
            .append(cell, NewBlock { first: repetition, ended_in: Some(repetition), ..NewBlock::default() })
    }

    /// Notes the conditions of a block, and what became of its counts.
    fn note(&mut self, place: usize, noise: Option<&BlockNoise>, counting: BlockCounting) {
        if let Some(noise) = noise {
            self.noise.add(noise);
        }
        let BlockCounting { faults, lost, impossible } = counting;
        let names: Vec<String> = self.resolved.counters.iter().flat_map(BackendCounters::names).collect();
        let broken = impossible.iter().filter(|relation| relation.counts > 0);
        for relation in broken {
            let same = self
                .resolved
                .relations
                .iter()
                .find(|other| (&other.sentence, &other.set) == (&relation.relation, &relation.set));
            let counters = same.into_iter().flat_map(|relation| &relation.counters);
            self.cells[place].impossible.extend(counters.map(|counter| names[*counter].clone()));
        }
        self.cells[place].impossible.sort_unstable();
        self.cells[place].impossible.dedup();
        impossible.into_iter().for_each(|relation| self.noise.add_impossible(relation));
        self.noise.add_counting(names.into_iter(), &faults, lost);
    }
}

/// The workers of a turn, which are made when the first of them is needed: all blocks of the turn may have been
/// measured by an earlier part of the run.
struct LazyPool<'a> {
    make: &'a mut dyn FnMut() -> Result<Pool>,
    made: Option<Pool>,
}

impl LazyPool<'_> {
    /// The workers. New ones do not use these counter backends.
    fn get(&mut self, lost_backends: &[usize]) -> Result<&mut Pool> {
        if self.made.is_none() {
            let mut pool = (self.make)()?;
            lost_backends.iter().for_each(|backend| pool.leave_out(*backend));
            self.made = Some(pool);
        }
        Ok(self.made.as_mut().expect("it was just made"))
    }
}

/// The relations between counts, with the number of calls that violate them, such as more misses than accesses.
/// The rows keep these counts, because we can't tell which of them is wrong.
fn impossible_counts(resolved: &Resolved, rows: &[Row]) -> Vec<Impossible> {
    let relations = resolved.relations.iter().map(|relation| {
        let calls = rows.iter().flat_map(|row| &row.calls);
        let known: Vec<bool> = calls.filter_map(|call| relation.holds(&call.counts)).collect();
        let broken = known.iter().filter(|holds| !**holds).count();
        Impossible {
            relation: relation.sentence.clone(),
            set: relation.set.clone(),
            counts: broken as u64,
            taken: known.len() as u64,
        }
    });
    relations.collect()
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
        None if received != requested && !(result.time_up && received > 0) => {
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
