//! What host and child say to each other. Numbers and texts lie in two files in memory: what the child is
//! given, and what comes out.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::guarded_text::InitialContent;
use crate::plugin::call::MergeDescription;

/// From the host.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// The file of what is given.
    pub input: PathBuf,
    /// The file of what comes out.
    pub output: PathBuf,
    /// Id of what is called.
    pub id: String,
    /// What it shall do.
    pub call: RemoteCall,
}

/// What is called, and what the files hold.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum RemoteCall {
    /// A metric, on columns of numbers; a result for each row comes out, NaN where there is none.
    Evaluate {
        /// Number of columns.
        columns: usize,
        /// Length of each.
        rows: usize,
    },
    /// A statistic, on lists of these lengths; lists come out.
    Reduce(Vec<usize>),
    /// A merger, on blocks; columns come out.
    Merge {
        /// The blocks.
        blocks: Vec<BlockColumns>,
        /// Names with values.
        options: Vec<(String, String)>,
    },
    /// A corpus; a text comes out.
    Generate {
        /// Chooses one of many texts.
        seed: u64,
        /// The number behind the id.
        parameter: usize,
        /// Length of the text.
        length: usize,
        /// What its memory holds before.
        before: InitialContent,
    },
}

/// Source, and its columns: name and length.
pub(super) type BlockColumns = (String, Vec<(String, usize)>);

/// From the child.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// So much is done, from 0 to 1.
    Progress(f64),
    /// All is done.
    Done(Result<CallAnswer, String>),
}

/// What came out, where the output does not say it by itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum CallAnswer {
    /// A result for each row, or a text.
    Whole,
    /// Lists of these lengths.
    Lists(Vec<usize>),
    /// A merge.
    Merged(MergeDescription),
}
