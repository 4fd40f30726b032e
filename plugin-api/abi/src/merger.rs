//! The ABI of mergers.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{List, Pair, Status, Str, TextSink};

/// A merger. Its function is required, and several threads may call it at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MergerTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Reserved for later versions; 0.
    pub flags: u64,
    /// Names of the options that it reads.
    pub options: List<Str>,
    /// The first argument of `merge`.
    pub context: *const c_void,
    /// Merges blocks, and passes the result to a sink.
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

/// A request to merge blocks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MergeRequest {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The blocks.
    pub blocks: List<RawBlock>,
    /// The options, by name and value.
    pub options: List<Pair>,
}

growing!(MergeRequest, options);

/// A block: a table whose rows were measured together.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawBlock {
    /// Its source, for messages.
    pub source: Str,
    /// Its columns, all equally long.
    pub columns: List<RawColumn>,
}

/// A column of a block: a count for each row, NaN if it is missing. The merger may change the column during
/// the call, for example to sort it in place.
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

/// A sink for the result of a merge.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MergeSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first argument of the functions.
    pub context: *mut c_void,
    /// Takes a column of the further table that was begun last; before the first one, a column of the result.
    pub column: Option<unsafe extern "C" fn(context: *mut c_void, name: Str, values: List<f64>)>,
    /// Begins a further table, which shows how good the merge is.
    pub table: Option<unsafe extern "C" fn(context: *mut c_void, title: Str)>,
    /// Takes a sentence that the user should read.
    pub note: Option<unsafe extern "C" fn(context: *mut c_void, note: Str)>,
    /// Takes the share of the work that is done, from 0 to 1, and returns 0 if the merge must stop. Any
    /// thread may call it during the merge.
    pub progress: Option<unsafe extern "C" fn(context: *mut c_void, done: f64) -> u32>,
    /// Takes a column of texts of the further table that was begun last.
    pub texts: Option<unsafe extern "C" fn(context: *mut c_void, name: Str, texts: List<Str>)>,
    /// Takes a sentence that says why the result may mislead.
    pub warning: Option<unsafe extern "C" fn(context: *mut c_void, warning: Str)>,
}

growing!(MergeSink, progress);
