//! How well the model predicts what it has not seen.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::costs::EventCosts;
use crate::work::{KINDS, WorkCell, original};

/// What is left out of a fit, to see how well the others predict it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldOut {
    /// All cells of an algorithm.
    Algorithm,
    /// One cell, because there are too few algorithms to leave one out.
    Cell,
}

/// From this number of algorithms on, one is left out, or both of a pair: at least one is left then for each cost.
pub const ENOUGH_ALGORITHMS: usize = KINDS + 2;

/// The fewest algorithms and cells from which the model claims anything. Of three algorithms, each has habits of its own
/// that costs can copy; and costs need twice as many cells as there are costs, or they follow the noise.
pub(crate) const LEAST_ALGORITHMS: usize = 4;
/// See [`LEAST_ALGORITHMS`].
pub(crate) const LEAST_CELLS: usize = 2 * KINDS;

/// A model that explains less than this share has more unexplained than explained, and claims nothing.
pub(crate) const LEAST_SKILL: f64 = 0.5;

impl HeldOut {
    /// What is left out where these cells were measured.
    pub(crate) fn suiting(cells: &[WorkCell]) -> Self {
        if algorithms(cells).len() >= ENOUGH_ALGORITHMS { HeldOut::Algorithm } else { HeldOut::Cell }
    }

    /// Whether a cell is left out with another one.
    pub(crate) fn joins(self, cell: &WorkCell, other: &WorkCell) -> bool {
        cell.is_of(&other.algorithm) && (self == HeldOut::Algorithm || cell.value == other.value)
    }

    /// What is left out at a time, each by its first cell.
    pub(crate) fn parts(self, cells: &[WorkCell]) -> Vec<&WorkCell> {
        let mut parts: Vec<&WorkCell> = Vec::new();
        for cell in cells {
            if !parts.iter().any(|part| self.joins(cell, part)) {
                parts.push(cell);
            }
        }
        parts
    }
}

/// The algorithms of these cells. A copy is no further algorithm.
pub(crate) fn algorithms(cells: &[WorkCell]) -> BTreeSet<&str> {
    cells.iter().map(|cell| original(&cell.algorithm)).collect()
}

/// How well the model predicts cells that were left out of its fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelQuality {
    /// What was left out at a time.
    pub held_out: HeldOut,
    /// The share of the variance of the logarithms of times that the predictions have. Variance is that about what the
    /// other algorithms take at the same range value, which is the prediction without a model. 1 is perfect; 0 or less
    /// is no better than that.
    pub skill: f64,
    /// The median factor between prediction and measurement; 1 is perfect.
    pub typical_factor: f64,
    /// The greatest such factor.
    pub worst_factor: f64,
    /// The index of the cell that has it.
    pub worst_cell: usize,
}

impl ModelQuality {
    /// Whether the model explains enough to claim anything.
    pub fn suffices(&self) -> bool {
        self.skill >= LEAST_SKILL
    }

    /// Compares predictions with the cells, in the same order.
    pub(crate) fn new(held_out: HeldOut, cells: &[WorkCell], predicted: &[f64]) -> Self {
        let error = |cell: &WorkCell, predicted: f64| log_ratio(predicted, cell.time_ns);
        let errors: Vec<f64> = cells.iter().zip(predicted).map(|(cell, time)| error(cell, *time)).collect();
        let without_model: f64 =
            cells.iter().map(|cell| error(cell, usual(held_out, cells, cell)).powi(2)).sum();
        let with_model: f64 = errors.iter().map(|error| error.powi(2)).sum();
        let mut sizes: Vec<(f64, usize)> = errors.iter().map(|error| error.abs()).zip(0..).collect();
        sizes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let (worst, worst_cell) = sizes.last().copied().unwrap_or_default();
        ModelQuality {
            held_out,
            skill: if without_model > 0.0 { 1.0 - with_model / without_model } else { 0.0 },
            typical_factor: sizes.get(sizes.len() / 2).map_or(1.0, |(size, _)| size.exp()),
            worst_factor: worst.exp(),
            worst_cell,
        }
    }
}

/// The logarithm of a prediction over what was measured. A prediction of 0 counts as a thousandth.
pub(crate) fn log_ratio(predicted: f64, measured: f64) -> f64 {
    (predicted / measured).max(1e-3).ln()
}

/// What a search takes there by the cells that are not left out with this one: the geometric mean at its range value, or
/// of all if there are none.
fn usual(held_out: HeldOut, cells: &[WorkCell], cell: &WorkCell) -> f64 {
    let others = || cells.iter().filter(|other| !held_out.joins(other, cell));
    geometric_mean(others().filter(|other| other.value == cell.value))
        .or_else(|| geometric_mean(others()))
        .unwrap_or(cell.time_ns)
}

/// The geometric mean of times; none if there are none.
fn geometric_mean<'a>(cells: impl Iterator<Item = &'a WorkCell>) -> Option<f64> {
    let logarithms: Vec<f64> = cells.map(|cell| cell.time_ns.ln()).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// The costs for each of the `parts` of [`HeldOut::parts`], fitted without it.
pub(crate) fn costs_without(held_out: HeldOut, cells: &[WorkCell], parts: &[&WorkCell]) -> Vec<EventCosts> {
    let without = |part: &&WorkCell| EventCosts::fit(cells.iter().filter(|cell| !held_out.joins(cell, part)));
    parts.iter().map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::machine_cells;

    #[test]
    fn predictions_are_as_good_as_they_are() {
        let cells = machine_cells(8, 2, 0.0, 1).cells;
        let times: Vec<f64> = cells.iter().map(|cell| cell.time_ns).collect();
        let perfect = ModelQuality::new(HeldOut::Algorithm, &cells, &times);
        assert_eq!((perfect.skill, perfect.typical_factor, perfect.suffices()), (1.0, 1.0, true));
        let mut one_wrong = times.clone();
        one_wrong[5] /= 3.0;
        let wrong = ModelQuality::new(HeldOut::Algorithm, &cells, &one_wrong);
        assert!(
            (wrong.worst_factor - 3.0).abs() < 1e-9 && wrong.worst_cell == 5 && wrong.typical_factor == 1.0
        );
        let usual: Vec<f64> = cells.iter().map(|cell| usual(HeldOut::Algorithm, &cells, cell)).collect();
        let useless = ModelQuality::new(HeldOut::Algorithm, &cells, &usual);
        assert!(useless.skill.abs() < 1e-12 && !useless.suffices());
        assert!(ModelQuality::new(HeldOut::Algorithm, &cells, &[0.0; 16]).skill < 0.0);
    }

    #[test]
    fn an_algorithm_is_left_out_with_its_copies_where_there_are_enough() {
        let mut cells = machine_cells(ENOUGH_ALGORITHMS, 2, 0.0, 1).cells;
        assert_eq!(HeldOut::suiting(&cells), HeldOut::Algorithm);
        cells[2].algorithm = "a0@2".to_owned();
        cells[3].algorithm = "a0@2".to_owned();
        assert_eq!(HeldOut::suiting(&cells), HeldOut::Cell);
        let count = |held_out: HeldOut| held_out.parts(&cells).len();
        assert_eq!([HeldOut::Algorithm, HeldOut::Cell].map(count), [6, 12]);
        assert!(HeldOut::Algorithm.joins(&cells[0], &cells[3]) && !HeldOut::Cell.joins(&cells[0], &cells[3]));
    }
}
