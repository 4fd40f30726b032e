//! Which pattern lengths take part in a round, and when there is none any more. All algorithms of a length take part together,
//! so that results stay paired.
//!
//! Every run begins with the rounds that are asked for; some lengths may have fewer of them. One that goes on then has further rounds
//! of the same size. What decides are the intervals of the medians of the searches, as they are reported.

mod looks;

use std::time::{Duration, Instant};

use assay_base::columns::Call;
use assay_experiment::Resolved;
use assay_experiment::points::Point;
use assay_stats::Interval;
use assay_store::{Cell, Row, Status};

use looks::Looks;

use super::schedule::Block;

/// A length takes part while its widest interval is wider than this share of the widest of all, where time is short.
const WORTH: f64 = 0.5;

/// How far a run is.
pub(crate) struct Stopping<'a> {
    resolved: &'a Resolved,
    /// The round after which each length stops.
    most_rounds: Vec<usize>,
    /// The times with the numbers of their rounds, by cell; `None` of one that lacks a time, and so has no interval.
    times: Vec<Option<Vec<(u32, f64)>>>,
    /// Of those that go on until they are narrow, by length: whether they are.
    looks: Vec<Looks>,
    /// When the turn began that goes on, whose it is, and from which repetition on.
    turn: Option<(Instant, usize, usize)>,
    /// What the longest turn of each length took.
    longest: Vec<Duration>,
}

impl<'a> Stopping<'a> {
    /// Before the first round.
    pub(crate) fn new(resolved: &'a Resolved) -> Self {
        let (lengths, asked_for) = (resolved.points.len(), resolved.asked_for());
        let most_rounds = |point: &Point| resolved.experiment.most_rounds(point.rounds, asked_for);
        Stopping {
            resolved,
            most_rounds: resolved.points.iter().map(most_rounds).collect(),
            times: vec![Some(Vec::new()); lengths * resolved.algorithms.len()],
            looks: resolved.points.iter().map(|point| Looks::after(point.rounds.count())).collect(),
            turn: None,
            longest: vec![Duration::ZERO; lengths],
        }
    }

    /// The lengths that take part in a round, of which there is one at least; `None` if all is done.
    pub(crate) fn lengths(&mut self, round: usize, cells: &[Cell<'_>]) -> Option<Vec<usize>> {
        self.turn = None;
        let all = 0..self.resolved.points.len();
        let asked_for: Vec<usize> = all.clone().filter(|set| self.is_asked_for(*set, round)).collect();
        if !asked_for.is_empty() {
            return Some(asked_for);
        }
        let experiment = &self.resolved.experiment;
        if !experiment.goes_on() || self.is_late(Duration::ZERO) {
            return None;
        }
        let is_left = |set: &usize| self.left(*set, cells).next().is_some();
        let mut going: Vec<usize> =
            all.filter(|set| round < self.most_rounds[*set]).filter(is_left).collect();
        if let Some(until) = experiment.until {
            let mut looks = std::mem::take(&mut self.looks);
            for set in &going {
                looks[*set].look(self.rounds(*set), || self.width(*set, cells) <= until.share());
            }
            self.looks = looks;
        }
        going.retain(|set| !self.looks[*set].suffice());
        if experiment.budget.is_some() {
            let widths: Vec<f64> = going.iter().map(|set| self.width(*set, cells)).collect();
            let widest = widths.iter().copied().fold(0.0, f64::max);
            let mut widths = widths.into_iter();
            going.retain(|_| widths.next().is_some_and(|width| width >= WORTH * widest));
        }
        (!going.is_empty()).then_some(going)
    }

    /// Whether there is time for a block. The rounds that were asked for have all time they need; of later ones, no turn begins
    /// that would end late if it takes as long as the longest before it.
    pub(crate) fn has_time_for(&mut self, block: &Block) -> bool {
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

    /// Adds what was measured of a cell in a round.
    pub(crate) fn add(&mut self, place: usize, round: usize, rows: &[Row]) {
        if self.resolved.experiment.goes_on() {
            // As in results: an algorithm that takes its own time tells it, or has none.
            let times = rows.iter().map(|row| Some((round as u32, row.ns(Call::Search)? as f64)));
            let times: Option<Vec<_>> = times.collect();
            match (times, &mut self.times[place]) {
                (Some(times), Some(all)) => all.extend(times),
                (None, all) => *all = None,
                (_, None) => {}
            }
        }
    }

    /// Whether a length will be measured again after this number of its repetitions.
    pub(crate) fn goes_on(&self, set: usize, measured: usize) -> bool {
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

    /// The cells of a length that can have an interval: whose algorithm has not failed, and lacks no time.
    fn left(&self, set: usize, cells: &[Cell<'_>]) -> impl Iterator<Item = usize> {
        self.of_set(set).filter(|place| cells[*place].status() == Status::Ok && self.times[*place].is_some())
    }

    /// In how many rounds a length was measured.
    fn rounds(&self, set: usize) -> usize {
        let rounds = |times: &Vec<(u32, f64)>| times.chunk_by(|a, b| a.0 == b.0).count();
        self.times[self.of_set(set)].iter().flatten().map(rounds).max().unwrap_or(0)
    }

    /// The widest interval of a length, half of it as a share of its middle.
    fn width(&self, set: usize, cells: &[Cell<'_>]) -> f64 {
        self.left(set, cells).filter_map(|place| self.times[place].as_deref().map(width)).fold(0.0, f64::max)
    }
}

/// The interval of the median of times with their rounds: half of its width, as a share of its middle; infinite while there are too few
/// rounds.
fn width(times: &[(u32, f64)]) -> f64 {
    match Interval::of_median(times) {
        None => f64::INFINITY,
        Some(interval) if interval.low == interval.high => 0.0,
        Some(interval) => interval.relative_half_width(),
    }
}

#[cfg(test)]
mod tests;
