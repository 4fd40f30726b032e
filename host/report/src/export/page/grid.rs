//! The results of a run as a grid of algorithms and values of the range.

use std::collections::{BTreeMap, BTreeSet};

use assay_store::noise::Noise;
use assay_store::{CellResult, Figures, Run, Status};

use crate::RangeAxis;

/// The results by algorithm, in the order of the run, and value of the range.
pub(super) struct Grid<'a> {
    pub algorithms: Vec<&'a str>,
    pub axis: RangeAxis,
    pub values: BTreeSet<u64>,
    /// The noise of the run, with the clock floor and the noise floor.
    pub noise: &'a Noise,
    cells: BTreeMap<(&'a str, u64), &'a CellResult>,
}

/// The range values at which an algorithm has no result, and the reason.
pub(super) struct CellFailure<'a> {
    pub algorithm: &'a str,
    pub values: Vec<u64>,
    pub status: Status,
    pub message: Option<&'a str>,
}

impl<'a> Grid<'a> {
    /// The grid of the cells of a run.
    pub(super) fn new(run: &'a Run) -> Self {
        let mut grid = Grid {
            algorithms: Vec::new(),
            axis: RangeAxis::new(&run.experiment),
            values: BTreeSet::new(),
            noise: &run.experiment.noise,
            cells: BTreeMap::new(),
        };
        for cell in &run.results {
            let algorithm = cell.algorithm.as_str();
            if !grid.algorithms.contains(&algorithm) {
                grid.algorithms.push(algorithm);
            }
            grid.values.insert(cell.value());
            grid.cells.insert((algorithm, cell.value()), cell);
        }
        grid
    }

    /// The result of an algorithm at a value, whatever its status.
    pub(super) fn get(&self, algorithm: &str, value: u64) -> Option<&'a CellResult> {
        self.cells.get(&(algorithm, value)).copied()
    }

    /// A function of each result: `[algorithm][value]`.
    pub(super) fn map<T>(&self, function: impl Fn(Option<&'a CellResult>) -> T) -> Vec<Vec<T>> {
        let mut rows = Vec::new();
        for algorithm in &self.algorithms {
            rows.push(self.values.iter().map(|&value| function(self.get(algorithm, value))).collect());
        }
        rows
    }

    /// Whether there is one algorithm only, which is not ranked.
    pub(super) fn is_alone(&self) -> bool {
        self.algorithms.len() == 1
    }

    /// All results, whatever their status.
    pub(super) fn cells(&self) -> impl Iterator<Item = &'a CellResult> {
        self.cells.values().copied()
    }

    /// The results that count.
    pub(super) fn ok(&self) -> impl Iterator<Item = &'a CellResult> + Clone {
        self.cells.values().copied().filter(|cell| cell.status == Status::Ok)
    }

    /// The failures; range values of an algorithm that share a reason are together.
    pub(super) fn failures(&self) -> Vec<CellFailure<'a>> {
        let mut failures: Vec<CellFailure> = Vec::new();
        for (&(algorithm, value), &cell) in &self.cells {
            let (status, message) = (cell.status, cell.message.as_deref());
            match failures.last_mut() {
                _ if !status.is_failure() => {}
                Some(last) if (last.algorithm, last.status, last.message) == (algorithm, status, message) => {
                    last.values.push(value);
                }
                _ => failures.push(CellFailure { algorithm, values: vec![value], status, message }),
            }
        }
        failures
    }

    /// The number of repetitions of a cell: "500" or "480 to 500".
    pub(super) fn repetitions(&self) -> String {
        let counts: BTreeSet<usize> = self.ok().map(|cell| cell.repetitions).collect();
        match (counts.first(), counts.last()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(count), _) => count.to_string(),
            _ => "no".to_owned(),
        }
    }

    /// The names of the quantities that any result has among its figures of one kind, in their order.
    pub(super) fn names(&self, figures: impl Fn(&'a CellResult) -> &'a Figures) -> Vec<&'a str> {
        let mut names = Vec::new();
        for (name, _) in self.ok().flat_map(|cell| figures(cell).iter()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
