//! Names of events: what the title of a column stands for.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;

use crate::error::{Error, Result, excerpt};

/// A table of the events of a machine: their codes and names.
#[derive(Clone, Debug)]
pub struct Codes {
    source: String,
    names: HashMap<String, String>,
}

impl Codes {
    /// Reads a CSV file with a header line and two columns: code and name.
    ///
    /// # Errors
    /// If it can't be read, a line has fewer than two cells, or a code stands twice.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io("read", path, &error))?;
        let source = path.display().to_string();
        let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(file);
        let mut names = HashMap::new();
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(|error| match error.kind() {
                csv::ErrorKind::Utf8 { .. } => Error::not_text(&format!("`{source}`")),
                _ => Error::new(format!("can't read `{source}`: {error}")),
            })?;
            let row = row + 1;
            let (Some(code), Some(name)) = (record.get(0), record.get(1)) else {
                return Err(Error::new(format!(
                    "`{source}`, row {row} below the header: a code and a name are needed"
                )));
            };
            if names.insert(code.to_owned(), name.to_owned()).is_some() {
                return Err(Error::new(format!(
                    "`{source}`, row {row} below the header: code {} stands twice",
                    excerpt(code)
                )));
            }
        }
        if names.is_empty() {
            return Err(Error::new(format!("`{source}` names no event"))
                .remedy("it needs a header line such as `code,hems`, then a code and a name per line"));
        }
        Ok(Codes { source, names })
    }

    /// What messages call the table.
    pub fn source(&self) -> &str {
        &self.source
    }

    fn name(&self, code: &str) -> Option<&str> {
        self.names.get(code).map(String::as_str)
    }
}

/// How titles of columns become names of events.
pub struct Naming<'a> {
    codes: Option<&'a Codes>,
    titles: HashSet<&'a str>,
}

impl<'a> Naming<'a> {
    /// From all titles of all files, and a table of names if there is one.
    pub fn new(titles: impl Iterator<Item = &'a str>, codes: Option<&'a Codes>) -> Self {
        Naming { codes, titles: titles.collect() }
    }

    /// The name of a column's event: by its code from the table, else the title itself, without the `.k` that tells a
    /// repeated title from the first.
    pub fn name(&self, title: &'a str) -> &'a str {
        self.listed(title).unwrap_or_else(|| self.without_repetition(title))
    }

    /// Whether the name comes from the table, or there is no table to come from.
    pub fn is_known(&self, title: &'a str) -> bool {
        self.codes.is_none_or(|codes| {
            self.listed(title).is_some()
                || codes.names.values().any(|name| name == self.without_repetition(title))
        })
    }

    fn listed(&self, title: &str) -> Option<&'a str> {
        self.codes.zip(code(title)).and_then(|(codes, code)| codes.name(code))
    }

    /// R and others write a title that stands there already as `title.1`, `title.2`, ..
    fn without_repetition(&self, title: &'a str) -> &'a str {
        match title.rsplit_once('.') {
            Some((stem, count))
                if count.bytes().all(|byte| byte.is_ascii_digit()) && self.titles.contains(stem) =>
            {
                stem
            }
            _ => title,
        }
    }
}

/// The code in a title: the digits at the end of what stands before the first dot. `X24.1` has code 24,
/// `L2_MISSES` has none.
pub fn code(title: &str) -> Option<&str> {
    let stem = title.split('.').next()?;
    let digits = stem.trim_start_matches(|character: char| !character.is_ascii_digit());
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(table: &str) -> Result<Codes> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), table).unwrap();
        Codes::read(file.path())
    }

    #[test]
    fn titles_have_codes() {
        let of = ["X24", "X24.1", "24", "event7.x", "L2_MISSES", "X", ""].map(code);
        assert_eq!(of, [Some("24"), Some("24"), Some("24"), Some("7"), None, None, None]);
    }

    #[test]
    fn names_come_from_the_table_else_from_the_title() {
        let codes = codes("code,hems\r\n1, CYCLES\n24,STALLS\n").unwrap();
        let titles = ["X1", "X1.1", "X24", "X99", "X99.1", "STALLS", "a.1"];
        let naming = Naming::new(titles.into_iter(), Some(&codes));
        assert_eq!(
            titles.map(|title| naming.name(title)),
            ["CYCLES", "CYCLES", "STALLS", "X99", "X99", "STALLS", "a.1"]
        );
        assert_eq!(titles.map(|title| naming.is_known(title)), [true, true, true, false, false, true, false]);
        let naming = Naming::new(titles.into_iter(), None);
        assert_eq!((naming.name("X1.1"), naming.name("a.1"), naming.is_known("X99")), ("X1", "a.1", true));
    }

    #[test]
    fn a_table_that_says_two_things_is_refused() {
        let error = |table: &str| codes(table).unwrap_err().to_string();
        assert!(error("code,hems\n1,A\n1,B\n").contains("row 2 below the header: code 1 stands twice"));
        assert!(error("code,hems\n1\n").contains("row 1 below the header: a code and a name are needed"));
        assert!(error("code,hems\n").contains("names no event"));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"code,hems\n1,\xff\n").unwrap();
        assert!(Codes::read(file.path()).unwrap_err().to_string().contains("not a text file"));
    }
}
