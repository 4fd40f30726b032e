//! Traces: the events of a counting reading go to the host as well.

use std::ffi::c_void;

use assay_abi::trace::{RawTraceEvent, TraceEventKind, TraceSink};

use crate::found::Found;
use crate::measurements::Counters;
use crate::table::{Entries, Number};

/// A sink of the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sink {
    context: *mut c_void,
    take: unsafe extern "C" fn(*mut c_void, *const RawTraceEvent),
}

// SAFETY: one thread at a time uses a searcher, and with it the sink, which the host made for that searcher.
unsafe impl Send for Sink {}

impl Sink {
    /// The sink at this address; none if the address is null.
    ///
    /// # Safety
    /// Unless the address is null, it must point to a sink that stays valid as long as the result is used.
    pub(crate) unsafe fn new(sink: *const TraceSink) -> Option<Self> {
        // SAFETY: the caller's promise.
        match unsafe { assay_abi::read(sink) } {
            Ok(TraceSink { context, take: Some(take), .. }) => Some(Sink { context, take }),
            _ => None,
        }
    }

    /// Passes an event on.
    #[cold]
    #[inline(never)]
    pub(crate) fn send(self, event: RawTraceEvent) {
        // SAFETY: the promise that `new` was given; the event lasts during the call.
        unsafe { (self.take)(self.context, &raw const event) }
    }

    /// Passes a table on, and its entries if they are numbers.
    pub(crate) fn send_table(self, number: u32, table: &impl Entries) {
        let (entries, bytes) = (table.entries(), table.bytes());
        let kind = entries.checked_sub(1).map_or(Number::Other, |last| table.entry(last));
        self.send(RawTraceEvent {
            table: number,
            index: entries as u64,
            value: match kind {
                Number::Unsigned(_) => 0,
                Number::Signed(_) => 1,
                Number::Other => 2,
            },
            amount: bytes as u64,
            ..RawTraceEvent::new(TraceEventKind::TABLE)
        });
        if kind == Number::Other {
            return;
        }
        let entry = |index: usize, value: u64| RawTraceEvent {
            table: number,
            index: index as u64,
            value,
            ..RawTraceEvent::new(TraceEventKind::ENTRY)
        };
        let values: Vec<u64> = (0..entries).map(|index| table.entry(index).value()).collect();
        let others = most_frequent(&values);
        if let Some(others) = others {
            self.send(RawTraceEvent { index: RawTraceEvent::UNKNOWN, ..entry(0, others) });
        }
        for (index, value) in values.into_iter().enumerate().filter(|&(_, value)| Some(value) != others) {
            self.send(entry(index, value));
        }
    }
}

/// The value that most entries have; none if all differ.
fn most_frequent(values: &[u64]) -> Option<u64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted
        .chunk_by(|a, b| a == b)
        .filter(|alike| alike.len() > 1)
        .max_by_key(|alike| alike.len())
        .map(|alike| alike[0])
}

/// Passes occurrences on to the sink of counters, before the receiver gets them.
pub(crate) struct TracedFound<'a, F> {
    pub(crate) found: &'a mut F,
    pub(crate) counters: &'a Counters,
}

impl<F> TracedFound<'_, F> {
    fn trace(&self, position: usize) {
        self.counters.trace(|| RawTraceEvent {
            index: position as u64,
            ..RawTraceEvent::new(TraceEventKind::OCCURRENCE)
        });
    }
}

impl<F: Found> Found for TracedFound<'_, F> {
    const POSITIONS: bool = F::POSITIONS;

    fn at(&mut self, position: usize) {
        self.trace(position);
        self.found.at(position);
    }

    fn mask(&mut self, base: usize, bits: u64) {
        if self.counters.is_traced() {
            (0..64).filter(|i| bits >> i & 1 == 1).for_each(|i| self.trace(base + i));
        }
        self.found.mask(base, bits);
    }

    fn many(&mut self, occurrences: u64) {
        self.found.many(occurrences);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::measurements::Field;
    use crate::table::{ByteTable, Table};
    use crate::{Counting, Pattern, Probe, Text};

    /// The events that `search` sends.
    fn traced(search: impl FnOnce(Counting)) -> Vec<RawTraceEvent> {
        unsafe extern "C" fn take(context: *mut c_void, event: *const RawTraceEvent) {
            // SAFETY: the context is the list below, and the event lasts during the call.
            unsafe { (*context.cast::<RefCell<Vec<RawTraceEvent>>>()).borrow_mut().push(*event) };
        }
        let events = RefCell::new(Vec::new());
        let raw = TraceSink {
            size: size_of::<TraceSink>(),
            context: (&raw const events).cast_mut().cast(),
            take: Some(take),
        };
        // SAFETY: sink and list outlive the counters.
        let counters = Counters::traced(unsafe { Sink::new(&raw const raw) });
        search(Counting::new(&counters));
        drop(counters);
        events.into_inner()
    }

    #[test]
    fn each_report_is_an_event_with_its_place_and_its_result() {
        let events = traced(|probe| {
            let (pattern, text) = (Pattern::new(b"ab", probe), Text::new(b"xab", probe));
            assert!(!probe.branch(pattern.at(1) == text.at(0)));
            assert!(pattern.kept(0).equals(text.at(1)) && probe.verify(true));
            probe.jump();
            probe.extra(2, || 7);
        });
        let event = RawTraceEvent::new;
        let read = |kind, index| RawTraceEvent { index, amount: 1, ..event(kind) };
        let expected = [
            read(TraceEventKind::PATTERN_READ, 1),
            read(TraceEventKind::TEXT_READ, 0),
            event(TraceEventKind::BRANCH),
            read(TraceEventKind::TEXT_READ, 1),
            read(TraceEventKind::PATTERN_READ, 0),
            RawTraceEvent { value: 1, ..event(TraceEventKind::VERIFICATION) },
            RawTraceEvent { value: 1, ..event(TraceEventKind::BRANCH) },
            read(TraceEventKind::COUNT, Field::Jumps as u64),
            RawTraceEvent { index: 2, amount: 7, ..event(TraceEventKind::EXTRA) },
        ];
        assert_eq!(events, expected);
    }

    #[test]
    fn a_table_comes_with_its_entries_and_look_ups_name_it() {
        let (mut shift, mut next) = (ByteTable::<u8>::default(), Table::<i32>::default());
        shift.fill(8);
        shift[b'a' as usize] = 1;
        next.reset(2, 5);
        next[0] = -1;
        let events = traced(|probe| {
            probe.table(&shift);
            probe.table(&next);
            assert_eq!((next.view(probe).at(0), shift.view(probe).at(b'c')), (-1, 8));
        });
        let event = |kind, table, index, value, amount| RawTraceEvent {
            table,
            index,
            value,
            amount,
            ..RawTraceEvent::new(kind)
        };
        let negative = u64::MAX;
        let expected = [
            event(TraceEventKind::TABLE, 1, 256, 0, 256),
            event(TraceEventKind::ENTRY, 1, RawTraceEvent::UNKNOWN, 8, 0),
            event(TraceEventKind::ENTRY, 1, 97, 1, 0),
            event(TraceEventKind::TABLE, 2, 2, 1, 8),
            event(TraceEventKind::ENTRY, 2, 0, negative, 0),
            event(TraceEventKind::ENTRY, 2, 1, 5, 0),
            event(TraceEventKind::LOOKUP, 2, 0, negative, 1),
            event(TraceEventKind::LOOKUP, 1, 99, 8, 1),
        ];
        assert_eq!(events, expected);
    }
}
