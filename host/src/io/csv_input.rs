//! CSV files of numbers under a header line.

mod selection;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder, Terminator, Trim};

use crate::error::{Error, Result, excerpt};
use selection::Filter;

pub use selection::Selection;

/// Greatest magnitude of a number: squares of greater ones can't be summed.
const GREATEST: f64 = 1e150;

/// Whole numbers of so many digits are `f64`s exactly.
const EXACT_DIGITS: usize = 15;
/// Rows by whose length the number of all is guessed.
const GUESSED_BY: usize = 1000;

/// A table of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// What messages call it: the path as it was given, or "standard input".
    pub source: String,
    /// Title of each column, without the blanks around it.
    pub titles: Vec<String>,
    /// The columns, equally long, each with at least one number. NaN stands for a missing one.
    pub columns: Vec<Vec<f64>>,
}

/// What a cell without a number means: one that is empty, `NA` or `NaN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// It was not measured.
    Missing,
    /// The file is faulty.
    Refused,
}

impl Numbers {
    /// Reads a file, or what is selected of it; `-` is standard input. Blanks around cells, empty lines and any line ends are
    /// allowed.
    ///
    /// # Errors
    /// If there is no header line or no row, a row is longer or shorter than the header, a cell that is read is not a
    /// finite number, or nothing is as selected: the message names file, line and column.
    pub fn read(path: &Path, gaps: Gaps, selection: &Selection) -> Result<Self> {
        if path == Path::new("-") {
            return Self::from_reader("standard input", io::stdin().lock(), gaps, selection);
        }
        let file = File::open(path).map_err(|error| Error::io("read", path, &error))?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        Self::of_size(&path.display().to_string(), file, size, gaps, selection)
    }

    /// Reads what [`read`](Numbers::read) reads, from anywhere.
    ///
    /// # Errors
    /// As [`read`](Numbers::read).
    pub fn from_reader(source: &str, input: impl Read, gaps: Gaps, selection: &Selection) -> Result<Self> {
        Self::of_size(source, input, 0, gaps, selection)
    }

    /// Reads an input of about so many bytes.
    fn of_size(source: &str, input: impl Read, size: u64, gaps: Gaps, selection: &Selection) -> Result<Self> {
        // Every record ends with a line feed, so the reader's line, after a record, is the one that follows it.
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .terminator(Terminator::Any(b'\n'))
            .from_reader(input.chain(&b"\n"[..]));
        let mut record = ByteRecord::new();
        let (mut table, mut filter) = (None::<(Vec<String>, Numbers)>, None::<Filter>);
        while reader.read_byte_record(&mut record).map_err(|error| unreadable(source, error))? {
            let line = reader.position().line() - 1;
            if str::from_utf8(record.as_slice()).is_err() || record.as_slice().contains(&0) {
                return Err(Error::not_text(&format!("{source}, line {line}")));
            }
            if let (Some((header, numbers)), Some(filter)) = (&mut table, &mut filter) {
                if record.len() != 1 || !record[0].is_empty() {
                    numbers.push(&record, line, gaps, header, filter)?;
                    numbers.make_room(reader.position().byte(), size);
                }
                continue;
            }
            let header: Vec<String> =
                record.iter().map(|title| String::from_utf8_lossy(title).into_owned()).collect();
            let chosen = Filter::new(source, selection, &header)?;
            let titles: Vec<String> = chosen.columns.iter().map(|&column| header[column].clone()).collect();
            let columns = vec![Vec::new(); titles.len()];
            table = Some((header, Numbers { source: source.to_owned(), titles, columns }));
            filter = Some(chosen);
        }
        let (Some((_, numbers)), Some(filter)) = (table, filter) else {
            return Err(Error::new(format!("{source} is empty")).remedy(
                "it needs a header line with the titles of its columns, and at least one row of numbers",
            ));
        };
        filter.check(source)?;
        if numbers.columns.iter().any(Vec::is_empty) {
            return Err(Error::new(format!("{source} has no rows"))
                .remedy("its first line is taken as the header; at least one row of numbers must follow"));
        }
        Ok(numbers)
    }

    /// Once it can be guessed how many rows a large file has, there is room for all: columns that grow are copied.
    fn make_room(&mut self, read: u64, size: u64) {
        let rows = self.columns.first().map_or(0, Vec::len);
        if rows == GUESSED_BY && read < size {
            let all = (rows as f64 * size as f64 / read as f64 * 1.01) as usize;
            self.columns.iter_mut().for_each(|column| column.reserve_exact(all.saturating_sub(rows)));
        }
    }

    fn push(
        &mut self,
        record: &ByteRecord,
        line: u64,
        gaps: Gaps,
        header: &[String],
        filter: &mut Filter,
    ) -> Result<()> {
        if record.len() != header.len() {
            let (cells, titles) = (record.len(), header.len());
            return Err(Error::new(format!(
                "{}, line {line}: the number of cells is {cells}, and the header has {titles}",
                self.source
            )));
        }
        if !filter.passes(record) {
            return Ok(());
        }
        for (&index, column) in filter.columns.iter().zip(&mut self.columns) {
            let number = number(&record[index], gaps).map_err(|fault| {
                let title = excerpt(&header[index]);
                let place = format!("{}, line {line}, column {} ({title})", self.source, index + 1);
                Error::new(format!("{place}: {fault}"))
                    .remedy("every cell below the header must be a number; --columns names those to be read")
            })?;
            column.push(number);
        }
        Ok(())
    }
}

fn number(cell: &[u8], gaps: Gaps) -> Result<f64, String> {
    // Counts are whole numbers: these are many, and the others are read by the library, which takes three times as long.
    if (1..=EXACT_DIGITS).contains(&cell.len()) && cell.iter().all(u8::is_ascii_digit) {
        return Ok(cell.iter().fold(0u64, |number, digit| 10 * number + u64::from(digit - b'0')) as f64);
    }
    let text = String::from_utf8_lossy(cell);
    if text.is_empty() || text.eq_ignore_ascii_case("na") || text.eq_ignore_ascii_case("nan") {
        return match gaps {
            Gaps::Missing => Ok(f64::NAN),
            Gaps::Refused if text.is_empty() => Err("the cell is empty".to_owned()),
            Gaps::Refused => Err(format!("`{text}` is not a number")),
        };
    }
    let shown = || excerpt(&text);
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= GREATEST => Ok(number),
        Ok(number) if number.is_finite() => {
            Err(format!("`{}` is greater than can be computed with", shown()))
        }
        Ok(_) => Err(format!("`{}` is not a finite number", shown())),
        Err(_) => Err(format!("`{}` is not a number", shown())),
    }
}

fn unreadable(source: &str, error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::io("read", Path::new(source), &error),
        kind => Error::new(format!("can't read {source}: {kind:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, gaps: Gaps) -> Result<Numbers> {
        Numbers::from_reader("x.csv", text.as_bytes(), gaps, &Selection::default())
    }

    fn fault(text: &str) -> String {
        read(text, Gaps::Refused).unwrap_err().to_string()
    }

    #[test]
    fn blanks_line_ends_quotes_and_a_byte_order_mark_do_not_matter() {
        let expected = read("a,\"b, c\"\n1,2\n3,4\n", Gaps::Refused).unwrap();
        assert_eq!(expected.titles, ["a", "b, c"]);
        assert_eq!(expected.columns, [[1.0, 3.0], [2.0, 4.0]]);
        for text in ["\u{feff}a,\"b, c\"\r\n\r\n  1,   2\r\n\"3\",4", "\na,\"b, c\" \n\n1 ,2\n\n 3,\"4\"\n\n"]
        {
            let Ok(read) = read(text, Gaps::Refused) else { panic!("{text:?}") };
            assert_eq!(read.columns, expected.columns, "{text:?}");
        }
    }

    #[test]
    fn a_file_is_read_by_its_path_and_messages_call_it_by_that() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "a\n1\n").unwrap();
        let read = |path: &Path| Numbers::read(path, Gaps::Refused, &Selection::default());
        let numbers = read(file.path()).unwrap();
        assert_eq!((numbers.source, numbers.columns), (file.path().display().to_string(), vec![vec![1.0]]));
        let gone = file.path().with_extension("gone");
        assert!(read(&gone).unwrap_err().to_string().contains(&format!("can't read `{}`", gone.display())));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        assert!(fault("a,b\n\n1,2\n\n\n3,x\n").contains("x.csv, line 6, column 2 (b): `x` is not a number"));
        assert!(fault("a,b\r\n\r\n1,2\r\n3,x").contains("line 4, column 2"));
        assert!(fault("a,b\n1,2\n3\n").contains("line 3: the number of cells is 1, and the header has 2"));
        assert!(fault("a\ninf\n").contains("line 2, column 1 (a): `inf` is not a finite number"));
        assert!(fault("a\n1e200\n").contains("greater than can be computed with"));
        assert!(fault("a,b\n1,NaN\n").contains("`NaN` is not a number"));
        assert!(fault("a,b\n1,\n").contains("line 2, column 2 (b): the cell is empty"));
        assert!(fault("").contains("x.csv is empty"));
        assert!(fault("a,b\n").contains("x.csv has no rows"));
    }

    #[test]
    fn other_bytes_than_text_are_not_quoted() {
        for bytes in [&b"a\n1\n\xff\n"[..], b"a\n1\n\0\n"] {
            let error = Numbers::from_reader("x.csv", bytes, Gaps::Refused, &Selection::default())
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("x.csv, line 3: this is not a text file"), "{error}");
        }
        assert!(fault(&format!("a\n{}\n", "x".repeat(100))).contains(&format!("`{}..`", "x".repeat(60))));
    }

    #[test]
    fn gaps_are_missing_where_that_is_allowed() {
        let numbers = read("a,b,c,d\n,NA,nan,4\n", Gaps::Missing).unwrap();
        let missing: Vec<bool> = numbers.columns.iter().map(|column| column[0].is_nan()).collect();
        assert_eq!(missing, [true, true, true, false]);
    }

    fn selected(columns: &[&str], conditions: &[(&str, &str)]) -> Result<Numbers> {
        let text = "algorithm,m,status,ns\nhor,4,ok,10\nbf,4,ok,20\nhor,8,ok,30\nhor,8,crashed,\n";
        let own = |text: &&str| (*text).to_owned();
        let conditions = conditions.iter().map(|(title, value)| (own(title), own(value))).collect();
        let selection = Selection { columns: columns.iter().map(own).collect(), conditions };
        let numbers = Numbers::from_reader("x.csv", text.as_bytes(), Gaps::Refused, &selection)?;
        selection.check(std::slice::from_ref(&numbers)).map(|()| numbers)
    }

    #[test]
    fn rows_and_columns_can_be_selected() {
        let numbers = selected(&["ns", "m"], &[("algorithm", "hor"), ("status", "ok")]).unwrap();
        assert_eq!((numbers.titles.len(), &numbers.columns), (2, &vec![vec![10.0, 30.0], vec![4.0, 8.0]]));
        let either = selected(&["ns"], &[("algorithm", "hor"), ("algorithm", "bf"), ("m", "4")]).unwrap();
        assert_eq!(either.columns, [[10.0, 20.0]]);
    }

    #[test]
    fn what_is_selected_must_be_there() {
        let fault = |columns: &[&str], conditions: &[(&str, &str)]| {
            selected(columns, conditions).unwrap_err().to_string()
        };
        assert!(fault(&["sn"], &[]).contains("unknown column of x.csv: `sn`\n  help: did you mean ns"));
        assert!(fault(&["m", "sn"], &[]).contains("unknown column `sn`"));
        assert!(fault(&["ns"], &[("algo", "hor")]).contains("unknown column of x.csv: `algo`"));
        let horr = fault(&["ns"], &[("algorithm", "horr")]);
        assert!(horr.contains("unknown algorithm in x.csv: `horr`\n  help: did you mean hor?"), "{horr}");
        let both = fault(&["ns"], &[("algorithm", "bf"), ("m", "8")]);
        assert_eq!(both, "no row of x.csv has algorithm=bf and m=8");
        assert!(fault(&["ns"], &[("algorithm", "hor")]).contains("line 5, column 4 (ns): the cell is empty"));
    }
}
