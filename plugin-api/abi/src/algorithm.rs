//! The ABI of algorithms.

use std::ffi::c_void;

use crate::growth::growing;
use crate::trace::TraceSink;
use crate::{List, Status, Str, TextSink};

/// Room for standard measurements: their greatest number.
pub const FIELD_ROOM: usize = 16;
/// Room for extra fields: their greatest number.
pub const EXTRA_ROOM: usize = 16;

/// An algorithm: the facts that the host needs before it runs it, and its functions. A *searcher* is an
/// address from `create`; one thread at a time uses it. All functions are required, except `positions`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// [`INSTRUMENTED`](AlgorithmTable::INSTRUMENTED) or 0. Other bits are reserved for later versions.
    pub flags: u64,
    /// If this is an instrumented twin: the id of its algorithm. Otherwise empty.
    pub twin_of: Str,
    /// Names of the extra fields that it measures.
    pub extra: List<Str>,
    /// Features that the CPU must have, by the names of Rust's `target_feature`.
    pub cpu: List<Str>,
    /// The argument of `create` and `needs`, with which one function can serve many algorithms.
    pub context: *const c_void,
    /// Creates a searcher.
    pub create: Option<Create>,
    /// Destroys a searcher.
    pub destroy: Option<Destroy>,
    /// Fills in the needs of the algorithm for a pattern of this length.
    pub needs: Option<Needs>,
    /// Prepares the searcher for a pattern. If this fails, the host calls `message` afterwards.
    pub prepare: Option<Prepare>,
    /// Counts the occurrences of the prepared pattern, which is passed again, in a text that is at least as
    /// long. The host may call it again without another preparation, with the same text or another one. If it
    /// fails, the host calls `message` afterwards.
    pub count: Option<Count>,
    /// As `count`; also writes the positions to a buffer, as many as it holds. Optional.
    pub positions: Option<Positions>,
    /// Passes the message of the last status of the searcher that was not [`Status::OK`].
    pub message: Option<Message>,
    /// Fills in the measurements of the last search.
    pub measurements: Option<Measurements>,
    /// Passes each event of the preparations and searches that follow to a sink, which stays valid until another
    /// call replaces it, or until the searcher is destroyed. A null sink ends it. Optional; only a twin has it.
    pub trace: Option<Trace>,
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

/// [`AlgorithmTable::trace`].
pub type Trace = unsafe extern "C" fn(searcher: *mut c_void, sink: *const TraceSink);

impl AlgorithmTable {
    /// The algorithm counts what it does.
    pub const INSTRUMENTED: u64 = 1;
}

/// A pattern. It is read-only, and memory after it must not be accessed.
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

/// A text with the memory around it that may be accessed: as much as the algorithm needs, or more.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawText {
    /// Size of this struct in bytes.
    pub size: usize,
    /// First byte of the text. The text is read-only.
    pub start: *mut u8,
    /// Number of bytes of the text.
    pub length: usize,
    /// Number of bytes before the text that may be read, and also written if the algorithm has declared it.
    pub before: usize,
    /// Number of bytes after the text that may be read, and also written if the algorithm has declared it.
    pub slack: usize,
}

growing!(RawText, slack);

/// Facts that a preparation may use in addition to the pattern.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawHints {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first bytes of the text: as many as the algorithm has asked for, or the whole text.
    pub sample: List<u8>,
    /// Number of bytes of the text; 0 if unknown.
    pub text_length: usize,
}

growing!(RawHints, text_length);

/// The needs of an algorithm for one pattern length. A later version that adds a need as a field must also
/// add a bit in `flags`, set whenever the field asks for something. An older host does not see the field, and
/// refuses the algorithm because it does not know the bit.
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
    /// Number of bytes before the text that the search may access.
    pub before: usize,
    /// Number of bytes after the text that the search may access.
    pub slack: usize,
    /// Number of bytes from the beginning of the text that the preparation asks for.
    pub sample: usize,
    /// Alignment of the first byte of the text.
    pub alignment: usize,
    /// Bits such as [`WRITES_SLACK`](RawNeeds::WRITES_SLACK). A host refuses an algorithm that sets a bit
    /// that the host does not know.
    pub flags: u64,
}

growing!(RawNeeds, flags);

impl RawNeeds {
    /// The search writes to the bytes after the text.
    pub const WRITES_SLACK: u64 = 1;
    /// A search leaves state that falsifies the next one, so each pattern needs a process of its own.
    pub const FRESH_PROCESS: u64 = 2;
    /// The algorithm times its phases itself. The host can only time both phases together.
    pub const OWN_TIMES: u64 = 4;
    /// The search writes to the bytes before the text.
    pub const WRITES_BEFORE: u64 = 8;
    /// All bits of this version.
    pub const KNOWN: u64 = 15;

    /// The least needs: a pattern of at least one byte, and a text that is at least as long.
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

/// The measurements of a search, and the times of an algorithm that times its phases itself.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawMeasurements {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Bit `i` is set if standard field `i` was counted.
    pub counted: u64,
    /// Bit `i` is set if extra field `i` was counted.
    pub extra_counted: u64,
    /// Standard fields in the order of SMART, with room for more.
    pub fields: [u64; FIELD_ROOM],
    /// Extra fields, in the order of their names.
    pub extra: [u64; EXTRA_ROOM],
    /// Time of the preparation in nanoseconds, if the algorithm has timed it; otherwise NaN.
    pub own_prepare_ns: f64,
    /// Time of the search in nanoseconds, if the algorithm has timed it; otherwise NaN.
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
