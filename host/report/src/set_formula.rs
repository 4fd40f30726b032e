//! A metric of an event set: computed here, from the counts of a run.

use assay_base::formula::Formula;
use assay_counting::sets::{EventSet, SetMetric};

/// A metric of an event set, by the names of what it is computed of.
#[derive(Clone, Debug)]
pub struct SetFormula {
    /// `set.metric`.
    pub id: String,
    /// Its unit, and its formula as it was written.
    pub metric: SetMetric,
    /// The inputs: counters, or what is known of each search. An event that the set has not on that machine
    /// has its own name.
    pub inputs: Vec<String>,
    formula: Formula,
}

impl SetFormula {
    /// Finds the metric of this name, `set.metric`, in a set.
    pub fn find(set: &EventSet, name: &str) -> Option<Self> {
        let (id, metric, formula) = set.formulas().find(|(id, ..)| id == name)?;
        let input = |name: &String| set.input(name).unwrap_or(name).to_owned();
        let inputs = formula.names().iter().map(input).collect();
        Some(SetFormula { id, metric: metric.clone(), inputs, formula })
    }

    /// Its values where all inputs are there: a column for each, with this number of rows.
    pub(super) fn evaluate(&self, columns: &[Vec<f64>], rows: usize) -> Vec<Option<f64>> {
        let row = |row: usize| columns.iter().map(|column| column[row]).collect::<Vec<f64>>();
        (0..rows).map(|i| self.formula.value(&row(i))).collect()
    }
}
