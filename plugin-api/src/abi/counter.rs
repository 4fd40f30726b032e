//! Counter backends across the boundary.

use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use abi_stable::StableAbi;
use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RResult, RString, RVec};

use super::Status;
use super::facts::{Facts, FactsAbi};
use super::foreign::{Address, Message};
use super::guard::guard;
use crate::counter::{Availability, Backend, Event, EventCount, Scope, Semantics};

/// The functions of an open set of events: plain C. A set is a pointer that `open` made; it belongs to the thread that
/// opened it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Calls {
    /// Size of this struct in bytes: later versions have more functions.
    pub size: usize,
    /// Starts counting, from zero.
    pub start: unsafe extern "C" fn(set: *mut c_void) -> Status,
    /// Reads all events: `length` counts, one for each event that was opened.
    pub read: unsafe extern "C" fn(set: *mut c_void, counts: *mut EventCount, length: usize) -> Status,
    /// Stops counting.
    pub stop: unsafe extern "C" fn(set: *mut c_void) -> Status,
    /// Closes the set.
    pub close: unsafe extern "C" fn(set: *mut c_void),
    /// The message of the last answer that was not [`Status::OK`]; it lasts until the set is used again.
    pub message: unsafe extern "C" fn(set: *const c_void, length: *mut usize) -> *const u8,
}

/// A name with a value: what is known of an event, or an option.
#[repr(C)]
#[derive(StableAbi)]
struct Pair {
    name: RString,
    value: RString,
}

impl Pair {
    fn new(name: &str, value: &str) -> Self {
        Pair { name: name.into(), value: value.into() }
    }
}

/// [`Event`] as it crosses: what is known of it, by name, so that knowing more changes no layout.
type EventAbi = RVec<Pair>;

const SEMANTICS: [(Semantics, &str); 2] = [(Semantics::Counter, "counter"), (Semantics::Instant, "instant")];
const SCOPES: [(Scope, &str); 4] = [
    (Scope::Thread, "thread"),
    (Scope::Process, "process"),
    (Scope::Core, "core"),
    (Scope::System, "system"),
];

fn name_of<T: PartialEq>(names: &[(T, &'static str)], item: &T) -> &'static str {
    names.iter().find(|(known, _)| known == item).map_or("", |(_, name)| name)
}

fn named<T: Copy>(names: &[(T, &str)], name: &str) -> Option<T> {
    names.iter().find(|(_, known)| *known == name).map(|(item, _)| *item)
}

fn event_to_abi(event: &Event) -> EventAbi {
    let mut facts = vec![
        Pair::new("name", &event.name),
        Pair::new("unit", &event.unit),
        Pair::new("summary", &event.summary),
        Pair::new("semantics", name_of(&SEMANTICS, &event.semantics)),
        Pair::new("scope", name_of(&SCOPES, &event.scope)),
    ];
    if let Availability::Missing { reason, remedy } = &event.availability {
        facts.extend([Pair::new("reason", reason), Pair::new("remedy", remedy)]);
    }
    facts.into()
}

/// What a newer library calls by a name that this host does not know is taken for what misleads least.
fn event_from_abi(abi: &EventAbi) -> Event {
    let fact = |name: &str| abi.iter().find(|fact| fact.name == name).map(|fact| fact.value.to_string());
    let text = |name: &str| fact(name).unwrap_or_default();
    Event {
        name: text("name"),
        unit: text("unit"),
        summary: text("summary"),
        semantics: named(&SEMANTICS, &text("semantics")).unwrap_or(Semantics::Instant),
        scope: named(&SCOPES, &text("scope")).unwrap_or(Scope::System),
        availability: match fact("reason") {
            Some(reason) => Availability::Missing { reason, remedy: text("remedy") },
            None => Availability::Available,
        },
    }
}

#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = CounterAbiRef)))]
pub struct CounterAbi {
    facts: FactsAbi,
    events: extern "C" fn() -> RResult<RVec<EventAbi>, RString>,
    open: extern "C" fn(RVec<RString>, RVec<Pair>) -> RResult<*mut c_void, RString>,
    /// Where the [`Calls`] are.
    #[sabi(last_prefix_field)]
    calls: Address,
}

/// Lists the events of a backend.
type Events = dyn Fn() -> Result<Vec<Event>, String> + Send + Sync;
/// Opens a set of events with options.
type Open = dyn Fn(&[&str], &[(&str, &str)]) -> Result<*mut c_void, String> + Send + Sync;

/// A counter backend that a library brings.
#[derive(Clone)]
pub struct Entry {
    /// Id and facts.
    pub facts: Facts,
    events: Arc<Events>,
    open: Arc<Open>,
    calls: Calls,
}

impl Entry {
    /// A backend of any dialect.
    ///
    /// # Safety
    /// `open` must give sets with which the functions keep the contract of [`Calls`].
    pub unsafe fn new(facts: Facts, events: Arc<Events>, open: Arc<Open>, calls: Calls) -> Self {
        Entry { facts, events, open, calls }
    }

    /// Every event that the backend knows, each tried.
    ///
    /// # Errors
    /// If the backend fails as a whole.
    pub fn events(&self) -> Result<Vec<Event>, String> {
        (self.events)()
    }

    /// Opens a set of events with options, each a name and a value.
    ///
    /// # Errors
    /// One sentence that names the event.
    pub fn open(&self, events: &[&str], options: &[(&str, &str)]) -> Result<*mut c_void, String> {
        (self.open)(events, options)
    }

    /// Functions of the sets that [`open`](Entry::open) makes.
    pub fn calls(&self) -> Calls {
        self.calls
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.facts).finish()
    }
}

impl From<CounterAbiRef> for Entry {
    fn from(abi: CounterAbiRef) -> Self {
        let (events, open) = (abi.events(), abi.open());
        let list = move || {
            let events = events().into_result().map_err(RString::into_string)?;
            Ok(events.iter().map(event_from_abi).collect())
        };
        let open = move |events: &[&str], options: &[(&str, &str)]| {
            let events = events.iter().map(|event| RString::from(*event)).collect();
            let options = options.iter().map(|(name, value)| Pair::new(name, value)).collect();
            open(events, options).into_result().map_err(RString::into_string)
        };
        // SAFETY: `export` put them there, for the sets that its `open` makes.
        let calls = unsafe { *abi.calls().get() };
        Entry { facts: abi.facts().into(), events: Arc::new(list), open: Arc::new(open), calls }
    }
}

/// Exports a backend.
pub type Export = fn() -> CounterAbiRef;

pub fn export<B: Backend>() -> CounterAbiRef {
    let calls = Calls {
        size: size_of::<Calls>(),
        start: start::<B>,
        read: read::<B>,
        stop: stop::<B>,
        close: close::<B>,
        message: message::<B>,
    };
    CounterAbi {
        facts: FactsAbi::new(B::ID, [("summary", B::SUMMARY.to_owned())]),
        events: events::<B>,
        open: open::<B>,
        calls: Address::of(Box::leak(Box::new(calls))),
    }
    .leak_into_prefix()
}

/// What a set pointer points to.
struct Set<B> {
    backend: B,
    message: Message,
}

impl<B> Set<B> {
    /// Runs a call of the backend.
    #[inline]
    fn call(&mut self, call: impl FnOnce(&mut B) -> Result<(), String>) -> Status {
        let result = guard(|| call(&mut self.backend));
        self.message.answer(result.map(|answer| answer.map_err(|reason| (Status::FAILED, reason))))
    }
}

extern "C" fn events<B: Backend>() -> RResult<RVec<EventAbi>, RString> {
    let events = guard(|| B::events().iter().map(event_to_abi).collect());
    events.map_err(RString::from).into()
}

extern "C" fn open<B: Backend>(events: RVec<RString>, options: RVec<Pair>) -> RResult<*mut c_void, RString> {
    let opened = guard(|| {
        let events: Vec<&str> = events.iter().map(RString::as_str).collect();
        let options: Vec<(&str, &str)> =
            options.iter().map(|option| (option.name.as_str(), option.value.as_str())).collect();
        let set = Set { backend: B::open_with(&events, &options)?, message: Message::default() };
        Ok(Box::into_raw(Box::new(set)).cast())
    });
    opened.and_then(|set| set).map_err(RString::from).into()
}

unsafe extern "C" fn start<B: Backend>(set: *mut c_void) -> Status {
    // SAFETY: the host gives a set of this backend.
    unsafe { &mut *set.cast::<Set<B>>() }.call(B::start)
}

unsafe extern "C" fn read<B: Backend>(set: *mut c_void, counts: *mut EventCount, length: usize) -> Status {
    // SAFETY: the host gives a set of this backend, and `length` counts that it has initialised.
    let (set, counts) =
        unsafe { (&mut *set.cast::<Set<B>>(), std::slice::from_raw_parts_mut(counts, length)) };
    set.call(|backend| backend.read(counts))
}

unsafe extern "C" fn stop<B: Backend>(set: *mut c_void) -> Status {
    // SAFETY: the host gives a set of this backend.
    unsafe { &mut *set.cast::<Set<B>>() }.call(B::stop)
}

unsafe extern "C" fn close<B: Backend>(set: *mut c_void) {
    // SAFETY: `open` of the same backend made it, and the host uses it no more.
    let set = unsafe { Box::from_raw(set.cast::<Set<B>>()) };
    // Nobody is left to be told of a panic while closing.
    let _ = guard(|| drop(set));
}

unsafe extern "C" fn message<B: Backend>(set: *const c_void, length: *mut usize) -> *const u8 {
    // SAFETY: the host gives a set of this backend and a place for the length.
    unsafe { (*set.cast::<Set<B>>()).message.tell(length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_crosses_whole() {
        let event = Event {
            name: "a".into(),
            unit: "b".into(),
            summary: "c".into(),
            semantics: Semantics::Instant,
            scope: Scope::Core,
            availability: Availability::Missing { reason: "d".into(), remedy: "e".into() },
        };
        assert_eq!(event_from_abi(&event_to_abi(&event)), event);
        let available =
            Event { availability: Availability::Available, semantics: Semantics::Counter, ..event };
        assert_eq!(event_from_abi(&event_to_abi(&available)), available);
    }
}
