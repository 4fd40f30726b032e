//! The search for the points at which others lead: a coarse grid, and then bisections.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use assay_base::error::Result;
use assay_base::work_budget::WorkBudget;

use crate::grid::{CrossoverGrid, GridAxis, GridPoint};
use crate::standing::PointStandings;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossoverEnd {
    /// Nothing was left to bisect.
    Complete,
    /// The budget was used up before.
    BudgetUsed,
    /// The user interrupted it.
    Interrupted,
}

impl CrossoverEnd {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            CrossoverEnd::Complete => "complete",
            CrossoverEnd::BudgetUsed => "budget_used",
            CrossoverEnd::Interrupted => "interrupted",
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// The points, each with the standings of the algorithms.
    pub points: BTreeMap<GridPoint, PointStandings>,
    /// Points that were left to measure when the budget was used up: of the coarse grid, or the next
    /// bisections.
    pub left: usize,
    /// How the search ended.
    pub end: CrossoverEnd,
}

/// Two neighbours are not bisected if one is at most this many times the other: times of such searches
/// hardly differ, and the number of bisections of a noisy line stays small (14 in each doubling).
const NEAREST: f64 = 1.05;

/// Sizes of texts are rounded to this many bytes if there is room, because nothing depends on single bytes.
const TEXT_STEP: usize = 1024;

/// Measures the grid, and then between any two neighbours at which other algorithms lead, until these are
/// neighbours to the resolution of the grid, or the budget is used up. `measure` gets points with the same
/// text and returns their standings; `progress` gets the share of the budget that is used up, and the points
/// that are next.
///
/// # Errors
/// What `measure` returns, unless it is an interruption: that ends the search, and what was measured is
/// returned.
pub fn search(
    grid: &CrossoverGrid,
    budget: WorkBudget,
    measure: &mut dyn FnMut(&[GridPoint]) -> Result<Vec<PointStandings>>,
    progress: &mut dyn FnMut(f64, &[GridPoint]),
) -> Result<Crossover> {
    let begun = Instant::now();
    let mut points: BTreeMap<GridPoint, PointStandings> = BTreeMap::new();
    let mut next = grid.points();
    while !next.is_empty() {
        let mut left = next.len();
        for batch in next.chunk_by(|one, other| one.has_text_of(*other)) {
            let (share, room) = match budget {
                WorkBudget::Steps(all) => (points.len() as f64 / all as f64, all - points.len()),
                WorkBudget::Time(time) => {
                    let share = begun.elapsed().as_secs_f64() / time.as_secs_f64();
                    (share, if share < 1.0 { usize::MAX } else { 0 })
                }
            };
            let all = batch.len();
            let batch = &batch[..all.min(room)];
            if batch.is_empty() {
                return Ok(Crossover { points, left, end: CrossoverEnd::BudgetUsed });
            }
            progress(share.min(1.0), batch);
            match measure(batch) {
                Err(error) if error.is_interruption() => {
                    return Ok(Crossover { points, left, end: CrossoverEnd::Interrupted });
                }
                standings => points.extend(batch.iter().copied().zip(standings?)),
            }
            left -= batch.len();
            if batch.len() < all {
                return Ok(Crossover { points, left, end: CrossoverEnd::BudgetUsed });
            }
        }
        next = bisections(grid, &points).into_iter().collect();
    }
    Ok(Crossover { points, left: 0, end: CrossoverEnd::Complete })
}

/// The points to measure next: between neighbours on a line at which other algorithms lead.
fn bisections(grid: &CrossoverGrid, points: &BTreeMap<GridPoint, PointStandings>) -> BTreeSet<GridPoint> {
    let mut next = BTreeSet::new();
    for (axis, begin) in grid.lines() {
        let line = on_line(points, axis, begin);
        for pair in line.windows(2) {
            let [(low, before), (high, after)] =
                [pair[0], pair[1]].map(|(at, standings)| (at, standings.leaders()));
            // Where nothing can be compared, because times are too short, for example, that hardly has a
            // border that is worth a search.
            if before != after
                && !before.is_empty()
                && !after.is_empty()
                && let Some(middle) = middle(axis, low, high)
            {
                next.insert(begin.with(axis, middle));
            }
        }
    }
    next
}

/// The points on a line, by their value on its axis, in ascending order.
pub(crate) fn on_line(
    points: &BTreeMap<GridPoint, PointStandings>,
    axis: GridAxis,
    begin: GridPoint,
) -> Vec<(usize, &PointStandings)> {
    let is_on = |point: GridPoint| begin.get(axis).is_some_and(|first| point.with(axis, first) == begin);
    let mut line: Vec<(usize, &PointStandings)> = points
        .iter()
        .filter(|(point, _)| is_on(**point))
        .filter_map(|(point, standings)| Some((point.get(axis)?, standings)))
        .collect();
    line.sort_by_key(|(value, _)| *value);
    line
}

/// The value to measure between two, which is their geometric mean, because axes are divided by doublings;
/// `None` if they are near enough.
fn middle(axis: GridAxis, low: usize, high: usize) -> Option<usize> {
    if high - low < 2 || high as f64 <= NEAREST * low as f64 {
        return None;
    }
    let mean = (low as f64 * high as f64).sqrt();
    let middle = (mean.round() as usize).clamp(low + 1, high - 1);
    let rounded = middle / TEXT_STEP * TEXT_STEP;
    Some(if axis == GridAxis::TextBytes && rounded > low { rounded } else { middle })
}

#[cfg(test)]
mod tests;
