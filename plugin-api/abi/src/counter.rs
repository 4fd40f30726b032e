//! Counter backends.

use std::ffi::c_void;

use crate::growth::growing;
use crate::{List, Pair, Status, Str, TextSink};

/// A counter backend. A *set* is an address that `open` gave: events that are counted together, for the
/// thread that opened them. `find`, `together`, `launcher` and `clock` may be missing, all other functions
/// must be there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CounterTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// For later versions.
    pub flags: u64,
    /// Names of the options that `open` takes.
    pub options: List<Str>,
    /// What `events`, `find`, `open`, `launcher`, `together` and `clock` are called with.
    pub context: *const c_void,
    /// Tells every event that the backend can list, each tried a moment ago.
    pub events: Option<Events>,
    /// Tells the one event of this name, listed or not; none if there is no such event. May be missing: then
    /// all are listed.
    pub find: Option<Find>,
    /// Opens a set of events, without starting it.
    pub open: Option<Open>,
    /// Starts counting, from zero.
    pub start: Option<Start>,
    /// Reads the first `length` events of the set without stopping them: number i goes to `i * stride` bytes
    /// after `counts`. As much of an [`EventCount`] is written as the stride has room for, and no more than
    /// is known.
    pub read: Option<Read>,
    /// Stops counting.
    pub stop: Option<Stop>,
    /// Closes the set.
    pub close: Option<Close>,
    /// Tells the message of the set's last answer that was not [`Status::OK`].
    pub message: Option<Message>,
    /// Says whether the events can be counted together: if not, the message says why. May be missing: then
    /// any can.
    pub together: Option<Together>,
    /// Tells how a program must be started so that the events can be counted. May be missing: then as ever.
    pub launcher: Option<Launcher>,
    /// Fills in the frequencies of the clock that the counts belong to. May be missing.
    pub clock: Option<Clock>,
}

growing!(CounterTable, clock);

/// [`CounterTable::events`].
pub type Events = unsafe extern "C" fn(
    context: *const c_void,
    events: *const EventSink,
    message: *const TextSink,
) -> Status;

/// [`CounterTable::find`]. The event that it tells has the name that was asked for.
pub type Find = unsafe extern "C" fn(
    context: *const c_void,
    name: Str,
    events: *const EventSink,
    message: *const TextSink,
) -> Status;

/// [`CounterTable::open`].
pub type Open = unsafe extern "C" fn(
    context: *const c_void,
    request: *const OpenRequest,
    set: *mut *mut c_void,
    message: *const TextSink,
) -> Status;

/// [`CounterTable::start`].
pub type Start = unsafe extern "C" fn(set: *mut c_void) -> Status;

/// [`CounterTable::read`].
pub type Read =
    unsafe extern "C" fn(set: *mut c_void, counts: *mut EventCount, length: usize, stride: usize) -> Status;

/// [`CounterTable::stop`].
pub type Stop = unsafe extern "C" fn(set: *mut c_void) -> Status;

/// [`CounterTable::close`].
pub type Close = unsafe extern "C" fn(set: *mut c_void);

/// [`CounterTable::message`].
pub type Message = unsafe extern "C" fn(set: *const c_void, message: *const TextSink);

/// [`CounterTable::together`].
pub type Together =
    unsafe extern "C" fn(context: *const c_void, events: List<Str>, message: *const TextSink) -> Status;

/// [`CounterTable::launcher`].
pub type Launcher = unsafe extern "C" fn(
    context: *const c_void,
    request: *const OpenRequest,
    launch: *const LaunchSink,
    message: *const TextSink,
) -> Status;

/// [`CounterTable::clock`].
pub type Clock =
    unsafe extern "C" fn(context: *const c_void, clock: *mut RawClock, message: *const TextSink) -> Status;

/// An event that a backend knows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawEvent {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The name within the backend.
    pub name: Str,
    /// Unit of the counts.
    pub unit: Str,
    /// One sentence: what is counted.
    pub summary: Str,
    /// Why it can't be counted here; empty if it can.
    pub reason: Str,
    /// What the user can do about that.
    pub remedy: Str,
    /// How its counts are to be read: [`COUNTER`](RawEvent::COUNTER) or [`INSTANT`](RawEvent::INSTANT).
    pub semantics: u32,
    /// Whose work it counts: [`THREAD`](RawEvent::THREAD) and its like.
    pub scope: u32,
    /// What a reading costs: [`REGISTER`](RawEvent::REGISTER) and its like.
    pub cost: u32,
    /// [`UNAVAILABLE`](RawEvent::UNAVAILABLE); other bits are for later versions.
    pub flags: u32,
    /// How often the count moves, in nanoseconds; 0 if with every reading, or unknown.
    pub grain_ns: u64,
}

growing!(RawEvent, grain_ns);

impl RawEvent {
    /// It only grows.
    pub const COUNTER: u32 = 0;
    /// A level at the moment of reading; also what an unknown number is taken for.
    pub const INSTANT: u32 = 1;

    /// The thread that opened it.
    pub const THREAD: u32 = 0;
    /// All threads of the process.
    pub const PROCESS: u32 = 1;
    /// Whatever runs on one core.
    pub const CORE: u32 = 2;
    /// The whole system; also what an unknown number is taken for.
    pub const SYSTEM: u32 = 3;

    /// A register is read: some 20 ns.
    pub const REGISTER: u32 = 0;
    /// A system call: up to some microseconds.
    pub const SYSTEM_CALL: u32 = 1;
    /// More than that; also what an unknown number is taken for.
    pub const SLOW: u32 = 2;

    /// It can't be counted here.
    pub const UNAVAILABLE: u32 = 1;
}

/// One reading of one event, since the set was started.
///
/// Where an event did not count all the time, `running` is less than `enabled`; where it never did, `running`
/// is 0 and `value` means nothing. A backend whose events always count leaves both equal.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EventCount {
    /// The count. Exact up to 2^53: a backend with totals of 64 bits subtracts those of the start as whole
    /// numbers.
    pub value: f64,
    /// For how long the event was meant to count, in the backend's own unit of time.
    pub enabled: u64,
    /// For how long it did count, in the same unit.
    pub running: u64,
    /// [`MISSING`](EventCount::MISSING) and its like; other bits are for later versions.
    pub flags: u64,
}

impl EventCount {
    /// There is no count: `value` means nothing.
    pub const MISSING: u64 = 1;
    /// The value was scaled up from the time that the event did count.
    pub const SCALED: u64 = 2;
    /// The counter has begun again from zero since the start, so `value` may be too small.
    pub const WRAPPED: u64 = 4;

    /// A count of an event that counts all the time.
    pub const fn complete(value: f64) -> Self {
        EventCount { value, enabled: 1, running: 1, flags: 0 }
    }

    /// No count.
    pub const fn missing() -> Self {
        EventCount { value: 0.0, enabled: 0, running: 0, flags: EventCount::MISSING }
    }
}

/// What `open` is asked for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OpenRequest {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The events, by name.
    pub events: List<Str>,
    /// Options, each a name and a value.
    pub options: List<Pair>,
    /// The CPU that the thread is bound to; -1 if to none.
    pub cpu: i64,
    /// The program that will be started, where a launcher is asked for: a path.
    pub program: Str,
}

growing!(OpenRequest, program);

/// Takes events, during a call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct EventSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What `take` is called with.
    pub context: *mut c_void,
    /// Takes an event. It copies what it wants to keep.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, event: *const RawEvent)>,
}

growing!(EventSink, take);

/// Takes how a program is to be started, during a call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LaunchSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What the functions are called with.
    pub context: *mut c_void,
    /// Takes the next word of the command that stands before the program.
    pub word: Option<unsafe extern "C" fn(context: *mut c_void, word: Str)>,
    /// Takes a variable of the environment.
    pub variable: Option<unsafe extern "C" fn(context: *mut c_void, name: Str, value: Str)>,
}

growing!(LaunchSink, variable);

/// Frequencies of a clock, in hertz; NaN where unknown.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawClock {
    /// Size of this struct in bytes.
    pub size: usize,
    /// What the system says.
    pub reported_hz: f64,
    /// What was measured.
    pub measured_hz: f64,
}

growing!(RawClock, measured_hz);

impl RawClock {
    /// Nothing is known.
    pub const UNKNOWN: RawClock =
        RawClock { size: size_of::<RawClock>(), reported_hz: f64::NAN, measured_hz: f64::NAN };
}
