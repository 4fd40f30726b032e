//! The stopping rule: which points a round measures, and after which round the run ends. All algorithms of a
//! point are measured together, so that results stay paired.
//!
//! Every run begins with the rounds that were requested; a point with few repetitions may have fewer of them.
//! A point that continues then has further rounds of the same size. Whether it continues depends on the
//! confidence intervals of the median search times, which are the intervals that reports show.

mod interim_looks;

use std::ops::Range;
use std::time::{Duration, Instant};

use assay_experiment::Resolved;
use assay_stats::Interval;
use assay_store::{Cell, Status};

use interim_looks::InterimLooks;

use super::schedule::Block;

/// Where time is short, a round measures the points whose widest interval is at least this share of the
/// widest of all. An interval shrinks with the square root of the number of rounds, so a point below one half
/// already is where the widest gets with about four times its rounds.
const WIDTH_SHARE: f64 = 0.5;

/// The stopping rule of a run, with what it needs to remember.
pub(crate) struct StoppingRule<'a> {
    resolved: &'a Resolved,
    /// The number of rounds after which each point stops for good.
    most_rounds: Vec<usize>,
    /// The search times of each cell, with their rounds; `None` for a cell that lacks a time, and so has no
    /// interval.
    times: Vec<Option<Vec<(u32, f64)>>>,
    /// For each point: whether its intervals are narrow enough.
    looks: Vec<InterimLooks>,
    /// How much time earlier parts of the run took.
    spent: Duration,
    /// The turn that is being measured.
    turn: Option<Turn>,
    /// The time of the longest turn of each point.
    longest: Vec<Duration>,
}

/// A turn of a point: all algorithms measure the same piece of its repetitions, one after the other.
#[derive(Clone, Copy)]
struct Turn {
    begun: Instant,
    point: usize,
    first_repetition: usize,
}

impl<'a> StoppingRule<'a> {
    /// The rule before the first round, for a run whose earlier parts took this time.
    pub(crate) fn new(resolved: &'a Resolved, spent: Duration) -> Self {
        let (points, requested) = (&resolved.points, resolved.asked_for());
        StoppingRule {
            resolved,
            most_rounds: points
                .iter()
                .map(|point| resolved.experiment.most_rounds(point.rounds, requested))
                .collect(),
            times: vec![Some(Vec::new()); points.len() * resolved.algorithms.len()],
            looks: points.iter().map(|point| InterimLooks::after(point.rounds.count())).collect(),
            turn: None,
            spent,
            longest: vec![Duration::ZERO; points.len()],
        }
    }

    /// Returns the points that a round measures, at least one; `None` if the run is complete. A round that an
    /// earlier part of the run has begun (`is_replayed`) had the time for it.
    pub(crate) fn points(
        &mut self,
        round: usize,
        cells: &[Cell<'_>],
        is_replayed: bool,
    ) -> Option<Vec<usize>> {
        self.turn = None;
        let all = 0..self.resolved.points.len();
        let requested: Vec<usize> = all.clone().filter(|point| self.is_requested(*point, round)).collect();
        if !requested.is_empty() {
            return Some(requested);
        }
        let experiment = &self.resolved.experiment;
        if !experiment.goes_on() || !is_replayed && self.is_late(Duration::ZERO) {
            return None;
        }
        let mut points: Vec<usize> = all
            .filter(|point| round < self.most_rounds[*point])
            .filter(|point| self.measurable_cells(*point, cells).next().is_some())
            .collect();
        if let Some(until) = experiment.until {
            let mut looks = std::mem::take(&mut self.looks);
            for point in &points {
                looks[*point].look(self.rounds(*point), || self.width(*point, cells) <= until.share());
            }
            self.looks = looks;
        }
        points.retain(|point| !self.looks[*point].is_satisfied());
        if experiment.budget.is_some() {
            let widths: Vec<f64> = points.iter().map(|point| self.width(*point, cells)).collect();
            let widest = widths.iter().copied().fold(0.0, f64::max);
            let mut widths = widths.into_iter();
            points.retain(|_| widths.next().is_some_and(|width| width >= WIDTH_SHARE * widest));
        }
        (!points.is_empty()).then_some(points)
    }

    /// Whether there is time for a block. The requested rounds have all the time they need. In later rounds,
    /// no turn begins that would end after the budget if it takes as long as the longest turn of this point
    /// so far: a repetition that only some of the algorithms have can't be compared. A turn that has begun
    /// ends early only when the budget is used up.
    pub(crate) fn has_time_for(&mut self, block: &Block) -> bool {
        let now = Instant::now();
        let (point, first_repetition) = (block.point, block.repetitions.start);
        let is_same_turn =
            self.turn.is_some_and(|turn| (turn.point, turn.first_repetition) == (point, first_repetition));
        if !is_same_turn {
            self.end_turn();
            self.turn = Some(Turn { begun: now, point, first_repetition });
        }
        let needed = if is_same_turn { Duration::ZERO } else { self.longest[point] };
        self.is_requested(point, block.round) || !self.is_late(needed)
    }

    /// Ends the turn that is being measured: what follows is no part of its time.
    pub(crate) fn end_turn(&mut self) {
        if let Some(turn) = self.turn.take() {
            self.longest[turn.point] = self.longest[turn.point].max(turn.begun.elapsed());
        }
    }

    /// Adds the search times that a round has measured of a cell; NaN is missing.
    pub(crate) fn add(&mut self, place: usize, round: usize, times: &[f64]) {
        if !self.resolved.experiment.goes_on() {
            return;
        }
        // A row of an algorithm that takes its own times has no search time if the algorithm did not report
        // one. Reports then have no interval of the cell, so there is none here either.
        if times.iter().any(|time| time.is_nan()) {
            self.times[place] = None;
        } else if let Some(all) = &mut self.times[place] {
            all.extend(times.iter().map(|time| (round as u32, *time)));
        }
    }

    /// Whether a point will be measured again after this number of its repetitions.
    pub(crate) fn continues(&self, point: usize, measured: usize) -> bool {
        let experiment = &self.resolved.experiment;
        measured < self.resolved.points[point].rounds.runs()
            || (experiment.goes_on() && !self.looks[point].is_satisfied())
    }

    /// Whether a round is one of those that were requested for a point.
    fn is_requested(&self, point: usize, round: usize) -> bool {
        round < self.resolved.points[point].rounds.count()
    }

    /// Whether the budget is used up, or will be in this time.
    fn is_late(&self, needed: Duration) -> bool {
        let budget = self.resolved.experiment.budget;
        budget.is_some_and(|budget| self.spent + self.resolved.since.elapsed() + needed > budget.duration())
    }

    /// The places of the cells of a point.
    fn cells_of(&self, point: usize) -> Range<usize> {
        let algorithms = self.resolved.algorithms.len();
        point * algorithms..(point + 1) * algorithms
    }

    /// The cells of a point that can have an interval: their algorithm has not failed, and they have all
    /// their times.
    fn measurable_cells(&self, point: usize, cells: &[Cell<'_>]) -> impl Iterator<Item = usize> {
        self.cells_of(point)
            .filter(|place| cells[*place].status() == Status::Ok && self.times[*place].is_some())
    }

    /// The number of rounds in which a point was measured.
    fn rounds(&self, point: usize) -> usize {
        self.times[self.cells_of(point)]
            .iter()
            .flatten()
            .map(|times| times.chunk_by(|a, b| a.0 == b.0).count())
            .max()
            .unwrap_or(0)
    }

    /// The half-width of the widest interval of a point.
    fn width(&self, point: usize, cells: &[Cell<'_>]) -> f64 {
        self.measurable_cells(point, cells)
            .filter_map(|place| self.times[place].as_deref().map(half_width))
            .fold(0.0, f64::max)
    }
}

/// The half-width of the confidence interval of a median, as a share of the median, from times with their
/// rounds. It is infinite while there are too few rounds for an interval.
fn half_width(times: &[(u32, f64)]) -> f64 {
    match Interval::of_median(times) {
        None => f64::INFINITY,
        // Not computed, because times that are all 0 have no share.
        Some(interval) if interval.low == interval.high => 0.0,
        Some(interval) => interval.relative_half_width(),
    }
}

#[cfg(test)]
mod tests;
