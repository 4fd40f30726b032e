//! Counter backends across the boundary.

use std::ffi::c_void;
use std::fmt;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RString, RVec};

use super::Status;
use super::facts::{Facts, FactsAbi};
use super::guard::guard;
use crate::counter::{Availability, Backend, Event, EventCount, Scope, Semantics};

/// The functions of an open set of events: plain C. A set is a pointer that `open` made; it belongs to the thread that
/// opened it.
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct Calls {
    /// Starts counting, from zero.
    pub start: unsafe extern "C" fn(set: *mut c_void) -> Status,
    /// Reads all events: `length` counts, one for each event that was opened.
    pub read: unsafe extern "C" fn(set: *mut c_void, counts: *mut RawCount, length: usize) -> Status,
    /// Stops counting.
    pub stop: unsafe extern "C" fn(set: *mut c_void) -> Status,
    /// Closes the set.
    pub close: unsafe extern "C" fn(set: *mut c_void),
    /// The message of the last answer that was not [`Status::OK`]; it lasts until the set is used again.
    pub message: unsafe extern "C" fn(set: *const c_void, length: *mut usize) -> *const u8,
}

impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Calls")
    }
}

/// [`EventCount`] as it crosses.
#[repr(C)]
#[derive(StableAbi, Clone, Copy, Debug, Default)]
pub struct RawCount {
    value: f64,
    enabled: u64,
    running: u64,
}

impl From<RawCount> for EventCount {
    fn from(raw: RawCount) -> Self {
        EventCount { value: raw.value, enabled: raw.enabled, running: raw.running }
    }
}

#[repr(C)]
#[derive(StableAbi)]
struct EventAbi {
    name: RString,
    unit: RString,
    summary: RString,
    semantics: u8,
    scope: u8,
    available: bool,
    reason: RString,
    remedy: RString,
}

impl From<Event> for EventAbi {
    fn from(event: Event) -> Self {
        let (available, reason, remedy) = match event.availability {
            Availability::Available => (true, String::new(), String::new()),
            Availability::Missing { reason, remedy } => (false, reason, remedy),
        };
        EventAbi {
            name: event.name.into(),
            unit: event.unit.into(),
            summary: event.summary.into(),
            semantics: event.semantics as u8,
            scope: event.scope as u8,
            available,
            reason: reason.into(),
            remedy: remedy.into(),
        }
    }
}

impl From<EventAbi> for Event {
    fn from(abi: EventAbi) -> Self {
        Event {
            name: abi.name.into(),
            unit: abi.unit.into(),
            summary: abi.summary.into(),
            semantics: if abi.semantics == Semantics::Instant as u8 {
                Semantics::Instant
            } else {
                Semantics::Counter
            },
            scope: match abi.scope {
                0 => Scope::Thread,
                1 => Scope::Process,
                2 => Scope::Core,
                _ => Scope::System,
            },
            availability: if abi.available {
                Availability::Available
            } else {
                Availability::Missing { reason: abi.reason.into(), remedy: abi.remedy.into() }
            },
        }
    }
}

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = CounterAbiRef)))]
pub struct CounterAbi {
    facts: FactsAbi,
    events: extern "C" fn() -> RResult<RVec<EventAbi>, RString>,
    open: extern "C" fn(RVec<RString>) -> RResult<*mut c_void, RString>,
    #[sabi(last_prefix_field)]
    calls: Calls,
}

/// A counter backend that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    abi: CounterAbiRef,
    /// Functions of the sets that [`open`](Entry::open) makes.
    pub calls: Calls,
}

impl Entry {
    /// Every event that the backend knows, each tried.
    ///
    /// # Errors
    /// If the backend fails as a whole.
    pub fn events(&self) -> Result<Vec<Event>, String> {
        let events = self.abi.events()().into_result().map_err(RString::into_string)?;
        Ok(events.into_iter().map(Event::from).collect())
    }

    /// Opens a set of events; see [`Calls`] for what can be done with it.
    ///
    /// # Errors
    /// One sentence that names the event.
    pub fn open(&self, events: &[&str]) -> Result<*mut c_void, String> {
        self.abi.open()(events.iter().map(|event| RString::from(*event)).collect())
            .into_result()
            .map_err(RString::into_string)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<CounterAbiRef> for Entry {
    fn from(abi: CounterAbiRef) -> Self {
        Entry { facts: abi.facts().into(), abi, calls: abi.calls() }
    }
}

/// Exports a backend.
pub type Export = fn() -> CounterAbiRef;

pub fn export<B: Backend>() -> CounterAbiRef {
    CounterAbi {
        facts: FactsAbi::new(B::ID, [("summary", B::SUMMARY.to_owned())]),
        events: events::<B>,
        open: open::<B>,
        calls: Calls {
            start: start::<B>,
            read: read::<B>,
            stop: stop::<B>,
            close: close::<B>,
            message: message::<B>,
        },
    }
    .leak_into_prefix()
}

/// What a set pointer points to.
struct Set<B> {
    backend: B,
    message: String,
    /// Where `read` of the backend puts its counts: made once, when the set is opened.
    counts: Vec<EventCount>,
}

impl<B> Set<B> {
    #[inline]
    fn answer(&mut self, result: Result<Result<(), String>, String>) -> Status {
        match result {
            Ok(Ok(())) => Status::OK,
            Ok(Err(message)) => {
                self.message = message;
                Status::FAILED
            }
            Err(panic) => {
                self.message = panic;
                Status::PANICKED
            }
        }
    }
}

extern "C" fn events<B: Backend>() -> RResult<RVec<EventAbi>, RString> {
    let events = guard(|| B::events().into_iter().map(EventAbi::from).collect());
    events.map_err(RString::from).into()
}

extern "C" fn open<B: Backend>(events: RVec<RString>) -> RResult<*mut c_void, RString> {
    let opened = guard(|| {
        let names: Vec<&str> = events.iter().map(RString::as_str).collect();
        let backend = B::open(&names)?;
        let set = Set { backend, message: String::new(), counts: vec![EventCount::default(); names.len()] };
        Ok(Box::into_raw(Box::new(set)).cast())
    });
    opened.and_then(|set| set).map_err(RString::from).into()
}

unsafe extern "C" fn start<B: Backend>(set: *mut c_void) -> Status {
    // SAFETY: the host gives a set of this backend.
    let set = unsafe { &mut *set.cast::<Set<B>>() };
    let result = guard(|| set.backend.start());
    set.answer(result)
}

unsafe extern "C" fn read<B: Backend>(set: *mut c_void, counts: *mut RawCount, length: usize) -> Status {
    // SAFETY: the host gives a set of this backend, and a place for `length` counts.
    let (set, counts) =
        unsafe { (&mut *set.cast::<Set<B>>(), std::slice::from_raw_parts_mut(counts, length)) };
    let result = guard(|| set.backend.read(&mut set.counts));
    for (count, read) in counts.iter_mut().zip(&set.counts) {
        *count = RawCount { value: read.value, enabled: read.enabled, running: read.running };
    }
    set.answer(result)
}

unsafe extern "C" fn stop<B: Backend>(set: *mut c_void) -> Status {
    // SAFETY: the host gives a set of this backend.
    let set = unsafe { &mut *set.cast::<Set<B>>() };
    let result = guard(|| set.backend.stop());
    set.answer(result)
}

unsafe extern "C" fn close<B: Backend>(set: *mut c_void) {
    // SAFETY: `open` of the same backend made it, and the host uses it no more.
    let set = unsafe { Box::from_raw(set.cast::<Set<B>>()) };
    // Nobody is left to be told of a panic while closing.
    let _ = guard(|| drop(set));
}

unsafe extern "C" fn message<B: Backend>(set: *const c_void, length: *mut usize) -> *const u8 {
    // SAFETY: the host gives a set of this backend and a place for the length.
    unsafe {
        let message = &(*set.cast::<Set<B>>()).message;
        *length = message.len();
        message.as_ptr()
    }
}
