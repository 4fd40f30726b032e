//! The measurements that count, ordered by range value and repetition.

mod by_call;

use std::collections::HashMap;
use std::ops::Range;

use assay_base::columns;
use assay_base::error::{Error, Result};
use assay_store::range::{CallFacts, sumrange_values};

use super::overhead::Overheads;
use super::rawdata::RawCell;
use super::selected_calls::SelectedCalls;
use super::{Call, RawData};

/// The most repetitions of a piece of the range, unless one range value has more. Pieces are read one after
/// the other, because then memory does not grow with the number of range values. At this size, a column takes
/// 1 MiB, and metrics and statistics are called seldom.
const AT_A_TIME: usize = 1 << 16;

/// The repetitions of an algorithm that count, at all range values.
#[derive(Clone, Debug)]
pub(super) struct AlgorithmSeries {
    pub algorithm: String,
    /// Ascending by range value.
    pub points: Vec<SeriesPoint>,
}

/// The repetitions of an algorithm that count, at one range value.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesPoint {
    pub value: u64,
    /// The number of the cell in [`RawData`].
    cell: usize,
    /// The number of the first row of the cell that counts.
    first: usize,
    /// The number of rows that count.
    count: usize,
    /// The number of repetitions before the cell failed. They don't count.
    survived: usize,
}

impl AlgorithmSeries {
    /// The series of all algorithms: first those that were asked for, in this order, then the others by id.
    /// A cell with a row that is not `ok` has a point without any row that counts.
    pub(crate) fn all(raw: &RawData, asked: &[String]) -> Result<Vec<AlgorithmSeries>> {
        let mut series: Vec<AlgorithmSeries> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (number, cell) in raw.cells().iter().enumerate() {
            if let Some(repetition) = cell.rows.twice() {
                return Err(Error::new(format!(
                    "repetition {repetition} of `{}` at {} is there twice",
                    cell.algorithm, cell.range
                )));
            }
            let rows = cell.rows.len();
            let (count, survived) = if cell.failed.is_empty() { (rows, 0) } else { (0, rows) };
            let point = SeriesPoint { value: cell.range, cell: number, first: 0, count, survived };
            let place = *places.entry(&cell.algorithm).or_insert(series.len());
            if place == series.len() {
                series.push(AlgorithmSeries { algorithm: cell.algorithm.clone(), points: Vec::new() });
            }
            series[place].points.push(point);
        }
        for series in &mut series {
            series.points.sort_unstable_by_key(|point| point.value);
        }
        let asked_at: HashMap<&str, usize> =
            asked.iter().enumerate().rev().map(|(place, id)| (id.as_str(), place)).collect();
        series.sort_by_cached_key(|series| {
            let place = asked_at.get(series.algorithm.as_str()).copied();
            (place.unwrap_or(asked.len()), series.algorithm.clone())
        });
        Ok(series)
    }
}

impl SeriesPoint {
    /// Counts the repetitions before the cell failed, too.
    pub(crate) fn include_failed(&mut self) {
        self.count += std::mem::take(&mut self.survived);
    }

    /// Leaves out the first repetition, unless it is the only one.
    pub(crate) fn discard_first(&mut self) {
        if self.count > 1 {
            (self.first, self.count) = (self.first + 1, self.count - 1);
        }
    }
}

/// The measurements of an algorithm that count: `[range][sumrange][call][counter]`, each a list by
/// repetition. Range, repetition and sum-range are numbered from 0 in ascending order, counters as in
/// [`RawData::counters`].
#[derive(Clone, Copy, Debug)]
pub struct FullData<'a> {
    rawdata: &'a RawData,
    series: &'a AlgorithmSeries,
    overheads: Option<&'a Overheads>,
    /// The calls of a repetition, in order; empty if it prepared once and searched once.
    calls: &'a [CallFacts],
    /// The calls that stand for all calls of their kind, if not all do.
    selected: Option<&'a SelectedCalls>,
}

impl<'a> FullData<'a> {
    pub(super) fn new(
        rawdata: &'a RawData,
        series: &'a AlgorithmSeries,
        overheads: Option<&'a Overheads>,
        calls: &'a [CallFacts],
        selected: Option<&'a SelectedCalls>,
    ) -> Self {
        FullData { rawdata, series, overheads, calls, selected }
    }

    /// The columns whose sum is what a counter counted in the calls of a kind.
    pub(super) fn columns_of(&self, counter: usize, call: Call) -> Vec<usize> {
        match self.selected.filter(|selected| selected.kind == call) {
            Some(selected) => selected.columns(counter).to_vec(),
            // The column of a kind of call is a sum over the sum-range already.
            None => vec![self.rawdata.column_of(counter, call)],
        }
    }

    /// The range values.
    pub fn range(&self) -> impl ExactSizeIterator<Item = u64> + use<'a> {
        self.series.points.iter().map(|point| point.value)
    }

    /// A range value by its number.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn range_value(&self, range: usize) -> u64 {
        self.series.points[range].value
    }

    /// The number of a range value; `None` if the algorithm was not measured there.
    pub fn place_of(&self, value: u64) -> Option<usize> {
        self.series.points.binary_search_by_key(&value, |point| point.value).ok()
    }

    /// All rows that were measured at a range value, including those that don't count.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn cell(&self, range: usize) -> &'a RawCell {
        &self.rawdata.cells()[self.series.points[range].cell]
    }

    /// How many repetitions count at a range value.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn repetitions(&self, range: usize) -> usize {
        self.series.points[range].count
    }

    /// How the algorithm failed at a range value, such as `timed_out`; `None` if it did not.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn failed(&self, range: usize) -> Option<&'a str> {
        self.cell(range).failure()
    }

    /// The number of values of the sum-range, counted by the preparations, because each value has one.
    pub fn sumrange(&self) -> usize {
        sumrange_values(self.calls)
    }

    /// The names of the calls at a value of the sum-range, in order: `prepare`, `search1` .. The numbers run
    /// through the whole repetition, so the second value does not begin with 1.
    pub fn calls(&self, sumrange: usize) -> Vec<&'a str> {
        if self.calls.is_empty() {
            return Call::ALL.map(Call::name).to_vec();
        }
        // Each preparation begins a value.
        let mut by_value = self.calls.chunk_by(|_, next| next.call == Call::Search);
        by_value.nth(sumrange).into_iter().flatten().map(|call| call.name.as_str()).collect()
    }

    /// What a counter counted in a call of a value of the sum-range, in each repetition:
    /// `[range][sumrange][callid][counter]`; `None` is missing.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value, value of the sum-range, call or counter.
    pub fn counts_of(
        &self,
        range: usize,
        sumrange: usize,
        callid: usize,
        counter: usize,
    ) -> Result<Vec<Option<f64>>> {
        self.column(range, self.rawdata.column_of_call(counter, self.calls(sumrange)[callid]))
    }

    /// The numbers that the repetitions at a range value had in the run.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn repetition_numbers(&self, range: usize) -> impl Iterator<Item = u32> + use<'a> {
        let SeriesPoint { cell, first, count, .. } = self.series.points[range];
        self.rawdata.cells()[cell].rows.repetitions().skip(first).take(count)
    }

    /// What a counter counted in all calls of a kind at a value of the sum-range, in each repetition; `None`
    /// is missing.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value, value of the sum-range or counter.
    pub fn counts(
        &self,
        range: usize,
        sumrange: usize,
        call: Call,
        counter: usize,
    ) -> Result<Vec<Option<f64>>> {
        let names = self.calls(sumrange);
        let of_kind = (0..names.len()).filter(|callid| names[*callid].starts_with(call.name()));
        let parts = of_kind.map(|callid| self.counts_of(range, sumrange, callid, counter));
        combine_calls(self.rawdata.counters()[counter].is_level, parts)
    }

    /// A column of numbers, in each repetition; `None` is missing.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value or column.
    pub fn column(&self, range: usize, column: usize) -> Result<Vec<Option<f64>>> {
        Ok(self.columns(range, &[column])?.remove(0))
    }

    /// The round of each repetition; `None` if the run did not record them. Each part of a run has its own.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn rounds(&self, range: usize) -> Result<Option<Vec<Option<f64>>>> {
        let Some(column) = self.rawdata.column(columns::ROUND) else { return Ok(None) };
        Ok(Some(self.rounds_by_part(range, self.column(range, column)?)))
    }

    /// Rounds that were read from the column, with different numbers in different parts of the run.
    pub(super) fn rounds_by_part(&self, range: usize, rounds: Vec<Option<f64>>) -> Vec<Option<f64>> {
        let SeriesPoint { cell, first, .. } = self.series.points[range];
        self.rawdata.parts.separate_rounds(&self.rawdata.cells()[cell], first, rounds)
    }

    /// Several columns at once, because a pass over the rows costs more than a column of it:
    /// `[column][repetition]`.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    ///
    /// # Panics
    /// As [`column`](Self::column).
    pub fn columns(&self, range: usize, columns: &[usize]) -> Result<Vec<Vec<Option<f64>>>> {
        let SeriesPoint { cell, first, count, .. } = self.series.points[range];
        if count == 0 {
            return Ok(vec![Vec::new(); columns.len()]);
        }
        let mut all = self.rawdata.values(&self.rawdata.cells()[cell].rows, columns)?;
        if let Some(overheads) = self.overheads {
            columns.iter().zip(&mut all).for_each(|(column, values)| overheads.subtract(*column, values));
        }
        let counting = all.into_iter().map(|values| values.into_iter().skip(first).take(count));
        Ok(counting.map(|values| values.map(|value| (!value.is_nan()).then_some(value)).collect()).collect())
    }
}

/// The measurements of an algorithm that count, summed over the sum-range: `[range][call][counter]`, each a
/// list by repetition.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a>(pub(super) FullData<'a>);

impl<'a> Data<'a> {
    /// The range values.
    pub fn range(&self) -> impl ExactSizeIterator<Item = u64> + use<'a> {
        self.0.range()
    }

    /// The range in pieces that are small enough to compute with all repetitions of one at once.
    pub fn pieces(&self) -> Vec<Range<usize>> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let mut repetitions = 0;
        for range in 0..self.range().len() {
            repetitions += self.repetitions(range);
            match pieces.last_mut() {
                Some(piece) if repetitions <= AT_A_TIME => piece.end = range + 1,
                _ => {
                    repetitions = self.repetitions(range);
                    pieces.push(range..range + 1);
                }
            }
        }
        pieces
    }

    /// A range value by its number.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn range_value(&self, range: usize) -> u64 {
        self.0.range_value(range)
    }

    /// How many repetitions count at a range value.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn repetitions(&self, range: usize) -> usize {
        self.0.repetitions(range)
    }

    /// A count of one kind of call in each repetition, or with `None` of all calls together: their sum, or
    /// the last reading of a level. A sum is missing if a part of it is.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value or counter.
    pub fn counts(&self, range: usize, call: Option<Call>, counter: usize) -> Result<Vec<Option<f64>>> {
        let is_level = self.0.rawdata.counters()[counter].is_level;
        // An algorithm that takes its own times prepares and searches in one call, so what was counted of its
        // search is the count of both. Its times (counter 0) are those that it took of each.
        let is_of_both = counter > 0 && self.0.cell(range).has_own_clock;
        let call = call.or(is_of_both.then_some(Call::Search));
        let calls = call.map_or(Call::ALL.to_vec(), |call| vec![call]);
        let columns = calls.into_iter().flat_map(|call| self.0.columns_of(counter, call));
        combine_calls(is_level, columns.map(|column| self.0.column(range, column)))
    }

    /// A column in each repetition that belongs to no call, such as a measurement of an instrumented run.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value or column.
    pub fn column(&self, range: usize, column: usize) -> Result<Vec<Option<f64>>> {
        self.0.column(range, column)
    }
}

/// The count of several calls in each repetition, from the counts of each call: their sum, or the last
/// reading of a level.
fn combine_calls(
    is_level: bool,
    calls: impl Iterator<Item = Result<Vec<Option<f64>>>>,
) -> Result<Vec<Option<f64>>> {
    let combined = calls.reduce(|earlier, later| {
        let counts = earlier?.into_iter().zip(later?);
        Ok(counts.map(|(sum, count)| if is_level { count } else { Some(sum? + count?) }).collect())
    });
    combined.expect("there is a call")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{report, with_columns};
    use super::*;

    #[test]
    fn rows_are_ordered_and_what_is_not_ok_does_not_count() {
        let report =
            report("b,8,1,ok,3,10,20,30\nb,8,0,ok,3,11,21,32\nb,4,0,timed_out,,,,\na,8,0,ok,3,,7,\n");
        assert_eq!(report.algorithms().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(report.range(), [4, 8]);
        let (full, data) = (report.fulldata("b").unwrap(), report.data("b").unwrap());
        assert_eq!(full.range().collect::<Vec<_>>(), [4, 8]);
        assert_eq!((full.repetitions(0), full.repetitions(1)), (0, 2));
        assert_eq!(full.counts(1, 0, Call::Search, 0).unwrap(), [Some(21.0), Some(20.0)]);
        assert_eq!(full.repetition_numbers(1).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(data.counts(1, None, 0).unwrap(), [Some(32.0), Some(30.0)]);
        let occurrences = report.rawdata().column("occurrences").unwrap();
        assert_eq!(data.column(1, occurrences).unwrap(), [Some(3.0); 2]);
    }

    #[test]
    fn what_a_failed_cell_survived_counts_only_if_it_is_asked_for() {
        let report = report("a,4,0,ok,3,1,2,3\na,8,0,ok,3,1,2,3\na,8,1,crashed,,,,\n");
        assert_eq!((repetitions(&report), report.range()), ([1, 0], vec![4, 8]));
        assert_eq!(repetitions(&report.include_failed_cells()), [1, 1]);
    }

    /// The numbers of repetitions of `a` that count at the first two range values.
    fn repetitions(report: &crate::Report) -> [usize; 2] {
        let data = report.data("a").unwrap();
        [data.repetitions(0), data.repetitions(1)]
    }

    #[test]
    fn a_sum_over_something_missing_is_missing() {
        let report = report("a,8,0,ok,3,,7,\n");
        let data = report.data("a").unwrap();
        let counts = |call| data.counts(0, call, 0).unwrap();
        assert_eq!((counts(Some(Call::Search)), counts(None)), (vec![Some(7.0)], vec![None]));
        assert!(report.data("b").is_none());
    }

    #[test]
    fn a_level_is_what_was_read_last_and_never_a_sum() {
        let columns = ",mem:level,prepare:mem:level";
        let report = with_columns(columns, "a,8,0,ok,3,1,2,3,50,40\na,8,1,ok,3,1,2,3,,40\n").unwrap();
        let data = report.data("a").unwrap();
        let counts = |call| data.counts(0, call, 1).unwrap();
        assert_eq!(counts(Some(Call::Prepare)), [Some(40.0), Some(40.0)]);
        assert_eq!(
            (counts(Some(Call::Search)), counts(None)),
            (vec![Some(50.0), None], vec![Some(50.0), None])
        );
        assert_eq!(data.counts(0, None, 0).unwrap(), [Some(3.0); 2]);
    }

    #[test]
    fn a_count_of_both_calls_of_an_algorithm_with_own_times_is_that_of_its_one_call() {
        let rows = "a,8,0,ok,3,1,2,9,50,,own\nb,8,0,ok,3,1,2,3,40,10,host\n";
        let report = with_columns(",x:y,prepare:x:y,clock", rows).unwrap();
        let counts =
            |algorithm, call, counter| report.data(algorithm).unwrap().counts(0, call, counter).unwrap()[0];
        assert_eq!(["a", "b"].map(|algorithm| counts(algorithm, None, 1)), [Some(50.0); 2]);
        assert_eq!(counts("a", Some(Call::Prepare), 1), None);
        assert_eq!(counts("a", None, 0), Some(3.0), "its times");
    }

    #[test]
    fn the_first_repetition_is_discarded_unless_it_is_alone() {
        let all = report("a,4,0,ok,3,1,1,2\na,8,2,ok,3,5,5,10\na,8,1,ok,3,6,6,12\n");
        let less = all.discard_first_repetitions();
        let data = less.data("a").unwrap();
        assert_eq!((data.repetitions(0), data.repetitions(1)), (1, 1));
        let counts = |range| data.counts(range, None, 0).unwrap();
        assert_eq!((counts(0), counts(1)), (vec![Some(2.0)], vec![Some(10.0)]));
        assert_eq!(all.data("a").unwrap().repetitions(1), 2);
    }

    #[test]
    fn a_repetition_is_there_once_and_has_a_number() {
        let error = |rows: &str| super::super::tests::try_report(rows).unwrap_err().to_string();
        assert_eq!(error("a,8,3,ok,3,1,1,2\na,8,3,ok,3,1,1,2\n"), "repetition 3 of `a` at 8 is there twice");
        assert_eq!(
            error("a,8,,ok,3,1,1,2\n"),
            "line 2: a row of `a` with pattern length 8 has no number of its repetition"
        );
    }

    /// The pieces of four range values with these numbers of repetitions.
    fn pieces(counts: [usize; 4]) -> Vec<Range<usize>> {
        let mut rows = String::new();
        for (length, count) in (1..).zip(counts) {
            rows.extend((0..count).map(|i| format!("a,{length},{i},ok,3,1,2,3\n")));
        }
        report(&rows).data("a").unwrap().pieces()
    }

    #[test]
    fn a_piece_has_no_more_repetitions_than_can_be_computed_with_at_once() {
        let half = AT_A_TIME / 2;
        assert_eq!(pieces([1, 2, 3, AT_A_TIME]), [0..3, 3..4]);
        assert_eq!(pieces([half, half, 1, 1]), [0..2, 2..4]);
        assert_eq!(pieces([half, half + 1, half - 1, 1]), [0..1, 1..3, 3..4]);
        assert_eq!(pieces([AT_A_TIME + 1, 1, AT_A_TIME - 1, 1]), [0..1, 1..3, 3..4]);
    }

    #[test]
    fn an_ordinary_repetition_has_one_text_and_two_calls() {
        let report = report("a,8,0,ok,3,1,2,3\n");
        let full = report.fulldata("a").unwrap();
        assert_eq!((full.sumrange(), full.calls(0)), (1, vec!["prepare", "search"]));
        assert_eq!(full.counts_of(0, 0, 1, 0).unwrap(), [Some(2.0)]);
    }

    #[test]
    fn algorithms_come_in_the_order_asked_for_and_others_after_them() {
        let raw = report("a,8,0,ok,3,1,2,3\nb,8,0,ok,3,1,2,3\nc,8,0,ok,3,1,2,3\n");
        for (asked, expected) in [(["c", "a"], "cab"), (["x", "b"], "bac")] {
            let series = AlgorithmSeries::all(raw.rawdata(), &asked.map(str::to_owned)).unwrap();
            assert_eq!(series.into_iter().map(|series| series.algorithm).collect::<String>(), expected);
        }
    }
}
