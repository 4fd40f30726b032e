//! Reads CSV files with a header line and numbers.

mod cell;
mod plain;
mod selection;
mod table_reader;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::error::{Error, Result};
use table_reader::TableReader;

pub use selection::Selection;

/// A table of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Its name in messages: the given path, or "standard input".
    pub source: String,
    /// Title of each column, without the blanks around it.
    pub titles: Vec<String>,
    /// The columns, equally long, each with at least one number. NaN stands for a missing one.
    pub columns: Vec<Vec<f64>>,
}

/// The meaning of cells without a number, that is, empty ones, `NA` and `NaN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// The value is missing.
    Missing,
    /// The file is faulty.
    Refused,
}

impl Numbers {
    /// Reads a file, or what is selected of it; `-` is standard input. Blanks around cells, empty lines and
    /// any line ends are allowed.
    ///
    /// # Errors
    /// If there is no header line or no row, a row is longer or shorter than the header, a cell that is read
    /// is not a finite number, or nothing matches the selection. The message names file, line and column.
    pub fn read(path: &Path, gaps: Gaps, selection: &Selection) -> Result<Self> {
        if path == Path::new("-") {
            return Self::from_reader("standard input", io::stdin(), gaps, selection);
        }
        let file = open(path)?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        Self::of_size(&path.display().to_string(), file, size, gaps, selection)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// The titles of a file, without its rows.
    ///
    /// # Errors
    /// As [`read`](Numbers::read), about the header.
    pub fn titles(path: &Path, selection: &Selection) -> Result<Self> {
        let reader = TableReader::new(&path.display().to_string(), 0, Gaps::Refused, selection);
        reader.read_titles(open(path)?)
    }

    /// Reads a file as [`read`](Numbers::read) does, but passes the rows to `take`, some at a time, together
    /// with the number of bytes that have been read. So a table need not fit into memory.
    ///
    /// # Errors
    /// As [`read`](Numbers::read), and those of `take`.
    pub fn read_in_pieces<'a>(
        path: &Path,
        gaps: Gaps,
        selection: &'a Selection,
        take: &'a mut (dyn FnMut(&Numbers, u64) -> Result<()> + 'a),
    ) -> Result<()> {
        let reader = TableReader::new(&path.display().to_string(), 0, gaps, selection).passing_to(take);
        reader.read(open(path)?).map(|_| ())
    }

    /// As [`read`](Numbers::read), from any reader.
    ///
    /// # Errors
    /// As [`read`](Numbers::read).
    pub fn from_reader(
        source: &str,
        input: impl Read + Send,
        gaps: Gaps,
        selection: &Selection,
    ) -> Result<Self> {
        Self::of_size(source, input, 0, gaps, selection)
    }

    /// Reads an input of about this number of bytes.
    fn of_size(
        source: &str,
        input: impl Read + Send,
        size: u64,
        gaps: Gaps,
        selection: &Selection,
    ) -> Result<Self> {
        TableReader::new(source, size, gaps, selection).read(input)
    }
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| Error::io("read", path, &error))
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

    /// What a reader in pieces passes on, joined, and the greatest number of rows of a piece.
    fn in_pieces(text: &str) -> (Result<Vec<Vec<f64>>>, usize) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, text).unwrap();
        let (mut columns, mut most, mut before) = (Vec::<Vec<f64>>::new(), 0, 0);
        let mut take = |numbers: &Numbers, bytes: u64| {
            assert!(before <= bytes && bytes <= text.len() as u64 + 1);
            (most, before) = (most.max(numbers.rows()), bytes);
            columns.resize(numbers.columns.len(), Vec::new());
            columns.iter_mut().zip(&numbers.columns).for_each(|(all, piece)| all.extend(piece));
            Ok(())
        };
        let read = Numbers::read_in_pieces(file.path(), Gaps::Refused, &Selection::default(), &mut take);
        (read.map(|()| columns), most)
    }

    #[test]
    fn a_table_is_the_same_in_pieces() {
        let plain: String = (0..300_000).map(|row| format!("{row},{}\n", row * 7)).collect();
        let quoted = plain.replace(",7\n", ",\"7\"\n");
        for (text, most_rows) in [(plain, 200_000), (quoted, 200_000), ("1,2".to_owned(), 1)] {
            let text = format!("a,b\n{text}");
            let (columns, most) = in_pieces(&text);
            assert!(columns.unwrap() == read(&text, Gaps::Refused).unwrap().columns);
            assert!(most <= most_rows, "{most} rows at once");
        }
        for text in ["a,b\n", "", "a,b\n1,2\n3,x\n", "a\r1\r"] {
            let (read, _) = in_pieces(text);
            let message = read.unwrap_err().to_string();
            let end = |message: &str| message.split_once([',', ' ']).map(|(_, end)| end.to_owned());
            assert_eq!(end(&message), end(&fault(text)), "{message}");
        }
    }

    #[test]
    fn a_reader_in_pieces_ends_with_the_error_of_whoever_takes_them() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let lines = "1,2\n".repeat(2_000_000);
        std::fs::write(&file, format!("a,b\n{lines}")).unwrap();
        let mut taken = 0;
        let mut take = |_: &Numbers, _: u64| {
            taken += 1;
            if taken == 2 { Err(Error::interruption("enough")) } else { Ok(()) }
        };
        let read = Numbers::read_in_pieces(file.path(), Gaps::Refused, &Selection::default(), &mut take);
        assert!(read.unwrap_err().is_interruption());
        assert_eq!(taken, 2);
    }

    #[test]
    fn titles_are_read_without_rows() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let titles = |text: &str, selection: &Selection| {
            std::fs::write(&file, text).unwrap();
            Numbers::titles(file.path(), selection)
        };
        let all = titles("\u{feff}a ,\"b, c\",d\r\nx", &Selection::default()).unwrap();
        assert_eq!(
            (all.titles, all.columns.len()),
            (vec!["a".to_owned(), "b, c".to_owned(), "d".to_owned()], 3)
        );
        let some = Selection { columns: vec!["d".to_owned(), "a".to_owned()], conditions: Vec::new() };
        assert_eq!(titles("a,b,d\n", &some).unwrap().titles, ["d", "a"]);
        let error = titles("", &some).unwrap_err().to_string();
        assert!(error.contains(" is empty"), "{error}");
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
        assert!(fault("a,b\r1,2\r").contains("x.csv: its lines end with carriage returns alone"));
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
        assert!(both.starts_with("no row of x.csv has algorithm=bf and m=8\n  help: leave one"), "{both}");
        assert!(fault(&["ns"], &[("algorithm", "hor")]).contains("line 5, column 4 (ns): the cell is empty"));
    }
}
