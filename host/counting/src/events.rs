//! The events that the backends know. A backend is asked in a child process, because its code may crash, hang
//! or exit, and because some libraries of counters must not be initialised in a process that starts others.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::net::UnixStream;

use assay_base::error::{Error, Result, excerpt, unknown};
use assay_load::plugin::{BackendAccess, InspectedLibrary, Kind, Registry};
use assay_load::process::{self, Permissions, Task, bind_to_cpu};
use assay_plugin_api::{Availability, Event};
use serde::{Deserialize, Serialize};

use super::event_facts::EventFacts;
use super::names::split;

/// An event of a backend.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct KnownEvent {
    /// Id of the backend.
    pub backend: String,
    /// What the event counts; its name is the one after the colon.
    pub event: EventFacts,
    /// Whether it can be counted on this machine at present.
    #[serde(with = "AvailabilityRecord")]
    pub availability: Availability,
}

impl KnownEvent {
    /// An event as its backend describes it.
    pub fn new(backend: &str, event: Event) -> Self {
        let availability = event.availability.clone();
        KnownEvent { backend: backend.to_owned(), event: event.into(), availability }
    }

    /// Whether it can be counted on this machine at present.
    pub fn is_available(&self) -> bool {
        self.availability == Availability::Available
    }

    /// The name by which the user calls it: `backend:event`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.backend, self.event.name)
    }
}

/// The events of the backends. Each backend is asked once.
#[derive(Debug)]
pub struct Events<'a> {
    registry: &'a Registry,
    asked: HashMap<String, Vec<KnownEvent>>,
    /// The backends that have failed. They are not asked again.
    failed: RefCell<HashMap<String, Error>>,
    /// The CPU on which the backends are asked, if it matters.
    cpu: Option<usize>,
}

impl<'a> Events<'a> {
    /// The events of the backends of a registry. No backend has been asked yet.
    pub fn new(registry: &'a Registry) -> Self {
        Events { registry, asked: HashMap::new(), failed: RefCell::default(), cpu: None }
    }

    /// Asks on this CPU, because a machine may have cores of several kinds, which count different events.
    #[must_use]
    pub fn on(self, cpu: Option<usize>) -> Self {
        Events { cpu, ..self }
    }

    /// The events that `BACKEND[:EVENT]` means: the named one, or else all of the backend, at least one. Some
    /// of them may not be countable here.
    ///
    /// # Errors
    /// If there is no such backend or event, with near names; if the backend fails.
    pub fn find(&mut self, given: &str) -> Result<Vec<KnownEvent>> {
        let Some((backend, name)) = given.split_once(':') else {
            return self.listed(given).map(<[_]>::to_vec);
        };
        if let Some(known) = self.listed(backend)?.iter().find(|known| known.event.name == name) {
            return Ok(vec![known.clone()]);
        }
        // Backends with many events don't list all of them, so the backend is asked for this one.
        if let Some(known) = self.by_name(backend, name)? {
            return Ok(vec![known]);
        }
        let names = self.listed(backend)?.iter().map(|known| known.event.name.as_str());
        Err(unknown(&format!("event of {backend}"), name, names))
    }

    /// The listed event that has the same description as an event that its backend does not list: most
    /// likely, both are one event under two names.
    ///
    /// # Errors
    /// As for [`find`](Events::find).
    pub fn listed_as(&mut self, known: &KnownEvent) -> Result<Option<String>> {
        let same = |a: &EventFacts, b: &EventFacts| {
            a.summary == b.summary && a.unit == b.unit && a.scope == b.scope && a.semantics == b.semantics
        };
        let listed = self.listed(&known.backend)?;
        if listed.iter().any(|listed| listed.event.name == known.event.name) {
            return Ok(None);
        }
        Ok(listed.iter().find(|listed| same(&listed.event, &known.event)).map(KnownEvent::name))
    }

    /// The one event that `BACKEND[:EVENT]` means: without a name, the backend's first that can be counted
    /// here.
    ///
    /// # Errors
    /// As for [`find`](Events::find); if it can't be counted, with the reason and what helps.
    pub fn choose(&mut self, given: &str) -> Result<KnownEvent> {
        let events = self.find(given)?;
        let known = events.iter().find(|known| known.is_available()).unwrap_or(&events[0]);
        match &known.availability {
            Availability::Available => Ok(known.clone()),
            Availability::Missing { reason, remedy } => {
                Err(Error::new(format!("{} can't be counted here: {reason}", known.name())).remedy(remedy))
            }
        }
    }

    /// The event that a backend finds by a name, even if it does not list it; `None` if it finds none.
    ///
    /// # Errors
    /// If there is no such backend, or it fails.
    pub fn by_name(&self, backend: &str, name: &str) -> Result<Option<KnownEvent>> {
        Ok(self.ask(backend, &format!("{backend}:{name}"))?.into_iter().next())
    }

    /// The reason why a backend can't be asked.
    pub fn failure(&self, backend: &str) -> Option<Error> {
        self.failed.borrow().get(backend).cloned()
    }

    fn listed(&mut self, backend: &str) -> Result<&[KnownEvent]> {
        if !self.asked.contains_key(backend) {
            let events = self.ask(backend, backend)?;
            self.asked.insert(backend.to_owned(), events);
        }
        Ok(&self.asked[backend])
    }

    fn ask(&self, backend: &str, given: &str) -> Result<Vec<KnownEvent>> {
        let listing = self.registry.find(Kind::Counter, backend)?;
        if let Some(failure) = self.failure(backend) {
            return Err(failure);
        }
        ask(&self.registry.inspected(listing), &listing.access, given, self.cpu)?.map_err(|message| {
            let failure =
                Error::new(format!("counter backend `{backend}` can't say what it counts: {message}"))
                    .remedy("`assay counters` shows which backends can count here");
            self.failed.borrow_mut().insert(backend.to_owned(), failure.clone());
            failure
        })
    }
}

/// Asks a backend in a child process for all events that it lists. A colon and a name after the id of the
/// backend ask for only that event.
fn ask(
    library: &InspectedLibrary,
    access: &BackendAccess,
    given: &str,
    cpu: Option<usize>,
) -> Result<EventsAnswer> {
    let mut permissions = Permissions::to_load([library.path.clone()]);
    permissions.access.add(access);
    let items = [(library, given, cpu)];
    let answers = process::run_items::<EventsAnswer>(&Task::Events, &permissions, &items, |_| Ok(()))?;
    let answer = answers.into_iter().next().expect("there is one answer for each item");
    Ok(answer.unwrap_or_else(|end| Err(format!("it {end}"))))
}

/// The child's side: asks backends.
///
/// # Errors
/// If the host is gone.
pub fn serve(host: &UnixStream) -> io::Result<()> {
    process::answer_items(
        host,
        |(library, given, cpu): (InspectedLibrary, String, Option<usize>)| -> EventsAnswer {
            if let Some(cpu) = cpu {
                bind_to_cpu(cpu);
            }
            let catalogue = library.verify_in_sandbox()?.load()?;
            let (backend, name) =
                given.split_once(':').map_or((given.as_str(), None), |(id, name)| (id, Some(name)));
            let entry = catalogue.counter(backend)?;
            let events = match name {
                None => entry.events().and_then(checked)?,
                Some(name) => entry.find(name)?.into_iter().collect(),
            };
            Ok(events.into_iter().map(|event| KnownEvent::new(backend, event)).collect())
        },
    )
}

/// Greatest length of the name of an event, in bytes. Names stand in headers of columns and in lists, which
/// longer names would make unreadable.
const LONGEST_NAME: usize = 256;

/// Refuses names that can't stand in a list of names or in the header of a column.
fn checked(events: Vec<Event>) -> Result<Vec<Event>, String> {
    if events.is_empty() {
        return Err("it knows no event".to_owned());
    }
    let usable = |name: &str| {
        (1..=LONGEST_NAME).contains(&name.len()) && split(name).len() == 1 && !name.contains(char::is_control)
    };
    if let Some(event) = events.iter().find(|event| !usable(&event.name)) {
        return Err(format!(
            "it has an event {:?}; expected names of 1 to {LONGEST_NAME} bytes, without control characters, and without \
             commas but between slashes or in brackets",
            excerpt(&event.name)
        ));
    }
    let mut seen = HashSet::new();
    match events.iter().find(|event| !seen.insert(event.name.as_str())) {
        Some(event) => Err(format!("it lists the event `{}` twice", event.name)),
        None => Ok(events),
    }
}

/// The events of a backend, or the reason why it gives none, in a sentence.
type EventsAnswer = Result<Vec<KnownEvent>, String>;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Availability")]
enum AvailabilityRecord {
    Available,
    Missing { reason: String, remedy: String },
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Cost, Scope, Semantics};

    use super::*;

    fn event(name: &str) -> Event {
        Event {
            semantics: Semantics::Instant,
            scope: Scope::Core,
            cost: Cost::Slow,
            grain_ns: 1_000_000,
            availability: Availability::Missing { reason: "no".to_owned(), remedy: "do".to_owned() },
            ..Event::new(name, "events", "something")
        }
    }

    #[test]
    fn an_event_comes_through_as_it_is() {
        let (mut frame, known) = (Vec::new(), KnownEvent::new("b", event("a")));
        process::send(&mut frame, &known).unwrap();
        assert_eq!(process::receive::<KnownEvent>(frame.as_slice()).unwrap().unwrap(), known);
    }

    #[test]
    fn events_have_names_that_lists_can_hold() {
        assert!(checked(vec![event("L1-dcache:u=1"), event("cpu/event=1,umask=2/")]).is_ok());
        assert!(checked(vec![]).is_err());
        for name in ["", "a,b", "a\n"] {
            let message = checked(vec![event("a"), event(name)]).unwrap_err();
            assert!(message.contains(&format!("{name:?}")), "{message}");
        }
    }
}
