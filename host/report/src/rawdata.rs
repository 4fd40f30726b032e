//! The rows of `measurements.csv`, with the numbers in them read when they are needed.

mod parts;
mod scan;
mod sums;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use assay_base::error::{Error, Result};
use assay_experiment::first_counter::has_name;
use assay_experiment::range::Over;
use assay_plugin_api::inputs;
use assay_store::CounterFacts;
use assay_store::blocks::Blocks;
use assay_store::row_reader::{Lines, Rows};

use super::{Call, Counter};
pub(super) use parts::RunParts;

/// The rows of `measurements.csv`. They stay in the file, which was read once, to check it and to index its
/// rows.
#[derive(Debug)]
pub struct RawData {
    file: File,
    cells: Vec<RawCell>,
    /// The names of all columns, in order.
    header: Vec<String>,
    /// The columns of numbers, in order.
    columns: Vec<Column>,
    counters: Vec<Counter>,
    /// The number of rows.
    length: usize,
    /// The number of the first line that is left out, because its block is not complete.
    torn: Option<u64>,
    /// The parts of the run, if there are several.
    pub(super) parts: RunParts,
    /// What varies over the range, as the columns show.
    pub(super) over: Over,
}

/// The rows of one algorithm with one value of the range.
#[derive(Debug)]
pub struct RawCell {
    /// Id of the algorithm.
    pub algorithm: String,
    /// The value of the range: the length of the pattern in bytes, unless something else varies.
    pub range: u64,
    /// The rows that are `ok`.
    pub rows: Rows,
    /// The number of rows with each other status: `timed_out` ..
    pub failed: BTreeMap<String, usize>,
    /// The lines of these rows.
    failed_lines: Vec<Lines>,
    /// Whether its times of preparation and search are by the clock of the algorithm itself.
    pub has_own_clock: bool,
}

impl RawCell {
    /// Its failure, such as `timed_out`; `None` if all its rows are `ok`.
    pub fn failure(&self) -> Option<&str> {
        self.failed.keys().next().map(String::as_str)
    }
}

/// A column of numbers.
#[derive(Debug)]
struct Column {
    name: String,
    /// Its place in a line.
    place: usize,
    /// Whether it has a number in any row.
    filled: bool,
}

impl RawData {
    /// Checks and indexes a file. Its lines count if they belong to one of the blocks; blocks whose lines are
    /// missing at its end are left out. If an earlier version wrote the blocks, all lines count.
    ///
    /// # Errors
    /// If it can't be read, a column is missing, a cell holds no number, or a block is not what the run
    /// wrote: file, line and column.
    pub fn read(path: &Path, blocks: &mut Blocks) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io("read", path, &error))?;
        Self::from_file(file, blocks).map_err(|error| error.within(path))
    }

    /// Checks and indexes an open file.
    ///
    /// # Errors
    /// As [`read`](Self::read), without the file's name.
    pub fn from_file(file: File, blocks: &mut Blocks) -> Result<Self> {
        scan::scan(file, blocks)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The number of the first line that is left out, if the writer was killed before its block was complete.
    pub fn torn(&self) -> Option<u64> {
        self.torn
    }

    /// The cells, in the order in which their measurement began.
    pub fn cells(&self) -> &[RawCell] {
        &self.cells
    }

    /// The columns of numbers.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The number of a column of numbers.
    pub fn column(&self, name: &str) -> Option<usize> {
        position(&self.columns, name)
    }

    /// The names of all columns of the file, in order.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// Where the lines of a cell are, whatever their status, in no particular order.
    pub(super) fn lines_of<'a>(&self, cell: &'a RawCell) -> impl Iterator<Item = Lines> + use<'a> {
        cell.rows.lines().iter().chain(&cell.failed_lines).copied()
    }

    /// The text of lines of the file.
    ///
    /// # Errors
    /// If they can't be read again.
    pub(super) fn text_of(&self, lines: Lines) -> Result<Vec<u8>> {
        let mut text = vec![0; lines.bytes as usize];
        self.file.read_exact_at(&mut text, lines.offset).map_err(|error| not_read_again(&error))?;
        Ok(text)
    }

    /// The numbers of some columns in some rows of a cell; NaN is missing.
    ///
    /// # Errors
    /// If they can't be read again.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn values(&self, rows: &Rows, columns: &[usize]) -> Result<Vec<Vec<f64>>> {
        let places: Vec<usize> = columns.iter().map(|&column| self.columns[column].place).collect();
        rows.read(&self.file, &places).map_err(|error| not_read_again(&error))
    }

    /// The number of a counter by its name, or by that of its event: `ns`, `tsc:cycles` or `cycles`.
    pub fn counter(&self, name: &str) -> Option<usize> {
        self.counters.iter().position(|counter| has_name(&counter.name, name))
    }

    /// Makes this counter the first one, if there is one of this name.
    pub(super) fn put_first(&mut self, name: &str) {
        if let Some(number) = self.counter(name) {
            let first = self.counters.remove(number);
            self.counters.insert(0, first);
        }
    }

    /// The counters: `ns` first, unless the experiment names another, then in the order of the columns.
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The counter that a column belongs to, if any.
    pub fn counter_of(&self, column: usize) -> Option<&Counter> {
        self.counters.iter().find(|counter| counter.columns.contains(&column))
    }

    /// The number of the counter of time, `ns`.
    pub fn time(&self) -> usize {
        self.counters.iter().position(|counter| counter.name == inputs::NS).expect("each run has times")
    }

    /// The column of a counter in a call.
    pub(super) fn column_of(&self, counter: usize, call: Call) -> usize {
        self.counters[counter].columns[call as usize]
    }

    /// Gives each counter the unit and the semantics that the run recorded.
    pub(super) fn explain_counters(&mut self, facts: &[CounterFacts]) {
        for counter in &mut self.counters {
            counter.explain(facts);
        }
    }

    /// Whether a counter has a count in any row.
    pub fn counted(&self, counter: usize) -> bool {
        self.counters[counter].columns.iter().any(|&column| self.columns[column].filled)
    }
}

fn not_read_again(error: &io::Error) -> Error {
    Error::new(format!("the measurements can't be read again: {error}"))
}

/// The number of a column of numbers by its name.
fn position(columns: &[Column], name: &str) -> Option<usize> {
    columns.iter().position(|column| column.name == name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::rawdata;
    use super::*;

    const HEAD: &str = "algorithm,pattern_length,repetition,status,occurrences,prepare_ns,search_ns,total_ns";

    /// The counts of a counter in a call, in the rows of the first cell.
    fn count(data: &RawData, call: Call, counter: usize) -> Vec<Option<f64>> {
        let column = data.column_of(counter, call);
        let values = data.values(&data.cells()[0].rows, &[column]).unwrap().remove(0);
        values.into_iter().map(|value| Some(value).filter(|value| !value.is_nan())).collect()
    }

    #[test]
    fn an_empty_cell_is_missing_and_a_counter_has_two_columns() {
        let csv = format!(
            "{HEAD},tsc:cycles,prepare:tsc:cycles,#small\nhor,8,0,ok,3,10,,30,99,5,\nhor,8,,crashed,,,,,,,\n"
        );
        let data = rawdata(&csv).unwrap();
        let names: Vec<&str> = data.counters().iter().map(|counter| counter.name.as_str()).collect();
        assert_eq!((data.len(), names), (2, vec!["ns", "tsc:cycles"]));
        assert_eq!(count(&data, Call::Prepare, 0), [Some(10.0)]);
        assert_eq!(count(&data, Call::Search, 0), [None]);
        assert_eq!(count(&data, Call::Prepare, 1), [Some(5.0)]);
        assert_eq!(count(&data, Call::Search, 1), [Some(99.0)]);
        assert_eq!(data.cells()[0].failed, [("crashed".to_owned(), 1)].into());
        assert!(data.counted(1) && data.column("#small").is_some());
    }

    #[test]
    fn rows_of_a_cell_come_together_from_wherever_they_are() {
        let rows = "a,8,2,ok,3,1,22,23\nb,8,0,ok,3,1,90,91\na,8,0,ok,3,1,20,21\na,8,1,ok,3,1,21,22\na,4,0,ok,3,1,40,41\n";
        let data = rawdata(&format!("{HEAD}\n{rows}")).unwrap();
        let cells: Vec<_> = data.cells().iter().map(|cell| (cell.algorithm.as_str(), cell.range)).collect();
        assert_eq!(cells, [("a", 8), ("b", 8), ("a", 4)]);
        assert_eq!(count(&data, Call::Search, 0), [Some(20.0), Some(21.0), Some(22.0)]);
    }

    #[test]
    fn more_rows_than_are_read_at_a_time_are_one_list() {
        let mut rows = String::new();
        for algorithm in ["a", "b"] {
            rows.extend((0..5000).map(|i| format!("{algorithm},8,{i},ok,3,1,{},{}\n", i * 7, i * 7 + 1)));
        }
        let data = rawdata(&format!("{HEAD}\n{rows}")).unwrap();
        assert_eq!((data.len(), data.cells()[0].rows.twice()), (10_000, None));
        assert!(count(&data, Call::Search, 0).into_iter().eq((0..5000).map(|i| Some(f64::from(i * 7)))));
    }

    #[test]
    fn a_bad_file_is_named_by_line_and_column() {
        let message = |rows: &str| rawdata(&format!("{HEAD}\n{rows}")).unwrap_err().to_string();
        assert_eq!(message("hor,8,0,ok,3,1,x,3\n"), "line 2, column `search_ns`: `x` is not a number");
        assert_eq!(message("hor,8,0,ok,3,1,NaN,3\n"), "line 2, column `search_ns`: `NaN` is not a number");
        assert_eq!(message("hor,,0,ok,3,1,2,3\n"), "line 2, column `pattern_length`: `` is not a number");
        assert_eq!(
            message("hor,8,0,OK,3,1,2,3\n"),
            "line 2, column `status`: `OK` is not an outcome of a search"
        );
        assert_eq!(message(",8,0,ok,3,1,2,3\n"), "line 2, column `algorithm`: `` is not an algorithm");
        for occurrences in ["-1", "1.5"] {
            let fault = message(&format!("hor,8,0,ok,{occurrences},1,2,3\n"));
            assert!(fault.ends_with(&format!("`{occurrences}` is not a number of occurrences")), "{fault}");
        }
        assert_eq!(
            message("hor,8,-1,ok,3,1,2,3\n"),
            "line 2, column `repetition`: `-1` is not a whole number"
        );
        assert_eq!(message("hor,8\n"), "line 2 has 2 cells and the header 8");
        assert_eq!(message("hor,8,0,ok,3,1,2,3,4\n"), "line 2 has 9 cells and the header 8");
        let error = rawdata("a,b\n1,2\n").unwrap_err();
        assert!(error.to_string().starts_with("there is no column `algorithm`"), "{error}");
        let error = rawdata("algorithm,patt").unwrap_err().to_string();
        assert_eq!(error, "its header is not complete: nothing was measured");
    }

    /// The error of a row with further columns; empty if it is right.
    fn message(columns: &str, row: &str) -> String {
        let rawdata = rawdata(&format!("{HEAD}{columns}\nhor,8,{row}\n"));
        rawdata.map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn rows_that_contradict_themselves_are_refused_by_line_and_column() {
        assert_eq!(message(",#a,#a", "0,ok,3,1,2,3,4,5"), "there are two columns `#a`");
        assert_eq!(message(",round", "0,ok,3,1,2,3,0"), "");
        for round in ["-1", "0.5", "4294967296"] {
            let wrong = format!("line 2, column `round`: `{round}` is not a whole number");
            assert_eq!(message(",round", &format!("0,ok,3,1,2,3,{round}")), wrong);
        }
        assert_eq!(
            message("", "0,ok,3,1,22,21"),
            "line 2, column `total_ns`: `21` is less than one of its calls took, 22"
        );
        assert_eq!(
            message(",clock", "0,ok,3,1,22,21,own"),
            "",
            "a clock of its own may go wrong by a little"
        );
        let clock = "line 2, column `clock`: `mine` is not `host` or `own`";
        assert_eq!(message(",clock", "0,ok,3,1,2,3,mine"), clock);
        let calls = |times: &str| message(",search1_ns,search2_ns", &format!("0,ok,3,1,{times}"));
        assert_eq!((calls("22,23,10,12"), calls("22,23,10,")), (String::new(), String::new()));
        assert_eq!(calls("22,23,10,11"), "line 2, column `search_ns`: `22` is not the sum of its calls, 21");
        assert_eq!(message(",prepare1_ns,prepare2_ns", "0,crashed,,,,,,"), "");
    }

    #[test]
    fn names_that_move_the_cursor_are_refused() {
        let message = |csv: &str| rawdata(csv).unwrap_err().to_string();
        let expected = "line 2, column `algorithm`: `h\x1b[31mor` is not a name: it has control characters";
        assert_eq!(message(&format!("{HEAD}\nh\x1b[31mor,8,0,ok,3,1,2,3\n")), expected);
        assert!(message(&format!("{HEAD}\nhor,8,0,o\u{9b}k,,,,\n")).starts_with("line 2, column `status`"));
        assert!(message(&format!("{HEAD},\x1b\n")).ends_with("a name has no control characters"));
    }

    #[test]
    fn a_line_counts_only_when_it_is_complete_wherever_the_file_was_cut() {
        let lines = ["hor,8,0,ok,3,1,17,18\n", "hor,8,1,ok,3,1,21,22\n", "hor,8,2,ok,3,1,430,431\n"];
        let whole = format!("{HEAD}\n{}", lines.concat());
        let ends = [1, 2, 3].map(|n| HEAD.len() + 1 + lines[..n].concat().len());
        for cut in ends[0]..=whole.len() {
            let data = rawdata(&whole[..cut]).unwrap();
            let complete = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(count(&data, Call::Search, 0), [17.0, 21.0, 430.0].map(Some)[..complete], "{cut}");
            let torn = (!ends.contains(&cut)).then_some(complete as u64 + 2);
            assert_eq!(data.torn(), torn, "cut at {cut}");
        }
    }
}
