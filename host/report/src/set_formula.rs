//! Metrics of event sets, which the host computes from the counts of a run.

use assay_base::formula::Formula;
use assay_counting::sets::{EventSet, SetMetric};

/// A metric of an event set with the names of its inputs.
#[derive(Clone, Debug)]
pub struct SetFormula {
    /// `set.metric`.
    pub id: String,
    /// Its unit, and its formula as it was written.
    pub metric: SetMetric,
    /// The inputs: counters, or facts of each search. An event that the set does not have on that machine is
    /// listed by its own name.
    pub inputs: Vec<String>,
    formula: Formula,
}

impl SetFormula {
    /// Finds the metric of this name, `set.metric`, in a set.
    pub fn find(set: &EventSet, name: &str) -> Option<Self> {
        let (id, metric, formula) = set.formulas().find(|(id, ..)| id == name)?;
        let names = formula.names();
        let inputs = names.iter().map(|name| set.input(name).unwrap_or(name).to_owned()).collect();
        Some(SetFormula { id, metric: metric.clone(), inputs, formula })
    }

    /// The values of the formula in each row of complete inputs, which have a column each.
    pub(super) fn evaluate(&self, columns: &[Vec<f64>], rows: usize) -> Vec<Option<f64>> {
        let mut values = Vec::with_capacity(rows);
        for row in 0..rows {
            let inputs: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            values.push(self.formula.value(&inputs));
        }
        values
    }
}
