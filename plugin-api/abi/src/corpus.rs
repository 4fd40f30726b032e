//! The ABI of corpora.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{Status, TextSink};

/// A corpus. Its function is required, and several threads may call it at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CorpusTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Reserved for later versions; 0.
    pub flags: u64,
    /// The least number that may stand after the id.
    pub min_parameter: usize,
    /// The greatest such number; 0 for a corpus that takes none.
    pub max_parameter: usize,
    /// The first argument of `generate`.
    pub context: *const c_void,
    /// Fills a text: all of its bytes, and no others.
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

/// A request for a text.
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
