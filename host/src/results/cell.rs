//! The results of one algorithm with patterns of one length: a cell of the grid that a run fills.

use assay_plugin_api::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ranking::Ranks;
use super::{Cell, Clock, Ended, Figures, Measured, Row, Status};
use crate::columns::{Call, DERIVED, TOTAL_NS};
use crate::experiment::Resolved;
use crate::experiment::definition::Stats;
use crate::experiment::rounds::Rounds;
use crate::summary::Summary;

/// One algorithm with patterns of one length.
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
    /// Standard measurements and what is derived from them.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub stats: Figures,
    /// Extra fields.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub extra: Figures,
}

impl CellResult {
    /// The statistics of a cell.
    pub fn of(cell: &Cell<'_>, resolved: &Resolved) -> Self {
        let listing = &cell.algorithm.listing;
        let rounds = resolved.experiment.rounds();
        let instrumented = resolved.experiment.stats == Stats::Algo;
        let time = |value: &dyn Fn(&Row) -> Option<u64>| {
            cell.summary(rounds, &|row| value(row).filter(|_| !instrumented).map(|ns| ns as f64))
        };
        let counters = |call: Call| -> Figures {
            let names = resolved.counter_names().into_iter().enumerate();
            names.map(|(i, name)| (name, cell.summary(rounds, &|row| row.call(call).counts[i]))).collect()
        };
        let (mut stats, mut extra) = (Figures::default(), Figures::default());
        if instrumented {
            stats = cell.standard_fields(rounds, resolved.text.bytes.len());
            extra = cell.extra_fields(rounds, &listing.extra);
        }
        CellResult {
            algorithm: cell.algorithm.id.clone(),
            variant: listing.id.clone(),
            library: listing.library.display().to_string(),
            pattern_length: cell.pattern_length,
            status: cell.status(),
            message: cell.ended.as_ref().and_then(Ended::message).map(str::to_owned),
            repetitions: cell.rows.len(),
            occurrences: (!cell.rows.is_empty())
                .then(|| cell.rows.iter().map(|(_, row)| row.occurrences).sum()),
            clock: cell.rows.first().filter(|_| !instrumented).map(|(_, row)| row.clock()),
            prepare_ns: time(&|row| row.ns(Call::Prepare)),
            search_ns: time(&|row| row.ns(Call::Search)),
            total_ns: time(&|row| Some(row.total_ns())),
            ranks: Ranks::default(),
            counters: counters(Call::Search),
            prepare_counters: counters(Call::Prepare),
            stats,
            extra,
        }
    }

    /// The time of a call.
    pub fn time(&self, call: Call) -> Option<Summary> {
        match call {
            Call::Prepare => self.prepare_ns,
            Call::Search => self.search_ns,
        }
    }

    /// Every quantity that was measured, by the name of its column, with its statistics.
    pub fn quantities(&self) -> impl Iterator<Item = (String, Summary)> {
        let times = Call::ALL.map(|call| (call.time(), self.time(call)));
        let times = times.into_iter().chain([(TOTAL_NS, self.total_ns)]);
        let times = times.filter_map(|(name, summary)| Some((name.to_owned(), summary?)));
        let figures = self.counters.iter().chain(self.stats.iter()).chain(self.extra.iter());
        let figures = figures.filter_map(|(name, summary)| Some((name.to_owned(), *summary?)));
        let prepare = self.prepare_counters.iter();
        let prepare = prepare.filter_map(|(name, summary)| Some((Call::Prepare.counter(name), *summary?)));
        times.chain(figures).chain(prepare)
    }
}

impl Cell<'_> {
    /// Statistics over the repetitions. A quantity that is missing in one has none, nor has a cell that is not `ok`.
    fn summary(&self, rounds: Rounds, value: &dyn Fn(&Row) -> Option<f64>) -> Option<Summary> {
        let of_round = |(repetition, row): &(usize, Row)| Some((rounds.of(*repetition) as u32, value(row)?));
        let values: Option<Vec<(u32, f64)>> = self.rows.iter().map(of_round).collect();
        values.filter(|_| self.status() == Status::Ok).and_then(|values| Summary::of_rounds(&values))
    }

    fn measured(&self, rounds: Rounds, value: &dyn Fn(&Measured) -> Option<f64>) -> Option<Summary> {
        self.summary(rounds, &|row| row.measured.as_deref().and_then(value))
    }

    /// The standard fields, and what is derived from them for a text of `n` bytes.
    fn standard_fields(&self, rounds: Rounds, n: usize) -> Figures {
        let fields = Field::ALL.into_iter().map(|field| {
            let value = |figures: &Measured| figures.fields[field as usize].map(|value| value as f64);
            (field.name().to_owned(), self.measured(rounds, &value))
        });
        let derived = DERIVED.iter().enumerate();
        let derived = derived
            .map(|(i, name)| ((*name).to_owned(), self.measured(rounds, &|figures| figures.derived(n)[i])));
        fields.chain(derived).collect()
    }

    fn extra_fields(&self, rounds: Rounds, names: &[String]) -> Figures {
        let figure = |(i, name): (usize, &String)| {
            (name.clone(), self.measured(rounds, &|figures| figures.extra[i].map(|value| value as f64)))
        };
        names.iter().enumerate().map(figure).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::comparison::{Ratio, Standing};
    use crate::results::ranking::Rank;

    /// What `hor` did with patterns of 8 bytes.
    pub fn example() -> CellResult {
        let summary = |values: &[f64]| Summary::of(values);
        let to_best = Ratio { ratio: 1.0, low: 0.99, high: 1.01 };
        let first = Rank { below_floor: false, standing: Some(Standing { rank: 1, to_best }) };
        let counters: Figures = [("tsc:cycles".to_owned(), summary(&[12345.0]))].into_iter().collect();
        CellResult {
            algorithm: "hor".to_owned(),
            variant: "hor".to_owned(),
            library: "libcomparison.so".to_owned(),
            pattern_length: 8,
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
            stats: Figures::default(),
            extra: Figures::default(),
        }
    }

    #[test]
    fn quantities_are_called_as_the_columns_of_the_measurements() {
        let names: Vec<String> = example().quantities().map(|(name, _)| name).collect();
        let columns = ["prepare_ns", "search_ns", "total_ns", "tsc:cycles", "prepare:tsc:cycles"];
        assert_eq!(names, columns);
    }
}
