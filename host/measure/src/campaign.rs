//! The campaign: passes blocks to workers in the scheduled order, checks every answer, and keeps what came of it.

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
use super::reference::Counts;
use super::schedule::{Block, RoundPart, schedule, turns};
use super::stopping::Stopping;
use super::worker::{Batch, BatchResult};

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// The experiment.
    pub resolved: &'a Resolved,
}

/// What came of a campaign.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// A cell for each algorithm and point: all algorithms of one point, then those of the next.
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
    /// begins; `progress` gets each finished repetition with its cell.
    pub fn measure(
        self,
        counts: &mut Counts<'a>,
        pools: &mut dyn FnMut(usize, &TextGroup) -> Result<Pool>,
        journal: &mut Journal,
        interrupted: &AtomicBool,
        mut progress: impl FnMut(&Cell<'_>, &Block),
    ) -> Outcomes<'a> {
        let Resolved { algorithms, points, .. } = self.resolved;
        let of_point = |point| algorithms.iter().map(move |algorithm| Cell::new(algorithm, point));
        let mut cells: Vec<Cell<'_>> = points.iter().flat_map(of_point).collect();
        let mut locks = CpuLock::all(self.resolved.cpu, &self.resolved.team);
        let mut noise = Gathered::begin(self.resolved.cpu);
        let mut looked = |cell: &Cell<'_>, block: &Block| {
            locks.iter_mut().for_each(CpuLock::look);
            progress(cell, block);
        };
        let mut underway = Underway {
            resolved: self.resolved,
            cells: &mut cells,
            noise: &mut noise,
            counts,
            journal,
            interrupted,
            stopping: Stopping::new(self.resolved),
            lost_backends: Vec::new(),
        };
        let written = underway.go(pools, &mut looked);
        let interrupted = written.is_err() || interrupted.load(Ordering::Relaxed);
        Outcomes { cells, interrupted, noise: noise.end(CpuLock::any_shared(&locks)), written }
    }
}

/// A campaign under way.
struct Underway<'a, 'b> {
    resolved: &'a Resolved,
    cells: &'b mut [Cell<'a>],
    noise: &'b mut Gathered,
    counts: &'b mut Counts<'a>,
    journal: &'b mut Journal,
    interrupted: &'b AtomicBool,
    stopping: Stopping<'a>,
    /// The counter backends that have failed: no worker uses them any more.
    lost_backends: Vec<usize>,
}

impl Underway<'_, '_> {
    /// Goes through all rounds, until all is done or the user interrupts it.
    fn go(
        &mut self,
        pools: &mut dyn FnMut(usize, &TextGroup) -> Result<Pool>,
        progress: &mut impl FnMut(&Cell<'_>, &Block),
    ) -> Result<()> {
        let Resolved { experiment, points, seed, .. } = self.resolved;
        for cell in &mut *self.cells {
            if let Some(lack) = cpu::lacks(&cell.algorithm.listing.cpu) {
                cell.ended = Some(Ended::CannotSearch(lack));
                self.journal.end(cell, 0)?;
            }
        }
        let groups = text_groups(points);
        for round in 0.. {
            let Some(going) = self.stopping.lengths(round, self.cells) else { break };
            for turn in turns(experiment.order, groups.len(), round, *seed) {
                let group = &groups[turn];
                let going: Vec<usize> =
                    going.iter().copied().filter(|point| group.points.binary_search(point).is_ok()).collect();
                if self.interrupted.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if going.is_empty() {
                    continue;
                }
                // Those before have ended: there is room for the texts of one pool.
                let mut pool = pools(round, group)?;
                self.lost_backends.iter().for_each(|backend| pool.leave_out(*backend));
                if !self.turn(&mut pool, group, going, (round, turn), progress)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Goes through some points in a round; `false` if there is no more time for that.
    fn turn(
        &mut self,
        pool: &mut Pool,
        group: &TextGroup,
        going: Vec<usize>,
        (round, turn): (usize, usize),
        progress: &mut impl FnMut(&Cell<'_>, &Block),
    ) -> Result<bool> {
        let Resolved { experiment, algorithms, points, seed, .. } = self.resolved;
        let parts: Vec<RoundPart> =
            going.into_iter().map(|point| (point, points[point].rounds.repetitions(round))).collect();
        let all: usize = parts.iter().map(|(_, repetitions)| repetitions.len()).sum();
        let mut left = vec![all; algorithms.len()];
        for block in schedule(experiment.order, algorithms.len(), parts, (round, turn), *seed) {
            if self.interrupted.load(Ordering::Relaxed)
                || !self.stopping.has_time_for(&block)
                || !self.counts.count(block.set, block.repetitions.clone(), self.interrupted, || {})
            {
                return Ok(false);
            }
            let place = block.set * algorithms.len() + block.algorithm;
            if self.cells[place].status() == Status::Ok {
                self.block(pool, group, place, &block)?;
            }
            left[block.algorithm] -= block.repetitions.len();
            if left[block.algorithm] == 0 {
                pool.end(block.algorithm);
            }
            progress(&self.cells[place], &block);
        }
        Ok(true)
    }

    /// Has a block measured, checks what came of it, and keeps that.
    fn block(&mut self, pool: &mut Pool, group: &TextGroup, place: usize, block: &Block) -> Result<()> {
        let Resolved { experiment, algorithms, points, .. } = self.resolved;
        let cell = &mut self.cells[place];
        let repetitions = block.repetitions.clone();
        let batch = Batch::of(&points[block.set], &group.texts, repetitions, experiment.warmup);
        let mut result = pool.measure(block.algorithm, &batch, self.interrupted);
        let lost: (Vec<usize>, Vec<LostBackend>) = result.lost.drain(..).unzip();
        self.lost_backends.extend(lost.0);
        let names = self.resolved.counters.iter().flat_map(BackendCounters::names);
        self.noise.add_counting(names, &result.faults, lost.1);
        look_for_impossible(self.resolved, cell, &result.rows, self.noise);
        let (noticed, unusable) = (result.noise, result.unusable);
        let rules = Rules::of(self.resolved, block.set, self.counts);
        let (rows, ended_in) = judge(cell, block, result, &rules);
        if cell.status() == Status::Crashed {
            pool.end(block.algorithm);
        }
        self.stopping.add(place, block.round, &rows);
        self.journal.rows(cell, block.repetitions.start, &rows)?;
        if let Some(repetition) = ended_in {
            self.journal.end(cell, repetition)?;
        }
        if let Some(noticed) = noticed {
            self.noise.add(&noticed);
            let start = noticed.start.filter(|_| cell.status() == Status::Ok);
            cell.starts.extend(start.map(|start| (block.round as u32, start)));
            self.journal.block(cell, block.repetitions.start, &noticed)?;
        }
        if let (true, Some(why)) = (unusable, cell.ended.clone()) {
            let of_algorithm =
                self.cells.iter_mut().skip(block.algorithm).step_by(algorithms.len()).enumerate();
            for (set, other) in of_algorithm.filter(|(_, cell)| cell.ended.is_none()) {
                if self.stopping.goes_on(set, other.rows.len()) {
                    other.ended = Some(why.clone());
                    self.journal.end(other, other.rows.end())?;
                }
            }
        }
        Ok(())
    }
}

/// Notes counts that can't be, which stay.
fn look_for_impossible(resolved: &Resolved, cell: &mut Cell<'_>, rows: &[Row], noise: &mut Gathered) {
    if resolved.relations.is_empty() {
        return;
    }
    let names = resolved.counter_names();
    for relation in &resolved.relations {
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

/// What the rows of a pattern set must keep to.
struct Rules<'a> {
    /// How often the patterns occur.
    counts: &'a Counts<'a>,
    set: usize,
    point: &'a Point,
    time_limit_ms: u64,
    /// Number of counters.
    counters: usize,
    instrumented: bool,
    /// How many bytes a repetition searches.
    text_length: usize,
}

/// An algorithm's own clock may be as coarse.
const OWN_CLOCK_GRAIN_NS: u64 = 10_000_000;

impl<'a> Rules<'a> {
    fn of(resolved: &'a Resolved, set: usize, counts: &'a Counts<'a>) -> Self {
        let Resolved { experiment, counters, points, .. } = resolved;
        Rules {
            counts,
            set,
            time_limit_ms: resolved.time_limit_ms(),
            point: &points[set],
            counters: counters.iter().map(|group| group.events.len()).sum(),
            instrumented: experiment.stats == Stats::Algo,
            text_length: points[set].bytes,
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
        if let Some(ended) = self.broken_by_call(repetition, row) {
            return Some(ended);
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
        if let Some(own_ns) = row.own_total_ns()
            && own_ns > row.total_ns().saturating_add(OWN_CLOCK_GRAIN_NS)
        {
            let took = row.total_ns();
            return Some(Ended::Error(format!(
                "repetition {repetition} took {own_ns} ns by its own clock, and was over after {took} ns"
            )));
        }
        let limit = self.time_limit_ms;
        (row.total_ns() / 1_000_000 > limit)
            .then(|| Ended::TimedOut(format!("repetition {repetition} took more than {limit} ms")))
    }
}

impl Rules<'_> {
    /// What is wrong with a call of a repetition that has several.
    fn broken_by_call(&self, repetition: usize, row: &Row) -> Option<Ended> {
        let calls = self.point.steps.len();
        let (all, searches) =
            if calls == Call::ALL.len() { (0, 0) } else { (calls, self.point.searched().count()) };
        let odd = |cost: &Cost| {
            cost.counts.len() != self.counters || cost.counts.iter().flatten().any(|count| !count.is_finite())
        };
        if (row.each.len(), row.found.len()) != (all, searches) || row.each.iter().any(odd) {
            return Some(damaged(&format!("repetition {repetition} has other calls than were asked for")));
        }
        let steps = &self.point.steps;
        let searches = (0..calls).filter(|call| steps[*call].call == Call::Search);
        let wrong = |(found, call): (&u64, usize)| {
            let expected = self.counts.in_text(self.set, repetition, steps[call].text)?;
            let place = if *found == expected { None } else { calls::place(steps, call, repetition) };
            place
                .map(|place| Ended::Wrong(format!("{place} found {found} occurrences; there are {expected}")))
        };
        row.found.iter().zip(searches).find_map(wrong)
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
