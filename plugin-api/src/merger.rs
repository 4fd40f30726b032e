//! What an author of a merger writes.

use std::fmt;

/// Makes one data set of several sub-experiments, each of which counted only some of the events.
#[derive(Clone, Copy, Debug)]
pub struct Merger {
    /// Short id: `assay merge hrm`.
    pub id: &'static str,
    /// One sentence: what it keeps and what it makes up.
    pub summary: &'static str,
    /// The publication.
    pub reference: &'static str,
    /// The options that it reads, each with a sentence.
    pub options: &'static [(&'static str, &'static str)],
    /// The merge.
    ///
    /// # Errors
    /// One sentence that names the block or event at fault and says what to do.
    pub merge: fn(&[Block<'_>], &Options<'_>) -> Result<Merged, String>,
}

/// A sub-experiment: a table whose rows were measured together. Rows of different blocks have nothing to do with each
/// other.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// Where it comes from, for messages.
    pub source: &'a str,
    /// Its events; all columns of a block are equally long.
    pub columns: Vec<Column<'a>>,
}

impl Block<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }
}

/// The counts of one event in one block.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// Name of the event.
    pub name: &'a str,
    /// A count per row; NaN where it is missing.
    pub values: &'a [f64],
}

/// The options of a merge, as the user gave them.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Name and value.
    pub given: &'a [(&'a str, &'a str)],
    /// Told from time to time how much of the work is done, from 0 to 1.
    pub progress: &'a dyn Fn(f64),
}

impl Options<'_> {
    /// The value of an option, if it was given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// The value of an option as a number, or as anything else that can be parsed.
    ///
    /// # Errors
    /// A sentence that names the option and what it holds.
    pub fn parse<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        let parse =
            |value: &str| value.parse().map_err(|_| format!("option {name}: can't make sense of `{value}`"));
        self.get(name).map(parse).transpose()
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.given.iter().copied()).finish()
    }
}

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The columns by name, all equally long.
    pub columns: Vec<(String, Vec<f64>)>,
    /// What the user should know of how it came about: each a sentence.
    pub notes: Vec<String>,
}
