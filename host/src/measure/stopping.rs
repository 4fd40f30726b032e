//! Which pattern lengths take part in a round, and when there is none any more. All algorithms of a length take part together,
//! so that results stay paired.
//!
//! Every run begins with the rounds that are asked for; some lengths may have fewer of them. One that goes on then has further rounds
//! of the same size. What decides are the intervals of the medians of the searches, as they are reported.

mod looks;

use std::time::{Duration, Instant};

use looks::Looks;

use super::schedule::Block;
use crate::columns::Call;
use crate::experiment::Resolved;
use crate::experiment::range::Point;
use crate::interval::{Interval, median};
use crate::results::{Cell, Row, Status};

/// A length takes part while its widest interval is wider than this share of the widest of all, where time is short.
const WORTH: f64 = 0.5;

/// How far a run is.
pub struct Stopping<'a> {
    resolved: &'a Resolved,
    /// Behind which round each length does not go on.
    most_rounds: Vec<usize>,
    /// The median of each round, by cell.
    medians: Vec<Vec<f64>>,
    /// The times of the round that is being measured, by cell.
    times: Vec<Vec<f64>>,
    /// Of those that go on until they are narrow, by length: whether they are.
    looks: Vec<Looks>,
    /// When the turn began that goes on, whose it is, and from which repetition on.
    turn: Option<(Instant, usize, usize)>,
    /// What the longest turn of each length took.
    longest: Vec<Duration>,
}

impl<'a> Stopping<'a> {
    /// Before the first round.
    pub fn new(resolved: &'a Resolved) -> Self {
        let (lengths, asked_for) = (resolved.points.len(), resolved.asked_for());
        let most_rounds = |point: &Point| resolved.experiment.most_rounds(point.rounds, asked_for);
        let of_cells = || vec![Vec::new(); lengths * resolved.algorithms.len()];
        Stopping {
            resolved,
            most_rounds: resolved.points.iter().map(most_rounds).collect(),
            medians: of_cells(),
            times: of_cells(),
            looks: resolved.points.iter().map(|point| Looks::after(point.rounds.count())).collect(),
            turn: None,
            longest: vec![Duration::ZERO; lengths],
        }
    }

    /// The lengths that take part in a round, of which there is one at least; `None` if all is done.
    pub fn lengths(&mut self, round: usize, cells: &[Cell<'_>]) -> Option<Vec<usize>> {
        self.turn = None;
        for (medians, times) in self.medians.iter_mut().zip(&mut self.times) {
            medians.extend((!times.is_empty()).then(|| median(times)));
            times.clear();
        }
        let all = 0..self.resolved.points.len();
        let asked_for: Vec<usize> = all.clone().filter(|set| self.is_asked_for(*set, round)).collect();
        if !asked_for.is_empty() {
            return Some(asked_for);
        }
        let experiment = &self.resolved.experiment;
        if !experiment.goes_on() || self.is_late(Duration::ZERO) {
            return None;
        }
        let all = all.filter(|set| round < self.most_rounds[*set]);
        let mut going: Vec<(usize, f64)> =
            all.filter_map(|set| Some((set, self.width(set, cells)?))).collect();
        if let Some(until) = experiment.until {
            for (set, width) in &going {
                let rounds = self.of_set(*set).map(|place| self.medians[place].len()).max().unwrap_or(0);
                self.looks[*set].look(rounds, || *width <= until.share());
            }
        }
        going.retain(|(set, _)| !self.looks[*set].suffice());
        if experiment.budget.is_some() {
            let widest = going.iter().map(|(_, width)| *width).fold(0.0, f64::max);
            going.retain(|(_, width)| *width >= WORTH * widest);
        }
        (!going.is_empty()).then(|| going.into_iter().map(|(set, _)| set).collect())
    }

    /// Whether there is time for a block. The rounds that were asked for have all time they need; of later ones, no turn begins
    /// that would end late if it takes as long as the longest before it.
    pub fn has_time_for(&mut self, block: &Block) -> bool {
        let now = Instant::now();
        let (set, first) = (block.set, block.repetitions.start);
        let goes_on = self.turn.is_some_and(|(_, of, from)| (of, from) == (set, first));
        if !goes_on {
            if let Some((began, of, _)) = self.turn {
                self.longest[of] = self.longest[of].max(now - began);
            }
            self.turn = Some((now, set, first));
        }
        let needed = if goes_on { Duration::ZERO } else { self.longest[set] };
        self.is_asked_for(set, block.round) || !self.is_late(needed)
    }

    /// Adds what was measured of a cell.
    pub fn add(&mut self, place: usize, rows: &[Row]) {
        if self.resolved.experiment.goes_on() {
            // As in results: an algorithm that takes its own time tells it.
            let times = rows.iter().map(|row| row.ns(Call::Search).unwrap_or_else(|| row.total_ns()) as f64);
            self.times[place].extend(times);
        }
    }

    /// Whether a length will be measured again after so many of its repetitions.
    pub fn goes_on(&self, set: usize, measured: usize) -> bool {
        let experiment = &self.resolved.experiment;
        measured < self.resolved.points[set].rounds.runs()
            || (experiment.goes_on() && !self.looks[set].suffice())
    }

    fn is_asked_for(&self, set: usize, round: usize) -> bool {
        round < self.resolved.points[set].rounds.count()
    }

    /// Whether so much time is more than there is.
    fn is_late(&self, needed: Duration) -> bool {
        let budget = self.resolved.experiment.budget;
        budget.is_some_and(|budget| self.resolved.since.elapsed() + needed > budget.duration())
    }

    fn of_set(&self, set: usize) -> std::ops::Range<usize> {
        let algorithms = self.resolved.algorithms.len();
        set * algorithms..(set + 1) * algorithms
    }

    /// The widest interval of a length, half of it as a share of its middle; `None` if no algorithm is left there.
    fn width(&self, set: usize, cells: &[Cell<'_>]) -> Option<f64> {
        let left = self.of_set(set).filter(|place| cells[*place].status() == Status::Ok);
        left.map(|place| width(&self.medians[place])).reduce(f64::max)
    }
}

/// The interval of the medians of rounds: half of its width, as a share of its middle; infinite while there are too few.
fn width(medians: &[f64]) -> f64 {
    match Interval::of_median(medians) {
        None => f64::INFINITY,
        Some(interval) if interval.low == interval.high => 0.0,
        Some(interval) => interval.relative_half_width(),
    }
}

#[cfg(test)]
mod tests;
