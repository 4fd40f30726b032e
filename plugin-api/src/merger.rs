//! What the author of a merger writes.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// Makes one data set of several sub-experiments, each of which counted only some of the events. End it with
/// `..Merger::UNKNOWN`, because later versions may add fields.
#[derive(Clone, Copy, Debug)]
pub struct Merger {
    /// Short id: `assay merge hrm`.
    pub id: &'static str,
    /// One sentence: which properties of the data it keeps, and which it makes up.
    pub summary: &'static str,
    /// The publication.
    pub reference: &'static str,
    /// The options that it reads, each with a sentence about it.
    pub options: &'static [(&'static str, &'static str)],
    /// The name of a way of merging that the host knows, too: if tables don't fit into memory, it merges them
    /// on disk instead (`assay merge --engine`). The only one is `ranks`: rows of the same rank by the option
    /// `anchor` stand side by side, as `hrm` does it, with its option `rows`.
    pub on_disk: &'static str,
    /// Merges the blocks. They are in the host's memory, and the merger may change them during the call: it
    /// may sort columns in place and return them in the result, so that a large table needs no second copy.
    ///
    /// # Errors
    /// One sentence that names the block or event at fault and says what to do.
    pub merge: for<'a> fn(Vec<Block<'a>>, &Options<'_>) -> Result<Merged<'a>, String>,
    #[doc(hidden)]
    pub more: (),
}

impl Merger {
    /// Nothing known.
    pub const UNKNOWN: Merger = Merger {
        id: "",
        summary: "",
        reference: "",
        options: &[],
        on_disk: "",
        merge: |_, _| Err("the merger has no function `merge`".to_owned()),
        more: (),
    };
}

/// A sub-experiment: a table whose rows were measured together. Rows of different blocks have nothing to do
/// with each other.
#[derive(Debug, PartialEq)]
pub struct Block<'a> {
    /// Where it comes from, for messages.
    pub source: String,
    /// Its events; all columns of a block are equally long.
    pub columns: Vec<Column<'a>>,
}

impl Block<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }
}

/// The counts of one event.
#[derive(Debug, PartialEq)]
pub struct Column<'a> {
    /// Name of the event.
    pub name: String,
    /// A count for each row. The host leaves out rows with a missing count before it calls a merger, and a
    /// result must have all counts.
    pub values: Values<'a>,
}

/// The values of a column, in the host's memory or the merger's own. Use them as the slice to which this type
/// dereferences.
#[derive(Debug)]
pub enum Values<'a> {
    /// In the host's memory, until the merge is over.
    Lent(&'a mut [f64]),
    /// Made by the merger.
    Own(Vec<f64>),
}

impl From<Vec<f64>> for Values<'_> {
    fn from(values: Vec<f64>) -> Self {
        Values::Own(values)
    }
}

impl<'a> From<&'a mut [f64]> for Values<'a> {
    fn from(values: &'a mut [f64]) -> Self {
        Values::Lent(values)
    }
}

impl FromIterator<f64> for Values<'_> {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Values::Own(values.into_iter().collect())
    }
}

impl Deref for Values<'_> {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        match self {
            Values::Lent(values) => values,
            Values::Own(values) => values,
        }
    }
}

impl DerefMut for Values<'_> {
    fn deref_mut(&mut self) -> &mut [f64] {
        match self {
            Values::Lent(values) => values,
            Values::Own(values) => values,
        }
    }
}

impl PartialEq for Values<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// The options of a merge, as the user gave them.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Name and value.
    pub given: &'a [(&'a str, &'a str)],
    /// Call this from time to time with the share of the work that is done, from 0 to 1. It answers whether
    /// to go on. Any thread may call it. A merger counts as hanging if it does not get on by a thousandth
    /// within a few seconds.
    pub progress: &'a (dyn Fn(f64) -> bool + Sync),
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
#[derive(Debug, Default, PartialEq)]
pub struct Merged<'a> {
    /// The columns, all equally long.
    pub columns: Vec<Column<'a>>,
    /// What the user should know about the result, each note a sentence.
    pub notes: Vec<String>,
    /// Why the result may mislead, each a sentence. `--strict` refuses a result with warnings.
    pub warnings: Vec<String>,
    /// Further tables that say how good the merge is. One that is called `pairs`, with the texts `event` and
    /// `other` and the numbers `asked` and `reached`, holds correlations of two events each, and can be
    /// drawn.
    pub tables: Vec<Sheet>,
}

/// A further table of a merge: texts that say what a row is about, and numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Name of the table, and of the file: letters, digits, `-` and `_`, at most 64.
    pub title: String,
    /// Its columns, all equally long, with their names.
    pub columns: Vec<(String, Cells)>,
}

/// A column of a [`Sheet`].
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Numbers; NaN where one is missing.
    Numbers(Vec<f64>),
    /// Texts; empty where one is missing.
    Texts(Vec<String>),
}

impl Cells {
    /// Number of cells.
    pub fn len(&self) -> usize {
        match self {
            Cells::Numbers(numbers) => numbers.len(),
            Cells::Texts(texts) => texts.len(),
        }
    }

    /// Whether the column has no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Sheet {
    /// A table without columns.
    pub fn new(title: &str) -> Self {
        Sheet { title: title.to_owned(), columns: Vec::new() }
    }

    /// Adds a column of numbers.
    #[must_use]
    pub fn numbers(mut self, name: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        self.columns.push((name.to_owned(), Cells::Numbers(numbers.into_iter().collect())));
        self
    }

    /// Adds a column of texts.
    #[must_use]
    pub fn texts<T: Into<String>>(mut self, name: &str, texts: impl IntoIterator<Item = T>) -> Self {
        self.columns.push((name.to_owned(), Cells::Texts(texts.into_iter().map(Into::into).collect())));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_where_they_lie_and_equal_by_content() {
        let mut lent = [1.0, 2.0];
        let mut own: Values<'_> = vec![1.0, 2.0].into();
        let mut values: Values<'_> = lent.as_mut_slice().into();
        assert_eq!(values, own);
        values[0] = 5.0;
        own[1] = 6.0;
        assert_ne!(values, own);
        assert_eq!((&*own, lent), (&[1.0, 6.0][..], [5.0, 2.0]));
    }

    #[test]
    fn an_option_is_missing_parsed_or_named_with_what_it_holds() {
        let options = Options { given: &[("runs", "12"), ("sims", "many")], progress: &|_| true };
        assert_eq!((options.get("sims"), options.get("seed")), (Some("many"), None));
        assert_eq!((options.parse("runs"), options.parse::<u32>("seed")), (Ok(Some(12)), Ok(None)));
        assert_eq!(options.parse::<u32>("sims"), Err("option sims: can't make sense of `many`".to_owned()));
    }

    #[test]
    fn a_sheet_is_made_column_by_column() {
        let sheet = Sheet::new("pairs").texts("event", ["a", "b"]).numbers("asked", [0.5, f64::NAN]);
        let lengths: Vec<(&str, usize)> =
            sheet.columns.iter().map(|(name, cells)| (name.as_str(), cells.len())).collect();
        assert_eq!((sheet.title.as_str(), lengths), ("pairs", vec![("event", 2), ("asked", 2)]));
        assert!(Cells::Texts(Vec::new()).is_empty() && !sheet.columns[0].1.is_empty());
    }

    #[test]
    fn a_block_has_as_many_rows_as_its_columns_have_values() {
        let column = |name: &str, values: Values<'static>| Column { name: name.to_owned(), values };
        let block = |columns| Block { source: "x.csv".to_owned(), columns };
        let values: Values<'_> = (0..3).map(f64::from).collect();
        assert_eq!(&*values, [0.0, 1.0, 2.0]);
        assert_eq!(block(vec![column("a", values), column("b", vec![0.0; 3].into())]).rows(), 3);
        assert_eq!(block(vec![]).rows(), 0);
    }
}
