//! How well the model predicts what it has not seen.

use serde::Serialize;

use crate::costs::EventCosts;
use crate::work::{KINDS, WorkCell};

/// The fewest algorithms from which the model claims anything: with one left out, or both of a pair, at least one is left
/// for each cost. With fewer, costs copy the habits of each algorithm, and say nothing about another one.
pub const ENOUGH_ALGORITHMS: usize = KINDS + 2;
/// The fewest cells: costs need twice as many as there are costs, or they follow the noise.
pub(crate) const LEAST_CELLS: usize = 2 * KINDS;

/// A model that explains less than this share has more unexplained than explained, and claims nothing.
pub(crate) const LEAST_SKILL: f64 = 0.5;

/// The cell with which each algorithm begins. A copy is no further algorithm.
pub(crate) fn algorithms(cells: &[WorkCell]) -> Vec<&WorkCell> {
    let mut first: Vec<&WorkCell> = Vec::new();
    for cell in cells {
        if !first.iter().any(|other| cell.is_of(&other.algorithm)) {
            first.push(cell);
        }
    }
    first
}

/// How well the model predicts algorithms that were left out of its fit, one at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelQuality {
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
    pub(crate) fn new(cells: &[WorkCell], predicted: &[f64]) -> Self {
        let error = |cell: &WorkCell, predicted: f64| log_ratio(predicted, cell.time_ns);
        let errors: Vec<f64> = cells.iter().zip(predicted).map(|(cell, time)| error(cell, *time)).collect();
        let without_model: f64 = cells.iter().map(|cell| error(cell, usual(cells, cell)).powi(2)).sum();
        let with_model: f64 = errors.iter().map(|error| error.powi(2)).sum();
        let mut sizes: Vec<(f64, usize)> = errors.iter().map(|error| error.abs()).zip(0..).collect();
        sizes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let (worst, worst_cell) = sizes.last().copied().unwrap_or_default();
        ModelQuality {
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

/// What a search takes there by the cells of other algorithms: the geometric mean at its range value, or
/// of all if there are none.
fn usual(cells: &[WorkCell], cell: &WorkCell) -> f64 {
    let others = || cells.iter().filter(|other| !other.is_of(&cell.algorithm));
    geometric_mean(others().filter(|other| other.value == cell.value))
        .or_else(|| geometric_mean(others()))
        .unwrap_or(cell.time_ns)
}

/// The geometric mean of times; none if there are none.
fn geometric_mean<'a>(cells: impl Iterator<Item = &'a WorkCell>) -> Option<f64> {
    let logarithms: Vec<f64> = cells.map(|cell| cell.time_ns.ln()).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// The costs for each of these [`algorithms`], fitted without it.
pub(crate) fn costs_without(cells: &[WorkCell], algorithms: &[&WorkCell]) -> Vec<EventCosts> {
    let without =
        |left_out: &&WorkCell| EventCosts::fit(cells.iter().filter(|cell| !cell.is_of(&left_out.algorithm)));
    algorithms.iter().map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::machine_cells;

    #[test]
    fn predictions_are_as_good_as_they_are() {
        let cells = machine_cells(8, 2, 0.0, 1).cells;
        let times: Vec<f64> = cells.iter().map(|cell| cell.time_ns).collect();
        let perfect = ModelQuality::new(&cells, &times);
        assert_eq!((perfect.skill, perfect.typical_factor, perfect.suffices()), (1.0, 1.0, true));
        let mut one_wrong = times.clone();
        one_wrong[5] /= 3.0;
        let wrong = ModelQuality::new(&cells, &one_wrong);
        assert!(
            (wrong.worst_factor - 3.0).abs() < 1e-9 && wrong.worst_cell == 5 && wrong.typical_factor == 1.0
        );
        let usual: Vec<f64> = cells.iter().map(|cell| usual(&cells, cell)).collect();
        let useless = ModelQuality::new(&cells, &usual);
        assert!(useless.skill.abs() < 1e-12 && !useless.suffices());
        assert!(ModelQuality::new(&cells, &[0.0; 16]).skill < 0.0);
    }

    #[test]
    fn a_copy_is_the_algorithm_itself() {
        let mut cells = machine_cells(ENOUGH_ALGORITHMS, 2, 0.0, 1).cells;
        assert_eq!(algorithms(&cells).len(), ENOUGH_ALGORITHMS);
        cells[2].algorithm = "a0@2".to_owned();
        cells[3].algorithm = "a0@2".to_owned();
        let first: Vec<&str> = algorithms(&cells).iter().map(|cell| &*cell.algorithm).collect();
        assert_eq!(first, ["a0", "a2", "a3", "a4", "a5", "a6"]);
    }
}
