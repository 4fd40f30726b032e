//! The ABI of traces: what a search does, event by event.

use std::ffi::c_void;

use crate::growth::growing;

/// What happened. Either side may be newer and know more kinds.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceEventKind(pub u32);

impl TraceEventKind {
    /// `amount` bytes of the text were read, from position `index` on.
    pub const TEXT_READ: TraceEventKind = TraceEventKind(1);
    /// `amount` bytes of the pattern were read, from position `index` on; [`RawTraceEvent::UNKNOWN`] if the position is not
    /// known.
    pub const PATTERN_READ: TraceEventKind = TraceEventKind(2);
    /// Entry `index` of table number `table` was looked up; `amount` is 1. `value` is the entry if it is a number,
    /// otherwise 0. The number of the table is 0 if the preparation has not declared it.
    pub const LOOKUP: TraceEventKind = TraceEventKind(3);
    /// A condition was evaluated; `value` is 1 if it was true, otherwise 0.
    pub const BRANCH: TraceEventKind = TraceEventKind(4);
    /// It was tested whether a whole window matched; `value` is 1 if it did, otherwise 0. The condition follows as an
    /// event of its own.
    pub const VERIFICATION: TraceEventKind = TraceEventKind(5);
    /// Events of the standard field `index` that have no kind of their own, `amount` of them.
    pub const COUNT: TraceEventKind = TraceEventKind(6);
    /// `amount` was added to the extra field `index`.
    pub const EXTRA: TraceEventKind = TraceEventKind(7);
    /// The preparation declared table number `table`, which has `index` entries and `amount` bytes. `value` is 0 if the
    /// entries are numbers of 0 or more, 1 if they may be negative (in two's complement), and 2 if they are no numbers.
    /// Tables are numbered from 1 on.
    pub const TABLE: TraceEventKind = TraceEventKind(8);
    /// Entry `index` of table number `table` is `value`, or all other entries are if the index is
    /// [`RawTraceEvent::UNKNOWN`]. The entries follow their table.
    pub const ENTRY: TraceEventKind = TraceEventKind(9);
    /// The pattern occurs at position `index`.
    pub const OCCURRENCE: TraceEventKind = TraceEventKind(10);
}

/// An event of a preparation or a search. A field that the kind does not mention is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawTraceEvent {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What happened.
    pub kind: TraceEventKind,
    /// Number of a table.
    pub table: u32,
    /// Where.
    pub index: u64,
    /// The number that was found there, or 1 for true.
    pub value: u64,
    /// How many.
    pub amount: u64,
}

growing!(RawTraceEvent, amount);

impl RawTraceEvent {
    /// An index that is not known, or the index of all entries that are not listed.
    pub const UNKNOWN: u64 = u64::MAX;

    /// An event of this kind, with zeros.
    pub const fn new(kind: TraceEventKind) -> Self {
        RawTraceEvent { size: size_of::<RawTraceEvent>(), kind, table: 0, index: 0, value: 0, amount: 0 }
    }
}

/// A sink for events. One thread at a time calls it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TraceSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first argument of `take`.
    pub context: *mut c_void,
    /// Takes an event, and copies what it keeps.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, event: *const RawTraceEvent)>,
}

growing!(TraceSink, take);
