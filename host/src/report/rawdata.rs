//! The rows as they were measured, column by column.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};

use super::{Call, Counter};
use crate::columns::KEYS;
use crate::error::{Error, Result};
use crate::results::CounterFacts;

/// The rows of `measurements.csv`, column by column. What is missing is NaN inside, and `None` outside.
#[derive(Clone, Debug, Default)]
pub struct RawData {
    algorithm_names: Vec<String>,
    status_names: Vec<String>,
    algorithm: Vec<u32>,
    status: Vec<u32>,
    range: Vec<u64>,
    repetition: Vec<Option<u32>>,
    /// Each further column than the [`KEYS`] is one of numbers.
    columns: Vec<String>,
    values: Vec<Vec<f64>>,
    counters: Vec<Counter>,
}

impl RawData {
    /// Reads a file.
    ///
    /// # Errors
    /// If it can't be read, a column is missing, or a cell holds no number: file, line and column.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io("read", path, &error))?;
        Self::parse(file).map_err(|error| error.within(path))
    }

    /// Reads CSV.
    ///
    /// # Errors
    /// As [`read`](Self::read), without the file's name.
    pub fn parse(csv: impl io::Read) -> Result<Self> {
        let mut reader = ReaderBuilder::new().from_reader(csv);
        let header = reader.headers().map_err(malformed)?.clone();
        let mut keys = [0; KEYS.len()];
        for (key, name) in keys.iter_mut().zip(KEYS) {
            *key = header.iter().position(|column| column == name).ok_or_else(|| {
                Error::new(format!("there is no column `{name}`")).remedy("name a run that assay saved")
            })?;
        }
        let numbers: Vec<usize> = (0..header.len()).filter(|index| !keys.contains(index)).collect();
        let columns: Vec<String> = numbers.iter().map(|&index| header[index].to_owned()).collect();
        let mut data = RawData {
            counters: Counter::among(&columns)?,
            values: vec![Vec::new(); columns.len()],
            columns,
            ..RawData::default()
        };
        let (mut algorithms, mut statuses) = (Names::default(), Names::default());
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(malformed)? {
            let cell = |index: usize| CsvCell { record: &record, column: &header[index], index };
            let [algorithm, range, repetition, status] = keys.map(cell);
            data.algorithm.push(algorithms.number(algorithm.text()?));
            data.range.push(range.parse()?.ok_or_else(|| range.wrong("a number"))?);
            data.repetition.push(repetition.parse()?);
            data.status.push(statuses.number(status.text()?));
            for (values, &index) in data.values.iter_mut().zip(&numbers) {
                values.push(cell(index).number()?);
            }
        }
        data.algorithm_names = algorithms.names;
        data.status_names = statuses.names;
        Ok(data)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.algorithm.len()
    }

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The algorithm of a row.
    pub fn algorithm(&self, row: usize) -> &str {
        &self.algorithm_names[self.algorithm[row] as usize]
    }

    /// The algorithm of a row as a number: quicker to compare.
    pub(super) fn algorithm_number(&self, row: usize) -> u32 {
        self.algorithm[row]
    }

    /// How a row ended: `ok`, `timed_out` ..
    pub fn status(&self, row: usize) -> &str {
        &self.status_names[self.status[row] as usize]
    }

    /// The range value of a row: the length of the pattern in bytes.
    pub fn range(&self, row: usize) -> u64 {
        self.range[row]
    }

    /// The number of a row's repetition, counted from 0.
    pub fn repetition(&self, row: usize) -> Option<u32> {
        self.repetition[row]
    }

    /// The columns of numbers.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The number of a column of numbers.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The number in a row and a column.
    pub fn value(&self, row: usize, column: usize) -> Option<f64> {
        Some(self.values[column][row]).filter(|value| !value.is_nan())
    }

    /// The counters: `ns` first, then in the order of the columns.
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The count of a call in a row.
    pub fn count(&self, row: usize, call: Call, counter: usize) -> Option<f64> {
        self.value(row, self.counters[counter].columns[call as usize])
    }

    /// The counter that a column belongs to, if any.
    pub fn counter_of(&self, column: usize) -> Option<&Counter> {
        self.counters.iter().find(|counter| counter.columns.contains(&column))
    }

    /// Tells how counts are to be read.
    pub(super) fn explain_counters(&mut self, facts: &[CounterFacts]) {
        for counter in &mut self.counters {
            counter.explain(facts);
        }
    }

    /// Whether a counter counted in any row.
    pub fn counted(&self, counter: usize) -> bool {
        self.counters[counter].columns.iter().any(|&column| self.values[column].iter().any(|v| !v.is_nan()))
    }
}

/// Texts that repeat, each kept once.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

struct CsvCell<'a> {
    record: &'a ByteRecord,
    column: &'a str,
    index: usize,
}

impl<'a> CsvCell<'a> {
    fn text(&self) -> Result<&'a str> {
        std::str::from_utf8(&self.record[self.index]).map_err(|_| self.wrong("text in UTF-8"))
    }

    /// A whole number; an empty cell is none.
    fn parse<T: std::str::FromStr>(&self) -> Result<Option<T>> {
        let text = self.text()?;
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| self.wrong("a whole number"))
    }

    /// A number; an empty cell is NaN.
    fn number(&self) -> Result<f64> {
        let text = self.text()?;
        if text.is_empty() {
            return Ok(f64::NAN);
        }
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.wrong("a number"))
    }

    fn wrong(&self, expected: &str) -> Error {
        let line = self.record.position().map_or(0, csv::Position::line);
        let found = String::from_utf8_lossy(&self.record[self.index]);
        Error::new(format!("line {line}, column `{}`: `{found}` is not {expected}", self.column))
    }
}

fn malformed(error: csv::Error) -> Error {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => Error::new(format!(
            "line {} has {len} cells and the header {expected_len}",
            pos.as_ref().map_or(0, csv::Position::line)
        )),
        _ => Error::new(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "algorithm,pattern_length,repetition,status,occurrences,prepare_ns,search_ns,total_ns";

    #[test]
    fn an_empty_cell_is_missing_and_a_counter_has_two_columns() {
        let csv = format!(
            "{HEAD},tsc:cycles,prepare:tsc:cycles,#small\nhor,8,0,ok,3,10,,30,99,5,\nhor,8,,crashed,,,,,,,\n"
        );
        let data = RawData::parse(csv.as_bytes()).unwrap();
        let names: Vec<&str> = data.counters().iter().map(|counter| counter.name.as_str()).collect();
        assert_eq!((data.len(), names), (2, vec!["ns", "tsc:cycles"]));
        assert_eq!((data.count(0, Call::Prepare, 0), data.count(0, Call::Search, 0)), (Some(10.0), None));
        assert_eq!(
            (data.count(0, Call::Prepare, 1), data.count(0, Call::Search, 1)),
            (Some(5.0), Some(99.0))
        );
        assert_eq!((data.status(1), data.repetition(1)), ("crashed", None));
        assert_eq!(data.column("#small").map(|column| data.value(0, column)), Some(None));
    }

    #[test]
    fn a_bad_file_is_named_by_line_and_column() {
        let message =
            |rows: &str| RawData::parse(format!("{HEAD}\n{rows}").as_bytes()).unwrap_err().to_string();
        assert_eq!(message("hor,8,0,ok,3,1,x,3\n"), "line 2, column `search_ns`: `x` is not a number");
        assert_eq!(message("hor,8,0,ok,3,1,NaN,3\n"), "line 2, column `search_ns`: `NaN` is not a number");
        assert_eq!(message("hor,,0,ok,3,1,2,3\n"), "line 2, column `pattern_length`: `` is not a number");
        assert_eq!(
            message("hor,8,-1,ok,3,1,2,3\n"),
            "line 2, column `repetition`: `-1` is not a whole number"
        );
        assert_eq!(message("hor,8\n"), "line 2 has 2 cells and the header 8");
        let error = RawData::parse("a,b\n1,2\n".as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with("there is no column `algorithm`"), "{error}");
    }
}
