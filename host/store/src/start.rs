//! The start of a worker process: loading, setting up, and the first search, whose caches are cold. It
//! happens once, before anything is measured.

use std::collections::BTreeMap;

use assay_base::columns::{Call, STARTS};
use assay_stats::Summary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Row;

/// Something about each time of the start of a worker: the time itself, its statistics, or what it includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartTimes<T: Default> {
    /// Time to open the library of the algorithm and to list its items.
    #[serde(default)]
    pub load_ns: T,
    /// Time from then to the first repetition: creating the searcher, mapping and fitting the text, opening
    /// and starting counters.
    #[serde(default)]
    pub initialise_ns: T,
    /// Time of the first preparation.
    #[serde(default)]
    pub first_prepare_ns: T,
    /// Time of the first search.
    #[serde(default)]
    pub first_search_ns: T,
    /// Time from the end of the first search until its counters and measurements are read.
    #[serde(default)]
    pub read_back_ns: T,
}

impl<T: Default> From<[T; STARTS.len()]> for StartTimes<T> {
    /// From an array in the order of [`STARTS`].
    fn from(
        [load_ns, initialise_ns, first_prepare_ns, first_search_ns, read_back_ns]: [T; STARTS.len()],
    ) -> Self {
        StartTimes { load_ns, initialise_ns, first_prepare_ns, first_search_ns, read_back_ns }
    }
}

impl<T: Default> From<StartTimes<T>> for [T; STARTS.len()] {
    /// To an array in the order of [`STARTS`].
    fn from(times: StartTimes<T>) -> Self {
        let StartTimes { load_ns, initialise_ns, first_prepare_ns, first_search_ns, read_back_ns } = times;
        [load_ns, initialise_ns, first_prepare_ns, first_search_ns, read_back_ns]
    }
}

/// The start of one worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The repetition whose pattern was searched for first.
    pub repetition: u64,
    /// Occurrences that this search found.
    pub occurrences: u64,
    /// Its times in nanoseconds. Those that were not measured are missing.
    pub times: StartTimes<Option<u64>>,
}

impl Start {
    /// Adds the occurrences and the times of the first search. If a pause interrupted it, its times are
    /// missing.
    pub fn searched(self, row: &Row, read_back_ns: u64, interrupted: bool) -> Self {
        let whole = |ns: Option<u64>| ns.filter(|_| !interrupted);
        // If a repetition has several calls, its first two are one preparation and one search.
        let first = |call: Call| match row.each.get(call as usize) {
            Some(cost) => Some(cost.ns),
            None => row.ns(call),
        };
        let times = StartTimes {
            first_prepare_ns: whole(first(Call::Prepare)),
            first_search_ns: whole(first(Call::Search)),
            read_back_ns: whole(Some(read_back_ns)),
            ..self.times
        };
        Start { occurrences: row.occurrences, times, ..self }
    }

    /// The times in nanoseconds, in the order of [`STARTS`].
    pub fn figures(&self) -> [Option<u64>; STARTS.len()] {
        self.times.into()
    }
}

/// The starts of the workers of an algorithm. No other figure includes their times. Workers begin with
/// patterns of any length of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StartResult {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Number of workers that reported their start.
    pub workers: usize,
    /// Statistics of the times, in nanoseconds.
    #[serde(flatten)]
    pub times: StartTimes<Option<Summary>>,
    /// Number of workers without a time, by its column. A time that is missing in one worker has no
    /// statistics.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, usize>,
}

impl StartResult {
    /// The result of starts with the numbers of their rounds, in order; `None` if there are none.
    pub fn new(algorithm: &str, starts: &[(u32, Start)]) -> Option<Self> {
        let summary = |place: usize| {
            let values = starts.iter().map(|(round, start)| Some((*round, start.figures()[place]? as f64)));
            Summary::of_rounds(values.collect::<Option<Vec<_>>>()?)
        };
        let missing = STARTS.iter().enumerate().filter_map(|(place, column)| {
            let workers = starts.iter().filter(|(_, start)| start.figures()[place].is_none()).count();
            (workers > 0).then(|| ((*column).to_owned(), workers))
        });
        (!starts.is_empty()).then(|| StartResult {
            algorithm: algorithm.to_owned(),
            workers: starts.len(),
            times: std::array::from_fn(summary).into(),
            missing: missing.collect(),
        })
    }

    /// The statistics, in the order of [`STARTS`].
    pub fn figures(&self) -> [Option<Summary>; STARTS.len()] {
        self.times.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cost;

    /// A start whose figures are `ns` and those after it.
    fn start(ns: u64, interrupted: bool) -> Start {
        let row = Row { calls: [ns + 2, ns + 3].map(|ns| Cost { ns, counts: Vec::new() }), ..Row::default() };
        let times = StartTimes { load_ns: Some(ns), initialise_ns: Some(ns + 1), ..StartTimes::default() };
        let start = Start { times, ..Start::default() };
        start.searched(&row, ns + 4, interrupted)
    }

    #[test]
    fn starts_are_summed_up_phase_by_phase() {
        let starts: Vec<_> = (0..6).map(|round| (round, start(100 + 10 * u64::from(round), false))).collect();
        let result = StartResult::new("hor", &starts).unwrap();
        let medians = result.figures().map(|summary| summary.unwrap().med);
        assert_eq!((result.workers, medians), (6, [125.0, 126.0, 127.0, 128.0, 129.0]));
        assert!(result.times.load_ns.unwrap().ci95.is_some(), "the rounds are the samples");
        assert_eq!(StartResult::new("hor", &[]), None);
    }

    #[test]
    fn a_first_search_that_a_pause_interrupted_is_missing() {
        let interrupted = start(1, true);
        assert_eq!(interrupted.figures(), [Some(1), Some(2), None, None, None]);
        let result = StartResult::new("hor", &[(0, interrupted), (1, start(1, false))]).unwrap();
        assert_eq!(result.figures().map(|summary| summary.is_some()), [true, true, false, false, false]);
        let missing =
            ["first_prepare_ns", "first_search_ns", "read_back_ns"].map(|phase| (phase.to_owned(), 1));
        assert_eq!(result.missing, missing.into());
    }
}
