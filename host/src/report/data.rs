//! What counts, ordered by range value and repetition.

use super::{Call, RawData};
use crate::error::{Error, Result};
use crate::results::Status;

/// How many values the sum-range has: a run searches one text, and each repetition is one row. Indices take it into account
/// for the day when an experiment has several texts.
const SUMRANGE: usize = 1;

/// The rows of an algorithm that count.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub algorithm: String,
    /// Ascending by range value.
    pub points: Vec<Point>,
}

/// The rows at one range value.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub value: u64,
    /// [`SUMRANGE`] rows for each repetition, ascending.
    rows: Vec<usize>,
}

impl Series {
    /// Orders the rows by algorithm: in the order `asked` for, others behind them by id. Of rows that are not `ok`, the algorithm and the range value stay.
    pub fn of(raw: &RawData, asked: &[String]) -> Result<Vec<Series>> {
        let mut rows: Vec<usize> = (0..raw.len()).collect();
        rows.sort_unstable_by_key(|&row| (raw.algorithm_number(row), raw.range(row), raw.repetition(row)));
        let mut series: Vec<Series> = Vec::new();
        for of_algorithm in rows.chunk_by(|&a, &b| raw.algorithm_number(a) == raw.algorithm_number(b)) {
            let points = of_algorithm.chunk_by(|&a, &b| raw.range(a) == raw.range(b));
            let points = points.map(|rows| Point::of(raw, rows)).collect::<Result<_>>()?;
            series.push(Series { algorithm: raw.algorithm(of_algorithm[0]).to_owned(), points });
        }
        let place = |id: &str| asked.iter().position(|other| other == id).unwrap_or(asked.len());
        series.sort_by_cached_key(|series| (place(&series.algorithm), series.algorithm.clone()));
        Ok(series)
    }
}

impl Point {
    fn of(raw: &RawData, rows: &[usize]) -> Result<Point> {
        let value = raw.range(rows[0]);
        let rows: Vec<usize> =
            rows.iter().copied().filter(|&row| raw.status(row) == Status::Ok.name()).collect();
        let place = |row: usize| format!("`{}` with pattern length {value}", raw.algorithm(row));
        if let Some(&row) = rows.iter().find(|&&row| raw.repetition(row).is_none()) {
            return Err(Error::new(format!("a row of {} has no number of its repetition", place(row))));
        }
        if let Some(pair) = rows.windows(2).find(|pair| raw.repetition(pair[0]) == raw.repetition(pair[1])) {
            let repetition = raw.repetition(pair[0]).unwrap_or_default();
            return Err(Error::new(format!("repetition {repetition} of {} is there twice", place(pair[0]))));
        }
        Ok(Point { value, rows })
    }

    pub fn discard_first(&mut self) {
        if self.rows.len() > SUMRANGE {
            self.rows.drain(..SUMRANGE);
        }
    }
}

/// What counts of an algorithm: `[range][repetition][sumrange][call][counter]`. Range, repetition and sum-range are
/// numbered from 0 in ascending order, counters as in [`RawData::counters`].
#[derive(Clone, Copy, Debug)]
pub struct FullData<'a> {
    pub(super) rawdata: &'a RawData,
    pub(super) series: &'a Series,
}

impl<'a> FullData<'a> {
    /// The range values.
    pub fn range(&self) -> impl ExactSizeIterator<Item = u64> + use<'a> {
        self.series.points.iter().map(|point| point.value)
    }

    /// How many repetitions count at a range value.
    pub fn repetitions(&self, range: usize) -> usize {
        self.series.points[range].rows.len() / SUMRANGE
    }

    /// How many values the sum-range has.
    pub fn sumrange(&self) -> usize {
        SUMRANGE
    }

    /// The row of [`RawData`] that was measured there.
    ///
    /// # Panics
    /// If there is no such range value, repetition or value of the sum-range.
    pub fn row(&self, range: usize, repetition: usize, sumrange: usize) -> usize {
        self.series.points[range].rows[repetition * SUMRANGE + sumrange]
    }

    /// A count; `None` is missing.
    ///
    /// # Panics
    /// If there is no such range value, repetition, value of the sum-range or counter.
    pub fn get(
        &self,
        range: usize,
        repetition: usize,
        sumrange: usize,
        call: Call,
        counter: usize,
    ) -> Option<f64> {
        self.rawdata.count(self.row(range, repetition, sumrange), call, counter)
    }
}

/// What counts of an algorithm, summed over the sum-range: `[range][repetition][call][counter]`.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a>(pub(super) FullData<'a>);

impl<'a> Data<'a> {
    /// The range values.
    pub fn range(&self) -> impl ExactSizeIterator<Item = u64> + use<'a> {
        self.0.range()
    }

    /// A range value by its number.
    ///
    /// # Panics
    /// If there is no such range value.
    pub fn range_value(&self, range: usize) -> u64 {
        self.0.series.points[range].value
    }

    /// How many repetitions count at a range value.
    pub fn repetitions(&self, range: usize) -> usize {
        self.0.repetitions(range)
    }

    /// A count of one call, or with `None` of all calls together: their sum, or of a level what was read last. A sum over
    /// something missing is missing.
    ///
    /// # Panics
    /// If there is no such range value, repetition or counter.
    pub fn get(&self, range: usize, repetition: usize, call: Option<Call>, counter: usize) -> Option<f64> {
        let is_level = self.0.rawdata.counters()[counter].is_level;
        let of_call = |call| {
            let sumrange = 0..self.0.sumrange();
            together(is_level, sumrange.map(|i| self.0.get(range, repetition, i, call, counter)))
        };
        call.map_or_else(|| together(is_level, Call::ALL.into_iter().map(of_call)), of_call)
    }

    /// A column that belongs to no call, such as a measurement of an instrumented run.
    ///
    /// # Panics
    /// If there is no such range value, repetition or column.
    pub fn column(&self, range: usize, repetition: usize, column: usize) -> Option<f64> {
        let rows = (0..self.0.sumrange()).map(|i| self.0.row(range, repetition, i));
        rows.map(|row| self.0.rawdata.value(row, column)).sum()
    }
}

/// Of what grows, the parts add up; a level is what was read last.
fn together(is_level: bool, mut parts: impl DoubleEndedIterator<Item = Option<f64>>) -> Option<f64> {
    if is_level { parts.next_back().flatten() } else { parts.sum() }
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
        assert_eq!(full.get(1, 0, 0, Call::Search, 0), Some(21.0));
        assert_eq!((data.get(1, 0, None, 0), data.get(1, 1, None, 0)), (Some(32.0), Some(30.0)));
        let occurrences = report.rawdata().column("occurrences").unwrap();
        assert_eq!(data.column(1, 1, occurrences), Some(3.0));
    }

    #[test]
    fn a_sum_over_something_missing_is_missing() {
        let report = report("a,8,0,ok,3,,7,\n");
        let data = report.data("a").unwrap();
        assert_eq!((data.get(0, 0, Some(Call::Search), 0), data.get(0, 0, None, 0)), (Some(7.0), None));
        assert!(report.data("b").is_none());
    }

    #[test]
    fn a_level_is_what_was_read_last_and_never_a_sum() {
        let columns = ",mem:level,prepare:mem:level";
        let report = with_columns(columns, "a,8,0,ok,3,1,2,3,50,40\na,8,1,ok,3,1,2,3,,40\n").unwrap();
        let data = report.data("a").unwrap();
        let get = |repetition, call| data.get(0, repetition, call, 1);
        assert_eq!((get(0, Some(Call::Prepare)), get(0, Some(Call::Search))), (Some(40.0), Some(50.0)));
        assert_eq!((get(0, None), get(1, None)), (Some(50.0), None));
        assert_eq!(data.get(0, 0, None, 0), Some(3.0));
    }

    #[test]
    fn the_first_repetition_is_discarded_unless_it_is_alone() {
        let all = report("a,4,0,ok,3,1,1,2\na,8,2,ok,3,5,5,10\na,8,1,ok,3,6,6,12\n");
        let less = all.discard_first_repetitions();
        let data = less.data("a").unwrap();
        assert_eq!((data.repetitions(0), data.repetitions(1)), (1, 1));
        assert_eq!((data.get(0, 0, None, 0), data.get(1, 0, None, 0)), (Some(2.0), Some(10.0)));
        assert_eq!(all.data("a").unwrap().repetitions(1), 2);
    }

    #[test]
    fn a_repetition_is_there_once_and_has_a_number() {
        let error = |rows: &str| super::super::tests::try_report(rows).unwrap_err().to_string();
        assert_eq!(
            error("a,8,3,ok,3,1,1,2\na,8,3,ok,3,1,1,2\n"),
            "repetition 3 of `a` with pattern length 8 is there twice"
        );
        assert_eq!(
            error("a,8,,ok,3,1,1,2\n"),
            "a row of `a` with pattern length 8 has no number of its repetition"
        );
    }
}
