//! The overhead of counting, which is the count of an empty call, subtracted from the counts of a report.

use std::collections::HashMap;
use std::sync::Mutex;

use assay_base::columns::of_one_call;
use assay_plugin_api::Semantics;
use assay_stats::median;
use assay_store::CounterFacts;

use super::RawData;

/// The overheads of counters, and the counters for which subtracting had an effect to report.
#[derive(Debug, Default)]
pub(super) struct Overheads {
    /// The name of the counter of a column, and its overhead.
    by_column: HashMap<usize, (String, f64)>,
    /// Counters with a count that is below 0 after subtracting. A mutex guards it, because counts are read
    /// through shared references.
    below_zero: Mutex<Vec<String>>,
    /// Counters whose overhead is more than the median of a cell.
    swallowed: Mutex<Vec<String>>,
}

impl Overheads {
    /// The overheads of the counters whose count of an empty call is known.
    pub(crate) fn new(facts: &[CounterFacts], rawdata: &RawData) -> Self {
        let mut by_column = HashMap::new();
        for (column, name) in rawdata.columns().enumerate() {
            let counter = match (rawdata.counter_of(column), of_one_call(name)) {
                (Some(counter), _) => counter.name.as_str(),
                (None, Some((_, _, counter))) => counter,
                (None, None) => continue,
            };
            let facts = facts.iter().find(|facts| facts.name == counter);
            if let Some(empty) = facts.and_then(|facts| facts.cost.empty) {
                by_column.insert(column, (counter.to_owned(), empty));
            }
        }
        Overheads { by_column, ..Overheads::default() }
    }

    /// Subtracts the overhead from the values of a column in a cell. If it is more than their median, all
    /// become missing, because their rest would be noise.
    pub(crate) fn subtract(&self, column: usize, values: &mut [f64]) {
        let Some((counter, empty)) = self.by_column.get(&column) else { return };
        values.iter_mut().for_each(|value| *value -= empty);
        let mut known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        if !known.is_empty() && median(&mut known) < 0.0 {
            values.fill(f64::NAN);
            add(&self.swallowed, counter);
        } else if known.iter().any(|value| *value < 0.0) {
            add(&self.below_zero, counter);
        }
    }

    /// Notes on the subtractions so far, a line each.
    pub(crate) fn notes(&self, counters: &[CounterFacts]) -> Vec<String> {
        notes(counters, names(&self.swallowed), names(&self.below_zero))
    }
}

fn add(counters: &Mutex<Vec<String>>, name: &str) {
    counters.lock().into_iter().for_each(|mut counters| counters.push(name.to_owned()));
}

fn names(counters: &Mutex<Vec<String>>) -> Vec<String> {
    counters.lock().map_or_else(|_| Vec::new(), |counters| counters.clone())
}

/// The names in order, each once; `None` if there are none.
fn each_once(mut names: Vec<String>) -> Option<String> {
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Notes on the counters whose overhead was more than a median (`swallowed`), more than some count
/// (`below_zero`), or is not known. Names may come more than once.
fn notes(counters: &[CounterFacts], swallowed: Vec<String>, below_zero: Vec<String>) -> Vec<String> {
    let with_overhead =
        counters.iter().filter(|facts| facts.semantics != Semantics::Instant && !facts.per_round);
    let unknown = with_overhead.filter(|facts| facts.cost.empty.is_none());
    let unknown = unknown.map(|facts| facts.name.clone()).collect();
    let swallowed = each_once(swallowed)
        .map(|names| format!("{names}: some medians are below the count of an empty call, and are left out"));
    let below_zero = each_once(below_zero).map(|names| {
        format!(
            "{names}: some counts are below 0, since an empty call, whose median count was subtracted, counts now more and now \
             less; they are kept"
        )
    });
    let unknown = each_once(unknown).map(|names| {
        format!("{names}: nothing could be subtracted, since it is not known what an empty call counts")
    });
    [swallowed, below_zero, unknown].into_iter().flatten().collect()
}
