//! Mergers.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{List, Pair, Status, Str, TextSink};

/// A merger. Its function may be called by several threads at once, and must be there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MergerTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// For later versions.
    pub flags: u64,
    /// Names of the options that it reads.
    pub options: List<Str>,
    /// What `merge` is called with.
    pub context: *const c_void,
    /// Merges blocks, and tells what came of it.
    pub merge: Option<Merge>,
}

growing!(MergerTable, merge);

/// [`MergerTable::merge`].
pub type Merge = unsafe extern "C" fn(
    context: *const c_void,
    request: *const MergeRequest,
    merged: *const MergeSink,
    message: *const TextSink,
) -> Status;

/// What is to be merged.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MergeRequest {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The blocks.
    pub blocks: List<RawBlock>,
    /// Options, each a name and a value.
    pub options: List<Pair>,
}

growing!(MergeRequest, options);

/// A block: a table whose rows were measured together.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawBlock {
    /// Where it comes from, for messages.
    pub source: Str,
    /// Its columns, all equally long.
    pub columns: List<RawColumn>,
}

/// A column of a block: a count per row, NaN where it is missing. During the call the merger may change it,
/// to sort it in place, say.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawColumn {
    /// Name of the event.
    pub name: Str,
    /// The first count.
    pub values: *mut f64,
    /// Number of rows.
    pub rows: usize,
}

/// Takes the result of a merge, during the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MergeSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What the functions are called with.
    pub context: *mut c_void,
    /// Takes a column of the table that was begun last: of the result, if none was.
    pub column: Option<unsafe extern "C" fn(context: *mut c_void, name: Str, values: List<f64>)>,
    /// Begins a further table, which says how good the merge is.
    pub table: Option<unsafe extern "C" fn(context: *mut c_void, title: Str)>,
    /// Takes a sentence that the user should read.
    pub note: Option<unsafe extern "C" fn(context: *mut c_void, note: Str)>,
    /// Takes how much is done, from 0 to 1; answers 0 if the merge is to end. Any thread may call it during
    /// the call.
    pub progress: Option<unsafe extern "C" fn(context: *mut c_void, done: f64) -> u32>,
    /// Takes a column of texts of the further table that was begun last.
    pub texts: Option<unsafe extern "C" fn(context: *mut c_void, name: Str, texts: List<Str>)>,
    /// Takes a sentence that says why the result may mislead.
    pub warning: Option<unsafe extern "C" fn(context: *mut c_void, warning: Str)>,
}

growing!(MergeSink, progress);
