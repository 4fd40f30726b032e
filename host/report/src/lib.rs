//! Reports on saved runs: the experiment, and the measurements in three structures.
//!
//! [`RawData`] has the rows as they were measured. [`FullData`] has the rows that count, by algorithm:
//! `[range][sumrange][call][counter]` is a list by repetition (calls by number in [`FullData::counts_of`], by
//! kind in [`FullData::counts`]). [`Data`] is the same summed over the sum-range, where call `None` is the
//! sum over the calls; a level is not summed. None of them holds the measurements in memory. A list is read
//! from `measurements.csv` when it is needed, because a run may have many millions of rows.
//!
//! ```
//! use std::path::Path;
//!
//! use assay_report::{Call, Report};
//!
//! let report = Report::load(Path::new("../../tests/fixtures/saved_run"))?;
//! assert_eq!(report.facts.text.bytes, 1000);
//! let first = &report.rawdata().cells()[0];
//! assert_eq!((first.algorithm.as_str(), first.range, first.rows.len()), ("bf", 4, 3));
//!
//! // Pattern length 4 is number 0 of the range; the time `ns` is counter 0.
//! let fulldata = report.fulldata("bf").unwrap();
//! assert_eq!(fulldata.range().collect::<Vec<_>>(), [4, 100]);
//! assert_eq!(fulldata.counts(0, 0, Call::Search, 0)?, [Some(2900.0), Some(2000.0), Some(2100.0)]);
//!
//! let data = report.data("bf").unwrap();
//! assert_eq!(data.counts(0, Some(Call::Search), 0)?[1], Some(2000.0));
//! assert_eq!(data.counts(0, None, 0)?[1], Some(2200.0));
//!
//! let without_first = report.discard_first_repetitions();
//! assert_eq!(without_first.data("bf").unwrap().repetitions(0), 2);
//! # Ok::<(), assay_base::Error>(())
//! ```
//!
//! A [`Quantity`] makes one number of each repetition ([`Report::apply_metric`]), a statistic one number of
//! all repetitions ([`apply_stat`]).

#![warn(unreachable_pub)]

mod absence;
pub mod across;
pub mod agreement;
mod axis;
pub mod baseline;
mod blocks;
pub mod claim;
pub mod compare;
mod counter;
mod data;
pub mod export;
mod intervals;
mod metric_data;
mod not_made_for;
mod number_source;
mod outcomes;
mod overhead;
mod quantity;
mod ranking;
mod ranks;
mod rawdata;
mod results;
mod selected_calls;
mod set_formula;
pub mod setup;
mod statistic;
mod subset;
pub mod time_doubts;
mod time_notes;
mod undecided;
pub mod variance;
pub mod wording;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use blocks::MeasuredBlocks;
use data::AlgorithmSeries;
use outcomes::CellOutcomes;
use overhead::Overheads;
use selected_calls::SelectedCalls;
use time_notes::clock_note;

pub use absence::{Absence, Gap};
pub use axis::RangeAxis;
pub use counter::Counter;
pub use data::{Data, FullData};
pub use export::stat_table::{FigureStyle, IntervalPlace, StatTable};
pub use metric_data::MetricData;
pub use not_made_for::NotMadeFor;
pub use quantity::Quantity;
pub use rawdata::{RawCell, RawData};
pub use set_formula::SetFormula;
pub(crate) use statistic::is_list;
pub use statistic::{StatData, apply_stat};
pub use subset::Subset;
pub use undecided::Undecided;

pub use assay_base::columns::Call;
use assay_base::error::{Error, Result, excerpt};
use assay_base::io::console::counted;
use assay_store::blocks::Blocks;
use assay_store::journal::Journal;
use assay_store::range::CallFacts;
use assay_store::{ExperimentFacts, MEASUREMENTS, RESULTS, Run};

/// An experiment with its measurements.
#[derive(Clone, Debug)]
pub struct Report {
    /// The facts of the run: its experiment, its text, and the machine.
    pub facts: ExperimentFacts,
    /// A note on the algorithms that take their times by a clock of their own; `None` if there are none.
    pub clock_note: Option<String>,
    rawdata: Arc<RawData>,
    blocks: Arc<MeasuredBlocks>,
    /// What `report.json` says of the cells besides figures.
    outcomes: Arc<CellOutcomes>,
    series: Vec<AlgorithmSeries>,
    /// The places of algorithms among the series.
    places: Arc<HashMap<String, usize>>,
    /// The overheads to subtract from the counts, if that was asked for.
    overheads: Option<Arc<Overheads>>,
    /// The report on the whole run, if this one is on a [`Subset`].
    whole: Option<Arc<Report>>,
    /// The calls that stand for all calls of their kind, if not all do.
    selected: Option<Arc<SelectedCalls>>,
}

impl Report {
    /// Reads a saved run from its folder; [`find`](assay_store::find()) finds the folder.
    ///
    /// # Errors
    /// If a file can't be read or is not one that a run saves, with the file and the line; or if nothing was
    /// measured.
    pub fn load(folder: &Path) -> Result<Self> {
        let report = Report::begun(folder)?;
        if report.rawdata.is_empty() {
            return Err(Error::new(format!("the run `{}` has no measurements", report.facts.id))
                .remedy(format!("`{}` has no complete row", folder.join(MEASUREMENTS).display())));
        }
        Ok(report)
    }

    /// Reads a saved run that may not have measured anything yet.
    ///
    /// # Errors
    /// As [`load`](Self::load), except that a run without measurements is no error.
    pub fn begun(folder: &Path) -> Result<Self> {
        Report::read(folder).map_err(|error| {
            error
                .remedy_otherwise("restore the file from a copy; `assay run` with this folder measures again")
        })
    }

    fn read(folder: &Path) -> Result<Self> {
        let run = Run::read(&folder.join(RESULTS))?;
        let path = folder.join(MEASUREMENTS);
        let mut blocks = Blocks::read(folder)?;
        let rawdata = RawData::read(&path, &mut blocks)?;
        Report::from_parts(run, rawdata, blocks).map_err(|error| error.within(&path))
    }

    /// A report on the rows that a run has written to its journal until now.
    ///
    /// # Errors
    /// If the journal can't be read again.
    pub fn of_journal(run: Run, journal: &Journal) -> Result<Self> {
        let mut blocks = Blocks::parse(&journal.blocks_to_read()?)?;
        let rawdata = RawData::from_file(journal.rows_to_read()?, &mut blocks)?;
        Report::from_parts(run, rawdata, blocks)
    }

    fn from_parts(mut run: Run, rawdata: RawData, blocks: Blocks) -> Result<Self> {
        let sealed = blocks.sealed;
        let blocks = MeasuredBlocks::new(blocks);
        run.experiment.add_unfinished_part(blocks.records());
        let outcomes = Arc::new(CellOutcomes::new(run.results));
        let report = Report::new(run.experiment, rawdata)?;
        let report = Report { outcomes, blocks: Arc::new(blocks), ..report };
        match report.changed().filter(|_| sealed) {
            Some(changed) => Err(Error::new(changed).remedy(
                "restore the file from a copy; or measure the missing rows again with `assay run --resume ID`",
            )),
            None => Ok(report),
        }
    }

    /// A report on measurements.
    ///
    /// # Errors
    /// If a repetition was measured twice.
    pub fn new(facts: ExperimentFacts, mut rawdata: RawData) -> Result<Self> {
        check_calls(&facts.calls, &rawdata)?;
        check_range(&facts, &rawdata)?;
        rawdata.explain_counters(&facts.counters);
        let first_counter =
            facts.definition.as_ref().and_then(|experiment| experiment.first_counter.as_deref());
        first_counter.into_iter().for_each(|name| rawdata.put_first(name));
        let asked = facts.definition.as_ref().map(|experiment| experiment.algorithms.as_slice());
        let series = AlgorithmSeries::all(&rawdata, asked.unwrap_or_default())?;
        Ok(Report {
            places: Arc::new(places(&series)),
            clock_note: clock_note(&facts, with_own_clock(&rawdata, &series)),
            facts,
            rawdata: Arc::new(rawdata),
            blocks: Arc::default(),
            outcomes: Arc::default(),
            series,
            overheads: None,
            whole: None,
            selected: None,
        })
    }

    /// "120 of 1000 searches were measured", for a run that ended early or is not finished yet.
    pub fn incomplete(&self) -> Option<String> {
        if !self.facts.interrupted {
            return None;
        }
        let facts = &self.whole().facts;
        let planned = facts.definition.as_ref().filter(|experiment| !experiment.goes_on());
        let planned = planned.and_then(|experiment| {
            let runs = facts.values().into_iter().map(|value| Some(facts.rounds_at(value)?.runs()));
            Some(format!(" of {}", runs.sum::<Option<usize>>()?.saturating_mul(experiment.algorithms.len())))
        });
        let measured = self.rawdata.len();
        Some(format!("{measured}{} searches were measured", planned.unwrap_or_default()))
    }

    /// "`measurements.csv` has 5 rows, and the run wrote 6", if the file was changed or damaged since.
    pub fn changed(&self) -> Option<String> {
        let (found, wrote) = (self.rawdata.len(), self.facts.rows?);
        (found != wrote).then(|| {
            let rows = counted(found, "row");
            format!("`{MEASUREMENTS}` has {rows}, and the run wrote {wrote}: it was changed or damaged since")
        })
    }

    /// The rows as they were measured, including those that don't count.
    pub fn rawdata(&self) -> &RawData {
        &self.rawdata
    }

    /// The algorithms in the order in which they were asked for, including those without rows that count.
    pub fn algorithms(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.series.iter().map(|series| series.algorithm.as_str())
    }

    /// Each range value that was measured with any algorithm, ascending.
    pub fn range(&self) -> Vec<u64> {
        let mut range: Vec<u64> =
            self.series.iter().flat_map(|series| series.points.iter().map(|point| point.value)).collect();
        range.sort_unstable();
        range.dedup();
        range
    }

    /// The fewest and the most repetitions of a cell, among cells with repetitions that count; `None` if
    /// there is no such cell.
    pub fn repetitions(&self) -> Option<(usize, usize)> {
        let data = self.algorithms().filter_map(|algorithm| self.fulldata(algorithm));
        let counts = data.flat_map(|data| (0..data.range().len()).map(move |at| data.repetitions(at)));
        let counts: Vec<usize> = counts.filter(|count| *count > 0).collect();
        counts.iter().min().copied().zip(counts.iter().max().copied())
    }

    /// The measurements of an algorithm that count: `[range][sumrange][call][counter]`, by repetition.
    pub fn fulldata(&self, algorithm: &str) -> Option<FullData<'_>> {
        let series = &self.series[*self.places.get(algorithm)?];
        let (overheads, selected) = (self.overheads.as_deref(), self.selected.as_deref());
        Some(FullData::new(&self.rawdata, series, overheads, &self.facts.calls, selected))
    }

    /// The measurements of an algorithm that count, summed over the sum-range: `[range][call][counter]`, by
    /// repetition.
    pub fn data(&self, algorithm: &str) -> Option<Data<'_>> {
        self.fulldata(algorithm).map(Data)
    }

    /// The report with the count of an empty call subtracted from the counts, where the run knows it.
    #[must_use]
    pub fn subtract_overhead(&self) -> Self {
        let overheads = Overheads::new(&self.facts.counters, &self.rawdata);
        Report { overheads: Some(Arc::new(overheads)), ..self.clone() }
    }

    /// The number that is subtracted from the counts of a counter, in words; `None` if there is none.
    pub fn subtracted(&self, counter: &str) -> Option<String> {
        self.overheads.as_ref()?;
        self.facts.counters.iter().find(|facts| facts.name == counter)?.cost.empty_in_words()
    }

    /// Notes on the overheads that were subtracted from these counters. They cover the counts that were read
    /// so far.
    pub fn subtraction_notes(&self, counters: &[String]) -> Vec<String> {
        let Some(overheads) = &self.overheads else { return Vec::new() };
        let facts = self.facts.counters.iter().filter(|facts| counters.contains(&facts.name));
        overheads.notes(&facts.cloned().collect::<Vec<_>>())
    }
}

/// The places of algorithms among the series, by their ids.
fn places(series: &[AlgorithmSeries]) -> HashMap<String, usize> {
    series.iter().zip(0..).map(|(series, place)| (series.algorithm.clone(), place)).collect()
}

/// The algorithms with times by a clock of their own, in the order of the algorithms.
fn with_own_clock<'a>(rawdata: &RawData, series: &'a [AlgorithmSeries]) -> Vec<&'a str> {
    let own: HashSet<&str> = rawdata
        .cells()
        .iter()
        .filter(|cell| cell.has_own_clock)
        .map(|cell| cell.algorithm.as_str())
        .collect();
    series.iter().map(|series| series.algorithm.as_str()).filter(|id| own.contains(id)).collect()
}

/// Checks that the rows have the range that the facts of the run describe.
fn check_range(facts: &ExperimentFacts, rawdata: &RawData) -> Result<()> {
    let over = facts.over();
    if over != rawdata.over {
        return Err(Error::new(format!(
            "`{RESULTS}` tells of a range over `{}`, and the columns are those of one over `{}`",
            over.column(),
            rawdata.over.column()
        )));
    }
    let known: BTreeSet<u64> = facts.values().into_iter().collect();
    // Without known values nothing is checked, because a later version of assay may define them otherwise.
    let unknown = rawdata.cells().iter().find(|cell| !known.is_empty() && !known.contains(&cell.range));
    unknown.map_or(Ok(()), |cell| {
        Err(Error::new(format!("`{RESULTS}` tells of no value {} of `{}`", cell.range, over.column())))
    })
}

/// Checks that the columns have the calls that the facts of the run describe.
fn check_calls(calls: &[CallFacts], rawdata: &RawData) -> Result<()> {
    // Each value of the sum-range has a preparation, and as many searches after it as the others.
    let by_value: Vec<&[CallFacts]> = calls.chunk_by(|_, next| next.call == Call::Search).collect();
    let is_like_first = |calls: &&[CallFacts]| calls.len() > 1 && calls.len() == by_value[0].len();
    let is_repetition = by_value.iter().all(|calls| is_like_first(calls) && calls[0].call == Call::Prepare);
    let kinds = Call::ALL.map(Call::name);
    // The only call of its kind has the columns of that kind.
    let mut names = calls.iter().map(|call| call.name.as_str()).filter(|name| !kinds.contains(name));
    let has_columns = |name: &str| {
        let mut counters = rawdata.counters().iter();
        counters.all(|counter| rawdata.column(&counter.column_of_call(name)).is_some())
    };
    match names.find(|name| !has_columns(name)) {
        None if is_repetition => Ok(()),
        None => Err(Error::new(format!("`{RESULTS}` tells of calls that are no repetition"))),
        Some(name) => Err(Error::new(format!(
            "`{RESULTS}` tells of a call `{}`, of which there is no column",
            excerpt(name)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use assay_store::parts::Part;
    use assay_store::testing;

    use super::*;

    const HEAD: &str = "algorithm,pattern_length,repetition,status,occurrences,prepare_ns,search_ns,total_ns";

    /// A report on a text of 1000 bytes from rows of these columns.
    pub(crate) fn report(rows: &str) -> Report {
        try_report(rows).unwrap()
    }

    pub(crate) fn try_report(rows: &str) -> Result<Report> {
        with_columns("", rows)
    }

    pub(crate) fn rawdata(csv: &str) -> Result<RawData> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(csv.as_bytes()).unwrap();
        file.rewind().unwrap();
        RawData::from_file(file, &mut Blocks::default())
    }

    #[test]
    fn a_run_that_ended_early_reports_how_much_it_measured() {
        let mut report = report("a,4,0,ok,3,1,2,3\na,4,1,ok,3,1,2,3\n");
        report.facts.interrupted = false;
        assert_eq!(report.incomplete(), None);
        report.facts.interrupted = true;
        let definition = report.facts.definition.as_mut().unwrap();
        (definition.runs, definition.algorithms) = (10, vec!["a".to_owned(), "b".to_owned()]);
        definition.patterns.lengths = vec![4, 8, 16];
        let sentence = |report: &Report| report.incomplete().unwrap();
        assert_eq!(sentence(&report), "2 of 60 searches were measured");
        report.facts.definition = None;
        assert_eq!(sentence(&report), "2 searches were measured");
    }

    #[test]
    fn a_report_names_the_algorithms_with_own_times_in_their_order() {
        let rows = "hor,4,0,ok,3,1,2,3,own\na,4,0,ok,3,1,2,3,host\nbf,4,0,ok,3,1,2,3,own\n";
        let note = with_columns(",clock", rows).unwrap().clock_note.unwrap();
        assert!(note.ends_with(": bf, hor"), "{note}");
        assert_eq!(report("a,4,0,ok,3,1,2,3\n").clock_note, None);
    }

    #[test]
    fn a_killed_run_takes_its_clock_floor_from_its_blocks() {
        let mut run = testing::run();
        run.experiment.parts = vec![Part::begin()];
        let mut rows = String::new();
        for round in 0..5 {
            for (id, time) in [("a", 90 + round), ("b", 200 + round)] {
                rows += &format!("{id},4,{round},ok,3,1,{time},{},{round}\n", time + 1);
            }
        }
        let head = "round,pattern_length,algorithm,floor_ns,reference_ns,cpu_ns,elapsed_ns,measured_again";
        let (no_floor, floor) = ([(false, true), (false, false)], [(true, false), (true, false)]);
        for (blocks, expected) in [("", no_floor), ("0,4,a,30,900,1,1,0\n", floor)] {
            let rawdata = rawdata(&format!("{HEAD},round\n{rows}")).unwrap();
            let blocks = Blocks::parse(format!("{head}\n{blocks}").as_bytes()).unwrap();
            let report = Report::from_parts(run.clone(), rawdata, blocks).unwrap();
            let ranks = report.ranks(Some(Call::Search)).unwrap().remove(0);
            let ranks: Vec<_> = ranks.iter().map(|rank| (rank.below_floor, rank.is_best())).collect();
            assert_eq!(ranks, expected);
        }
    }

    #[test]
    fn a_report_without_rows_is_empty() {
        assert!(report("").rawdata().is_empty());
        assert!(!report("a,4,0,ok,3,1,2,3\n").rawdata().is_empty());
    }

    #[test]
    fn a_run_that_has_its_header_only_has_no_measurements() {
        let folder = tempfile::tempdir().unwrap();
        let run = testing::run();
        std::fs::write(folder.path().join(RESULTS), serde_json::to_string(&run).unwrap()).unwrap();
        std::fs::write(folder.path().join(MEASUREMENTS), format!("{HEAD}\n")).unwrap();
        let message = Report::load(folder.path()).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("the run `{}` has no measurements", run.experiment.id)),
            "{message}"
        );
        assert!(Report::begun(folder.path()).is_ok());
    }

    /// A report on a row of this pattern length; the facts have the lengths 4 and 100.
    fn report_of_length(length: u64) -> Result<Report> {
        let facts = testing::run().experiment;
        Report::new(facts, rawdata(&format!("{HEAD}\na,{length},0,ok,3,1,2,3\n")).unwrap())
    }

    #[test]
    fn a_pattern_length_that_is_not_among_the_facts_is_refused() {
        assert!(report_of_length(4).is_ok() && report_of_length(100).is_ok());
        let message = report_of_length(8).unwrap_err().to_string();
        assert_eq!(message, format!("`{RESULTS}` tells of no value 8 of `pattern_length`"));
    }

    #[test]
    fn a_call_without_a_column_for_each_counter_is_refused() {
        let call = |name: &str, call| CallFacts { name: name.to_owned(), call, text: Vec::new(), bytes: 1 };
        let mut facts = testing::run().experiment;
        facts.calls = vec![
            call("prepare", Call::Prepare),
            call("search1", Call::Search),
            call("search2", Call::Search),
        ];
        let report = |columns: &str| {
            let rawdata = rawdata(&format!("{HEAD},tsc:cycles,prepare:tsc:cycles{columns}\n"));
            Report::new(facts.clone(), rawdata.unwrap()).map_err(|error| error.to_string())
        };
        let missing =
            |name| Some(format!("`{RESULTS}` tells of a call `{name}`, of which there is no column"));
        assert_eq!(report(",search1_ns,search2_ns,search2:tsc:cycles").err(), missing("search1"));
        assert_eq!(report(",search1_ns,search1:tsc:cycles,search2_ns").err(), missing("search2"));
        assert!(report(",search1_ns,search1:tsc:cycles,search2_ns,search2:tsc:cycles").is_ok());
    }

    /// A report on rows with further columns, each with a comma before it. The counter `mem:level` is a level
    /// in bytes. A total of 0 stands for a missing one.
    pub(crate) fn with_columns(columns: &str, rows: &str) -> Result<Report> {
        let mut csv = format!("{HEAD}{columns}\n");
        for row in rows.lines() {
            let mut cells: Vec<&str> = row.split(',').collect();
            if cells.get(7) == Some(&"0") {
                cells[7] = "";
            }
            csv += &(cells.join(",") + "\n");
        }
        let rawdata = rawdata(&csv)?;
        let mut facts = testing::run().experiment;
        if let Some(definition) = &mut facts.definition {
            definition.patterns.lengths = rawdata.cells().iter().map(|cell| cell.range as usize).collect();
        }
        Report::new(facts, rawdata)
    }
}
