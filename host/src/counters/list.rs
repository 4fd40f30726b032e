//! Events: what the backends know, what of it can be counted here, and why not the rest.

use std::fmt::Write;

use assay_plugin_api::{Availability, Event, Scope, Semantics};

use crate::error::{Error, Result, unknown};
use crate::plugin::{Kind, Registry};
use crate::sheet::{Cell, Format, Sheet};

/// An event of a backend.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEvent {
    /// Id of the backend.
    pub backend: String,
    /// The event.
    pub event: Event,
}

/// Every event of every backend, each tried. Backends that fail as a whole are told apart, each with its message.
///
/// # Errors
/// If a library can't be loaded.
pub fn known(registry: &Registry) -> Result<(Vec<KnownEvent>, Vec<String>)> {
    let (mut events, mut failures) = (Vec::new(), Vec::new());
    for listing in registry.of_kind(Kind::Counter) {
        let backend = &listing.id;
        match registry.counter(backend)?.events() {
            Ok(found) => {
                events.extend(found.into_iter().map(|event| KnownEvent { backend: backend.clone(), event }));
            }
            Err(message) => {
                failures.push(format!("counter backend `{backend}` can't say what it counts: {message}"))
            }
        }
    }
    Ok((events, failures))
}

/// The event that `BACKEND[:EVENT]` means: without a name, the backend's first that can be counted here.
///
/// # Errors
/// If there is no such backend or event, with near names; if it can't be counted, with the reason and what helps.
pub fn choose(registry: &Registry, given: &str) -> Result<KnownEvent> {
    let (backend, name) =
        given.split_once(':').map_or((given, None), |(backend, name)| (backend, Some(name)));
    let events = registry.counter(backend)?.events();
    let events = events.map_err(|message| Error::new(format!("counter backend `{backend}`: {message}")))?;
    let event = match name {
        Some(name) => events.iter().find(|event| event.name == name).ok_or_else(|| {
            unknown(&format!("event of {backend}:"), name, events.iter().map(|event| event.name.as_str()))
        })?,
        None => events
            .iter()
            .find(|event| event.availability == Availability::Available)
            .or(events.first())
            .ok_or_else(|| Error::new(format!("counter backend `{backend}` knows no event")))?,
    };
    match &event.availability {
        Availability::Available => Ok(KnownEvent { backend: backend.to_owned(), event: event.clone() }),
        Availability::Missing { reason, remedy } => {
            Err(Error::new(format!("{backend}:{} can't be counted here: {reason}", event.name))
                .remedy(remedy))
        }
    }
}

/// All that is known of the events, for programs.
pub fn list(events: &[KnownEvent]) -> Sheet {
    let columns = [
        "event",
        "backend",
        "name",
        "unit",
        "scope",
        "semantics",
        "available",
        "reason",
        "remedy",
        "summary",
    ];
    let mut sheet = Sheet::new(columns);
    for KnownEvent { backend, event } in events {
        let (available, reason, remedy) = match &event.availability {
            Availability::Available => ("yes", Cell::Missing, Cell::Missing),
            Availability::Missing { reason, remedy } => {
                ("no", reason.as_str().into(), remedy.as_str().into())
            }
        };
        sheet.push([
            format!("{backend}:{}", event.name).into(),
            backend.as_str().into(),
            event.name.as_str().into(),
            event.unit.as_str().into(),
            scope(event.scope).into(),
            semantics(event.semantics).into(),
            available.into(),
            reason,
            remedy,
            event.summary.as_str().into(),
        ]);
    }
    sheet
}

/// A table for people. Many events are missing for the same reason, which is told once, below the table.
pub fn table(events: &[KnownEvent]) -> String {
    let mut sheet = Sheet::new(["event", "unit", "scope", "counts here"]);
    let mut reasons: Vec<(&str, &str)> = Vec::new();
    for KnownEvent { backend, event } in events {
        let state = match &event.availability {
            Availability::Available => "yes".to_owned(),
            Availability::Missing { reason, remedy } => {
                let told = (reason.as_str(), remedy.as_str());
                let place = reasons.iter().position(|reason| *reason == told).unwrap_or_else(|| {
                    reasons.push(told);
                    reasons.len() - 1
                });
                format!("no ({})", place + 1)
            }
        };
        let name = format!("{backend}:{}", event.name);
        sheet.push([name.into(), event.unit.as_str().into(), scope(event.scope).into(), state.into()]);
    }
    let mut text = sheet.render(Format::Table);
    for (number, (reason, remedy)) in reasons.iter().enumerate() {
        let _ = writeln!(text, "\n({}) {reason}\n    {remedy}", number + 1);
    }
    text
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread => "thread",
        Scope::Process => "process",
        Scope::Core => "core",
        Scope::System => "system",
    }
}

fn semantics(semantics: Semantics) -> &'static str {
    match semantics {
        Semantics::Counter => "counter",
        Semantics::Instant => "instant",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, availability: Availability) -> KnownEvent {
        let event = Event {
            name: name.to_owned(),
            unit: "events".to_owned(),
            summary: "something".to_owned(),
            semantics: Semantics::Counter,
            scope: Scope::Thread,
            availability,
        };
        KnownEvent { backend: "b".to_owned(), event }
    }

    #[test]
    fn a_reason_that_many_share_is_told_once() {
        let missing =
            |reason: &str| Availability::Missing { reason: reason.to_owned(), remedy: "do it".to_owned() };
        let events = [
            event("a", Availability::Available),
            event("b", missing("not here")),
            event("c", missing("not now")),
            event("d", missing("not here")),
        ];
        let text = table(&events);
        assert_eq!(text.matches("no (1)").count(), 2, "{text}");
        assert!(text.ends_with("\n(1) not here\n    do it\n\n(2) not now\n    do it\n"), "{text}");
        let json = list(&events).json();
        assert_eq!((&json[0]["available"], &json[0]["reason"]), (&"yes".into(), &serde_json::Value::Null));
        assert_eq!((&json[2]["event"], &json[2]["reason"]), (&"b:c".into(), &"not now".into()));
    }
}
