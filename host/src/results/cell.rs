//! The results of one algorithm at one point of the range: a cell of the grid that a run fills.

use assay_stats::Summary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::journal::Journal;
use super::provenance::Machine;
use super::ranking::Ranks;
use super::set_metrics::set_metrics;
use super::{Cell, Clock, Ended, Figures, Status};
use crate::columns::{self, Call, TOTAL_NS};
use crate::error::Result;
use crate::experiment::Resolved;
use crate::experiment::calls;
use crate::experiment::definition::Stats;

/// One algorithm at one point of the range.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CellResult {
    /// Id of the algorithm.
    pub algorithm: String,
    /// Id of what was run: with `--stats algo`, that of the instrumented variant.
    pub variant: String,
    /// Path of its library.
    pub library: String,
    /// Length of the patterns in bytes.
    pub pattern_length: usize,
    /// Where something else varies than that: its value, as `experiment.range` explains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range_value: Option<u64>,
    /// Whether it can be compared.
    pub status: Status,
    /// Why not.
    pub message: Option<String>,
    /// Number of repetitions that were measured and found right.
    pub repetitions: usize,
    /// Occurrences that they found, in all; `null` if there are none.
    pub occurrences: Option<u64>,
    /// Whose clock `prepare_ns` and `search_ns` are from, `host` or `own`: the algorithm's; `total_ns` is always the host's.
    /// `null` where there are no times.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// Nanoseconds; `null` for instrumented algorithms, and where the status is not `ok`.
    pub prepare_ns: Option<Summary>,
    /// Nanoseconds.
    pub search_ns: Option<Summary>,
    /// Nanoseconds.
    pub total_ns: Option<Summary>,
    /// Where its times stand among those of the other algorithms.
    #[serde(default)]
    pub ranks: Ranks,
    /// Counters around the search.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub counters: Figures,
    /// Counters around the preparation.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub prepare_counters: Figures,
    /// What event sets compute of the counts around the search, as `set.metric`.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub set_metrics: Figures,
    /// The counters of which some counts can't be: see `noise.impossible`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impossible: Vec<String>,
    /// Standard measurements and what is derived from them.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub stats: Figures,
    /// Extra fields.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub extra: Figures,
    /// What each call took that is one of several of its kind, in nanoseconds, by the column of `measurements.csv`.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub calls: Figures,
}

/// Columns that are read at a time: as many as there are times, so that memory does not grow with the number of counters.
const AT_A_TIME: usize = 3;

impl CellResult {
    /// The statistics of a cell, from its rows in the journal.
    ///
    /// # Errors
    /// If these can't be read again.
    pub fn of(cell: &Cell<'_>, resolved: &Resolved, journal: &Journal, machine: &Machine) -> Result<Self> {
        let listing = &cell.algorithm.listing;
        let instrumented = resolved.experiment.stats == Stats::Algo;
        let figures = |names: Vec<String>| cell.summaries(&names, journal);
        let times = Call::ALL.map(Call::time).into_iter().chain([TOTAL_NS]);
        let times = figures(times.map(str::to_owned).collect())?;
        let time = |name: &str| times.get(name).copied();
        // Around the preparation, counters are called as around the search.
        let counters = |call: Call| -> Result<Figures> {
            let names = resolved.counter_names();
            let counts = figures(names.iter().map(|name| call.counter(name)).collect())?;
            Ok(names.into_iter().zip(counts.iter().map(|(_, summary)| summary.copied())).collect())
        };
        let (mut stats, mut extra) = (Figures::default(), Figures::default());
        if instrumented {
            stats = figures(columns::instrumented().map(str::to_owned).collect())?;
            extra = figures(listing.extra.clone())?;
        }
        let steps = &cell.point.steps;
        let several = (0..steps.len()).filter(|call| calls::is_one_of_several(steps, *call) && !instrumented);
        let names = calls::names(steps);
        let calls = figures(several.map(|call| columns::call_time(&names[call])).collect())?;
        Ok(CellResult {
            algorithm: cell.algorithm.id.clone(),
            variant: listing.id.clone(),
            library: listing.library.display().to_string(),
            pattern_length: cell.pattern_length(),
            range_value: resolved.experiment.over().own_column().map(|_| cell.point.value),
            status: cell.status(),
            message: cell.ended.as_ref().and_then(Ended::message).map(str::to_owned),
            repetitions: cell.rows.len(),
            occurrences: (!cell.rows.is_empty()).then_some(cell.occurrences),
            clock: cell.clock.filter(|_| !instrumented),
            prepare_ns: time(Call::Prepare.time()),
            search_ns: time(Call::Search.time()),
            total_ns: time(TOTAL_NS),
            ranks: Ranks::default(),
            counters: counters(Call::Search)?,
            prepare_counters: counters(Call::Prepare)?,
            set_metrics: set_metrics(cell, resolved, journal, machine)?,
            impossible: cell.impossible.clone(),
            stats,
            extra,
            calls,
        })
    }

    /// The value of the range: the length of the patterns, or of what else varies.
    pub fn value(&self) -> u64 {
        self.range_value.unwrap_or(self.pattern_length as u64)
    }

    /// Whether the instrumented algorithm searched well, and nothing that it could count is there for each repetition.
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

impl Cell<'_> {
    /// Statistics of columns over the repetitions. A quantity that is missing in one has none, nor has a cell that is not
    /// `ok`.
    fn summaries(&self, names: &[String], journal: &Journal) -> Result<Figures> {
        if self.status() != Status::Ok {
            return Ok(names.iter().map(|name| (name.clone(), None)).collect());
        }
        let mut summaries = Vec::with_capacity(names.len());
        for names in names.chunks(AT_A_TIME) {
            for (name, values) in names.iter().zip(journal.read(self, names)?) {
                summaries.push((name.clone(), self.summary(&values)));
            }
        }
        Ok(summaries.into_iter().collect())
    }

    pub(super) fn summary(&self, values: &[f64]) -> Option<Summary> {
        if values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let of_round = |repetition: u32| self.point.rounds.of(repetition as usize) as u32;
        let values = self.rows.repetitions().map(of_round).zip(values.iter().copied());
        Summary::of_rounds(&values.collect::<Vec<_>>())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use assay_stats::significance::{Ratio, Standing};

    use super::*;
    use crate::results::ranking::Rank;

    /// What `hor` did with patterns of 8 bytes.
    pub fn example() -> CellResult {
        let summary = |values: &[f64]| Summary::new(values);
        let to_best = Ratio { ratio: 1.0, low: 0.99, high: 1.01 };
        let first = Rank { below_floor: false, standing: Some(Standing { rank: 1, to_best }) };
        let counters: Figures = [("tsc:cycles".to_owned(), summary(&[12345.0]))].into_iter().collect();
        CellResult {
            algorithm: "hor".to_owned(),
            variant: "hor".to_owned(),
            library: "libcomparison.so".to_owned(),
            pattern_length: 8,
            range_value: None,
            status: Status::Ok,
            message: None,
            repetitions: 500,
            occurrences: Some(700),
            clock: Some(Clock::Host),
            prepare_ns: summary(&[900.0]),
            search_ns: summary(&[2.5e6, 0.1]),
            total_ns: summary(&[2.5009e6]),
            ranks: Ranks { search_ns: first, ..Ranks::default() },
            counters: counters.clone(),
            prepare_counters: counters,
            set_metrics: Figures::default(),
            impossible: Vec::new(),
            stats: Figures::default(),
            extra: Figures::default(),
            calls: Figures::default(),
        }
    }

    #[test]
    fn quantities_are_called_as_the_columns_of_the_measurements() {
        let names: Vec<String> = example().quantities().map(|(name, _)| name).collect();
        let columns = ["prepare_ns", "search_ns", "total_ns", "tsc:cycles", "prepare:tsc:cycles"];
        assert_eq!(names, columns);
    }

    #[test]
    fn a_twin_that_counted_nothing_lacks_counts() {
        let counted = |figures: &[Option<f64>], status| {
            let figure = |(i, value): (usize, &Option<f64>)| {
                (format!("f{i}"), value.and_then(|value| Summary::new(&[value])))
            };
            let stats = figures.iter().enumerate().map(figure).collect();
            CellResult { stats, status, ..example() }.lacks_counts()
        };
        assert!(counted(&[None, None], Status::Ok));
        assert!(!counted(&[None, Some(1.0)], Status::Ok), "one is there");
        assert!(!counted(&[], Status::Ok), "a run that is timed");
        assert!(!counted(&[None], Status::Crashed), "it has something else to tell");
        let extra = [("e".to_owned(), Summary::new(&[1.0]))].into_iter().collect();
        let stats = [("f".to_owned(), None)].into_iter().collect();
        assert!(!CellResult { stats, extra, ..example() }.lacks_counts());
    }
}
