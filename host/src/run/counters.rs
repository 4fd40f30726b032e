//! Which counters a run reads: `backend` or `backend:event`, checked before anything runs.

use assay_plugin_api::{Availability, Event, Semantics};

use crate::console::Console;
use crate::error::{Error, Result, unknown};
use crate::plugin::Registry;

/// The events of one backend that a run reads together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Id of the backend.
    pub backend: String,
    /// The events, each available here.
    pub events: Vec<Event>,
}

impl Group {
    /// The names of the events in results: `backend:event`.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.events.iter().map(|event| format!("{}:{}", self.backend, event.name))
    }

    /// Whether each event is a level rather than something that grows.
    pub fn instants(&self) -> impl Iterator<Item = bool> + '_ {
        self.events.iter().map(|event| event.semantics == Semantics::Instant)
    }
}

/// Resolves what the user asked for. A backend alone means all of its events that can be counted here. An event that can't
/// be counted here is named once, with the reason and what helps, and left out: it is missing from the result, not 0.
///
/// # Errors
/// If there is no such backend or event.
pub fn resolve(wanted: &[String], registry: &Registry, console: &Console) -> Result<Vec<Group>> {
    let mut groups = Vec::<Group>::new();
    for name in wanted {
        let (backend, event) = match name.split_once(':') {
            Some((backend, event)) => (backend, Some(event)),
            None => (name.as_str(), None),
        };
        let events = registry
            .counter(backend)?
            .events()
            .map_err(|message| Error::new(format!("counter backend {backend}: {message}")))?;
        let events = match event {
            None => {
                events.into_iter().filter(|event| event.availability == Availability::Available).collect()
            }
            Some(wanted) => {
                let found = events.iter().find(|event| event.name == wanted).cloned();
                let names = events.iter().map(|event| event.name.as_str());
                vec![found.ok_or_else(|| unknown(&format!("event of {backend}"), wanted, names))?]
            }
        };
        let index = groups.iter().position(|group| group.backend == backend).unwrap_or_else(|| {
            groups.push(Group { backend: backend.to_owned(), events: Vec::new() });
            groups.len() - 1
        });
        for event in events {
            if let Availability::Missing { reason, remedy } = &event.availability {
                console.warn(&format!("{backend}:{} is not counted: {reason}. {remedy}", event.name));
            } else if !groups[index].events.iter().any(|other| other.name == event.name) {
                groups[index].events.push(event);
            }
        }
    }
    groups.retain(|group| !group.events.is_empty());
    Ok(groups)
}
