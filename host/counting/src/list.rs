//! Lists of events: those that can be counted here, and the reasons for the others.

use std::fmt::Write;

use assay_base::error::Error;
use assay_base::io::fold::for_output;
use assay_base::io::output_format::OutputFormat;
use assay_base::io::table::{Datum, Table};
use assay_load::plugin::{Kind, Registry};
use assay_plugin_api::{Availability, Scope, Semantics};

use super::events::{Events, KnownEvent};

/// All events of all backends, or of the backend `only`. The second list has the errors of backends that
/// failed.
pub fn known(only: Option<&str>, registry: &Registry) -> (Vec<KnownEvent>, Vec<Error>) {
    let mut events = Events::new(registry);
    let (mut known, mut failures) = (Vec::new(), Vec::new());
    for listing in
        registry.of_kind(Kind::Counter).filter(|listing| only.is_none_or(|only| listing.id == only))
    {
        match events.find(&listing.id) {
            Ok(found) => known.extend(found),
            Err(error) => failures.push(error),
        }
    }
    (known, failures)
}

/// A table of all facts about the events, for programs.
pub fn list(events: &[KnownEvent]) -> Table {
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
    let mut table = Table::new(columns);
    for known in events {
        let KnownEvent { backend, event, availability } = known;
        let (available, reason, remedy) = match availability {
            Availability::Available => ("yes", Datum::Missing, Datum::Missing),
            Availability::Missing { reason, remedy } => {
                ("no", reason.as_str().into(), remedy.as_str().into())
            }
        };
        table.push([
            known.name().into(),
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
    table
}

/// A table for people. Reasons stand below the table, because many events share one.
pub fn table(events: &[KnownEvent]) -> String {
    let mut table = Table::new(["event", "unit", "scope", "counts here"]);
    let mut reasons: Vec<(&str, &str)> = Vec::new();
    for known in events {
        let event = &known.event;
        let state = match &known.availability {
            Availability::Available => "yes".to_owned(),
            Availability::Missing { reason, remedy } => {
                let cause = (reason.as_str(), remedy.as_str());
                let place = reasons.iter().position(|other| *other == cause).unwrap_or_else(|| {
                    reasons.push(cause);
                    reasons.len() - 1
                });
                format!("no ({})", place + 1)
            }
        };
        table.push([
            known.name().into(),
            event.unit.as_str().into(),
            scope(event.scope).into(),
            state.into(),
        ]);
    }
    let mut text = table.render(OutputFormat::Table);
    let mut scopes: Vec<Scope> = Vec::new();
    for known in events {
        if !scopes.contains(&known.event.scope) {
            scopes.push(known.event.scope);
        }
    }
    text += "\nscope: whose work an event counts\n";
    for used in scopes {
        let _ = writeln!(text, "  {:<8} {}", scope(used), whose(used));
    }
    for (number, (reason, remedy)) in reasons.iter().enumerate() {
        let footnote = format!("\n({}) {reason}\n    {remedy}", number + 1);
        let _ = writeln!(text, "{}", for_output(&footnote, 4));
    }
    text
}

/// Whose work an event counts.
fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread => "thread",
        Scope::Process => "process",
        Scope::Core => "core",
        Scope::System => "system",
    }
}

/// Whose work an event counts, in words.
pub fn whose(scope: Scope) -> &'static str {
    match scope {
        Scope::Thread => "the thread that searches, alone",
        Scope::Process => "the process of the algorithm",
        Scope::Core => "whatever runs on the core",
        Scope::System => "the whole machine",
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
    use assay_plugin_api::Event;

    use super::*;

    fn event(name: &str, availability: Availability) -> KnownEvent {
        let event = Event { availability, ..Event::new(name, "events", "something") };
        KnownEvent::new("b", event)
    }

    #[test]
    fn a_reason_that_many_share_is_printed_once() {
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
