//! The results of one algorithm at one point of the range: a cell of the grid that a run fills.

use assay_base::columns::{Call, TOTAL_NS};
use assay_experiment::Resolved;
use assay_stats::Summary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rank::Ranks;
use super::{Cell, Clock, Ended, Figures, Status};

/// One algorithm at one point of the range.
///
/// Its identity and what became of it are facts, which a report reads back. Everything below `message` is
/// computed from the rows of `measurements.csv`: it is written for other programs, and never read.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CellResult {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Id of the variant that ran: with `--stats algo`, the instrumented twin.
    pub variant: String,
    /// Path of its library.
    pub library: String,
    /// Length of the patterns in bytes.
    pub pattern_length: usize,
    /// If something else than the pattern length varies: its value, which `experiment.range` explains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range_value: Option<u64>,
    /// The outcome. Only results with `ok` can be compared.
    pub status: Status,
    /// The reason for any other outcome than `ok`.
    pub message: Option<String>,
    /// The counters with impossible counts; see `noise.impossible`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impossible: Vec<String>,
    /// Number of repetitions that were measured with the right result.
    #[serde(skip_deserializing)]
    pub repetitions: usize,
    /// Number of rounds of these repetitions. What each part of a resumed run measured of a round counts as a
    /// round. `null` if the run did not record its rounds.
    #[serde(skip_deserializing)]
    pub rounds: Option<usize>,
    /// Sum of the occurrences that they found; `null` if there are no repetitions.
    #[serde(skip_deserializing)]
    pub occurrences: Option<u64>,
    /// The clock of `prepare_ns` and `search_ns`: `host`, or `own` if the algorithm timed them itself.
    /// `total_ns` is always from the host's clock. `null` if there are no times.
    #[serde(skip_deserializing)]
    pub clock: Option<Clock>,
    /// Time of the preparation in nanoseconds; `null` in instrumented runs, and if the status is not `ok`.
    #[serde(skip_deserializing)]
    pub prepare_ns: Option<Summary>,
    /// Nanoseconds.
    #[serde(skip_deserializing)]
    pub search_ns: Option<Summary>,
    /// Nanoseconds.
    #[serde(skip_deserializing)]
    pub total_ns: Option<Summary>,
    /// The ranks of its times among those of the other algorithms.
    #[serde(skip_deserializing)]
    pub ranks: Ranks,
    /// Counters around the search.
    #[serde(skip_deserializing, skip_serializing_if = "Figures::is_empty")]
    pub counters: Figures,
    /// Counters around the preparation.
    #[serde(skip_deserializing, skip_serializing_if = "Figures::is_empty")]
    pub prepare_counters: Figures,
    /// The metrics of event sets, computed from the counts around the search, as `set.metric`.
    #[serde(skip_deserializing, skip_serializing_if = "Figures::is_empty")]
    pub set_metrics: Figures,
    /// Standard measurements of an instrumented twin, and metrics derived from them.
    #[serde(skip_deserializing, skip_serializing_if = "Figures::is_empty")]
    pub stats: Figures,
    /// Extra fields.
    #[serde(skip_deserializing, skip_serializing_if = "Figures::is_empty")]
    pub extra: Figures,
    /// Times of the calls that are one of several of their kind, in nanoseconds, by the column of
    /// `measurements.csv`.
    #[serde(skip_deserializing, skip_serializing_if = "Figures::is_empty")]
    pub calls: Figures,
}

impl CellResult {
    /// What became of a cell, without figures.
    pub fn outcome(cell: &Cell<'_>, resolved: &Resolved) -> Self {
        let listing = &cell.algorithm.listing;
        CellResult {
            algorithm: cell.algorithm.id.clone(),
            variant: listing.id.clone(),
            library: listing.library.path.display().to_string(),
            pattern_length: cell.pattern_length(),
            range_value: resolved.experiment.over().own_column().map(|_| cell.point.value),
            status: cell.status(),
            message: cell.ended.as_ref().and_then(Ended::message).map(str::to_owned),
            impossible: cell.impossible.clone(),
            ..CellResult::default()
        }
    }

    /// The value of the range: the length of the patterns, or of what else varies.
    pub fn value(&self) -> u64 {
        self.range_value.unwrap_or(self.pattern_length as u64)
    }

    /// Whether the instrumented algorithm searched well, and nothing that it could count is there for each
    /// repetition.
    pub fn lacks_counts(&self) -> bool {
        let mut counts = self.stats.iter().chain(self.extra.iter()).peekable();
        self.status == Status::Ok && counts.peek().is_some() && counts.all(|(_, summary)| summary.is_none())
    }

    /// The time of a call, or of all together.
    pub fn time(&self, call: impl Into<Option<Call>>) -> Option<Summary> {
        match call.into() {
            Some(Call::Prepare) => self.prepare_ns,
            Some(Call::Search) => self.search_ns,
            None => self.total_ns,
        }
    }

    /// Every quantity that was measured, by the name of its column, with its statistics.
    pub fn quantities(&self) -> impl Iterator<Item = (String, Summary)> {
        let times = Call::ALL.map(|call| (call.time(), self.time(call)));
        let times = times.into_iter().chain([(TOTAL_NS, self.total_ns)]);
        let times = times.filter_map(|(name, summary)| Some((name.to_owned(), summary?)));
        let counted = self.counters.iter().chain(self.set_metrics.iter());
        let figures = counted.chain(self.stats.iter()).chain(self.extra.iter()).chain(self.calls.iter());
        let figures = figures.filter_map(|(name, summary)| Some((name.to_owned(), *summary?)));
        let prepare = self.prepare_counters.iter();
        let prepare = prepare.filter_map(|(name, summary)| Some((Call::Prepare.counter(name), *summary?)));
        times.chain(figures).chain(prepare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn quantities_are_called_as_the_columns_of_the_measurements() {
        let names: Vec<String> = testing::cell().quantities().map(|(name, _)| name).collect();
        let columns = ["prepare_ns", "search_ns", "total_ns", "tsc:cycles", "prepare:tsc:cycles"];
        assert_eq!(names, columns);
    }

    #[test]
    fn a_twin_that_counted_nothing_has_missing_counts() {
        let counted = |figures: &[Option<f64>], status| {
            let figure = |(i, value): (usize, &Option<f64>)| {
                (format!("f{i}"), value.and_then(|value| Summary::new(&[value])))
            };
            let stats = figures.iter().enumerate().map(figure).collect();
            CellResult { stats, status, ..testing::cell() }.lacks_counts()
        };
        assert!(counted(&[None, None], Status::Ok));
        assert!(!counted(&[None, Some(1.0)], Status::Ok), "one is there");
        assert!(!counted(&[], Status::Ok), "a run that is timed");
        assert!(!counted(&[None], Status::Crashed), "it has something else to tell");
        let extra = [("e".to_owned(), Summary::new(&[1.0]))].into_iter().collect();
        let stats = [("f".to_owned(), None)].into_iter().collect();
        assert!(!CellResult { stats, extra, ..testing::cell() }.lacks_counts());
    }
}
