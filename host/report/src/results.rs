//! The results of a run: statistics of all its measurements, computed from its rows. Both `run` and `report`
//! print them.

use std::collections::{BTreeSet, HashMap, HashSet};

use assay_base::columns::{self, Call, PerCall, TOTAL_NS};
use assay_base::error::Result;
use assay_experiment::calls::are_several;
use assay_stats::Summary;
use assay_store::null::floor;
use assay_store::overall::Place;
use assay_store::{CellResult, Clock, Figures, OverallResult, Run, SCHEMA, Status};

use super::ranking::TypicalTime;
use super::time_doubts::CellTimes;
use super::{FullData, Quantity, Report, SetFormula};
use crate::RangeAxis;

/// The number of columns that are read at a time: that of the times of a repetition. It is bounded, because
/// otherwise memory would grow with the number of counters.
const AT_A_TIME: usize = 3;

/// The rows of a cell.
struct CellRows<'a> {
    full: FullData<'a>,
    range: usize,
    /// The round of each repetition; `None` for a run that did not record rounds.
    rounds: Option<Vec<u32>>,
}

impl Report {
    /// The facts of the run, and the outcome and all figures of each cell.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub fn results(&self) -> Result<Run> {
        let mut experiment = self.facts.clone();
        experiment.overhead_subtracted = self.overheads.is_some();
        let mut results = Vec::new();
        for value in self.values_in_order() {
            for algorithm in self.algorithms() {
                if let Some((full, range)) = self.place(algorithm, value) {
                    results.push(self.cell_result(algorithm, full, range)?);
                }
            }
        }
        let mut overall: Vec<OverallResult> = Vec::new();
        if self.facts.has_times() {
            experiment.noise = self.noise()?;
            let ids =
                self.algorithms().map(|id| OverallResult { algorithm: id.to_owned(), ..Default::default() });
            overall.extend(ids);
            for call in PerCall::<()>::CALLS {
                self.rank(call, floor(experiment.noise.null.as_ref(), call), &mut results, &mut overall)?;
            }
        }
        let starts = self.algorithms().filter_map(|id| self.blocks.starts(id));
        let starts = if self.facts.times_starts() { starts.collect() } else { Vec::new() };
        Ok(Run { schema: SCHEMA, experiment, results, starts, overall, sha256: None })
    }

    /// The median times of each cell, except those with a missing time. The [results](Self::results) have
    /// them, too; this is faster, because it reads the columns of times only.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub fn median_times(&self) -> Result<Vec<CellTimes>> {
        let columns = [Call::Prepare.time(), Call::Search.time(), TOTAL_NS];
        let columns: Option<Vec<usize>> = columns.iter().map(|name| self.rawdata().column(name)).collect();
        let Some(columns) = columns.filter(|_| self.facts.has_times()) else { return Ok(Vec::new()) };
        let axis = RangeAxis::new(&self.facts);
        let mut all = Vec::new();
        for algorithm in self.algorithms() {
            let Some(full) = self.fulldata(algorithm) else { continue };
            for range in 0..full.range().len() {
                let times = full.columns(range, &columns)?.into_iter();
                let times = times
                    .map(|times| Some(TypicalTime::new(times.into_iter().collect::<Option<_>>()?)?.median));
                let Some(times) = times.collect::<Option<Vec<f64>>>() else { continue };
                let [prepare_ns, search_ns, total_ns] = times[..] else {
                    unreachable!("there are three columns")
                };
                let value = full.range_value(range);
                let place = format!("{}={}", axis.symbol(), axis.label(value));
                all.push(CellTimes {
                    algorithm: algorithm.to_owned(),
                    place,
                    prepare_ns,
                    search_ns,
                    total_ns,
                });
            }
        }
        Ok(all)
    }

    /// Adds the ranks by the times of a call, at each range value and overall.
    fn rank(
        &self,
        call: Option<Call>,
        floor: f64,
        results: &mut [CellResult],
        overall: &mut [OverallResult],
    ) -> Result<()> {
        let (ranks, range) = (self.ranks(call)?, self.range());
        let places: HashMap<&str, usize> = self.algorithms().zip(0..).collect();
        for cell in results {
            let at = range.binary_search(&cell.value()).expect("the cell is in the range");
            *cell.ranks.get_mut(call) = ranks[at][places[cell.algorithm.as_str()]];
        }
        let (known, _) = self.overall(call, &ranks, floor)?;
        for (result, known) in overall.iter_mut().zip(&known) {
            *result.places.get_mut(call) = Place::new(known);
        }
        Ok(())
    }

    /// The values of the range that were measured, in the order in which they were asked for.
    fn values_in_order(&self) -> Vec<u64> {
        let mut left: BTreeSet<u64> = self.range().into_iter().collect();
        let mut values = self.facts.values();
        values.retain(|value| left.remove(value));
        values.extend(left);
        values
    }

    /// The results of an algorithm at a range value.
    fn cell_result(&self, algorithm: &str, full: FullData<'_>, range: usize) -> Result<CellResult> {
        let (raw, value) = (full.cell(range), full.range_value(range));
        let instrumented = self.facts.instrumented();
        let status = raw.failure().map_or(Status::Ok, |name| Status::of_name(name).unwrap_or(Status::Error));
        let outcome = CellResult {
            algorithm: algorithm.to_owned(),
            pattern_length: self.facts.pattern_length(value),
            range_value: self.facts.over().own_column().map(|_| value),
            status,
            ..self.outcomes.of_cell(algorithm, value, status)
        };
        let rounds = full.rounds(range)?;
        let rounds =
            rounds.map(|rounds| rounds.into_iter().map(|round| round.unwrap_or_default() as u32).collect());
        let cell = CellRows { full, range, rounds };
        let times = self.figures(&cell, Call::ALL.map(Call::time).into_iter().chain([TOTAL_NS]))?;
        let mut result = CellResult {
            repetitions: raw.rows.len(),
            rounds: cell.rounds.as_ref().map(|rounds| rounds.iter().collect::<HashSet<_>>().len()),
            occurrences: self.occurrences(&cell)?,
            clock: (!instrumented && !raw.rows.is_empty()).then_some(if raw.has_own_clock {
                Clock::Own
            } else {
                Clock::Host
            }),
            prepare_ns: times.get(Call::Prepare.time()).copied(),
            search_ns: times.get(Call::Search.time()).copied(),
            total_ns: times.get(TOTAL_NS).copied(),
            counters: self.counter_figures(&cell, Call::Search)?,
            prepare_counters: self.counter_figures(&cell, Call::Prepare)?,
            ..outcome
        };
        if self.overheads.is_none() {
            // Metrics of event sets are defined on counts from which nothing is subtracted.
            result.set_metrics = self.set_metrics(algorithm, &cell)?;
        }
        if instrumented {
            result.stats = self.figures(&cell, columns::instrumented())?;
            let own = self.measurements().filter(|column| columns::is_extra_field(column));
            let own = self.figures(&cell, own)?;
            // Each cell has the columns of the extra fields of all algorithms, so most are empty.
            result.extra = own.iter().filter(|(_, summary)| summary.is_some()).map(owned).collect();
        } else {
            let calls = &self.facts.calls;
            let several =
                calls.iter().filter(|call| are_several(calls.iter().map(|other| other.call), call.call));
            result.calls = self.figures(&cell, several.map(|call| columns::call_time(&call.name)))?;
        }
        Ok(result)
    }

    /// Statistics of counters in a kind of call, by the names of the counters.
    fn counter_figures(&self, cell: &CellRows<'_>, call: Call) -> Result<Figures> {
        let counters = &self.facts.counters;
        let counts = self.figures(cell, counters.iter().map(|facts| call.counter(&facts.name)))?;
        let names = counters.iter().map(|facts| facts.name.clone());
        Ok(names.zip(counts.iter().map(|(_, summary)| summary.copied())).collect())
    }

    /// Statistics of columns over the repetitions that count. A column that is missing in a repetition, or
    /// was not measured, has none.
    fn figures(
        &self,
        cell: &CellRows<'_>,
        names: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Figures> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let mut figures = Vec::with_capacity(names.len());
        for names in names.chunks(AT_A_TIME) {
            let columns: Vec<Option<usize>> = names.iter().map(|name| self.rawdata().column(name)).collect();
            let known: Vec<usize> = columns.iter().flatten().copied().collect();
            let mut values = cell.full.columns(cell.range, &known)?.into_iter();
            for (name, column) in names.iter().zip(columns) {
                let summary = column.and_then(|_| cell.summary(&values.next().expect("a column each")));
                figures.push((name.clone(), summary));
            }
        }
        Ok(figures.into_iter().collect())
    }

    /// The number of occurrences that all repetitions found, including those before a failure; `None` if
    /// there are no repetitions.
    fn occurrences(&self, cell: &CellRows<'_>) -> Result<Option<u64>> {
        let rows = &cell.full.cell(cell.range).rows;
        let Some(column) = self.rawdata().column(columns::OCCURRENCES).filter(|_| !rows.is_empty()) else {
            return Ok(None);
        };
        let found = self.rawdata().values(rows, &[column])?.remove(0);
        Ok(Some(found.into_iter().filter(|count| !count.is_nan()).map(|count| count as u64).sum()))
    }

    /// The metrics of event sets for each search, by `set.metric`.
    fn set_metrics(&self, algorithm: &str, cell: &CellRows<'_>) -> Result<Figures> {
        let mut figures = Vec::new();
        for set in &self.facts.event_sets {
            for (id, ..) in set.formulas() {
                let Some(formula) = SetFormula::find(set, &id) else { continue };
                let quantity = Quantity::Formula(Box::new(formula));
                let piece = cell.range..cell.range + 1;
                let values =
                    self.metric_values(&quantity, Some(Call::Search), algorithm, piece)?.values.remove(0);
                figures.push((id, cell.summary(&values)));
            }
        }
        Ok(figures.into_iter().collect())
    }
}

impl CellRows<'_> {
    /// The statistics of a number of each repetition; `None` if it is missing in one, because otherwise a
    /// library that omits its slow searches would look fastest.
    fn summary(&self, values: &[Option<f64>]) -> Option<Summary> {
        let values: Vec<f64> = values.iter().copied().collect::<Option<_>>()?;
        match &self.rounds {
            Some(rounds) => Summary::of_rounds(rounds.iter().copied().zip(values).collect()),
            None => Summary::new(&values),
        }
    }
}

fn owned((name, summary): (&str, Option<&Summary>)) -> (String, Option<Summary>) {
    (name.to_owned(), summary.copied())
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::super::time_doubts::cell_times;

    #[test]
    fn results_have_the_median_times_that_are_read_without_them() {
        let report = report(
            "a,4,0,ok,3,10,200,210\na,4,1,ok,3,30,100,130\na,8,0,ok,3,1,2,3\nb,4,0,ok,3,5,6,11\n\
             c,4,0,ok,3,5,,\nd,4,0,ok,3,1,9,10\nd,4,1,crashed,,,,\n",
        );
        let place = |cell: &super::CellTimes| (cell.algorithm.clone(), cell.place.clone());
        let mut from_results = cell_times(&report.results().unwrap());
        let mut from_rows = report.median_times().unwrap();
        from_results.sort_by_key(place);
        from_rows.sort_by_key(place);
        assert_eq!(from_results, from_rows);
        assert!(from_rows.iter().all(|cell| cell.algorithm != "c"), "{from_rows:?}");
        let a = &from_rows[0];
        assert_eq!((a.place.as_str(), a.prepare_ns, a.search_ns, a.total_ns), ("m=4", 20.0, 150.0, 170.0));
    }
}
