//! The ABI of counter backends.

use std::ffi::c_void;

use crate::growth::growing;
use crate::self_test::SelfTest;
use crate::{List, Pair, Status, Str, TextSink};

/// A counter backend. A *set* is an address from `open`: events that are counted together, for the thread
/// that opened them. `find`, `together`, `launcher`, `clock`, `self_test` and `recipe` are optional, all other
/// functions are required.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CounterTable {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Reserved for later versions; 0.
    pub flags: u64,
    /// Names of the options that `open` takes.
    pub options: List<Str>,
    /// The first argument of `events`, `find`, `open`, `launcher`, `together`, `clock` and `self_test`.
    pub context: *const c_void,
    /// Passes all events that the backend can list. It tries each to learn whether it can be counted.
    pub events: Option<Events>,
    /// Passes the event of this name, even if it is not listed; nothing if there is no such event. Optional:
    /// without this function, the list is complete.
    pub find: Option<Find>,
    /// Opens a set of events, without starting it.
    pub open: Option<Open>,
    /// Starts counting, from zero.
    pub start: Option<Start>,
    /// Reads the first `length` events of the set without stopping them. It writes event i at `i * stride`
    /// bytes after `counts`: as much of an [`EventCount`] as the stride has room for.
    pub read: Option<Read>,
    /// Stops counting.
    pub stop: Option<Stop>,
    /// Closes the set.
    pub close: Option<Close>,
    /// Passes the message of the last status of the set that was not [`Status::OK`].
    pub message: Option<Message>,
    /// Fails if the events can't be counted together; the message says why. Optional: without this function,
    /// all can.
    pub together: Option<Together>,
    /// Passes how a program must be started so that the events can be counted. Optional: without this
    /// function, programs are started as usual.
    pub launcher: Option<Launcher>,
    /// Fills in the frequencies of the clock whose ticks the backend counts. Optional.
    pub clock: Option<Clock>,
    /// What the backend may do in addition to what every plugin may. Optional, since 1.1: a host decides
    /// itself about a backend that does not declare it.
    pub access: *const RawAccess,
    /// Names of the parts of the self-test, each of which the host runs in a process of its own. Optional,
    /// since 1.1.
    pub self_tests: List<Str>,
    /// Runs a part of the self-test, and passes the result of each check. Optional, since 1.1.
    pub self_test: Option<SelfTest>,
    /// Fills in how the host can read a started set without calling `read`. Optional, since 1.1: without this
    /// function, and for a recipe that it does not know, a host calls `read`.
    pub recipe: Option<Recipe>,
}

growing!(CounterTable, clock);

/// [`CounterTable::events`].
pub type Events = unsafe extern "C" fn(
    context: *const c_void,
    events: *const EventSink,
    message: *const TextSink,
) -> Status;

/// [`CounterTable::find`]. The event that it passes has the requested name.
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

/// [`CounterTable::recipe`]. The host calls it after each `start`, and uses the answer until `stop`. A status
/// other than [`Status::OK`] means that there is no recipe.
pub type Recipe = unsafe extern "C" fn(set: *mut c_void, recipe: *mut RawRecipe) -> Status;

/// How a host reads a started set by itself. All events of the set have the same count.
///
/// There are recipes for what is so cheap to read that the call of `read` would be a large part of it. A
/// system call takes so long that a call more does not matter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawRecipe {
    /// Size of this struct in bytes.
    pub size: usize,
    /// [`NONE`](RawRecipe::NONE) or [`TICKS`](RawRecipe::TICKS). Unknown numbers count as `NONE`.
    pub kind: u64,
    /// The reading at the start, from which counts are differences.
    pub base: u64,
}

growing!(RawRecipe, base);

impl RawRecipe {
    /// There is no recipe.
    pub const NONE: u64 = 0;
    /// What [`ticks`](crate::ticks::ticks()) reads. The CPU must have the instruction.
    pub const TICKS: u64 = 1;
}

/// What a backend may do in addition to what every plugin may.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawAccess {
    /// Size of this struct in bytes.
    pub size: usize,
    /// Bits such as [`PERF_EVENTS`](RawAccess::PERF_EVENTS). A host does not grant what it does not know.
    pub flags: u64,
    /// Absolute paths of the files, and of the folders with everything below them, that the backend reads.
    pub files: List<Str>,
}

growing!(RawAccess, files);

impl RawAccess {
    /// It opens performance events of the kernel.
    pub const PERF_EVENTS: u64 = 1;
    /// It opens sockets.
    pub const NETWORK: u64 = 2;
    /// It starts programs.
    pub const PROGRAMS: u64 = 4;
}

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
    /// What is counted, in a sentence.
    pub summary: Str,
    /// The reason why it can't be counted here; empty if it can.
    pub reason: Str,
    /// What the user can do so that it can be counted.
    pub remedy: Str,
    /// Meaning of its values: [`COUNTER`](RawEvent::COUNTER) or [`INSTANT`](RawEvent::INSTANT).
    pub semantics: u32,
    /// Whose work it counts: [`THREAD`](RawEvent::THREAD), [`PROCESS`](RawEvent::PROCESS) and so on.
    pub scope: u32,
    /// Cost of a read: [`REGISTER`](RawEvent::REGISTER), [`SYSTEM_CALL`](RawEvent::SYSTEM_CALL) or more.
    pub cost: u32,
    /// [`UNAVAILABLE`](RawEvent::UNAVAILABLE) or 0. Other bits are reserved for later versions.
    pub flags: u32,
    /// Time between two updates of the count, in nanoseconds; 0 if each read updates it, or if this is
    /// unknown.
    pub grain_ns: u64,
}

growing!(RawEvent, grain_ns);

impl RawEvent {
    /// The value only grows.
    pub const COUNTER: u32 = 0;
    /// The value is the level at the time of the read. Unknown numbers count as this one.
    pub const INSTANT: u32 = 1;

    /// The thread that opened the set.
    pub const THREAD: u32 = 0;
    /// All threads of the process.
    pub const PROCESS: u32 = 1;
    /// All that runs on one core.
    pub const CORE: u32 = 2;
    /// The whole system. Unknown numbers count as this one.
    pub const SYSTEM: u32 = 3;

    /// A read of a register: some 20 ns.
    pub const REGISTER: u32 = 0;
    /// A system call: up to some microseconds.
    pub const SYSTEM_CALL: u32 = 1;
    /// More than a system call. Unknown numbers count as this one.
    pub const SLOW: u32 = 2;

    /// The event can't be counted here.
    pub const UNAVAILABLE: u32 = 1;
}

/// A read of one event: its count since the set was started.
///
/// If an event did not count all the time, `running` is less than `enabled`. If it never counted, `running`
/// is 0 and `value` means nothing. In a backend whose events always count, both are equal.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EventCount {
    /// The count. It is exact up to 2^53, so a backend with totals of 64 bits must subtract the totals at the
    /// start before it converts them.
    pub value: f64,
    /// Time since the event was started, in a unit that the backend chooses.
    pub enabled: u64,
    /// Time during which it was counting, in the same unit.
    pub running: u64,
    /// Bits such as [`MISSING`](EventCount::MISSING). Other bits are reserved for later versions.
    pub flags: u64,
}

impl EventCount {
    /// There is no count: `value` means nothing.
    pub const MISSING: u64 = 1;
    /// The value was scaled up, because the event did not count all the time.
    pub const SCALED: u64 = 2;
    /// The counter has wrapped around since the start, so `value` may be too small.
    pub const WRAPPED: u64 = 4;

    /// The count of an event that counted all the time.
    pub const fn complete(value: f64) -> Self {
        EventCount { value, enabled: 1, running: 1, flags: 0 }
    }

    /// A missing count.
    pub const fn missing() -> Self {
        EventCount { value: 0.0, enabled: 0, running: 0, flags: EventCount::MISSING }
    }
}

/// A request to open a set.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OpenRequest {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The events, by name.
    pub events: List<Str>,
    /// The options, by name and value.
    pub options: List<Pair>,
    /// Number of the CPU that the thread is bound to; -1 if it is not bound.
    pub cpu: i64,
    /// If the request is for a launcher: path of the program that it will start.
    pub program: Str,
}

growing!(OpenRequest, program);

/// A sink for events.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct EventSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first argument of `take`.
    pub context: *mut c_void,
    /// Takes an event, and copies what it keeps.
    pub take: Option<unsafe extern "C" fn(context: *mut c_void, event: *const RawEvent)>,
}

growing!(EventSink, take);

/// A sink for the way in which a program must be started.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LaunchSink {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The first argument of the functions.
    pub context: *mut c_void,
    /// Takes the next word of the command that is written before the program.
    pub word: Option<unsafe extern "C" fn(context: *mut c_void, word: Str)>,
    /// Takes an environment variable.
    pub variable: Option<unsafe extern "C" fn(context: *mut c_void, name: Str, value: Str)>,
}

growing!(LaunchSink, variable);

/// Frequencies of a clock, in hertz; NaN if unknown.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawClock {
    /// Size of this struct in bytes.
    pub size: usize,
    /// The frequency that the system reports.
    pub reported_hz: f64,
    /// The measured frequency.
    pub measured_hz: f64,
}

growing!(RawClock, measured_hz);

impl RawClock {
    /// Both frequencies are unknown.
    pub const UNKNOWN: RawClock =
        RawClock { size: size_of::<RawClock>(), reported_hz: f64::NAN, measured_hz: f64::NAN };
}
