//! Corpora.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{Status, TextSink};

/// A corpus. Its function may be called by several threads at once, and must be there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CorpusTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// For later versions.
    pub flags: u64,
    /// The least number that may stand after the id.
    pub min_parameter: usize,
    /// The greatest such number; 0 for a corpus that takes none.
    pub max_parameter: usize,
    /// What `generate` is called with.
    pub context: *const c_void,
    /// Fills a text: every one of its bytes, and none beside them.
    pub generate: Option<Generate>,
}

growing!(CorpusTable, generate);

/// [`CorpusTable::generate`].
pub type Generate = unsafe extern "C" fn(
    context: *const c_void,
    request: *const RawRequest,
    text: *mut u8,
    length: usize,
    message: *const TextSink,
) -> Status;

/// Which text is wanted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawRequest {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Chooses one of many texts of a kind.
    pub seed: u64,
    /// The number after the id; 0 for a corpus without one.
    pub parameter: usize,
}

growing!(RawRequest, parameter);
