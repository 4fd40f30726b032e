//! The explanation of a run: what the model predicts of each cell, how well, and what that says of differences.

use serde::Serialize;

use crate::costs::EventCosts;
use crate::difference::{AskedDifference, ExplainedDifference, Extent, PairFits};
use crate::quality::{ENOUGH_ALGORITHMS, LEAST_CELLS, ModelQuality, algorithms, costs_without};
use crate::work::{PerWork, WorkCell, WorkKind};

/// What the model says of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// How well the model predicts; none if too little was measured for a model.
    pub quality: Option<ModelQuality>,
    /// Whether the model is good enough to claim anything.
    pub claims: bool,
    /// What each kind of work costs on this machine, in nanoseconds: fitted to all cells, and between which values it
    /// lies in the fits that leave something out. None if there is no model.
    pub costs_ns: Option<PerWork<Extent>>,
    /// What was measured, and what is predicted by costs that were fitted without it.
    pub cells: Vec<ExplainedCell>,
    /// The differences that were asked for.
    pub differences: Vec<ExplainedDifference>,
}

/// A cell with its prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedCell {
    /// Id of the algorithm.
    pub algorithm: String,
    /// The range value.
    pub value: u64,
    /// The range value in words.
    pub at: String,
    /// Measured time of a search, in nanoseconds.
    pub time_ns: f64,
    /// How often the search does each kind of work.
    pub counts: PerWork<f64>,
    /// How long each kind of work takes by the model, in nanoseconds; their sum is the predicted time. None if there is
    /// no model.
    pub parts_ns: Option<PerWork<f64>>,
}

/// Fits the model to cells, and explains these differences by it.
pub fn explain(cells: &[WorkCell], asked: &[AskedDifference]) -> Explanation {
    let is_enough = cells.len() >= LEAST_CELLS && algorithms(cells).len() >= ENOUGH_ALGORITHMS;
    let model = is_enough.then(|| Fitted::new(cells));
    let quality = model.as_ref().map(|model| model.quality.clone());
    let mut fits = PairFits::new(cells);
    let differences =
        asked.iter().filter_map(|asked| ExplainedDifference::new(asked, quality.as_ref(), &mut fits));
    let explained = cells.iter().enumerate().map(|(index, cell)| ExplainedCell {
        algorithm: cell.algorithm.clone(),
        value: cell.value,
        at: cell.at.clone(),
        time_ns: cell.time_ns,
        counts: cell.work,
        parts_ns: model.as_ref().map(|model| model.parts_ns[index]),
    });
    Explanation {
        differences: differences.collect(),
        cells: explained.collect(),
        claims: quality.as_ref().is_some_and(ModelQuality::suffices),
        costs_ns: model.as_ref().map(|model| model.costs_ns),
        quality,
    }
}

/// The model of a run.
struct Fitted {
    quality: ModelQuality,
    costs_ns: PerWork<Extent>,
    /// The predictions, by cell.
    parts_ns: Vec<PerWork<f64>>,
}

impl Fitted {
    fn new(cells: &[WorkCell]) -> Self {
        let left_out = algorithms(cells);
        let fits = costs_without(cells, &left_out);
        let costs = |cell: &WorkCell| {
            let number = left_out.iter().position(|first| cell.is_of(&first.algorithm));
            &fits[number.expect("each cell is of an algorithm")]
        };
        let parts_ns: Vec<PerWork<f64>> = cells.iter().map(|cell| costs(cell).parts(&cell.work)).collect();
        let predicted: Vec<f64> = parts_ns.iter().map(PerWork::sum).collect();
        let all = EventCosts::fit(cells);
        let extent = |kind| Extent::new(all.0.get(kind), fits.iter().map(|costs| costs.0.get(kind)));
        Fitted {
            quality: ModelQuality::new(cells, &predicted),
            costs_ns: PerWork(WorkKind::ALL.map(extent)),
            parts_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{SyntheticMachine, machine_cells, unexplainable_cells};

    /// The difference of the first two algorithms at each of these values.
    fn asked(values: u64) -> Vec<AskedDifference> {
        let pair = ["a0".to_owned(), "a1".to_owned()];
        let asked = |value| {
            let (pair, at) = (pair.clone(), format!("m={value}"));
            AskedDifference { pair, value, at, judged: None, left_out: None }
        };
        (1..=values).map(asked).collect()
    }

    #[test]
    fn differences_of_a_machine_are_explained_by_what_makes_them() {
        for seed in 0..10 {
            let SyntheticMachine { costs, cells } = machine_cells(10, 3, 0.01, seed);
            let explanation = explain(&cells, &asked(3));
            assert!(explanation.claims, "{:?}", explanation.quality);
            let quality = explanation.quality.unwrap();
            assert!(quality.skill > 0.95 && quality.typical_factor < 1.1, "{quality:?}");
            for difference in &explanation.differences {
                let cell = |id: &str| {
                    cells.iter().find(|cell| cell.algorithm == id && cell.value == difference.value).unwrap()
                };
                let (fast, slow) = (cell(&difference.faster), cell(&difference.slower));
                let measured = slow.time_ns - fast.time_ns;
                assert!(measured > 0.0);
                // Noise of 1 % is a greater share of a small difference.
                if measured < 0.5 * slow.time_ns {
                    continue;
                }
                assert!(difference.claims, "{difference:?}");
                let model = difference.model.as_ref().unwrap();
                for kind in WorkKind::ALL {
                    let made = costs.get(kind) * (slow.work.get(kind) - fast.work.get(kind)) / measured;
                    assert!((model.parts.get(kind).value - made).abs() < 0.15, "{kind:?} {made} {model:?}");
                }
            }
        }
    }

    #[test]
    fn of_a_run_that_no_model_explains_nothing_is_claimed() {
        for seed in 0..20 {
            for algorithms in [7, 12] {
                let explanation = explain(&unexplainable_cells(algorithms, 3, seed), &asked(3));
                assert!(!explanation.claims, "{:?}", explanation.quality);
                assert!(explanation.differences.iter().all(|difference| !difference.claims));
                assert_eq!(explanation.differences.len(), 3);
            }
        }
    }

    #[test]
    fn too_few_algorithms_or_cells_have_no_model() {
        for (algorithms, values) in [(6, 12), (7, 1)] {
            let explanation = explain(&machine_cells(algorithms, values, 0.0, 1).cells, &asked(2));
            assert!(explanation.quality.is_none() && explanation.costs_ns.is_none() && !explanation.claims);
            assert!(explanation.cells.iter().all(|cell| cell.parts_ns.is_none()));
            assert!(explanation.differences.iter().all(|difference| difference.model.is_none()));
        }
        assert!(explain(&machine_cells(7, 2, 0.0, 1).cells, &[]).quality.is_some());
    }

    #[test]
    fn an_algorithm_does_not_explain_itself() {
        // The first algorithm is ten times as slow as its work, which the others don't know.
        let mut cells = machine_cells(12, 3, 0.0, 4).cells;
        cells.iter_mut().filter(|cell| cell.algorithm == "a0").for_each(|cell| cell.time_ns *= 10.0);
        let explanation = explain(&cells, &asked(3));
        let model = |difference: &ExplainedDifference| difference.model.as_ref().unwrap().predicted.value;
        for difference in explanation.differences.iter().filter(|difference| difference.slower == "a0") {
            assert!(model(difference) < 0.5 && !difference.claims, "{difference:?}");
        }
        assert!(explanation.differences.iter().any(|difference| difference.slower == "a0"));
    }
}
