//! The messages between host and child. Numbers and texts are not part of them: they lie in two files in
//! memory, one for the input of the call and one for its output.

use serde::{Deserialize, Serialize};

use super::guarded_text::InitialContent;
use crate::plugin::call::MergeDescription;

/// A request of the host. The input and the output file follow it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// Id of the item to call.
    pub id: String,
    /// The call.
    pub call: RemoteCall,
}

/// A call of an item, with the layout of its input file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum RemoteCall {
    /// Evaluates a metric on columns of numbers. The output has a result for each row, NaN where there is
    /// none.
    Evaluate {
        /// Number of columns.
        columns: usize,
        /// Length of each column.
        rows: usize,
    },
    /// Reduces lists of these lengths by a statistic. The output is a list of results for each.
    Reduce(Vec<usize>),
    /// Merges blocks. The output is columns.
    Merge {
        /// The blocks.
        blocks: Vec<BlockColumns>,
        /// Options: names with values.
        options: Vec<(String, String)>,
    },
    /// Generates a text of a corpus.
    Generate {
        /// Chooses one of many texts.
        seed: u64,
        /// The number after the id.
        parameter: usize,
        /// Length of the text.
        length: usize,
        /// The content of the memory before.
        before: InitialContent,
    },
}

/// A block: its source and its columns, each with name and length.
pub(super) type BlockColumns = (String, Vec<(String, usize)>);

/// A reply of the child.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// The share of the call that is done, from 0 to 1.
    Progress(f64),
    /// The call is done.
    Done(Result<CallAnswer, String>),
}

/// The answer of a call, with the layout of its output file where the host does not know it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum CallAnswer {
    /// The output is as the call says: a result for each row, or a text.
    Whole,
    /// The output is lists of these lengths.
    Lists(Vec<usize>),
    /// The output is the numbers of this merge.
    Merged(MergeDescription),
}
