//! Exports counter backends: a set is an open value of the author's type.

use std::ffi::c_void;

use assay_abi::counter::{
    CounterTable, EventCount, EventSink, LaunchSink, OpenRequest, RawAccess, RawClock, RawEvent, RawRecipe,
};
use assay_abi::root::Item;
use assay_abi::{Growing, List, Status, Str, TextSink, fill, read};

use super::answer::{Message, answer};
use super::guard::{guard, guard_inlined};
use super::self_test::self_test;
use super::{item, names, pairs, texts};
use crate::counter::{Access, Availability, Backend, Cost, Event, Open, Recipe, Scope, Semantics};

/// Exports a backend.
pub type Export = fn() -> Item;

pub fn export<B: Backend>() -> Item {
    let options: Vec<String> = B::OPTIONS.iter().map(|(name, what)| format!("{name}: {what}")).collect();
    let options = options.join("; ");
    let mut facts = vec![("summary", B::SUMMARY)];
    if !options.is_empty() {
        facts.push(("options", &options));
    }
    let table = CounterTable {
        options: names(B::OPTIONS.iter().map(|(name, _)| *name)),
        events: Some(events::<B>),
        find: Some(find::<B>),
        open: Some(open::<B>),
        start: Some(start::<B>),
        read: Some(read_counts::<B>),
        stop: Some(stop::<B>),
        close: Some(close::<B>),
        message: Some(message::<B>),
        together: Some(together::<B>),
        launcher: Some(launcher::<B>),
        clock: Some(clock::<B>),
        access: Box::leak(Box::new(raw_access(&B::ACCESS))),
        self_tests: names(B::SELF_TESTS.iter().copied()),
        self_test: Some(self_test::<B>),
        recipe: Some(recipe::<B>),
        ..CounterTable::empty()
    };
    item(B::ID, &facts, table)
}

/// The form in which a declared access crosses. It is never freed.
fn raw_access(access: &Access) -> RawAccess {
    let flags = [
        (access.perf_events, RawAccess::PERF_EVENTS),
        (access.network, RawAccess::NETWORK),
        (access.programs, RawAccess::PROGRAMS),
    ];
    let flags = flags.iter().filter(|(declared, _)| *declared).map(|(_, flag)| flag).sum();
    RawAccess { flags, files: names(access.files.iter().copied()), ..RawAccess::empty() }
}

/// The value to which the address of a set leads.
struct Set<B> {
    backend: B,
    /// Buffer for counts if those of the host have another size.
    counts: Vec<EventCount>,
    message: Message,
}

impl<B> Set<B> {
    /// Runs a call of the backend.
    #[inline(always)]
    fn call(&mut self, call: impl FnOnce(&mut B, &mut [EventCount]) -> Result<(), String>) -> Status {
        let result = guard_inlined(|| call(&mut self.backend, &mut self.counts));
        self.message.answer(result.map(|answer| answer.map_err(|reason| (Status::FAILED, reason))))
    }
}

/// Passes an event to a sink.
///
/// # Safety
/// The call that brought the sink must not have returned yet.
unsafe fn send(sink: *const EventSink, event: &Event) -> Result<(), String> {
    let (reason, remedy) = match &event.availability {
        Availability::Available => ("", ""),
        Availability::Missing { reason, remedy } => (reason.as_str(), remedy.as_str()),
    };
    let raw = RawEvent {
        name: Str::new(&event.name),
        unit: Str::new(&event.unit),
        summary: Str::new(&event.summary),
        reason: Str::new(reason),
        remedy: Str::new(remedy),
        semantics: match event.semantics {
            Semantics::Counter => RawEvent::COUNTER,
            Semantics::Instant => RawEvent::INSTANT,
        },
        scope: match event.scope {
            Scope::Thread => RawEvent::THREAD,
            Scope::Process => RawEvent::PROCESS,
            Scope::Core => RawEvent::CORE,
            Scope::System => RawEvent::SYSTEM,
        },
        cost: match event.cost {
            Cost::Register => RawEvent::REGISTER,
            Cost::SystemCall => RawEvent::SYSTEM_CALL,
            Cost::Slow => RawEvent::SLOW,
        },
        flags: if event.availability == Availability::Available { 0 } else { RawEvent::UNAVAILABLE },
        grain_ns: event.grain_ns,
        ..RawEvent::empty()
    };
    // SAFETY: the caller's promise; the event outlives the call.
    unsafe {
        let sink = read(sink).map_err(|error| format!("the sink {error}"))?;
        sink.take.ok_or("the sink takes nothing")?(sink.context, &raw);
    }
    Ok(())
}

unsafe extern "C" fn events<B: Backend>(
    _: *const c_void,
    events: *const EventSink,
    message: *const TextSink,
) -> Status {
    // SAFETY: the host gives sinks for the length of the call.
    unsafe { answer(message, || B::events().iter().try_for_each(|event| send(events, event))) }
}

unsafe extern "C" fn find<B: Backend>(
    _: *const c_void,
    name: Str,
    events: *const EventSink,
    message: *const TextSink,
) -> Status {
    // SAFETY: the host gives a name and sinks for the length of the call.
    unsafe { answer(message, || B::find(&name.text())?.iter().try_for_each(|event| send(events, event))) }
}

/// Calls a function with the request of the host.
///
/// # Safety
/// The request must last during the call.
unsafe fn requested<B: Backend, T>(
    request: *const OpenRequest,
    call: impl FnOnce(&Open<'_>) -> Result<T, String>,
) -> Result<T, String> {
    // SAFETY: the caller's promise.
    let (events, options, program, cpu) = unsafe {
        let request = read(request).map_err(|error| format!("the request {error}"))?;
        (texts(request.events), pairs(request.options), request.program.text(), request.cpu)
    };
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let options: Vec<(&str, &str)> =
        options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let unknown = |(name, _): &&(&str, &str)| B::OPTIONS.iter().all(|(known, _)| known != name);
    if let Some((name, _)) = options.iter().find(unknown) {
        return Err(format!("{} knows no option {name}", B::ID));
    }
    let cpu = usize::try_from(cpu).ok();
    call(&Open { events: &events, options: &options, cpu, program: &program })
}

unsafe extern "C" fn open<B: Backend>(
    _: *const c_void,
    request: *const OpenRequest,
    set: *mut *mut c_void,
    message: *const TextSink,
) -> Status {
    let opened = |open: &Open<'_>| {
        let counts = vec![EventCount::default(); open.events.len()];
        Ok(Set { backend: B::open(open)?, counts, message: Message::default() })
    };
    // SAFETY: the host gives a request, a sink and a place for the set, for the length of the call.
    unsafe {
        answer(message, || {
            *set = Box::into_raw(Box::new(requested::<B, _>(request, opened)?)).cast();
            Ok(())
        })
    }
}

unsafe extern "C" fn start<B: Backend>(set: *mut c_void) -> Status {
    // SAFETY: the host gives a set of this backend.
    unsafe { &mut *set.cast::<Set<B>>() }.call(|backend, _| backend.start())
}

unsafe extern "C" fn read_counts<B: Backend>(
    set: *mut c_void,
    counts: *mut EventCount,
    length: usize,
    stride: usize,
) -> Status {
    // SAFETY: the host gives a set of this backend.
    let set = unsafe { &mut *set.cast::<Set<B>>() };
    if stride == size_of::<EventCount>() && length == set.counts.len() && length > 0 {
        // SAFETY: the host passes `length` counts, and has initialised them.
        let counts = unsafe { std::slice::from_raw_parts_mut(counts, length) };
        if !B::READ_NEVER_PANICS {
            return set.call(|backend, _| backend.read(counts));
        }
        return match set.backend.read(counts) {
            Ok(()) => Status::OK,
            Err(reason) => set.message.answer(Ok(Err((Status::FAILED, reason)))),
        };
    }
    let status = set.call(|backend, own| backend.read(own));
    for (i, count) in set.counts.iter().enumerate().take(length) {
        let known = stride.min(size_of::<EventCount>());
        // SAFETY: the host passes room for `length` counts, each as long as the stride.
        unsafe {
            let target = counts.cast::<u8>().add(i * stride);
            std::ptr::copy_nonoverlapping(std::ptr::from_ref(count).cast(), target, known);
        }
    }
    status
}

unsafe extern "C" fn stop<B: Backend>(set: *mut c_void) -> Status {
    // SAFETY: the host gives a set of this backend.
    unsafe { &mut *set.cast::<Set<B>>() }.call(|backend, _| backend.stop())
}

unsafe extern "C" fn recipe<B: Backend>(set: *mut c_void, recipe: *mut RawRecipe) -> Status {
    // SAFETY: the host gives a set of this backend.
    unsafe { &mut *set.cast::<Set<B>>() }.call(|backend, _| {
        let raw = match backend.recipe() {
            None => RawRecipe::empty(),
            Some(Recipe::Ticks { base }) => RawRecipe { kind: RawRecipe::TICKS, base, ..RawRecipe::empty() },
        };
        // SAFETY: the host gives a struct that begins with its size.
        unsafe { fill(recipe, &raw) };
        Ok(())
    })
}

unsafe extern "C" fn close<B: Backend>(set: *mut c_void) {
    // SAFETY: `open` of the same backend made the set, and the host no longer uses it.
    let set = unsafe { Box::from_raw(set.cast::<Set<B>>()) };
    // A panic while closing cannot be reported, because the call is over.
    let _ = guard(|| drop(set));
}

unsafe extern "C" fn message<B: Backend>(set: *const c_void, message: *const TextSink) {
    // SAFETY: the host gives a set of this backend, and a sink for the length of the call.
    unsafe { (*set.cast::<Set<B>>()).message.send(message) };
}

unsafe extern "C" fn together<B: Backend>(
    _: *const c_void,
    events: List<Str>,
    message: *const TextSink,
) -> Status {
    // SAFETY: the host gives names and a sink for the length of the call.
    unsafe {
        let events = texts(events);
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        answer(message, || B::together(&events))
    }
}

unsafe extern "C" fn launcher<B: Backend>(
    _: *const c_void,
    request: *const OpenRequest,
    launch: *const LaunchSink,
    message: *const TextSink,
) -> Status {
    // SAFETY: the host gives a request and sinks for the length of the call.
    unsafe {
        answer(message, || {
            let Some(launcher) = requested::<B, _>(request, B::launcher)? else { return Ok(()) };
            let sink = read(launch).map_err(|error| format!("the sink {error}"))?;
            let word = sink.word.ok_or("the sink takes no words")?;
            let variable = sink.variable.ok_or("the sink takes no variables")?;
            launcher.command.iter().for_each(|text| word(sink.context, Str::new(text)));
            for (name, value) in &launcher.environment {
                variable(sink.context, Str::new(name), Str::new(value));
            }
            Ok(())
        })
    }
}

unsafe extern "C" fn clock<B: Backend>(
    _: *const c_void,
    clock: *mut RawClock,
    message: *const TextSink,
) -> Status {
    let run = || {
        let hz = |hz: Option<f64>| hz.unwrap_or(f64::NAN);
        let known = B::clock()?;
        let (reported_hz, measured_hz) = (hz(known.reported_hz), hz(known.measured_hz));
        // SAFETY: the host gives a struct that begins with its size.
        unsafe { fill(clock, &RawClock { reported_hz, measured_hz, ..RawClock::UNKNOWN }) };
        Ok(())
    };
    // SAFETY: the host gives a sink for the length of the call.
    unsafe { answer(message, run) }
}
