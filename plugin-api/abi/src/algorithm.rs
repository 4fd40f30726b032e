//! Algorithms.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{List, Status, Str, TextSink};

/// Greatest number of standard measurements that there is room for.
pub const FIELD_ROOM: usize = 16;
/// Greatest number of extra fields that there is room for.
pub const EXTRA_ROOM: usize = 16;

/// An algorithm: what the host must know of it before it runs, and its functions. A *searcher* is an address
/// that `create` gave; it is used by one thread at a time. All functions but `positions` must be there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// [`INSTRUMENTED`](AlgorithmTable::INSTRUMENTED); other bits are for later versions.
    pub flags: u64,
    /// Id of the algorithm whose instrumented twin this is; empty for others.
    pub twin_of: Str,
    /// Names of the extra fields that it measures.
    pub extra: List<Str>,
    /// Features that the CPU must have, by the names of Rust's `target_feature`.
    pub cpu: List<Str>,
    /// What `create` and `needs` are called with, so that one function can serve many algorithms.
    pub context: *const c_void,
    /// Makes a searcher.
    pub create: Option<Create>,
    /// Ends a searcher.
    pub destroy: Option<Destroy>,
    /// Fills in what the algorithm needs for a pattern of this length.
    pub needs: Option<Needs>,
    /// Prepares the searcher for a pattern. The message is asked for afterwards.
    pub prepare: Option<Prepare>,
    /// Counts the occurrences of the prepared pattern, which is given again, in a text at least as long. It
    /// may be called again without another preparation, with the same text or another one. The message is
    /// asked for afterwards.
    pub count: Option<Count>,
    /// As `count`, and writes the positions to a buffer, as many as it holds. May be missing.
    pub positions: Option<Positions>,
    /// Tells the message of the last answer of the searcher that was not [`Status::OK`].
    pub message: Option<Message>,
    /// Fills in what the last search measured.
    pub measurements: Option<Measurements>,
}

growing!(AlgorithmTable, measurements);

/// [`AlgorithmTable::create`].
pub type Create = unsafe extern "C" fn(
    context: *const c_void,
    searcher: *mut *mut c_void,
    message: *const TextSink,
) -> Status;

/// [`AlgorithmTable::destroy`].
pub type Destroy = unsafe extern "C" fn(searcher: *mut c_void);

/// [`AlgorithmTable::needs`].
pub type Needs = unsafe extern "C" fn(
    context: *const c_void,
    pattern_length: usize,
    needs: *mut RawNeeds,
    message: *const TextSink,
) -> Status;

/// [`AlgorithmTable::prepare`].
pub type Prepare =
    unsafe extern "C" fn(searcher: *mut c_void, pattern: *const RawPattern, hints: *const RawHints) -> Status;

/// [`AlgorithmTable::count`].
pub type Count = unsafe extern "C" fn(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    text: *const RawText,
    occurrences: *mut u64,
) -> Status;

/// [`AlgorithmTable::positions`].
pub type Positions = unsafe extern "C" fn(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    text: *const RawText,
    buffer: *mut usize,
    capacity: usize,
    occurrences: *mut u64,
) -> Status;

/// [`AlgorithmTable::message`].
pub type Message = unsafe extern "C" fn(searcher: *const c_void, message: *const TextSink);

/// [`AlgorithmTable::measurements`].
pub type Measurements =
    unsafe extern "C" fn(searcher: *const c_void, measurements: *mut RawMeasurements) -> Status;

impl AlgorithmTable {
    /// It measures what it does.
    pub const INSTRUMENTED: u64 = 1;
}

/// A pattern. It may only be read, and nothing lies after it that may be touched.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawPattern {
    /// Size of this struct in bytes.
    pub size: usize,
    /// First byte.
    pub start: *const u8,
    /// Number of bytes.
    pub length: usize,
}

growing!(RawPattern, length);

/// A text with what may be touched around it: as much as the algorithm needs, or more.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawText {
    /// Size of this struct in bytes.
    pub size: usize,
    /// First byte of the text. The text may only be read.
    pub start: *mut u8,
    /// Number of bytes of the text.
    pub length: usize,
    /// Number of bytes before the text that may be read, and written to by an algorithm that says so.
    pub before: usize,
    /// Number of bytes after the text that may be read, and written to by an algorithm that says so.
    pub slack: usize,
}

growing!(RawText, slack);

/// What a preparation may know besides the pattern.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawHints {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first bytes of the text: as many as the algorithm wants to see, or all.
    pub sample: List<u8>,
    /// Number of bytes of the text; 0 if unknown.
    pub text_length: usize,
}

growing!(RawHints, text_length);

/// What an algorithm needs for one pattern length. A need that is added as a field has a bit in `flags` too,
/// set wherever the field asks for something: an older host drops the field, and must refuse all the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawNeeds {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Least length of the pattern.
    pub min_pattern: usize,
    /// Greatest length of the pattern.
    pub max_pattern: usize,
    /// Least length of the text.
    pub min_text: usize,
    /// Bytes before the text that are touched.
    pub before: usize,
    /// Bytes after the text that are touched.
    pub slack: usize,
    /// How many of the text's first bytes the preparation wants to see.
    pub sample: usize,
    /// Alignment of the text's first byte.
    pub alignment: usize,
    /// [`WRITES_SLACK`](RawNeeds::WRITES_SLACK) and its like. A bit that a host does not know is something
    /// that it can't give, and it refuses.
    pub flags: u64,
}

growing!(RawNeeds, flags);

impl RawNeeds {
    /// The bytes after the text are written to.
    pub const WRITES_SLACK: u64 = 1;
    /// A search leaves state after that falsifies the next: each pattern wants a process of its own.
    pub const FRESH_PROCESS: u64 = 2;
    /// It takes the times of its phases itself; those of the host are of both phases together.
    pub const OWN_TIMES: u64 = 4;
    /// The bytes before the text are written to.
    pub const WRITES_BEFORE: u64 = 8;
    /// All bits of this version.
    pub const KNOWN: u64 = 15;

    /// A pattern of at least one byte in a text at least as long.
    pub const NOTHING: RawNeeds = RawNeeds {
        size: size_of::<RawNeeds>(),
        min_pattern: 1,
        max_pattern: usize::MAX,
        min_text: 0,
        before: 0,
        slack: 0,
        sample: 0,
        alignment: 1,
        flags: 0,
    };
}

/// What a search measured, and the times of an algorithm that takes its own.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawMeasurements {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Bit `i` is set if standard field `i` was counted.
    pub counted: u64,
    /// Bit `i` is set if extra field `i` was counted.
    pub extra_counted: u64,
    /// Standard fields, in SMART's order, with room for more.
    pub fields: [u64; FIELD_ROOM],
    /// Extra fields, in the order of their names.
    pub extra: [u64; EXTRA_ROOM],
    /// The preparation's time in nanoseconds, as the algorithm took it itself; NaN if it did not.
    pub own_prepare_ns: f64,
    /// The search's time in nanoseconds, as the algorithm took it itself; NaN if it did not.
    pub own_search_ns: f64,
}

growing!(RawMeasurements, own_search_ns);

impl RawMeasurements {
    /// Nothing was measured.
    pub const NOTHING: RawMeasurements = RawMeasurements {
        size: size_of::<RawMeasurements>(),
        counted: 0,
        extra_counted: 0,
        fields: [0; FIELD_ROOM],
        extra: [0; EXTRA_ROOM],
        own_prepare_ns: f64::NAN,
        own_search_ns: f64::NAN,
    };
}
