//! The description of a merge that says where its numbers lie, so that they need not be copied.

use serde::{Deserialize, Serialize};

/// The place of a list of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NumberPlace {
    /// In the input, after the first `from` numbers.
    Given {
        /// Number of numbers before the list.
        from: usize,
        /// Length of the list.
        count: usize,
    },
    /// In the output, after the lists before it.
    Made {
        /// Length of the list.
        count: usize,
    },
}

/// The result of a merger.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct MergeDescription {
    /// Name and place of each column.
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
