//! What an empty call counts, to be subtracted from the counts of a report.

use std::collections::HashMap;
use std::sync::Mutex;

use assay_plugin_api::Semantics;
use assay_stats::median;
use assay_store::CounterFacts;

use super::RawData;

/// How much less the counts of some columns are, and of which of them any was below 0 then.
#[derive(Debug, Default)]
pub(super) struct Overheads {
    by_column: HashMap<usize, (String, f64)>,
    below_zero: Mutex<Vec<String>>,
    swallowed: Mutex<Vec<String>>,
}

impl Overheads {
    /// The overheads of the counters for which it is known what an empty call counts.
    pub(crate) fn new(facts: &[CounterFacts], rawdata: &RawData) -> Self {
        let known = |column: usize| {
            let counter = rawdata.counter_of(column)?;
            let empty = facts.iter().find(|facts| facts.name == counter.name)?.cost.empty?;
            Some((column, (counter.name.clone(), empty)))
        };
        Overheads {
            by_column: (0..rawdata.columns().len()).filter_map(known).collect(),
            ..Overheads::default()
        }
    }

    /// The values of a column in a cell, with the overhead subtracted; none where it is more than their
    /// median.
    pub(crate) fn subtract(&self, column: usize, values: &mut [f64]) {
        let Some((counter, empty)) = self.by_column.get(&column) else { return };
        values.iter_mut().for_each(|value| *value -= empty);
        let mut known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let note = |names: &Mutex<Vec<String>>| {
            names.lock().into_iter().for_each(|mut names| names.push(counter.clone()))
        };
        if !known.is_empty() && median(&mut known) < 0.0 {
            values.fill(f64::NAN);
            note(&self.swallowed);
        } else if known.iter().any(|value| *value < 0.0) {
            note(&self.below_zero);
        }
    }

    /// What is to be said of what was subtracted so far.
    pub(crate) fn notes(&self, counters: &[CounterFacts]) -> Vec<String> {
        let names =
            |names: &Mutex<Vec<String>>| names.lock().map_or_else(|_| Vec::new(), |names| names.clone());
        notes(counters, names(&self.swallowed), names(&self.below_zero))
    }
}

/// What is to be said where the overhead of counting was subtracted from some counters: of which it was more
/// than the median, of which it was more than some count, and of which it is not known. Names may come more
/// than once.
fn notes(counters: &[CounterFacts], swallowed: Vec<String>, below_zero: Vec<String>) -> Vec<String> {
    let once = |mut names: Vec<String>| {
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let unknown = |facts: &&CounterFacts| {
        facts.cost.empty.is_none() && facts.semantics != Semantics::Instant && !facts.per_round
    };
    let unknown = counters.iter().filter(unknown).map(|facts| facts.name.clone()).collect();
    let swallowed = once(swallowed)
        .map(|names| format!("{names}: some medians are below the count of an empty call, and are left out"));
    let below_zero = once(below_zero).map(|names| {
        format!(
            "{names}: some counts are below 0, since an empty call, whose median count was subtracted, counts now more and now \
             less; they are kept"
        )
    });
    let unknown = once(unknown).map(|names| {
        format!("{names}: nothing could be subtracted, since it is not known what an empty call counts")
    });
    [swallowed, below_zero, unknown].into_iter().flatten().collect()
}
