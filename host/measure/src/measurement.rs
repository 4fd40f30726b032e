//! The measurement passes blocks to workers in the scheduled order, checks every row that they return, and
//! writes the rows to the journal.

mod activities;
mod earlier_parts;
mod lazy_pool;
mod row_rules;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_base::columns::Call;
use assay_base::error::Result;
use assay_experiment::counters::BackendCounters;
use assay_experiment::points::{TextGroup, text_groups};
use assay_experiment::{Resolved, cpu};
use assay_store::counting::{BlockCounting, Impossible, LostBackend};
use assay_store::journal::{Journal, NewBlock, RecordedBlock};
use assay_store::noise::{BlockNoise, Gathered, Noise, PartNoise};
use assay_store::{Cell, Ended, Row, Status, TimeSplit};

use activities::{COUNTING, REST, SET_UP, WORKERS, WRITING, activities_of_batch};
pub use earlier_parts::EarlierParts;
use lazy_pool::LazyPool;
use row_rules::{RowRules, check_rows};

use super::cpu_lock::CpuLock;
use super::pool::Pool;
use super::reference::ReferenceCounts;
use super::schedule::{Block, PointRepetitions, schedule, turns};
use super::stopping::StoppingRule;
use super::worker::Batch;

/// The measuring of one experiment.
#[derive(Clone, Copy, Debug)]
pub struct Measurement<'a> {
    /// The experiment.
    pub resolved: &'a Resolved,
}

/// The result of a measurement.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// A cell for each algorithm and point: all algorithms of one point, then those of the next.
    pub cells: Vec<Cell<'a>>,
    /// Whether the measurement ended early: the user interrupted it, or its journal could not be written.
    pub interrupted: bool,
    /// The conditions under which it measured.
    pub noise: Noise,
    /// What its time went to, from when the experiment was prepared.
    pub time: TimeSplit,
    /// The error that ended the measurement, if the journal could not be written or a round got no workers. The
    /// cells hold what was measured until then.
    pub written: Result<()>,
}

/// A step of a measurement, for a progress bar.
#[derive(Debug)]
pub enum MeasurementStep<'a, 'b> {
    /// The reference search counts the occurrences of a pattern.
    Counted,
    /// A block of this cell was measured.
    Measured(&'a Cell<'b>, &'a Block),
}

impl<'a> Measurement<'a> {
    /// Measures each round with new workers and checks every count. A block is in the journal before the next
    /// one begins; those of earlier parts are there already. `progress` gets each step.
    pub fn measure(
        self,
        earlier: EarlierParts,
        counts: &mut ReferenceCounts<'a>,
        pools: &mut dyn FnMut(usize, &TextGroup) -> Result<Pool>,
        journal: &mut Journal,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(MeasurementStep<'_, '_>),
    ) -> Outcomes<'a> {
        let mut time = TimeSplit::since(self.resolved.since);
        time.add(SET_UP);
        let Resolved { algorithms, points, .. } = self.resolved;
        let mut cells: Vec<Cell<'_>> = points
            .iter()
            .flat_map(|point| algorithms.iter().map(move |algorithm| Cell::new(algorithm, point)))
            .collect();
        let mut noise = Gathered::begin(self.resolved.cpu);
        let mut ongoing = OngoingMeasurement {
            resolved: self.resolved,
            cells: &mut cells,
            locks: CpuLock::all(self.resolved.cpu, &self.resolved.team),
            noise: &mut noise,
            counts,
            journal,
            interrupted,
            stopping: StoppingRule::new(self.resolved, earlier.spent),
            earlier,
            lost_backends: Vec::new(),
            time,
        };
        let written = ongoing.measure_rounds(pools, &mut progress);
        let interrupted = written.is_err() || interrupted.load(Ordering::Relaxed);
        let shared_cpu = CpuLock::any_shared(&ongoing.locks);
        let time = ongoing.time;
        Outcomes { cells, interrupted, noise: noise.end(shared_cpu), time, written }
    }
}

/// The state of a measurement that goes on.
struct OngoingMeasurement<'a, 'b> {
    resolved: &'a Resolved,
    cells: &'b mut [Cell<'a>],
    /// One for each CPU that is measured on.
    locks: Vec<CpuLock>,
    noise: &'b mut Gathered,
    counts: &'b mut ReferenceCounts<'a>,
    journal: &'b mut Journal,
    interrupted: &'b AtomicBool,
    stopping: StoppingRule<'a>,
    earlier: EarlierParts,
    /// Numbers of the counter backends that have failed. No worker uses them any more.
    lost_backends: Vec<usize>,
    /// What the time goes to. Each activity is added when it is done; what comes between them is the rest.
    time: TimeSplit,
}

impl OngoingMeasurement<'_, '_> {
    /// Measures round after round, until the stopping rule ends the run or the user interrupts it.
    fn measure_rounds(
        &mut self,
        pools: &mut dyn FnMut(usize, &TextGroup) -> Result<Pool>,
        progress: &mut impl FnMut(MeasurementStep<'_, '_>),
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
                if !self.count_turn(&turn_points, round, progress) {
                    return Ok(());
                }
                // The pool of the turn before was dropped with its texts, so memory holds the texts of one
                // pool at a time.
                let mut make = || pools(round, group);
                let mut pool = LazyPool::new(&mut make);
                let continues = self.measure_turn(&mut pool, group, turn_points, (round, turn), progress)?;
                self.time.add(REST);
                drop(pool);
                self.time.add(WORKERS);
                if !continues {
                    return Ok(());
                }
            }
            self.time.add(REST);
            self.journal.sync()?;
            self.time.add(WRITING);
        }
        Ok(())
    }

    /// Counts the patterns of a turn of a requested round, before its workers are started: a count between two
    /// blocks would take the caches from the block that follows. Further rounds count block by block, because
    /// their time may end before all blocks are measured. Returns `false` if the user interrupts the run.
    fn count_turn(
        &mut self,
        turn_points: &[usize],
        round: usize,
        progress: &mut impl FnMut(MeasurementStep<'_, '_>),
    ) -> bool {
        self.stopping.end_turn();
        for point in turn_points {
            let rounds = self.resolved.points[*point].rounds;
            if round < rounds.count() && !self.count(*point, rounds.repetitions(round), progress) {
                return false;
            }
        }
        true
    }

    /// Counts the patterns of these repetitions of a point that are not counted yet. Returns `false` if the
    /// user interrupts the run.
    fn count(
        &mut self,
        point: usize,
        repetitions: Range<usize>,
        progress: &mut impl FnMut(MeasurementStep<'_, '_>),
    ) -> bool {
        self.time.add(REST);
        let mut counted = || progress(MeasurementStep::Counted);
        let are_counted = self.counts.count(point, repetitions, self.interrupted, &mut counted);
        self.time.add(COUNTING);
        are_counted
    }

    /// Measures the points that share a group of texts, in one round. Returns `false` if the run is to end,
    /// because it was interrupted or because its time is used up.
    fn measure_turn(
        &mut self,
        pool: &mut LazyPool<'_>,
        group: &TextGroup,
        turn_points: Vec<usize>,
        (round, turn): (usize, usize),
        progress: &mut impl FnMut(MeasurementStep<'_, '_>),
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
                || !self.count(block.point, block.repetitions.clone(), progress)
            {
                return Ok(false);
            }
            self.measure_block(pool, group, place, &Block { repetitions: ahead, ..block.clone() })?;
            remaining[block.algorithm] -= block.repetitions.len();
            if remaining[block.algorithm] == 0
                && let Some(pool) = &mut pool.made
            {
                self.time.add(REST);
                // Its last block of the turn is done: the process makes room for those of other algorithms.
                pool.end(block.algorithm);
                self.time.add(WORKERS);
            }
            progress(MeasurementStep::Measured(&self.cells[place], &block));
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
            self.time.add(REST);
            let pool = pool.get(&self.lost_backends)?;
            self.time.add(WORKERS);
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
        self.time.add(REST);
        let mut result = pool.measure(block.algorithm, &batch, self.interrupted);
        self.time.add_parts(&activities_of_batch(&result), REST);
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
        // After each block, because another run may start on this CPU at any time.
        self.locks.iter_mut().for_each(CpuLock::check);
        let (counted, part_noise) = (counting.clone(), self.part_noise());
        let new = NewBlock { first, rows: &rows, ended_in, noise, counting: counted, part_noise };
        self.time.add(REST);
        self.journal.append(&mut self.cells[place], new)?;
        self.time.add(WRITING);
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
        let ended_in = Some(repetition);
        let part_noise = self.part_noise();
        let cell = &mut self.cells[place];
        cell.ended = Some(ended);
        self.journal.append(cell, NewBlock { first: repetition, ended_in, part_noise, ..NewBlock::default() })
    }

    /// What this part of the run has noticed until now.
    fn part_noise(&mut self) -> PartNoise {
        PartNoise { steal_ms: self.noise.steal_ms(), shared_cpu: CpuLock::any_shared(&self.locks) }
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

/// The relations between counts, with the number of calls that violate them, such as more misses than
/// accesses. The rows keep these counts, because we can't tell which of them is wrong.
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

#[cfg(test)]
mod tests;
