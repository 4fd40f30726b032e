//! Algorithms across the boundary.

use std::ffi::c_void;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RSlice, RStr};

use super::Status;
use super::facts::{Facts, FactsAbi, names, owned, text};
use super::foreign::{Address, Message, fill};
use super::guard::guard;
use crate::measurements::{Counters, EXTRA_FIELDS, Measurements};
use crate::probe::{CountingReading, Off, Reading};
use crate::registry::Identity;
use crate::{Algorithm, CannotSearch, Count, Found, Hints, Pattern, Positions, Text};

/// The functions of an algorithm: plain C, so that a library of any dialect can have them. A *context* is whatever the
/// library gave with its functions; a *searcher* is a pointer that `create` made, used by one thread at a time.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Calls {
    /// Size of this struct in bytes: later versions have more functions.
    pub size: usize,
    /// Makes a searcher; null if that failed.
    pub create: unsafe extern "C" fn(context: *const c_void) -> *mut c_void,
    /// Ends a searcher.
    pub destroy: unsafe extern "C" fn(searcher: *mut c_void),
    /// Fills in what the algorithm needs for a pattern of this length.
    pub needs: unsafe extern "C" fn(context: *const c_void, pattern_length: usize, needs: *mut RawNeeds),
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
    /// Fills in what the last search measured.
    pub measurements: unsafe extern "C" fn(searcher: *const c_void, measurements: *mut RawMeasurements),
}

/// A pattern: its bytes, and nothing behind them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawPattern {
    /// First byte.
    pub start: *const u8,
    /// Number of bytes.
    pub length: usize,
}

/// A text with what may be touched around it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawText {
    /// Size of this struct in bytes.
    pub size: usize,
    /// First byte of the text. The text may only be read.
    pub start: *mut u8,
    /// Number of bytes of the text.
    pub length: usize,
    /// Number of bytes before the text that may be read.
    pub before: usize,
    /// Number of bytes after the text that may be read, and written to by an algorithm that says so.
    pub slack: usize,
}

/// [`Hints`] as they cross.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawHints {
    /// Size of this struct in bytes.
    pub size: usize,
    /// First byte of the sample.
    pub sample: *const u8,
    /// Number of bytes of the sample.
    pub sample_length: usize,
    /// Number of bytes of the text; 0 if unknown.
    pub text_length: usize,
}

/// [`Needs`](crate::Needs) for one pattern length, as they cross.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawNeeds {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Least length of the pattern.
    pub least_pattern: usize,
    /// Greatest length of the pattern.
    pub greatest_pattern: usize,
    /// Least length of the text.
    pub least_text: usize,
    /// Bytes before the text that are read. Our own algorithms read none; some of other dialects do.
    pub before: usize,
    /// Bytes after the text that are touched.
    pub slack: usize,
    /// How many of the text's first bytes the preparation wants to see.
    pub sample: usize,
    /// Alignment of the text's first byte.
    pub alignment: usize,
    /// [`RawNeeds::WRITES_SLACK`], [`RawNeeds::FRESH_PROCESS`]; other bits are for later versions.
    pub flags: u64,
}

impl RawNeeds {
    /// The slack is written to.
    pub const WRITES_SLACK: u64 = 1;
    /// A search leaves state behind that falsifies the next: each pattern wants a process of its own.
    pub const FRESH_PROCESS: u64 = 2;

    /// A pattern of at least one byte in a text at least as long.
    pub const NOTHING: RawNeeds = RawNeeds {
        size: size_of::<RawNeeds>(),
        least_pattern: 1,
        greatest_pattern: usize::MAX,
        least_text: 0,
        before: 0,
        slack: 0,
        sample: 0,
        alignment: 1,
        flags: 0,
    };

    /// Whether the slack is written to.
    pub fn writes_slack(&self) -> bool {
        self.flags & RawNeeds::WRITES_SLACK != 0
    }
}

/// [`Measurements`] as they cross, and the times of an algorithm that takes its own.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawMeasurements {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Bit `i` is set if standard field `i` was counted.
    pub counted: u64,
    /// Bit `i` is set if extra field `i` was counted.
    pub extra_counted: u64,
    /// Standard fields, in the order of [`Field`](crate::Field), with room for more.
    pub fields: [u64; 16],
    /// Extra fields.
    pub extra: [u64; EXTRA_FIELDS],
    /// The preparation's time in nanoseconds, as the algorithm took it itself; NaN if it did not.
    pub own_prepare_ns: f64,
    /// The search's time in nanoseconds, as the algorithm took it itself; NaN if it did not.
    pub own_search_ns: f64,
}

impl RawMeasurements {
    /// Nothing was measured.
    pub const NOTHING: RawMeasurements = RawMeasurements {
        size: size_of::<RawMeasurements>(),
        counted: 0,
        extra_counted: 0,
        fields: [0; 16],
        extra: [0; EXTRA_FIELDS],
        own_prepare_ns: f64::NAN,
        own_search_ns: f64::NAN,
    };
}

impl From<RawMeasurements> for Measurements {
    fn from(raw: RawMeasurements) -> Self {
        let counted = |bits: u64, i: usize| bits >> i & 1 == 1;
        Measurements {
            fields: std::array::from_fn(|i| counted(raw.counted, i).then_some(raw.fields[i])),
            extra: std::array::from_fn(|i| counted(raw.extra_counted, i).then_some(raw.extra[i])),
        }
    }
}

impl From<Measurements> for RawMeasurements {
    fn from(measurements: Measurements) -> Self {
        let mut raw = RawMeasurements::NOTHING;
        for (i, figure) in measurements.fields.into_iter().enumerate() {
            raw.counted |= u64::from(figure.is_some()) << i;
            raw.fields[i] = figure.unwrap_or(0);
        }
        for (i, figure) in measurements.extra.into_iter().enumerate() {
            raw.extra_counted |= u64::from(figure.is_some()) << i;
            raw.extra[i] = figure.unwrap_or(0);
        }
        raw
    }
}

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = AlgorithmAbiRef)))]
pub struct AlgorithmAbi {
    facts: FactsAbi,
    instrumented: bool,
    /// Id of the algorithm whose instrumented twin this is; empty for others.
    twin_of: RStr<'static>,
    extra: RSlice<'static, RStr<'static>>,
    cpu: RSlice<'static, RStr<'static>>,
    /// Where the [`Calls`] are.
    calls: Address,
    #[sabi(last_prefix_field)]
    context: Address,
}

/// An algorithm that a library brings.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    /// Whether it measures what it does.
    pub instrumented: bool,
    /// Id of the algorithm whose instrumented twin it is.
    pub twin_of: Option<String>,
    /// Names of its extra fields.
    pub extra: Vec<String>,
    /// Features that the CPU must have.
    pub cpu: Vec<String>,
    calls: Calls,
    context: Address,
}

impl Entry {
    /// An algorithm of a library that speaks another dialect, with nothing but its id and functions.
    ///
    /// # Safety
    /// The functions must keep the contract of [`Calls`] with this context, for ever.
    pub unsafe fn new(facts: Facts, calls: Calls, context: Address) -> Self {
        let (extra, cpu) = (Vec::new(), Vec::new());
        Entry { facts, instrumented: false, twin_of: None, extra, cpu, calls, context }
    }

    /// Its functions, and the context to call them with.
    pub fn calls(&self) -> (Calls, Address) {
        (self.calls, self.context)
    }
}

impl From<AlgorithmAbiRef> for Entry {
    fn from(abi: AlgorithmAbiRef) -> Self {
        let twin_of = abi.twin_of();
        Entry {
            facts: abi.facts().into(),
            instrumented: abi.instrumented(),
            twin_of: (!twin_of.is_empty()).then(|| twin_of.to_string()),
            extra: owned(abi.extra()),
            cpu: owned(abi.cpu()),
            // SAFETY: `export` put them there; the first version of the ABI has all that this one has.
            calls: unsafe { *abi.calls().get() },
            context: abi.context(),
        }
    }
}

/// Exports the reading that is timed, or the counting one.
pub type Export = fn(counting: bool, identity: &Identity) -> AlgorithmAbiRef;

pub fn export<A: Algorithm>(counting: bool, identity: &Identity) -> AlgorithmAbiRef {
    let calls = if counting { calls::<A, CountingReading>() } else { calls::<A, Off>() };
    let id = identity.id.as_str();
    AlgorithmAbi {
        facts: FactsAbi::new(
            if counting { format!("stat_{id}") } else { id.to_owned() },
            identity.facts.iter().cloned(),
        ),
        instrumented: counting,
        twin_of: text(if counting { id } else { "" }),
        extra: names(A::EXTRA),
        cpu: names(A::NEEDS.cpu),
        calls: Address::of(Box::leak(Box::new(calls))),
        context: Address::NULL,
    }
    .leak_into_prefix()
}

/// The functions of an algorithm in one reading.
fn calls<A: Algorithm, R: Reading>() -> Calls {
    Calls {
        size: size_of::<Calls>(),
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
#[derive(Default)]
struct Searcher<A> {
    algorithm: A,
    /// What the preparation declared: each search starts from it.
    prepared: Counters,
    counters: Counters,
    message: Message,
}

unsafe extern "C" fn create<A: Algorithm>(_: *const c_void) -> *mut c_void {
    let searcher = guard(|| Box::new(Searcher::<A>::default()));
    searcher.map_or(std::ptr::null_mut(), |searcher| Box::into_raw(searcher).cast())
}

unsafe extern "C" fn destroy<A: Algorithm>(searcher: *mut c_void) {
    // SAFETY: `create` of the same algorithm made it, and the host uses it no more.
    let searcher = unsafe { Box::from_raw(searcher.cast::<Searcher<A>>()) };
    // Nobody is left to be told of a panic while dropping.
    let _ = guard(|| drop(searcher));
}

unsafe extern "C" fn needs<A: Algorithm>(_: *const c_void, pattern_length: usize, needs: *mut RawNeeds) {
    let own = A::NEEDS;
    let evaluate = || ((own.min_text)(pattern_length).max(pattern_length), (own.slack)(pattern_length));
    // A formula that panics (an overflow, say) makes the pattern impossible rather than the host end.
    let (least_text, slack) = guard(evaluate).unwrap_or((usize::MAX, 0));
    let value = RawNeeds {
        least_pattern: own.min_pattern,
        greatest_pattern: own.max_pattern,
        least_text,
        slack,
        sample: own.sample,
        alignment: own.alignment,
        flags: if own.writes_slack { RawNeeds::WRITES_SLACK } else { 0 },
        ..RawNeeds::NOTHING
    };
    // SAFETY: the host gives a struct that begins with its size.
    unsafe { fill(needs, &value) };
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
    let result = guard(|| searcher.algorithm.prepare_with(pattern, hints, R::probe(&searcher.prepared)));
    let refused = |CannotSearch(reason)| (Status::CANNOT_SEARCH, reason);
    searcher.message.answer(result.map(|answer| answer.map_err(refused)))
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
    found: &mut impl Found,
) -> Status {
    // SAFETY: the callers' promises.
    let (searcher, pattern, raw) = unsafe { (&mut *searcher.cast::<Searcher<A>>(), bytes(pattern), *text) };
    if R::COUNTS {
        searcher.counters.clone_from(&searcher.prepared);
    }
    let probe = R::probe(&searcher.counters);
    // SAFETY: the host owns text and slack, and lets nobody else touch them during the call.
    let text = unsafe { Text::with_slack(raw.start, raw.length, raw.slack, A::NEEDS.writes_slack, probe) };
    let result = guard(|| searcher.algorithm.search(Pattern::new(pattern, probe), text, found, probe));
    searcher.message.answer(result.map(Ok))
}

unsafe extern "C" fn message<A: Algorithm>(searcher: *const c_void, length: *mut usize) -> *const u8 {
    // SAFETY: the host gives a searcher of this algorithm and a place for the length.
    unsafe { (*searcher.cast::<Searcher<A>>()).message.tell(length) }
}

unsafe extern "C" fn measurements<A: Algorithm, R: Reading>(
    searcher: *const c_void,
    measurements: *mut RawMeasurements,
) {
    // SAFETY: the host gives a searcher of this algorithm, and a struct that begins with its size.
    unsafe {
        let figures = (*searcher.cast::<Searcher<A>>()).counters.measurements(A::EXTRA.len());
        let figures = if R::COUNTS { figures } else { Measurements::default() };
        fill(measurements, &figures.into());
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
