//! Algorithms across the boundary.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RSlice, RStr};

use super::Status;
use super::facts::{Facts, FactsAbi, names, owned};
use super::guard::guard;
use crate::measurements::{Counters, EXTRA_FIELDS, FIELDS, Measurements};
use crate::probe::{CountingReading, Off, Reading};
use crate::{Algorithm, CannotSearch, Count, Hints, Pattern, Positions, Text};

/// The functions of an algorithm: plain C, so that a library of any dialect can have them. A *searcher* is a pointer that
/// `create` made; it is used by one thread at a time.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Calls {
    /// Makes a searcher; null if that failed.
    pub create: extern "C" fn() -> *mut c_void,
    /// Ends a searcher.
    pub destroy: unsafe extern "C" fn(searcher: *mut c_void),
    /// What the algorithm needs for a pattern of this length.
    pub needs: extern "C" fn(pattern_length: usize) -> RawNeeds,
    /// Prepares the searcher for a pattern.
    pub prepare: unsafe extern "C" fn(
        searcher: *mut c_void,
        pattern: *const RawPattern,
        hints: *const RawHints,
    ) -> Status,
    /// Counts the occurrences of the prepared pattern, which is given again.
    pub count: unsafe extern "C" fn(
        searcher: *mut c_void,
        pattern: *const RawPattern,
        text: *const RawText,
        occurrences: *mut u64,
    ) -> Status,
    /// Writes the positions of the occurrences to a buffer, as many as it holds, and tells how many there are in all.
    pub positions: unsafe extern "C" fn(
        searcher: *mut c_void,
        pattern: *const RawPattern,
        text: *const RawText,
        buffer: *mut usize,
        capacity: usize,
        occurrences: *mut u64,
    ) -> Status,
    /// The message of the last answer that was not [`Status::OK`]: address and, through `length`, its length in bytes of
    /// UTF-8. It lasts until the searcher is used again.
    pub message: unsafe extern "C" fn(searcher: *const c_void, length: *mut usize) -> *const u8,
    /// What the last search measured; meaningful for instrumented algorithms only.
    pub measurements: unsafe extern "C" fn(searcher: *const c_void, measurements: *mut RawMeasurements),
}

impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Calls")
    }
}

/// A pattern: its bytes, and nothing behind them.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct RawPattern {
    /// First byte.
    pub start: *const u8,
    /// Number of bytes.
    pub length: usize,
}

/// A text with its slack.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct RawText {
    /// First byte. Only the slack may be written to.
    pub start: *mut u8,
    /// Number of bytes of the text.
    pub length: usize,
    /// Number of bytes after the text that may be touched.
    pub slack: usize,
}

/// [`Hints`] as they cross.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug)]
pub struct RawHints {
    /// First byte of the sample.
    pub sample: *const u8,
    /// Number of bytes of the sample.
    pub sample_length: usize,
    /// Number of bytes of the text; 0 if unknown.
    pub text_length: usize,
}

/// [`Needs`](crate::Needs) for one pattern length, as they cross.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawNeeds {
    /// Least length of the pattern.
    pub least_pattern: usize,
    /// Greatest length of the pattern.
    pub greatest_pattern: usize,
    /// Least length of the text.
    pub least_text: usize,
    /// Bytes after the text that may be touched.
    pub slack: usize,
    /// Whether the slack is written to.
    pub writes_slack: bool,
    /// How many of the text's first bytes the preparation wants to see.
    pub sample: usize,
    /// Alignment of the text's first byte.
    pub alignment: usize,
}

/// [`Measurements`] as they cross.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug, Default)]
pub struct RawMeasurements {
    /// Standard fields, in the order of [`Field`](crate::Field).
    pub fields: [u64; FIELDS],
    /// Bit `i` is set if field `i` was counted.
    pub counted: u32,
    /// Extra fields.
    pub extra: [u64; EXTRA_FIELDS],
}

impl From<RawMeasurements> for Measurements {
    fn from(raw: RawMeasurements) -> Self {
        Measurements {
            fields: std::array::from_fn(|i| (raw.counted >> i & 1 == 1).then_some(raw.fields[i])),
            extra: raw.extra,
        }
    }
}

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = AlgorithmAbiRef)))]
pub struct AlgorithmAbi {
    facts: FactsAbi,
    instrumented: bool,
    extra: RSlice<'static, RStr<'static>>,
    cpu: RSlice<'static, RStr<'static>>,
    #[sabi(last_prefix_field)]
    calls: Calls,
}

/// An algorithm that a library brings.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    /// Whether it measures what it does.
    pub instrumented: bool,
    /// Names of its extra fields.
    pub extra: Vec<String>,
    /// Features that the CPU must have.
    pub cpu: Vec<String>,
    /// Its functions.
    pub calls: Calls,
}

impl From<AlgorithmAbiRef> for Entry {
    fn from(abi: AlgorithmAbiRef) -> Self {
        Entry {
            facts: abi.facts().into(),
            instrumented: abi.instrumented(),
            extra: owned(abi.extra()),
            cpu: owned(abi.cpu()),
            calls: abi.calls(),
        }
    }
}

/// Exports the reading that is timed, or the counting one.
pub type Export = fn(counting: bool) -> AlgorithmAbiRef;

pub fn export<A: Algorithm>(counting: bool) -> AlgorithmAbiRef {
    let (id, calls) = if counting {
        (format!("stat_{}", A::ABOUT.id), calls::<A, CountingReading>())
    } else {
        (A::ABOUT.id.to_owned(), calls::<A, Off>())
    };
    AlgorithmAbi {
        facts: FactsAbi::new(id, A::ABOUT.facts()),
        instrumented: counting,
        extra: names(A::EXTRA),
        cpu: names(A::NEEDS.cpu),
        calls,
    }
    .leak_into_prefix()
}

/// The functions of an algorithm in one reading.
pub fn calls<A: Algorithm, R: Reading>() -> Calls {
    Calls {
        create: create::<A>,
        destroy: destroy::<A>,
        needs: needs::<A>,
        prepare: prepare::<A, R>,
        count: count::<A, R>,
        positions: positions::<A, R>,
        message: message::<A>,
        measurements: measurements::<A, R>,
    }
}

/// What a searcher pointer points to.
struct Searcher<A> {
    algorithm: A,
    /// What the preparation declared: each search starts from it.
    prepared: Counters,
    counters: Counters,
    message: String,
}

extern "C" fn create<A: Algorithm>() -> *mut c_void {
    let searcher = guard(|| {
        Box::new(Searcher {
            algorithm: A::default(),
            prepared: Counters::default(),
            counters: Counters::default(),
            message: String::new(),
        })
    });
    searcher.map_or(std::ptr::null_mut(), |searcher| Box::into_raw(searcher).cast())
}

unsafe extern "C" fn destroy<A: Algorithm>(searcher: *mut c_void) {
    // SAFETY: `create` of the same algorithm made it, and the host uses it no more.
    let searcher = unsafe { Box::from_raw(searcher.cast::<Searcher<A>>()) };
    // Nobody is left to be told of a panic while dropping.
    let _ = guard(|| drop(searcher));
}

extern "C" fn needs<A: Algorithm>(pattern_length: usize) -> RawNeeds {
    let needs = A::NEEDS;
    let evaluate = || ((needs.least_text)(pattern_length).max(pattern_length), (needs.slack)(pattern_length));
    // A formula that panics (an overflow, say) makes the pattern impossible rather than the host end.
    let (least_text, slack) = guard(evaluate).unwrap_or((usize::MAX, 0));
    RawNeeds {
        least_pattern: needs.least_pattern,
        greatest_pattern: needs.greatest_pattern,
        least_text,
        slack,
        writes_slack: needs.writes_slack,
        sample: needs.sample,
        alignment: needs.alignment,
    }
}

impl<A> Searcher<A> {
    /// Turns what came of a call into its status, and keeps the message.
    #[inline]
    fn answer(&mut self, result: Result<Result<(), CannotSearch>, String>) -> Status {
        match result {
            Ok(Ok(())) => Status::OK,
            Ok(Err(CannotSearch(reason))) => {
                self.message = reason;
                Status::CANNOT_SEARCH
            }
            Err(panic) => {
                self.message = panic;
                Status::PANICKED
            }
        }
    }
}

unsafe extern "C" fn prepare<A: Algorithm, R: Reading>(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    hints: *const RawHints,
) -> Status {
    // SAFETY: the host gives a searcher of this algorithm, and a pattern and hints that last during the call.
    let (searcher, pattern, hints) = unsafe {
        let hints = &*hints;
        let sample = slice(hints.sample, hints.sample_length);
        (
            &mut *searcher.cast::<Searcher<A>>(),
            bytes(pattern),
            Hints { sample, text_length: hints.text_length },
        )
    };
    searcher.prepared = Counters::default();
    let result = guard(|| searcher.algorithm.prepare(pattern, hints, R::probe(&searcher.prepared)));
    searcher.answer(result)
}

unsafe extern "C" fn count<A: Algorithm, R: Reading>(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    text: *const RawText,
    occurrences: *mut u64,
) -> Status {
    // SAFETY: the host gives a searcher of this algorithm, prepared for this pattern, and a text with its slack.
    unsafe {
        let mut found = Count::default();
        let status = search::<A, R>(searcher, pattern, text, &mut found);
        *occurrences = found.0;
        status
    }
}

unsafe extern "C" fn positions<A: Algorithm, R: Reading>(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    text: *const RawText,
    buffer: *mut usize,
    capacity: usize,
    occurrences: *mut u64,
) -> Status {
    // SAFETY: as for `count`; the buffer holds `capacity` numbers that the host has initialised.
    unsafe {
        let buffer = if capacity == 0 { &mut [] } else { std::slice::from_raw_parts_mut(buffer, capacity) };
        let mut found = Positions::new(buffer);
        let status = search::<A, R>(searcher, pattern, text, &mut found);
        *occurrences = found.found();
        status
    }
}

#[inline(always)]
unsafe fn search<A: Algorithm, R: Reading>(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    text: *const RawText,
    found: &mut impl crate::Found,
) -> Status {
    // SAFETY: the callers' promises.
    let (searcher, pattern, raw) = unsafe { (&mut *searcher.cast::<Searcher<A>>(), bytes(pattern), *text) };
    if R::COUNTS {
        searcher.counters.clone_from(&searcher.prepared);
    }
    let probe = R::probe(&searcher.counters);
    // SAFETY: the host owns text and slack, and lets nobody else touch them during the call.
    let text = unsafe { Text::with_slack(raw.start, raw.length, raw.slack, probe) };
    let result = guard(|| searcher.algorithm.search(Pattern::new(pattern, probe), text, found, probe));
    searcher.answer(result.map(Ok))
}

unsafe extern "C" fn message<A: Algorithm>(searcher: *const c_void, length: *mut usize) -> *const u8 {
    // SAFETY: the host gives a searcher of this algorithm and a place for the length.
    unsafe {
        let message = &(*searcher.cast::<Searcher<A>>()).message;
        *length = message.len();
        message.as_ptr()
    }
}

unsafe extern "C" fn measurements<A: Algorithm, R: Reading>(
    searcher: *const c_void,
    measurements: *mut RawMeasurements,
) {
    // SAFETY: the host gives a searcher of this algorithm and a place for the figures.
    unsafe {
        let figures = (*searcher.cast::<Searcher<A>>()).counters.measurements();
        *measurements = RawMeasurements {
            fields: figures.fields.map(|field| field.unwrap_or(0)),
            counted: if R::COUNTS { (1 << FIELDS) - 1 } else { 0 },
            extra: figures.extra,
        };
    }
}

unsafe fn bytes<'a>(pattern: *const RawPattern) -> &'a [u8] {
    // SAFETY: the host gives a pattern that lasts during the call.
    unsafe { slice((*pattern).start, (*pattern).length) }
}

unsafe fn slice<'a>(start: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the callers give a start that is good for `length` bytes.
    unsafe { std::slice::from_raw_parts(start, length) }
}
