//! The costs of the model: how long each kind of work takes.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::nnls::non_negative;
use crate::work::{KINDS, PerWork, WorkCell, WorkKind};

/// What each kind of work costs, in nanoseconds; none is negative. They are costs of a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct EventCosts(pub PerWork<f64>);

impl EventCosts {
    /// The costs with the least relative errors of the times of these cells. The errors are relative because otherwise
    /// the slowest algorithms would decide alone.
    pub(crate) fn fit<'a>(cells: impl IntoIterator<Item = &'a WorkCell>) -> Self {
        let cells: Vec<&WorkCell> = cells.into_iter().collect();
        if cells.is_empty() {
            return EventCosts::default();
        }
        let matrix = DMatrix::from_fn(cells.len(), KINDS, |row, kind| {
            let cell = cells[row];
            cell.work.0[kind] / cell.time_ns
        });
        let costs = non_negative(&matrix, &DVector::repeat(cells.len(), 1.0));
        EventCosts(PerWork(std::array::from_fn(|kind| costs[kind])))
    }

    /// How long each kind of work takes in a search, in nanoseconds.
    pub(crate) fn parts(&self, work: &PerWork<f64>) -> PerWork<f64> {
        PerWork(WorkKind::ALL.map(|kind| self.0.get(kind) * work.get(kind)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{SyntheticMachine, machine_cells};

    #[test]
    fn the_costs_of_a_machine_are_recovered() {
        for seed in 0..10 {
            let SyntheticMachine { costs, cells } = machine_cells(12, 3, 0.0, seed);
            let found = EventCosts::fit(&cells);
            for kind in WorkKind::ALL {
                assert!((found.0.get(kind) - costs.get(kind)).abs() < 1e-6, "{kind:?}: {found:?} {costs:?}");
            }
            let SyntheticMachine { costs, cells } = machine_cells(12, 3, 0.02, seed);
            let found = EventCosts::fit(&cells);
            for kind in WorkKind::ALL {
                assert!((found.0.get(kind) - costs.get(kind)).abs() < 0.15, "{kind:?}: {found:?} {costs:?}");
            }
        }
    }

    #[test]
    fn a_slow_search_has_no_more_weight_than_a_fast_one() {
        let cell = |time_ns, reads| WorkCell {
            algorithm: String::new(),
            value: 8,
            at: String::new(),
            time_ns,
            work: PerWork([reads, 0.0, 0.0, 0.0, 0.0]),
        };
        // Costs of 1 and of 3 would be right; relative errors are least at 1.2: (c - 1)^2 + (c / 3 - 1)^2.
        let found = EventCosts::fit(&[cell(10.0, 10.0), cell(3e6, 1e6)]);
        assert!((found.0.get(WorkKind::Text) - 1.2).abs() < 1e-9, "{found:?}");
        assert_eq!(EventCosts::fit(&[]), EventCosts::default());
    }
}
