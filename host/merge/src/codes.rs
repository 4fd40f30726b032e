//! Tables of the codes and names of events (`--names`).

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use assay_base::error::{Error, Result, excerpt};

/// A table of the events of a machine: their codes and names.
#[derive(Clone, Debug)]
pub struct Codes {
    source: String,
    names: HashMap<String, String>,
}

/// What such a file holds.
const FORM: &str = "it should be a CSV file with a header and two columns: a code and a name in each line";

impl Codes {
    /// Reads a CSV file with a header line and two columns: code and name.
    ///
    /// # Errors
    /// If it can't be read, a line has fewer than two cells, or two lines have the same code or the same
    /// name.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io("read", path, &error))?;
        let source = path.display().to_string();
        let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(file);
        let (mut names, mut codes) = (HashMap::new(), HashMap::new());
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(|error| match error.kind() {
                csv::ErrorKind::Utf8 { pos, .. } => {
                    let line = pos.as_ref().map_or(1, csv::Position::line);
                    Error::not_text(&format!("`{source}`, line {line}"))
                }
                _ => Error::new(format!("can't read `{source}`: {error}")).remedy(FORM),
            })?;
            let row = row + 1;
            let (Some(code), Some(name)) = (record.get(0), record.get(1)) else {
                return Err(Error::new(format!(
                    "`{source}`, row {row} below the header: a code and a name are needed"
                ))
                .remedy(FORM));
            };
            if let Some(other) = codes.insert(name.to_owned(), code.to_owned()) {
                return Err(Error::new(format!(
                    "`{source}`, row {row} below the header: the codes {} and {} have the same name, `{}`",
                    excerpt(&other),
                    excerpt(code),
                    excerpt(name)
                ))
                .remedy("give each event a name of its own: columns of one name are taken for one event"));
            }
            if names.insert(code.to_owned(), name.to_owned()).is_some() {
                return Err(Error::new(format!(
                    "`{source}`, row {row} below the header: there are two lines for code {}",
                    excerpt(code)
                ))
                .remedy("keep one of the lines"));
            }
        }
        if names.is_empty() {
            return Err(Error::new(format!("`{source}` names no event"))
                .remedy("it needs a header line such as `code,hems`, then a code and a name per line"));
        }
        Ok(Codes { source, names })
    }

    /// The name of the table in messages.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The name of the event that a title stands for, by its code.
    pub(super) fn name_of_title(&self, title: &str) -> Option<&str> {
        self.names.get(code(title)?).map(String::as_str)
    }

    /// Whether an event of the table has this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.names.values().any(|known| known == name)
    }
}

/// The code in a title: the digits at the end of what stands before the first dot. `X24.1` has code 24,
/// `L2_MISSES` has none.
pub(crate) fn code(title: &str) -> Option<&str> {
    let stem = title.split('.').next()?;
    let digits = stem.trim_start_matches(|character: char| !character.is_ascii_digit());
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The codes of a table.
    pub(crate) fn codes(table: &str) -> Result<Codes> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), table).unwrap();
        Codes::read(file.path())
    }

    #[test]
    fn titles_have_codes() {
        let found = ["X24", "X24.1", "24", "event7.x", "L2_MISSES", "X", ""].map(code);
        assert_eq!(found, [Some("24"), Some("24"), Some("24"), Some("7"), None, None, None]);
    }

    #[test]
    fn a_table_that_says_two_things_is_refused() {
        let error = |table: &str| codes(table).unwrap_err().to_string();
        assert!(
            error("code,hems\n1,A\n1,B\n").contains("row 2 below the header: there are two lines for code 1")
        );
        assert!(error("code,hems\n1,A\n2,A\n").contains("the codes 1 and 2 have the same name, `A`"));
        assert!(error("code,hems\n1\n").contains("row 1 below the header: a code and a name are needed"));
        assert!(error("code,hems\n").contains("names no event"));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"code,hems\n1,\xff\n").unwrap();
        assert!(Codes::read(file.path()).unwrap_err().to_string().contains("not a text file"));
    }
}
