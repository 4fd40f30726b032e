//! What happens once in a worker process, before anything is measured: loading, setting up, and the first search, whose caches
//! are cold.

use std::collections::BTreeMap;

use assay_base::columns::{Call, STARTS};
use assay_stats::Summary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Row;

/// What the start of one worker took, in nanoseconds. What was not timed is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The repetition whose pattern was searched for first.
    pub repetition: u64,
    /// Occurrences that this search found.
    pub occurrences: u64,
    /// Opening the algorithm's library and asking it what it brings.
    pub load_ns: Option<u64>,
    /// From there to the first repetition: making the searcher, mapping and fitting the text, opening and starting counters.
    pub initialise_ns: Option<u64>,
    /// The preparation before the first search.
    pub first_prepare_ns: Option<u64>,
    /// The first search.
    pub first_search_ns: Option<u64>,
    /// From the end of the first search until its counters and measurements are read.
    pub read_back_ns: Option<u64>,
}

impl Start {
    /// With what the first search found and took. If it was torn apart, nobody knows the latter.
    pub fn searched(self, row: &Row, read_back_ns: u64, torn: bool) -> Self {
        let whole = |ns: Option<u64>| ns.filter(|_| !torn);
        // Of several calls, the first two: one preparation, and one search.
        let first = |call: Call| match row.each.get(call as usize) {
            Some(cost) => Some(cost.ns),
            None => row.ns(call),
        };
        Start {
            occurrences: row.occurrences,
            first_prepare_ns: whole(first(Call::Prepare)),
            first_search_ns: whole(first(Call::Search)),
            read_back_ns: whole(Some(read_back_ns)),
            ..self
        }
    }

    /// The figures, in the order of [`STARTS`].
    pub fn figures(&self) -> [Option<u64>; STARTS.len()] {
        let Start { load_ns, initialise_ns, first_prepare_ns, first_search_ns, read_back_ns, .. } = *self;
        [load_ns, initialise_ns, first_prepare_ns, first_search_ns, read_back_ns]
    }
}

/// What the starts of an algorithm's workers took, in nanoseconds: in no other figure. Workers begin with patterns of any length
/// of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StartResult {
    /// Id of the algorithm.
    pub algorithm: String,
    /// How many workers reported theirs.
    pub workers: usize,
    /// Opening the library and asking it what it brings.
    pub load_ns: Option<Summary>,
    /// Making the searcher, mapping and fitting the text, opening and starting counters.
    pub initialise_ns: Option<Summary>,
    /// The preparation before the first search.
    pub first_prepare_ns: Option<Summary>,
    /// The first search.
    pub first_search_ns: Option<Summary>,
    /// From the end of the first search until its counters are read.
    pub read_back_ns: Option<Summary>,
    /// How many workers lack a phase, by its column: what is missing in one has no statistics.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, usize>,
}

impl StartResult {
    /// Of starts with the numbers of their rounds, in order; nothing if there are none.
    pub fn of(algorithm: &str, starts: &[(u32, Start)]) -> Option<Self> {
        // As of repetitions: what is missing in one has no statistics.
        let summary = |at: usize| {
            let values = starts.iter().map(|(round, start)| Some((*round, start.figures()[at]? as f64)));
            Summary::of_rounds(&values.collect::<Option<Vec<_>>>()?)
        };
        let lacks = |at: usize| starts.iter().filter(|(_, start)| start.figures()[at].is_none()).count();
        let missing = STARTS.iter().enumerate().map(|(at, column)| ((*column).to_owned(), lacks(at)));
        (!starts.is_empty()).then(|| StartResult {
            missing: missing.filter(|(_, workers)| *workers > 0).collect(),
            algorithm: algorithm.to_owned(),
            workers: starts.len(),
            load_ns: summary(0),
            initialise_ns: summary(1),
            first_prepare_ns: summary(2),
            first_search_ns: summary(3),
            read_back_ns: summary(4),
        })
    }

    /// The statistics, in the order of [`STARTS`].
    pub fn figures(&self) -> [Option<Summary>; STARTS.len()] {
        [self.load_ns, self.initialise_ns, self.first_prepare_ns, self.first_search_ns, self.read_back_ns]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cost;

    /// A start whose figures are `ns` and those after it.
    fn start(ns: u64, torn: bool) -> Start {
        let row = Row { calls: [ns + 2, ns + 3].map(|ns| Cost { ns, counts: Vec::new() }), ..Row::default() };
        let start = Start { load_ns: Some(ns), initialise_ns: Some(ns + 1), ..Start::default() };
        start.searched(&row, ns + 4, torn)
    }

    #[test]
    fn starts_are_summed_up_phase_by_phase() {
        let starts: Vec<_> = (0..6).map(|round| (round, start(100 + 10 * u64::from(round), false))).collect();
        let result = StartResult::of("hor", &starts).unwrap();
        let medians = result.figures().map(|summary| summary.unwrap().med);
        assert_eq!((result.workers, medians), (6, [125.0, 126.0, 127.0, 128.0, 129.0]));
        assert!(result.load_ns.unwrap().ci95.is_some(), "rounds are what is counted");
        assert_eq!(StartResult::of("hor", &[]), None);
    }

    #[test]
    fn a_first_search_that_was_torn_apart_is_missing() {
        let torn = start(1, true);
        assert_eq!(torn.figures(), [Some(1), Some(2), None, None, None]);
        let result = StartResult::of("hor", &[(0, torn), (1, start(1, false))]).unwrap();
        assert_eq!(result.figures().map(|summary| summary.is_some()), [true, true, false, false, false]);
        let missing =
            ["first_prepare_ns", "first_search_ns", "read_back_ns"].map(|phase| (phase.to_owned(), 1));
        assert_eq!(result.missing, missing.into());
    }
}
