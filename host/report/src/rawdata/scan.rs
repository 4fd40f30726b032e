//! One pass over the lines of `measurements.csv`, which checks every cell and indexes the rows by algorithm
//! and range value.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::str::FromStr;

use assay_base::columns::{
    ALGORITHM, CLOCK, KEYS, NODE, OCCURRENCES, PATTERN_LENGTH, REPETITION, ROUND, STATUS, is_time,
};
use assay_base::error::{Error, Result, excerpt};
use assay_base::io::csv_lines::{cells, complete, number};
use assay_experiment::range::Over;
use assay_load::plugin::printable;
use assay_store::blocks::Blocks;
use assay_store::row_reader::{Lines, Rows};
use assay_store::{Clock, Status, Verifier};

use super::sums::Sums;
use super::{Column, RawCell, RawData, RunParts};
use crate::Counter;

/// Lines that are indexed together have at most this number of bytes, because they are later read in one
/// piece.
const LONGEST: usize = 1 << 16;

/// The role of a cell of a line, by its column.
#[derive(Clone, Copy)]
enum Role {
    /// One of the [`KEYS`]; the range value takes the place of the pattern length.
    Key(usize),
    /// A pattern length that is not the range value, or the name of a machine. It is not read, because
    /// `report.json` has it, too.
    Ignored,
    /// The clock of the times.
    Clock,
    /// A number, by the number of its column.
    Number(usize),
}

/// The place of the range value among the [`KEYS`].
const RANGE: usize = 1;

/// The index of the lines that were read so far.
struct Scan {
    /// What varies over the range.
    range: Over,
    /// The role of each cell of a line, and the name of its column.
    header: Vec<(Role, String)>,
    columns: Vec<Column>,
    /// The numbers of the last line, by their columns.
    numbers: Vec<f64>,
    /// The column of rounds.
    round: Option<usize>,
    /// The column of occurrences.
    occurrences: Option<usize>,
    sums: Sums,
    cells: Vec<RawCell>,
    /// Numbers of cells by the keys of a line except its repetition, as bytes, because this lookup is done
    /// for many lines.
    places: HashMap<Vec<u8>, usize>,
    /// Numbers of cells by algorithm and range value, whatever the status.
    known: HashMap<(String, u64), usize>,
    /// The keys of the last line except its repetition.
    key: Vec<u8>,
    /// The cell of the last line.
    place: usize,
    /// The run of lines of one cell that ends with the last line; `None` if that is not `ok`.
    lines: Option<Lines>,
    length: usize,
}

/// Reads a file to its end, or to the end of its last complete block.
pub(super) fn scan(file: File, blocks: &mut Blocks) -> Result<RawData> {
    (&file).rewind().map_err(read_error)?;
    let lost = blocks.leave_out_beyond(file.metadata().map_err(read_error)?.len()) > 0;
    let mut verifier = blocks.sealed.then(|| Verifier::new(&blocks.records));
    let mut reader = BufReader::with_capacity(1 << 17, &file);
    let (mut line, mut number, mut torn) = (Vec::new(), 1, None);
    let mut offset = reader.read_until(b'\n', &mut line).map_err(read_error)?;
    if let Some(verifier) = &mut verifier {
        verifier.line(&line)?;
    }
    let header =
        complete(&line).ok_or_else(|| Error::new("its header is not complete: nothing was measured"))?;
    let mut scan = Scan::begin(header)?;
    let names: Vec<String> = scan.columns.iter().map(|column| column.name.clone()).collect();
    let counters = Counter::among(&names)?;
    loop {
        line.clear();
        let bytes = reader.read_until(b'\n', &mut line).map_err(read_error)?;
        if bytes == 0 {
            break;
        }
        number += 1;
        let counts = verifier.as_ref().is_none_or(|verifier| !verifier.is_done());
        let Some(cells) = complete(&line).filter(|_| counts) else {
            torn = Some(number);
            break;
        };
        scan.line(cells, number, offset as u64, bytes)?;
        offset += bytes;
        if let Some(verifier) = &mut verifier
            && verifier.line(&line)?
        {
            // Lines that are read together lie in one block, and so in one part of the run.
            scan.note();
        }
    }
    let torn = torn.or(lost.then_some(number + 1));
    scan.note();
    let Scan { range: over, header, cells, columns, length, .. } = scan;
    let header = header.into_iter().map(|(_, name)| name).collect();
    let parts = RunParts::new(&blocks.records);
    Ok(RawData { file, cells, header, columns, counters, length, torn, parts, over })
}

fn read_error(error: io::Error) -> Error {
    Error::new(format!("it can't be read: {error}"))
}

impl Scan {
    /// Checks the header.
    fn begin(header: &[u8]) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(header);
        let mut names = csv::StringRecord::new();
        reader.read_record(&mut names).map_err(|error| Error::new(error.to_string()))?;
        if let Some(key) = KEYS.into_iter().find(|key| !names.iter().any(|name| name == *key)) {
            return Err(
                Error::new(format!("there is no column `{key}`")).remedy("name a run that assay saved")
            );
        }
        if let Some(twice) = (0..names.len()).find(|&i| names.iter().take(i).any(|name| name == &names[i])) {
            return Err(Error::new(format!("there are two columns `{}`", excerpt(&names[twice]))));
        }
        if let Some(name) = names.iter().find(|name| printable::line(name) != **name) {
            return Err(Error::new(format!("column `{}`: a name has no control characters", excerpt(name))));
        }
        let (mut header, mut columns) = (Vec::new(), Vec::new());
        let range = Over::of_columns(names.iter());
        for (place, name) in names.iter().enumerate() {
            let role = match KEYS.into_iter().position(|key| key == name) {
                Some(_) if name == PATTERN_LENGTH && range.column() != name => Role::Ignored,
                Some(key) => Role::Key(key),
                None if name == range.column() => Role::Key(RANGE),
                None if name == CLOCK => Role::Clock,
                None if name == NODE => Role::Ignored,
                None => {
                    columns.push(Column { name: name.to_owned(), place, filled: false });
                    Role::Number(columns.len() - 1)
                }
            };
            header.push((role, name.to_owned()));
        }
        Ok(Scan {
            range,
            header,
            numbers: vec![f64::NAN; columns.len()],
            round: super::position(&columns, ROUND),
            occurrences: super::position(&columns, OCCURRENCES),
            sums: Sums::among(&columns),
            columns,
            cells: Vec::new(),
            places: HashMap::new(),
            known: HashMap::new(),
            key: Vec::new(),
            place: 0,
            lines: None,
            length: 0,
        })
    }

    /// Checks and indexes a line.
    fn line(&mut self, text: &[u8], line: u64, offset: u64, bytes: usize) -> Result<()> {
        let ([algorithm, range, repetition, status], is_own) = self.check(text, line)?;
        if !self.key.split(|byte| *byte == b',').eq([algorithm, range, status]) {
            self.note();
            self.key = [algorithm, range, status].join(&b',');
            self.place = match self.places.get(&self.key) {
                Some(&place) => place,
                None => self.place([algorithm, range, status], line)?,
            };
        }
        self.length += 1;
        let repetition = whole(repetition, line, REPETITION)?;
        let cell = &mut self.cells[self.place];
        cell.has_own_clock |= is_own;
        if status != Status::Ok.name().as_bytes() {
            *cell.failed.entry(utf8(status, line, STATUS)?.to_owned()).or_default() += 1;
            let first = repetition.unwrap_or_default();
            cell.failed_lines.push(Lines { offset, bytes: bytes as u32, first, count: 1 });
            return Ok(());
        }
        let repetition = repetition.ok_or_else(|| {
            let RawCell { algorithm, range, .. } = cell;
            Error::new(format!(
                "line {line}: a row of `{algorithm}` with {} {range} has no number of its repetition",
                self.range.words()
            ))
        })?;
        match &mut self.lines {
            Some(lines) if lines.end() == repetition && lines.bytes as usize + bytes <= LONGEST => {
                lines.count += 1;
                lines.bytes += bytes as u32;
            }
            _ => {
                self.note();
                self.lines = Some(Lines { offset, bytes: bytes as u32, first: repetition, count: 1 });
            }
        }
        Ok(())
    }

    /// Checks every cell of a line. Returns the keys, and whether its times are by the clock of the
    /// algorithm.
    fn check<'a>(&mut self, text: &'a [u8], line: u64) -> Result<([&'a [u8]; KEYS.len()], bool)> {
        let (mut keys, mut is_own) = ([&b""[..]; KEYS.len()], false);
        let mut all = cells(text);
        for (role, name) in &self.header {
            let cell = all.next().ok_or_else(|| wrong_length(text, line, self.header.len()))?;
            match *role {
                Role::Key(key) => keys[key] = cell,
                Role::Ignored => {}
                Role::Clock if cell.is_empty() || cell == Clock::Host.name().as_bytes() => {}
                Role::Clock if cell == Clock::Own.name().as_bytes() => is_own = true,
                Role::Clock => return Err(wrong(cell, line, name, "`host` or `own`")),
                Role::Number(column) => {
                    let value = number(cell).ok_or_else(|| wrong(cell, line, name, "a number"))?;
                    if value < 0.0 && is_time(name) {
                        return Err(wrong(cell, line, name, "a time"));
                    }
                    if Some(column) == self.occurrences
                        && (value < 0.0 || value.fract() != 0.0)
                        && !value.is_nan()
                    {
                        return Err(wrong(cell, line, name, "a number of occurrences"));
                    }
                    self.columns[column].filled |= !value.is_nan();
                    self.numbers[column] = value;
                }
            }
        }
        if all.next().is_some() {
            return Err(wrong_length(text, line, self.header.len()));
        }
        if let Some(round) = self.round.filter(|round| !is_round(self.numbers[*round])) {
            let cell = cells(text).nth(self.columns[round].place).unwrap_or_default();
            return Err(wrong(cell, line, ROUND, "a whole number"));
        }
        if self.sums.are_broken(&self.numbers, is_own) {
            let (column, why) = self.sums.broken_rule(&self.numbers);
            return Err(Error::new(format!("line {line}, column `{}`: {why}", self.columns[column].name)));
        }
        Ok((keys, is_own))
    }

    /// The number of the cell of a key that was not read before.
    fn place(&mut self, [algorithm, range, status]: [&[u8]; 3], line: u64) -> Result<usize> {
        let algorithm = plain(algorithm, line, ALGORITHM)?;
        let column = self.range.column();
        let range = whole(range, line, column)?.ok_or_else(|| wrong(range, line, column, "a number"))?;
        if algorithm.is_empty() {
            return Err(wrong(b"", line, ALGORITHM, "an algorithm"));
        }
        if !Status::ALL.into_iter().any(|known| known.name().as_bytes() == status) {
            return Err(wrong(status, line, STATUS, "an outcome of a search"));
        }
        let next = self.cells.len();
        let place = *self.known.entry((algorithm.to_owned(), range)).or_insert(next);
        if place == next {
            self.cells.push(RawCell {
                algorithm: algorithm.to_owned(),
                range,
                rows: Rows::default(),
                failed: BTreeMap::new(),
                failed_lines: Vec::new(),
                has_own_clock: false,
            });
        }
        self.places.insert(self.key.clone(), place);
        Ok(place)
    }

    /// Adds the last lines to the rows of their cell.
    fn note(&mut self) {
        if let Some(lines) = self.lines.take() {
            self.cells[self.place].rows.push(lines);
        }
    }
}

fn utf8<'a>(cell: &'a [u8], line: u64, column: &str) -> Result<&'a str> {
    str::from_utf8(cell).map_err(|_| wrong(cell, line, column, "text in UTF-8"))
}

/// A text without control characters, which a terminal could take for commands.
fn plain<'a>(cell: &'a [u8], line: u64, column: &str) -> Result<&'a str> {
    let text = utf8(cell, line, column)?;
    if printable::line(text) == text {
        return Ok(text);
    }
    Err(wrong(cell, line, column, "a name: it has control characters"))
}

/// Whether this is the number of a round, or missing.
fn is_round(value: f64) -> bool {
    value.is_nan() || f64::from(value as u32) == value
}

/// A whole number; `None` for an empty cell.
fn whole<T: FromStr>(cell: &[u8], line: u64, column: &str) -> Result<Option<T>> {
    let text = utf8(cell, line, column)?;
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| wrong(cell, line, column, "a whole number"))
}

/// The error of a line whose number of cells is not that of the header.
fn wrong_length(text: &[u8], line: u64, expected: usize) -> Error {
    Error::new(format!("line {line} has {} cells and the header {expected}", cells(text).count()))
}

/// The error of a cell that is not what its column requires.
fn wrong(cell: &[u8], line: u64, column: &str, expected: &str) -> Error {
    let found = String::from_utf8_lossy(cell);
    Error::new(format!("line {line}, column `{column}`: `{}` is not {expected}", excerpt(&found)))
}
