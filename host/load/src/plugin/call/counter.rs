//! Counter backends.

use std::ffi::c_void;

use assay_abi::counter::{self as abi, CounterTable, EventSink, LaunchSink, OpenRequest, RawClock, RawEvent};
use assay_abi::self_test::SelfTest;
use assay_abi::{Growing, List, Str};
use assay_base::error::excerpt;
use assay_plugin_api::{Availability, Clock, Cost, Event, Launcher, Open, Scope, Semantics};

use super::super::{BackendAccess, printable};
use super::{CounterSet, Facts, Failure, call_for_status, pairs, required, strs, table, texts};

/// A counter backend that a library brings.
#[derive(Clone, Debug)]
pub struct CounterEntry {
    /// Id and facts.
    pub facts: Facts,
    /// Names of the options that it takes.
    pub options: Vec<String>,
    /// Names of the parts of its self-test.
    pub self_tests: Vec<String>,
    /// What it may do in addition to what every plugin may.
    pub access: BackendAccess,
    pub(super) calls: CounterFunctions,
}

/// Its functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterFunctions {
    context: *const c_void,
    events: abi::Events,
    find: Option<abi::Find>,
    open: abi::Open,
    pub start: abi::Start,
    pub read: abi::Read,
    pub stop: abi::Stop,
    pub close: abi::Close,
    pub message: abi::Message,
    together: Option<abi::Together>,
    launcher: Option<abi::Launcher>,
    clock: Option<abi::Clock>,
    /// With its context.
    pub self_test: Option<(*const c_void, SelfTest)>,
    pub recipe: Option<abi::Recipe>,
}

impl CounterEntry {
    /// Reads a backend.
    ///
    /// # Errors
    /// If its table can't be used: what is wrong with it.
    ///
    /// # Safety
    /// An address that could be must be that of a [`CounterTable`] that keeps its contract and lasts for
    /// ever.
    pub unsafe fn read(facts: Facts, address: *const c_void) -> Result<Self, String> {
        // SAFETY: the caller's promise.
        let (table, options, self_tests, access) = unsafe {
            let table: CounterTable = table(address)?;
            (table, texts(table.options), texts(table.self_tests), BackendAccess::read(table.access)?)
        };
        let calls = CounterFunctions {
            context: table.context,
            events: required("events", table.events)?,
            find: table.find,
            open: required("open", table.open)?,
            start: required("start", table.start)?,
            read: required("read", table.read)?,
            stop: required("stop", table.stop)?,
            close: required("close", table.close)?,
            message: required("message", table.message)?,
            together: table.together,
            launcher: table.launcher,
            clock: table.clock,
            self_test: table.self_test.map(|self_test| (table.context, self_test)),
            recipe: table.recipe,
        };
        Ok(CounterEntry { facts, options, self_tests, access, calls })
    }

    /// Every event that the backend lists, each tried.
    ///
    /// # Errors
    /// If the backend fails as a whole.
    pub fn events(&self) -> Result<Vec<Event>, String> {
        let CounterFunctions { context, events, .. } = self.calls;
        // SAFETY: the context belongs to the function, and the sinks last during the call.
        receive_events(|sink| call_for_status(|message| unsafe { events(context, sink, message) }))
    }

    /// The event of a name, whether it is listed or not.
    ///
    /// # Errors
    /// If the backend fails as a whole, or answers an event of another name.
    pub fn find(&self, name: &str) -> Result<Option<Event>, String> {
        let CounterFunctions { context, find, .. } = self.calls;
        let of_name = |events: Vec<Event>| events.into_iter().find(|event| event.name == name);
        let Some(find) = find else { return self.events().map(of_name) };
        let events = receive_events(|sink| {
            // SAFETY: as for `events`; the name lasts during the call.
            call_for_status(|message| unsafe { find(context, Str::new(name), sink, message) })
        })?;
        match events.first() {
            Some(other) if events.iter().all(|event| event.name != name) => {
                Err(format!("its find answers `{}` for `{}`", excerpt(&other.name), excerpt(name)))
            }
            _ => Ok(of_name(events)),
        }
    }

    /// Opens a set of events.
    ///
    /// # Errors
    /// One sentence that names the event.
    pub fn open(&self, request: &Open<'_>) -> Result<CounterSet, String> {
        let CounterFunctions { context, open, .. } = self.calls;
        let mut set = std::ptr::null_mut();
        requested(request, |raw| {
            // SAFETY: the context belongs to the function; request, set and sink last during the call.
            call_for_status(|message| unsafe { open(context, raw, &raw mut set, message) })
        })?;
        // SAFETY: it was opened just now.
        Ok(unsafe { CounterSet::new(self.calls, set, request.events.len()) })
    }

    /// Whether events can be counted together.
    ///
    /// # Errors
    /// One sentence that says why not.
    pub fn together(&self, events: &[&str]) -> Result<(), String> {
        let CounterFunctions { context, together, .. } = self.calls;
        let Some(together) = together else { return Ok(()) };
        let events = strs(events);
        // SAFETY: the context belongs to the function; names and sink last during the call.
        call_for_status(|message| unsafe { together(context, List::new(&events), message) })
            .map_err(Failure::message)
    }

    /// How a program must be started so that events can be counted; `None` if as ever.
    ///
    /// # Errors
    /// One sentence.
    pub fn launcher(&self, request: &Open<'_>) -> Result<Option<Launcher>, String> {
        unsafe extern "C" fn word(context: *mut c_void, word: Str) {
            // SAFETY: the context is the launcher below, and the word lasts during the call.
            unsafe { (*context.cast::<Launcher>()).command.push(word.text().into_owned()) }
        }
        unsafe extern "C" fn variable(context: *mut c_void, name: Str, value: Str) {
            // SAFETY: as above.
            unsafe {
                let variable = (name.text().into_owned(), value.text().into_owned());
                (*context.cast::<Launcher>()).environment.push(variable);
            }
        }
        let CounterFunctions { context, launcher, .. } = self.calls;
        let Some(launcher) = launcher else { return Ok(None) };
        let mut answer = Launcher::default();
        let sink = LaunchSink {
            context: (&raw mut answer).cast(),
            word: Some(word),
            variable: Some(variable),
            ..LaunchSink::empty()
        };
        requested(request, |raw| {
            // SAFETY: the context belongs to the function; request and sinks last during the call.
            call_for_status(|message| unsafe { launcher(context, raw, &sink, message) })
        })?;
        Ok((answer != Launcher::default()).then_some(answer))
    }

    /// Frequencies of the clock that the counts belong to.
    ///
    /// # Errors
    /// One sentence.
    pub fn clock(&self) -> Result<Clock, String> {
        let CounterFunctions { context, clock, .. } = self.calls;
        let Some(clock) = clock else { return Ok(Clock::default()) };
        let mut raw = RawClock::UNKNOWN;
        // SAFETY: the context belongs to the function; the struct begins with its size.
        call_for_status(|message| unsafe { clock(context, &raw mut raw, message) })
            .map_err(Failure::message)?;
        let known = |hz: f64| (hz.is_finite() && hz > 0.0).then_some(hz);
        Ok(Clock { reported_hz: known(raw.reported_hz), measured_hz: known(raw.measured_hz) })
    }
}

/// CounterFunctions with a request.
fn requested(
    request: &Open<'_>,
    call: impl FnOnce(&OpenRequest) -> Result<(), Failure>,
) -> Result<(), String> {
    let (events, options) = (strs(request.events), pairs(request.options));
    let raw = OpenRequest {
        events: List::new(&events),
        options: List::new(&options),
        cpu: request.cpu.and_then(|cpu| i64::try_from(cpu).ok()).unwrap_or(-1),
        program: Str::new(request.program),
        ..OpenRequest::empty()
    };
    call(&raw).map_err(Failure::message)
}

/// The events that a call tells.
fn receive_events(call: impl FnOnce(&EventSink) -> Result<(), Failure>) -> Result<Vec<Event>, String> {
    unsafe extern "C" fn take(context: *mut c_void, event: *const RawEvent) {
        // SAFETY: the context is the list below, and the event lasts during the call.
        unsafe {
            if let Ok(raw) = assay_abi::read(event) {
                (*context.cast::<Vec<Event>>()).push(event_of(&raw));
            }
        }
    }
    let mut events: Vec<Event> = Vec::new();
    let sink = EventSink { context: (&raw mut events).cast(), take: Some(take), ..EventSink::empty() };
    call(&sink).map_err(Failure::message)?;
    Ok(events)
}

/// Numbers that this host does not know are taken for what misleads least.
///
/// # Safety
/// The event's texts must last during the call.
unsafe fn event_of(raw: &RawEvent) -> Event {
    // SAFETY: the caller's promise.
    let text = |text: Str| printable::message(&unsafe { text.text() });
    Event {
        // The name is looked at before it is used.
        // SAFETY: as above.
        name: unsafe { raw.name.text() }.into_owned(),
        unit: text(raw.unit),
        summary: text(raw.summary),
        semantics: match raw.semantics {
            RawEvent::COUNTER => Semantics::Counter,
            _ => Semantics::Instant,
        },
        scope: match raw.scope {
            RawEvent::THREAD => Scope::Thread,
            RawEvent::PROCESS => Scope::Process,
            RawEvent::CORE => Scope::Core,
            _ => Scope::System,
        },
        cost: match raw.cost {
            RawEvent::REGISTER => Cost::Register,
            RawEvent::SYSTEM_CALL => Cost::SystemCall,
            _ => Cost::Slow,
        },
        grain_ns: raw.grain_ns,
        availability: if raw.flags & RawEvent::UNAVAILABLE == 0 {
            Availability::Available
        } else {
            Availability::Missing { reason: text(raw.reason), remedy: text(raw.remedy) }
        },
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use assay_plugin_api::Access;
    use assay_plugin_api::private::Item;

    use super::*;

    #[test]
    fn unknown_numbers_of_an_event_are_taken_for_what_misleads_least() {
        let raw = RawEvent { semantics: 9, scope: 9, cost: u32::MAX, flags: 1, ..RawEvent::empty() };
        // SAFETY: its texts are empty.
        let event = unsafe { event_of(&raw) };
        assert_eq!(
            (event.semantics, event.scope, event.cost),
            (Semantics::Instant, Scope::System, Cost::Slow)
        );
        assert!(matches!(event.availability, Availability::Missing { .. }));
    }

    /// A backend with all that it may say beyond the events that it lists.
    struct Talkative;

    impl assay_plugin_api::Backend for Talkative {
        const ID: &'static str = "talkative";
        const SUMMARY: &'static str = "Counts nothing.";
        const OPTIONS: &'static [(&'static str, &'static str)] = &[("deep", "how deep")];
        const ACCESS: Access = Access { network: true, files: &["/proc/self"], ..Access::NOTHING };

        fn events() -> Vec<Event> {
            Vec::new()
        }

        fn find(name: &str) -> Result<Option<Event>, String> {
            let known = ["exact", "alias"].contains(&name);
            Ok(known.then(|| Event::new("exact", "events", "something")))
        }

        fn together(events: &[&str]) -> Result<(), String> {
            if events.len() < 3 { Ok(()) } else { Err(format!("there is no room for {}", events[2])) }
        }

        fn launcher(request: &Open<'_>) -> Result<Option<Launcher>, String> {
            let [(option, value)] = request.options else { return Ok(None) };
            Ok(Some(Launcher {
                command: vec!["tool".to_owned(), format!("--{option}={value}"), request.events.join("+")],
                environment: vec![("PROGRAM".to_owned(), request.program.to_owned())],
            }))
        }

        fn clock() -> Result<Clock, String> {
            Ok(Clock { reported_hz: Some(2.5e9), measured_hz: None })
        }

        fn open(_: &Open<'_>) -> Result<Self, String> {
            Ok(Talkative)
        }

        fn start(&mut self) -> Result<(), String> {
            Ok(())
        }

        fn read(&mut self, _: &mut [abi::EventCount]) -> Result<(), String> {
            Ok(())
        }
    }

    fn talkative() -> CounterEntry {
        let Item::Backend(export) = Item::backend::<Talkative>() else { unreachable!() };
        // SAFETY: the item is made just now, with a table of this type.
        unsafe { CounterEntry::read(Facts::default(), export().table) }.unwrap()
    }

    #[test]
    fn a_declared_access_arrives() {
        let files = vec![PathBuf::from("/proc/self")];
        let expected = BackendAccess { network: true, files, ..BackendAccess::default() };
        assert_eq!(talkative().access, expected);
    }

    #[test]
    fn an_event_that_is_found_has_the_name_that_was_asked_for() {
        assert_eq!(talkative().find("exact").unwrap().unwrap().name, "exact");
        assert_eq!(talkative().find("none"), Ok(None));
        assert_eq!(talkative().find("alias"), Err("its find answers `exact` for `alias`".to_owned()));
    }

    #[test]
    fn what_cannot_be_counted_together_arrives() {
        assert_eq!(talkative().together(&["a", "b"]), Ok(()));
        assert_eq!(talkative().together(&["a", "b", "c"]), Err("there is no room for c".to_owned()));
    }

    #[test]
    fn a_launcher_arrives_with_what_was_asked_for() {
        let request = Open { events: &["a", "b"], program: "/bin/x", ..Open::default() };
        assert_eq!(talkative().launcher(&request), Ok(None));
        let launcher = talkative().launcher(&Open { options: &[("deep", "3")], ..request }).unwrap().unwrap();
        assert_eq!(launcher.command, ["tool", "--deep=3", "a+b"]);
        assert_eq!(launcher.environment, [("PROGRAM".to_owned(), "/bin/x".to_owned())]);
    }

    #[test]
    fn a_clock_arrives_and_what_is_not_known_of_it_is_missing() {
        assert_eq!(talkative().clock(), Ok(Clock { reported_hz: Some(2.5e9), measured_hz: None }));
    }
}
