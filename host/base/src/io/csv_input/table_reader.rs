//! The reader of a table: the header, then rows of any CSV or many lines of plain numbers at a time.

use std::io::{self, Read};
use std::iter::once;
use std::ops::ControlFlow;
use std::path::Path;

use csv::{ByteRecord, Reader, ReaderBuilder, Terminator, Trim};

use super::cell::number;
use super::plain::{Pieces, PlainLines};
use super::selection::Filter;
use super::{Gaps, Numbers, Selection};
use crate::error::{Error, Result, excerpt};
use crate::io::in_order::in_order;

/// Least number of rows from whose length the number of all rows is estimated.
const GUESSED_BY: usize = 1000;
/// Number of rows of general CSV that are passed on at once: a small part of the memory of a plain piece.
const TAKEN_AT_ONCE: usize = 4096;

/// The part of a table that has been read.
pub(crate) struct TableReader<'a> {
    /// Approximate size of the input in bytes; 0 if unknown.
    size: u64,
    gaps: Gaps,
    selection: &'a Selection,
    numbers: Numbers,
    /// The header with the columns below it.
    header: Option<(Vec<String>, Filter)>,
    bytes: u64,
    lines: u64,
    /// Takes the rows piece by piece; without it, all rows stay in memory.
    taker: Option<&'a mut RowTaker<'a>>,
    /// Number of rows that the taker has been given.
    taken: usize,
}

/// Takes some rows of a table, and the number of bytes of the input that have been read.
pub(crate) type RowTaker<'a> = dyn FnMut(&Numbers, u64) -> Result<()> + 'a;

impl<'a> TableReader<'a> {
    /// A reader that has read nothing yet.
    pub(super) fn new(source: &str, size: u64, gaps: Gaps, selection: &'a Selection) -> Self {
        let numbers = Numbers { source: source.to_owned(), titles: Vec::new(), columns: Vec::new() };
        TableReader {
            size,
            gaps,
            selection,
            numbers,
            header: None,
            bytes: 0,
            lines: 0,
            taker: None,
            taken: 0,
        }
    }

    /// Passes rows to `taker` instead of keeping them.
    pub(super) fn passing_to(self, taker: &'a mut RowTaker<'a>) -> Self {
        TableReader { size: 0, taker: Some(taker), ..self }
    }

    /// Reads a whole input.
    ///
    /// # Errors
    /// As [`read_any`](Self::read_any) and [`finish`](Self::finish).
    pub(super) fn read(mut self, input: impl Read + Send) -> Result<Numbers> {
        let mut pieces = Pieces::new(input);
        let left = self.read_plain(&mut pieces)?;
        self.read_any(left.chain(pieces.rest()))?;
        self.finish()
    }

    /// Reads plain numbers on all processors, until a piece holds something else. Returns this piece; the
    /// input continues after it.
    ///
    /// # Errors
    /// If the input can't be read, or its header is at fault.
    fn read_plain(&mut self, pieces: &mut Pieces<impl Read + Send>) -> Result<io::Cursor<Vec<u8>>> {
        let mut left = Vec::new();
        let source = self.numbers.source.clone();
        let failed = |error| Error::io("read", Path::new(&source), &error);
        let Some(mut first) = pieces.next().transpose().map_err(failed)? else {
            return Ok(io::Cursor::new(left));
        };
        let rest = if *self.selection == Selection::default() { self.header_of(&first)? } else { None };
        let Some(rest) = rest else { return Ok(io::Cursor::new(first)) };
        first.drain(..rest);
        self.bytes += rest as u64;
        let (width, gaps, mut fault) = (self.numbers.titles.len(), self.gaps, None);
        in_order(
            once(Ok(first)).chain(pieces),
            |piece| piece.map(|piece| (PlainLines::read(&piece, width, gaps), piece)),
            |read| match read {
                Ok((Some(lines), piece)) if left.is_empty() && fault.is_none() => {
                    match self.append(lines, piece.len() as u64) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(error) => {
                            fault = Some(error);
                            ControlFlow::Break(())
                        }
                    }
                }
                Ok((_, piece)) => {
                    left.extend(piece);
                    ControlFlow::Break(())
                }
                Err(error) => {
                    fault.get_or_insert_with(|| failed(error));
                    ControlFlow::Break(())
                }
            },
        );
        match fault {
            None => Ok(io::Cursor::new(left)),
            Some(error) => Err(error),
        }
    }

    /// Reads the header, and returns the position of the first line after it; `None` if this piece does not
    /// show it.
    fn header_of(&mut self, piece: &[u8]) -> Result<Option<usize>> {
        let (mut reader, mut record) = (reader(piece), ByteRecord::new());
        let found = reader.read_byte_record(&mut record).unwrap_or(false);
        let end = reader.position().byte() as usize;
        if !found || end >= piece.len() {
            return Ok(None);
        }
        self.lines = reader.position().line() - 1;
        self.take(&record, self.lines)?;
        Ok(Some(end))
    }

    fn append(&mut self, mut lines: PlainLines, bytes: u64) -> Result<()> {
        let columns = self.numbers.columns.iter_mut().zip(&mut lines.columns);
        columns.for_each(|(column, more)| column.append(more));
        self.bytes += bytes;
        self.lines += lines.count;
        self.make_room();
        self.pass_on()
    }

    /// Passes the rows that are in memory to the taker, if there is one.
    fn pass_on(&mut self) -> Result<()> {
        let Some(taker) = &mut self.taker else { return Ok(()) };
        self.taken += self.numbers.rows();
        taker(&self.numbers, self.bytes)?;
        self.numbers.columns.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// Reads the rest of the input as general CSV.
    ///
    /// # Errors
    /// If something in it is wrong.
    fn read_any(&mut self, input: impl Read) -> Result<()> {
        let (mut reader, mut record) = (reader(input), ByteRecord::new());
        let (lines, bytes) = (self.lines, self.bytes);
        while reader.read_byte_record(&mut record).map_err(|error| self.unreadable(error))? {
            // Every record ends with a line feed, so the reader's line, after a record, is the one that
            // follows it.
            self.take(&record, lines + reader.position().line() - 1)?;
            self.bytes = bytes + reader.position().byte();
            self.make_room();
            if self.taker.is_some() && self.numbers.rows() == TAKEN_AT_ONCE {
                self.pass_on()?;
            }
        }
        self.pass_on()
    }

    /// Reads the header alone.
    ///
    /// # Errors
    /// As [`read_any`](Self::read_any), or if there is no header.
    pub(super) fn read_titles(mut self, input: impl Read) -> Result<Numbers> {
        let (mut reader, mut record) = (reader(input), ByteRecord::new());
        if reader.read_byte_record(&mut record).map_err(|error| self.unreadable(error))? {
            self.take(&record, reader.position().line() - 1)?;
        }
        self.check_header()?;
        Ok(self.numbers)
    }

    /// Takes a record. The first one is the header.
    fn take(&mut self, record: &ByteRecord, line: u64) -> Result<()> {
        if str::from_utf8(record.as_slice()).is_err() || record.as_slice().contains(&0) {
            return Err(Error::not_text(&format!("{}, line {line}", self.numbers.source)));
        }
        if self.header.is_some() {
            return if record.len() != 1 || !record[0].is_empty() { self.push(record, line) } else { Ok(()) };
        }
        let header: Vec<String> =
            record.iter().map(|title| String::from_utf8_lossy(title).into_owned()).collect();
        let filter = Filter::new(&self.numbers.source, self.selection, &header)?;
        self.numbers.titles = filter.columns.iter().map(|&column| header[column].clone()).collect();
        self.numbers.columns = vec![Vec::new(); self.numbers.titles.len()];
        self.header = Some((header, filter));
        Ok(())
    }

    fn push(&mut self, record: &ByteRecord, line: u64) -> Result<()> {
        let Some((header, filter)) = &mut self.header else { return Ok(()) };
        if record.len() != header.len() {
            let (cells, titles) = (record.len(), header.len());
            return Err(Error::new(format!(
                "{}, line {line}: the number of cells is {cells}, and the header has {titles}",
                self.numbers.source
            ))
            .remedy("correct this line, or quote cells that have commas in them"));
        }
        if !filter.passes(record) {
            return Ok(());
        }
        for (&index, column) in filter.columns.iter().zip(&mut self.numbers.columns) {
            let number = number(&record[index], self.gaps).map_err(|fault| {
                let title = excerpt(&header[index]);
                let place = format!("{}, line {line}, column {} ({title})", self.numbers.source, index + 1);
                Error::new(format!("{place}: {fault}"))
                    .remedy("every cell below the header must be a number; --columns names those to be read")
            })?;
            column.push(number);
        }
        Ok(())
    }

    /// Reserves memory for all rows of a large file as soon as their number can be estimated, because growing
    /// columns would be copied.
    fn make_room(&mut self) {
        let rows = self.numbers.rows();
        if rows >= GUESSED_BY && self.bytes < self.size {
            let all = (rows as f64 * self.size as f64 / self.bytes as f64 * 1.01) as usize;
            let more = all.saturating_sub(rows);
            self.numbers.columns.iter_mut().for_each(|column| column.reserve_exact(more));
            // Once.
            self.size = 0;
        }
    }

    /// The table.
    ///
    /// # Errors
    /// If it has no header or no row, or if nothing matches the selection.
    fn finish(self) -> Result<Numbers> {
        let source = &self.numbers.source;
        self.check_header()?.check(source)?;
        if self.taken + self.numbers.rows() == 0 {
            return Err(Error::new(format!("{source} has no rows"))
                .remedy("its first line is taken as the header; at least one row of numbers must follow"));
        }
        Ok(self.numbers)
    }

    /// The filter of the header, if the table has a header.
    fn check_header(&self) -> Result<&Filter> {
        let source = &self.numbers.source;
        let Some((_, filter)) = &self.header else {
            return Err(Error::new(format!("{source} is empty")).remedy(
                "it needs a header line with the titles of its columns, and at least one row of numbers",
            ));
        };
        if self.numbers.titles.iter().any(|title| title.contains('\r')) {
            return Err(Error::new(format!("{source}: its lines end with carriage returns alone"))
                .remedy("end them with line feeds: tr '\\r' '\\n' <FILE >NEW"));
        }
        Ok(filter)
    }

    fn unreadable(&self, error: csv::Error) -> Error {
        let source = &self.numbers.source;
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Error::io("read", Path::new(source), &error),
            kind => Error::new(format!("can't read {source}: {kind:?}"))
                .remedy("it should be a CSV file: cells with commas between them, a line for each row"),
        }
    }
}

fn reader<R: Read>(input: R) -> Reader<R> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .terminator(Terminator::Any(b'\n'))
        .from_reader(input)
}
