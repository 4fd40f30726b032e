//! What an empty call counts, to be subtracted from the counts of a report.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use super::RawData;
use crate::results::CounterFacts;

/// How much less the counts of some columns are, and of which of them any was below 0 then.
#[derive(Debug, Default)]
pub(super) struct Overheads {
    by_column: HashMap<usize, (String, f64)>,
    below_zero: Mutex<BTreeSet<String>>,
}

impl Overheads {
    /// Of the counters of which it is known what an empty call counts.
    pub fn of(facts: &[CounterFacts], rawdata: &RawData) -> Self {
        let known = |column: usize| {
            let counter = rawdata.counter_of(column)?;
            let empty = facts.iter().find(|facts| facts.name == counter.name)?.cost.empty?;
            Some((column, (counter.name.clone(), empty)))
        };
        Overheads {
            by_column: (0..rawdata.columns().len()).filter_map(known).collect(),
            below_zero: Mutex::default(),
        }
    }

    /// The values of a column, with the overhead subtracted.
    pub fn subtract(&self, column: usize, values: &mut [f64]) {
        let Some((counter, empty)) = self.by_column.get(&column) else { return };
        values.iter_mut().for_each(|value| *value -= empty);
        if values.iter().any(|value| *value < 0.0)
            && let Ok(mut below_zero) = self.below_zero.lock()
        {
            below_zero.insert(counter.clone());
        }
    }

    /// The counters of which a value was below 0 so far.
    pub fn below_zero(&self) -> Vec<String> {
        self.below_zero.lock().map_or_else(|_| Vec::new(), |names| names.iter().cloned().collect())
    }

    /// The counters, and how much is subtracted from each.
    pub fn told(&self) -> Vec<(String, f64)> {
        let mut all: Vec<(String, f64)> = self.by_column.values().cloned().collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup();
        all
    }
}
