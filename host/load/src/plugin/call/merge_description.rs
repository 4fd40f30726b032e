//! What a merger gave, described: its numbers stay where they are.

use serde::{Deserialize, Serialize};

/// Where a list of numbers is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NumberPlace {
    /// In what was given, behind the first `from` numbers.
    Given {
        /// Numbers before it.
        from: usize,
        /// Its length.
        count: usize,
    },
    /// The next in the output.
    Made {
        /// Its length.
        count: usize,
    },
}

/// What a merger gave.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct MergeDescription {
    /// Name of each column, and where it is.
    pub columns: Vec<(String, NumberPlace)>,
    /// Further tables: title and columns.
    pub tables: Vec<(String, Vec<(String, Cells)>)>,
    /// Notes.
    pub notes: Vec<String>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// A column of a further table.
#[derive(Debug, Serialize, Deserialize)]
pub enum Cells {
    /// Numbers.
    Numbers(NumberPlace),
    /// These texts.
    Texts(Vec<String>),
}
