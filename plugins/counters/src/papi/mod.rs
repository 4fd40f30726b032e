//! The events of PAPI: hardware events by its presets or by their own names, events of its components, and
//! events that software defines (`sde:::library::counter`). libpapi is loaded when it is needed.
//!
//! PAPI counts the events of one component in a set, and a thread can have one running set of each component.
//! So a set of this backend has a set of PAPI for each component. A read of software-defined events takes
//! some 50 ns, a read of others is a system call.

mod kernel_event;
mod library;
mod set;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use assay_plugin_api::{Access, Availability, Backend, Cost, Event, EventCount, Open, Scope, register};

use self::library::{Code, Libpapi, libpapi};
use self::set::EventSet;
use crate::refusal::{Refusal, availability};

/// An open set of events.
#[derive(Debug)]
pub struct Papi {
    library: &'static Libpapi,
    /// The sets of PAPI, each with the number of its component.
    sets: Vec<(usize, EventSet)>,
    /// For each event: its set, and its place in the set.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    set: usize,
    count: usize,
    /// The value that PAPI returns if the event can't be read, if there is such a value.
    unreadable: Option<i64>,
}

/// The beginning of the names of software-defined events.
const SOFTWARE_DEFINED: &str = "sde:::";

/// PAPI accepts any software-defined event, because its counter may be registered later. Until then it
/// returns this value.
const NOT_REGISTERED: i64 = -1;

/// The event that is listed if PAPI can't be used, to show the reason.
const USUAL: &str = "PAPI_TOT_INS";

/// Limits for the number of listed events and the time to try them. Other events are found by their names.
const MOST: usize = 2000;
const PATIENCE: Duration = Duration::from_secs(2);

impl Backend for Papi {
    const ID: &'static str = "papi";
    const SUMMARY: &'static str = "Whatever PAPI counts: presets, events of the hardware and of its components, and software-defined ones (sde:::library::counter).";
    const READ_NEVER_PANICS: bool = true;
    // PAPI and its components read whatever describes the machine and the process.
    const ACCESS: Access = Access { perf_events: true, files: &["/proc", "/sys"], ..Access::NOTHING };

    fn events() -> Vec<Event> {
        let library = match libpapi() {
            Ok(library) => library,
            Err(refusal) => return vec![event(USUAL, None, refusal.into())],
        };
        let begin = Instant::now();
        let mut seen = HashSet::new();
        let names =
            library.listed(MOST).into_iter().filter(|name| listable(name) && seen.insert(name.clone()));
        let in_time = |_: &String| begin.elapsed() < PATIENCE;
        let events: Vec<Event> = names.take_while(in_time).map(|name| tried(library, &name)).collect();
        if events.is_empty() { vec![tried(library, USUAL)] } else { events }
    }

    fn find(name: &str) -> Result<Option<Event>, String> {
        Ok(Some(match libpapi() {
            Ok(library) => tried(library, name),
            Err(refusal) => event(name, None, refusal.into()),
        }))
    }

    fn together(events: &[&str]) -> Result<(), String> {
        Self::open(&Open::events(events)).map(|_| ())
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        let library = libpapi().map_err(|refusal| refusal.of_all(Self::ID, request.events))?;
        let mut papi = Papi { library, sets: Vec::new(), places: Vec::new() };
        for name in request.events {
            let place = papi.add(name).map_err(|refusal| refusal.sentence(Self::ID, name))?;
            papi.places.push(place);
        }
        Ok(papi)
    }

    fn start(&mut self) -> Result<(), String> {
        self.each(EventSet::start, "started")
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        self.each(EventSet::read, "read")?;
        for (count, place) in counts.iter_mut().zip(&self.places) {
            let read = self.sets.get(place.set).and_then(|(_, set)| set.counts.get(place.count)).copied();
            *count = match read {
                Some(read) if place.unreadable != Some(read) => EventCount::complete(read as f64),
                _ => EventCount::missing(),
            };
        }
        Ok(())
    }

    fn stop(&mut self) -> Result<(), String> {
        self.each(EventSet::stop, "stopped")
    }
}

register!(backend Papi);

impl Papi {
    /// Adds an event to the set of its component.
    fn add(&mut self, name: &str) -> Result<Place, Refusal> {
        let name = &*kernel_event::with_modes(name)?;
        self.place(name).map_err(|code| refused(self.library, name, code))
    }

    fn place(&mut self, name: &str) -> Result<Place, Code> {
        let component = self.library.component(name)?;
        let set = match self.sets.iter().position(|(other, _)| *other == component) {
            Some(set) => set,
            None => {
                self.sets.push((component, EventSet::new(self.library)?));
                self.sets.len() - 1
            }
        };
        let unreadable = name.starts_with(SOFTWARE_DEFINED).then_some(NOT_REGISTERED);
        Ok(Place { set, count: self.sets[set].1.add(name)?, unreadable })
    }

    #[inline]
    fn each(&mut self, call: fn(&mut EventSet) -> Result<(), Code>, done: &str) -> Result<(), String> {
        for (component, set) in &mut self.sets {
            call(set).map_err(|code| failed(self.library, *component, done, code))?;
        }
        Ok(())
    }
}

#[cold]
fn failed(library: &Libpapi, component: usize, done: &str, code: Code) -> String {
    let name = library.components.get(component).map_or("", String::as_str);
    let help = if code == BUSY { ": PAPI counts one set of a component at a time for a thread" } else { "" };
    format!("papi: the events of {name} could not be {done}: {}{help}", library.message(code))
}

/// Whether the name can stand in a list of the host.
fn listable(name: &str) -> bool {
    (1..=256).contains(&name.len()) && !name.contains(|c: char| c == ',' || c.is_control())
}

/// An event that was tried by adding it to a set.
fn tried(library: &'static Libpapi, name: &str) -> Event {
    let added = Papi { library, sets: Vec::new(), places: Vec::new() }.add(name);
    let component = library.component(name).ok().and_then(|component| library.components.get(component));
    event(name, component.map(String::as_str), availability(added))
}

fn event(name: &str, component: Option<&str>, availability: Availability) -> Event {
    let (scope, cost) = match component {
        Some("perf_event") | None => (Scope::Thread, Cost::SystemCall),
        // The counter is a variable of the process, so no system call is needed.
        Some("sde") => (Scope::Process, Cost::Register),
        Some(_) => (Scope::System, Cost::Slow),
    };
    let summary = match component {
        Some(component) => format!("Event of PAPI's component {component}."),
        None => "Event of PAPI's.".to_owned(),
    };
    let unit = kernel_event::unit(name, component);
    Event { scope, cost, availability, ..Event::new(name, unit, &summary) }
}

const NOT_SUPPORTED: Code = Code(-4);
const NO_EVENT: Code = Code(-7);
const CONFLICT: Code = Code(-8);
const BUSY: Code = Code(-10);
const PERMISSION: Code = Code(-15);
const DISABLED: Code = Code(-25);
const DELAYED: Code = Code(-26);

/// The reason why PAPI refuses an event, with its number and its message, and what helps.
fn refused(library: &Libpapi, name: &str, code: Code) -> Refusal {
    let remedy = match code {
        NO_EVENT if name.starts_with(SOFTWARE_DEFINED) => {
            "install libsde (Debian: apt install libsde1), and write sde:::library::counter"
        }
        NO_EVENT | NOT_SUPPORTED | DISABLED => {
            "papi_component_avail shows which components are disabled and why, papi_avail and papi_native_avail which events there \
             are; without hardware counters, as in many virtual machines, there are only software-defined ones"
        }
        CONFLICT => "ask for fewer events of the hardware in a run",
        PERMISSION if kernel_event::kernel_event(name).is_some_and(|event| event.in_kernel) => {
            "it happens in the kernel alone: ask an administrator for a kernel.perf_event_paranoid of 1 or for CAP_PERFMON; \
             rusage counts switches without"
        }
        PERMISSION => "ask an administrator for a lower kernel.perf_event_paranoid, or for CAP_PERFMON",
        DELAYED => "its component begins when it is first used: ask once more",
        _ => "papi_component_avail shows more",
    };
    let reason = format!(
        "PAPI {} says {} (its components: {})",
        library.version,
        library.message(code),
        library.components.join(", ")
    );
    Refusal::new(reason, remedy)
}
