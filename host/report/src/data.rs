//! What counts, ordered by range value and repetition.

use std::collections::HashMap;
use std::ops::Range;

use assay_base::columns;
use assay_base::error::{Error, Result};
use assay_store::range::CallFacts;

use super::overhead::Overheads;
use super::rawdata::RawCell;
use super::{Call, RawData};

/// Repetitions that are computed with at a time, if one range value has no more: so that memory does not grow
/// with the number of range values, and metrics and statistics are asked seldom.
const AT_A_TIME: usize = 1 << 16;

/// What counts of an algorithm.
#[derive(Clone, Debug)]
pub(super) struct AlgorithmSeries {
    pub algorithm: String,
    /// Ascending by range value.
    pub points: Vec<SeriesPoint>,
}

/// What counts at one range value.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesPoint {
    pub value: u64,
    /// The number of the cell in [`RawData`].
    cell: usize,
    /// The first repetition that counts, and how many do from there on.
    first: usize,
    count: usize,
    /// How many there were before the cell failed. They don't count.
    survived: usize,
}

impl AlgorithmSeries {
    /// The series of all algorithms: first those that were asked for, in this order, then the others by id.
    /// If a cell has a row that is not `ok`, its algorithm and range value are listed, but none of its rows.
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
        let place = |id: &str| asked_at.get(id).copied().unwrap_or(asked.len());
        series.sort_by_cached_key(|series| (place(&series.algorithm), series.algorithm.clone()));
        Ok(series)
    }
}

impl SeriesPoint {
    pub(crate) fn include_failed(&mut self) {
        self.count += std::mem::take(&mut self.survived);
    }

    pub(crate) fn discard_first(&mut self) {
        if self.count > 1 {
            (self.first, self.count) = (self.first + 1, self.count - 1);
        }
    }
}

/// What counts of an algorithm: `[range][sumrange][call][counter]`, each a list by repetition. Range,
/// repetition and sum-range are numbered from 0 in ascending order, counters as in [`RawData::counters`].
#[derive(Clone, Copy, Debug)]
pub struct FullData<'a> {
    rawdata: &'a RawData,
    series: &'a AlgorithmSeries,
    overheads: Option<&'a Overheads>,
    /// What a repetition did, in order; empty where it prepared once and searched once.
    calls: &'a [CallFacts],
}

impl<'a> FullData<'a> {
    pub(super) fn new(
        rawdata: &'a RawData,
        series: &'a AlgorithmSeries,
        overheads: Option<&'a Overheads>,
        calls: &'a [CallFacts],
    ) -> Self {
        FullData { rawdata, series, overheads, calls }
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

    /// What was measured at a range value, whether it counts or not.
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

    /// How the algorithm failed at a range value, as `timed_out`; `None` if it did not.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn failed(&self, range: usize) -> Option<&'a str> {
        self.cell(range).failure()
    }

    /// How many values the sum-range has: each has a preparation of its own.
    pub fn sumrange(&self) -> usize {
        self.calls.iter().filter(|call| call.call == Call::Prepare).count().max(1)
    }

    /// The names of the calls at a value of the sum-range, in order: `prepare`, `search1` .. Those of the
    /// whole repetition are numbered through.
    pub fn calls(&self, sumrange: usize) -> Vec<&'a str> {
        if self.calls.is_empty() {
            return Call::ALL.map(Call::name).to_vec();
        }
        let mut of_values = self.calls.chunk_by(|_, next| next.call == Call::Search);
        of_values.nth(sumrange).into_iter().flatten().map(|call| call.name.as_str()).collect()
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
        let name = self.calls(sumrange)[callid];
        // A call that is the only one of its kind has the columns of that kind.
        if let Some(call) = Call::ALL.into_iter().find(|call| call.name() == name) {
            return self.column(range, self.rawdata.column_of(counter, call));
        }
        let column = match counter {
            0 => columns::call_time(name),
            _ => columns::call_counter(name, &self.rawdata.counters()[counter].name),
        };
        self.column(range, self.rawdata.column(&column).expect("each call has its columns"))
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
        together(self.rawdata.counters()[counter].is_level, parts)
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
        let counting = |values: Vec<f64>| {
            let values = values.into_iter().skip(first).take(count);
            values.map(|value| Some(value).filter(|value| !value.is_nan())).collect()
        };
        Ok(all.into_iter().map(counting).collect())
    }
}

/// What counts of an algorithm, summed over the sum-range: `[range][call][counter]`, each a list by
/// repetition.
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

    /// A count of one call in each repetition, or with `None` of all calls together: their sum, or of a level
    /// what was read last. A sum over something missing is missing.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    ///
    /// # Panics
    /// If there is no such range value or counter.
    pub fn counts(&self, range: usize, call: Option<Call>, counter: usize) -> Result<Vec<Option<f64>>> {
        let is_level = self.0.rawdata.counters()[counter].is_level;
        let calls = call.map_or(Call::ALL.to_vec(), |call| vec![call]);
        // The columns of a kind of call are sums over the sum-range already.
        let sums = |call| self.0.column(range, self.0.rawdata.column_of(counter, call));
        together(is_level, calls.into_iter().map(sums))
    }

    /// A column that belongs to no call in each repetition, such as a measurement of an instrumented run.
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

/// Of what grows, the parts add up; a level is what was read last.
fn together(
    is_level: bool,
    parts: impl Iterator<Item = Result<Vec<Option<f64>>>>,
) -> Result<Vec<Option<f64>>> {
    let parts = parts.reduce(|sum, part| {
        let (sum, part) = (sum?, part?);
        let add = |(a, b): (Option<f64>, Option<f64>)| if is_level { b } else { Some(a? + b?) };
        Ok(sum.into_iter().zip(part).map(add).collect())
    });
    parts.expect("there is a call")
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
        let repetitions = |report: &crate::Report| {
            let data = report.data("a").unwrap();
            [data.repetitions(0), data.repetitions(1)]
        };
        assert_eq!((repetitions(&report), report.range()), ([1, 0], vec![4, 8]));
        assert_eq!(repetitions(&report.include_failed_cells()), [1, 1]);
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

    #[test]
    fn a_piece_has_no_more_repetitions_than_can_be_computed_with_at_once() {
        let rows = |length: usize, count: usize| {
            (0..count).map(|i| format!("a,{length},{i},ok,3,1,2,3\n")).collect::<String>()
        };
        let pieces = |counts: [usize; 4]| {
            let all: String = (1..).zip(counts).map(|(length, count)| rows(length, count)).collect();
            report(&all).data("a").unwrap().pieces()
        };
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
    fn calls_of_a_sum_range_are_there_one_by_one_and_summed() {
        let columns = ",prepare1_ns,search1_ns,search2_ns,prepare2_ns,search3_ns,search4_ns";
        let mut report = with_columns(columns, "a,8,0,ok,3,5,100,105,2,10,20,3,30,40\n").unwrap();
        let call = |name: &str, call| CallFacts { name: name.to_owned(), call, text: Vec::new(), bytes: 9 };
        let (prepare, search) = (Call::Prepare, Call::Search);
        report.facts.calls = vec![
            call("prepare1", prepare),
            call("search1", search),
            call("search2", search),
            call("prepare2", prepare),
            call("search3", search),
            call("search4", search),
        ];
        let (full, data) = (report.fulldata("a").unwrap(), report.data("a").unwrap());
        assert_eq!((full.sumrange(), full.calls(1)), (2, vec!["prepare2", "search3", "search4"]));
        let count = |sumrange, callid| full.counts_of(0, sumrange, callid, 0).unwrap()[0];
        assert_eq!([count(0, 0), count(0, 2), count(1, 1)], [Some(2.0), Some(20.0), Some(30.0)]);
        let kind = |sumrange, call| full.counts(0, sumrange, call, 0).unwrap()[0];
        assert_eq!([kind(0, search), kind(1, search), kind(1, prepare)], [Some(30.0), Some(70.0), Some(3.0)]);
        let all = |call| data.counts(0, call, 0).unwrap()[0];
        assert_eq!([all(Some(search)), all(Some(prepare)), all(None)], [Some(100.0), Some(5.0), Some(105.0)]);
    }

    #[test]
    fn algorithms_come_in_the_order_asked_for_and_others_behind_them() {
        let raw = report("a,8,0,ok,3,1,2,3\nb,8,0,ok,3,1,2,3\nc,8,0,ok,3,1,2,3\n");
        let order = |asked: [&str; 2]| {
            let series = AlgorithmSeries::all(raw.rawdata(), &asked.map(str::to_owned)).unwrap();
            series.into_iter().map(|series| series.algorithm).collect::<String>()
        };
        assert_eq!([order(["c", "a"]), order(["x", "b"])], ["cab", "bac"]);
    }
}
