//! Exports algorithms: a searcher is the author's value with its counters.

use std::ffi::c_void;

use assay_abi::algorithm::{
    AlgorithmTable, EXTRA_ROOM, FIELD_ROOM, RawHints, RawMeasurements, RawNeeds, RawPattern, RawText,
};
use assay_abi::root::Item;
use assay_abi::trace::TraceSink;
use assay_abi::{Growing, Status, Str, TextSink, fill};

use super::answer::{Message, answer};
use super::guard::guard;
use super::{item, names};
use crate::measurements::{Counters, EXTRA_FIELDS, FIELDS, Measurements};
use crate::probe::{CountingReading, Off, Reading};
use crate::registry::Identity;
use crate::trace::{Sink, TracedFound};
use crate::{Algorithm, CannotSearch, Count, Found, Hints, Pattern, Positions, Text};

const _: () = assert!(FIELDS <= FIELD_ROOM && EXTRA_FIELDS <= EXTRA_ROOM);

/// Exports the reading that is timed, or the counting one.
pub type Export = fn(counting: bool, identity: &Identity) -> Item;

pub fn export<A: Algorithm>(counting: bool, identity: &Identity) -> Item {
    let id = identity.id.as_str();
    let facts: Vec<(&str, &str)> =
        identity.facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    if counting {
        let table = AlgorithmTable {
            flags: AlgorithmTable::INSTRUMENTED,
            twin_of: Str::leaked(id),
            trace: Some(trace::<A>),
            ..table::<A, CountingReading>()
        };
        item(&format!("stat_{id}"), &facts, table)
    } else {
        item(id, &facts, table::<A, Off>())
    }
}

/// An algorithm in one reading.
fn table<A: Algorithm, R: Reading>() -> AlgorithmTable {
    AlgorithmTable {
        extra: names(A::EXTRA.iter().copied()),
        cpu: names(A::NEEDS.cpu.iter().copied()),
        create: Some(create::<A>),
        destroy: Some(destroy::<A>),
        needs: Some(needs::<A>),
        prepare: Some(prepare::<A, R>),
        count: Some(count::<A, R>),
        positions: Some(positions::<A, R>),
        message: Some(message::<A>),
        measurements: Some(measurements::<A, R>),
        ..AlgorithmTable::empty()
    }
}

/// The value to which the address of a searcher leads.
#[derive(Default)]
struct Searcher<A> {
    algorithm: A,
    /// The counters after the preparation, from which each search starts.
    prepared: Counters,
    counters: Counters,
    sink: Option<Sink>,
    message: Message,
}

unsafe extern "C" fn create<A: Algorithm>(
    _: *const c_void,
    searcher: *mut *mut c_void,
    message: *const TextSink,
) -> Status {
    let run = || {
        let made = Box::into_raw(Box::new(Searcher::<A>::default()));
        // SAFETY: the host gives a place for the searcher.
        unsafe { *searcher = made.cast() };
        Ok(())
    };
    // SAFETY: the host gives a sink for the length of the call.
    unsafe { answer(message, run) }
}

unsafe extern "C" fn destroy<A: Algorithm>(searcher: *mut c_void) {
    // SAFETY: `create` of the same algorithm made the searcher, and the host no longer uses it.
    let searcher = unsafe { Box::from_raw(searcher.cast::<Searcher<A>>()) };
    // A panic while dropping cannot be reported, because the call is over.
    let _ = guard(|| drop(searcher));
}

unsafe extern "C" fn needs<A: Algorithm>(
    _: *const c_void,
    pattern_length: usize,
    needs: *mut RawNeeds,
    message: *const TextSink,
) -> Status {
    let own = A::NEEDS;
    let run = || {
        // A formula need not make sense of lengths that the algorithm doesn't take.
        let takes = (own.min_pattern..=own.max_pattern).contains(&pattern_length);
        let formula = |formula: fn(usize) -> usize| if takes { formula(pattern_length) } else { 0 };
        let value = RawNeeds {
            min_pattern: own.min_pattern,
            max_pattern: own.max_pattern,
            min_text: formula(own.min_text).max(pattern_length),
            slack: formula(own.slack),
            sample: own.sample,
            alignment: own.alignment,
            flags: if own.writes_slack { RawNeeds::WRITES_SLACK } else { 0 },
            ..RawNeeds::NOTHING
        };
        // SAFETY: the host gives a struct that begins with its size.
        unsafe { fill(needs, &value) };
        Ok(())
    };
    // SAFETY: the host gives a sink for the length of the call.
    unsafe { answer(message, run) }
}

unsafe extern "C" fn prepare<A: Algorithm, R: Reading>(
    searcher: *mut c_void,
    pattern: *const RawPattern,
    hints: *const RawHints,
) -> Status {
    // SAFETY: the host gives a searcher of this algorithm, and a pattern and hints that last during the call.
    let (searcher, pattern, hints) = unsafe {
        let hints = &*hints;
        let sample = hints.sample.items();
        (
            &mut *searcher.cast::<Searcher<A>>(),
            bytes(pattern),
            Hints { sample, text_length: hints.text_length },
        )
    };
    searcher.prepared = Counters::traced(searcher.sink);
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
    // SAFETY: the host gives a searcher of this algorithm, prepared for this pattern, and a text with its
    // slack.
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
    let (searcher, pattern) = unsafe { (&mut *searcher.cast::<Searcher<A>>(), bytes(pattern)) };
    if R::COUNTS {
        searcher.counters.clone_from(&searcher.prepared);
    }
    let probe = R::probe(&searcher.counters);
    // SAFETY: the host owns text and slack, and no other code touches them during the call. All three fields
    // are of the first version: what an older host gives is no longer than that.
    let text = unsafe {
        let (start, length, slack) = ((*text).start, (*text).length, (*text).slack);
        Text::with_slack(start, length, slack, A::NEEDS.writes_slack, probe)
    };
    let result = if R::COUNTS {
        let mut found = TracedFound { found, counters: &searcher.counters };
        guard(|| searcher.algorithm.search(Pattern::new(pattern, probe), text, &mut found, probe))
    } else {
        guard(|| searcher.algorithm.search(Pattern::new(pattern, probe), text, found, probe))
    };
    searcher.message.answer(result.map(Ok))
}

unsafe extern "C" fn trace<A: Algorithm>(searcher: *mut c_void, sink: *const TraceSink) {
    // SAFETY: the host gives a searcher of this algorithm, and null or a sink that lasts until it gives another one.
    let (searcher, sink) = unsafe { (&mut *searcher.cast::<Searcher<A>>(), Sink::new(sink)) };
    searcher.sink = sink;
    // A searcher that is prepared already must not use the sink that it had then.
    searcher.prepared.set_sink(sink);
    searcher.counters.set_sink(sink);
}

unsafe extern "C" fn message<A: Algorithm>(searcher: *const c_void, message: *const TextSink) {
    // SAFETY: the host gives a searcher of this algorithm, and a sink for the length of the call.
    unsafe { (*searcher.cast::<Searcher<A>>()).message.send(message) };
}

unsafe extern "C" fn measurements<A: Algorithm, R: Reading>(
    searcher: *const c_void,
    measurements: *mut RawMeasurements,
) -> Status {
    if R::COUNTS {
        // SAFETY: the host gives a searcher of this algorithm, and a struct that begins with its size.
        unsafe {
            let counters = &(*searcher.cast::<Searcher<A>>()).counters;
            fill(measurements, &raw_measurements(counters.measurements(A::EXTRA.len())));
        }
    }
    Status::OK
}

fn raw_measurements(measurements: Measurements) -> RawMeasurements {
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

/// # Safety
/// The pattern must last for `'a`.
unsafe fn bytes<'a>(pattern: *const RawPattern) -> &'a [u8] {
    // SAFETY: the caller's promise; both fields are of the first version. A pattern has at least one byte.
    unsafe { std::slice::from_raw_parts((*pattern).start, (*pattern).length) }
}
