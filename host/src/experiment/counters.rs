//! Which counters a run reads: `backend` or `backend:event`, checked before anything runs.

use assay_plugin_api::Availability;

use super::cpu;
use crate::counters::clocks;
use crate::counters::sets::{EventSet, EventSets};
use crate::counters::{BackendEvents, EventFacts, Events, KnownEvent, MULTIPLEX, launch_for, rehearse};
use crate::error::{Error, Result};
use crate::io::console::Console;
use crate::plugin::{Kind, Registry};
use crate::process::Launch;

/// The events of one backend that a run reads together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Id of the backend.
    pub backend: String,
    /// The events, each available here.
    pub events: Vec<EventFacts>,
    /// Options of the backend, by name and value.
    pub options: Vec<(String, String)>,
}

impl Group {
    /// The names of the events in results: `backend:event`.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.events.iter().map(|event| format!("{}:{}", self.backend, event.name))
    }

    /// The set of events that is opened, which may take turns with `multiplex`.
    ///
    /// # Errors
    /// If there is no such backend.
    pub fn part(&self, registry: &Registry, multiplex: bool) -> Result<BackendEvents> {
        let library = registry.inspected(registry.find(Kind::Counter, &self.backend)?);
        let events = self.events.iter().map(|event| event.name.clone()).collect();
        // The backend's own option is the same as the run's, and comes before it.
        let own = self.options.iter().find(|(name, _)| name == MULTIPLEX.0);
        let multiplex = own.map_or(multiplex, |(_, value)| value == MULTIPLEX.1);
        Ok(BackendEvents {
            multiplex,
            options: self.options.clone(),
            ..BackendEvents::new(library, &self.backend, events)
        })
    }
}

/// Gives the backends their options, as `backend.option=value`. Whether a backend has such an option it says itself, when it
/// is asked how the workers are to be started.
///
/// # Errors
/// If one is not written so, or is of a backend that counts nothing in this run.
pub fn with_options(mut groups: Vec<Group>, options: &[String]) -> Result<Vec<Group>> {
    for given in options {
        let parts = given.split_once('=').and_then(|(name, value)| Some((name.split_once('.')?, value)));
        let Some(((backend, option), value)) = parts.filter(|((_, option), _)| !option.is_empty()) else {
            return Err(Error::new(format!("`{given}` is no option of a counter backend"))
                .remedy("write BACKEND.OPTION=VALUE, as in perf.kernel=no"));
        };
        let group = groups.iter_mut().find(|group| group.backend == backend).ok_or_else(|| {
            Error::new(format!("`{given}` is an option of {backend}, and nothing of {backend} is counted"))
                .remedy("name the backend's events with --counters, or leave the option out")
        })?;
        group.options.retain(|(name, _)| name != option);
        group.options.push((option.to_owned(), value.to_owned()));
    }
    Ok(groups)
}

/// Resolves what the user asked for. A backend alone means all of its events that can be counted here, and a note says how
/// many are left out. An event that is asked for and can't be counted is left out with a warning that has the reason and
/// what helps, one for all events that share them: it is missing from the result, not 0. So is what a backend counts that fails
/// when it is asked for its events.
///
/// # Errors
/// If there is no such backend, event or set.
pub fn resolve(
    wanted: &[String],
    cpu: Option<usize>,
    registry: &Registry,
    console: &Console,
) -> Result<Counters> {
    let mut events = Events::new(registry).on(cpu);
    let mut groups = Vec::<Group>::new();
    let mut missing = Missing::default();
    let known_sets = EventSets::among(registry.folders());
    let mut sets: Vec<EventSet> = Vec::new();
    for given in wanted {
        if let Some((backend, name)) = as_set(given) {
            if !backend.is_empty() {
                registry.find(Kind::Counter, backend)?;
            }
            let set = known_sets.find(name)?;
            let set = if backend.is_empty() { set } else { set.by(backend) };
            let mut lacking = Vec::new();
            for event in set.events.values() {
                match events.find(event) {
                    Ok(found) => found.into_iter().for_each(|known| match known.availability {
                        Availability::Available => add(known, &mut groups),
                        Availability::Missing { .. } => missing.add(&known),
                    }),
                    // A set is for many machines; one of its backends may be unknown here, or an event to its backend.
                    Err(_) => lacking.push(event.as_str()),
                }
            }
            if !lacking.is_empty() {
                lacking.sort_unstable();
                lacking.dedup();
                let are = if lacking.len() == 1 { "which is" } else { "which are" };
                console.warn(&format!(
                    "event set `{name}`: there is no {} here, {are} not counted",
                    lacking.join(", ")
                ));
            }
            if set.events.is_empty() {
                console.note(&format!("event set `{name}` has no events for this machine"));
            }
            sets.retain(|other| other.name != set.name);
            sets.push(set);
            continue;
        }
        let backend = given.split_once(':').map_or(given.as_str(), |(backend, _)| backend);
        if events.failure(backend).is_some() {
            continue;
        }
        let found = match events.find(given) {
            Ok(found) => found,
            Err(error) if events.failure(backend).is_some() => {
                console.warn(&format!("{error}; its columns are left out"));
                continue;
            }
            Err(error) => return Err(error),
        };
        let (available, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|known| known.is_available());
        available.into_iter().for_each(|known| add(known, &mut groups));
        if given.contains(':') {
            others.iter().for_each(|known| missing.add(known));
        } else if !others.is_empty() {
            console.note(&format!(
                "{given}: {} of its events can't be counted here and are left out; see `assay counters list`",
                others.len()
            ));
        }
    }
    missing.lines().for_each(|line| console.warn(&line));
    Ok(Counters { groups, sets, known_sets })
}

/// What a run counts.
#[derive(Debug)]
pub struct Counters {
    /// The events, by backend.
    pub groups: Vec<Group>,
    /// The event sets that were asked for.
    pub sets: Vec<EventSet>,
    /// All that could have been.
    pub known_sets: EventSets,
}

/// The backend, or nothing, and the name of a set that is asked for as `@set` or `backend@set`.
fn as_set(given: &str) -> Option<(&str, &str)> {
    given.split_once('@').filter(|_| !given.contains(':'))
}

/// How the workers of a run with these counters are started; none if as ever.
///
/// # Errors
/// If a backend can't say, or can't count its events together and they may not take turns; if it has to start the workers, and there are others beside it, whose counts would be those of
/// its own work.
pub fn launch(
    groups: &[Group],
    multiplex: bool,
    cpu: Option<usize>,
    registry: &Registry,
) -> Result<Option<Launch>> {
    let mut launch = None;
    for group in groups {
        let backend = &group.backend;
        let failed = |message| Error::new(format!("counter backend `{backend}`: {message}"));
        let Some(own) = launch_for(&group.part(registry, multiplex)?, cpu)?.map_err(failed)? else {
            continue;
        };
        if let Some(other) = groups.iter().find(|other| other.backend != *backend) {
            return Err(Error::new(format!(
                "{backend} counts by running the algorithms in a program of its own, where {} would count what that does",
                other.backend
            ))
            .remedy("count with each in a run of its own"));
        }
        launch = Some(own);
    }
    Ok(launch)
}

/// Refuses counters of ticks for workers that may change their CPU, where the counters of two CPUs are not shown to be
/// synchronised: a stamp of one would be subtracted from that of another.
///
/// # Errors
/// If so, or no child process can be started.
pub fn check_stamps(groups: &[Group], registry: &Registry) -> Result<()> {
    for Group { backend, .. } in groups {
        if clocks::ticks(registry, Some(backend))?.is_empty() {
            continue;
        }
        let cpus = cpu::allowed();
        let offsets = clocks::offsets(&cpus)?;
        let pairs = cpus.len().saturating_sub(1);
        if offsets.len() < pairs || offsets.iter().any(|offset| offset.synchronised_within_ns().is_none()) {
            return Err(Error::new(format!(
                "{backend} reads a counter that each CPU has for itself, and those of all CPUs are not shown to be synchronised"
            ))
            .remedy("leave out --pin off, so that a worker stays on one CPU, or count with clock:ns; `assay counters clock` tells more"));
        }
    }
    Ok(())
}

/// Tries all groups as the run will use them. Those that fail are left out with a warning: no worker can be lost by them,
/// and no algorithm its row.
///
/// # Errors
/// If no child process can be started.
pub fn rehearsed(
    groups: Vec<Group>,
    multiplex: bool,
    cpu: Option<usize>,
    launch: Option<&Launch>,
    registry: &Registry,
    console: &Console,
) -> Result<Vec<Group>> {
    let mut kept = Vec::with_capacity(groups.len());
    let outcomes = tried(&groups, multiplex, cpu, launch, registry)?;
    for (group, outcome) in groups.into_iter().zip(outcomes) {
        match outcome {
            Ok(()) => kept.push(group),
            Err(message) => console.warn(&format!("{message}; its columns are left out")),
        }
    }
    Ok(kept)
}

/// Whether each group can be opened and read beside the others; if not, a sentence says why.
fn tried(
    groups: &[Group],
    multiplex: bool,
    cpu: Option<usize>,
    launch: Option<&Launch>,
    registry: &Registry,
) -> Result<Vec<Result<(), String>>> {
    let parts = groups.iter().map(|group| group.part(registry, multiplex)).collect::<Result<Vec<_>>>()?;
    let outcomes = groups.iter().zip(rehearse(&parts, cpu, launch)?);
    let named = |(group, outcome): (&Group, Result<(), String>)| {
        outcome.map_err(|message| format!("counter backend `{}`: {message}", group.backend))
    };
    Ok(outcomes.map(named).collect())
}

/// Whether a run on this CPU can count these events together, none of which takes turns: tried by opening and reading them. If
/// not, the inner error says why.
///
/// # Errors
/// If no child process can be started.
pub fn together(groups: &[Group], cpu: Option<usize>, registry: &Registry) -> Result<Result<()>> {
    let launch = match launch(groups, false, cpu, registry) {
        Ok(launch) => launch,
        Err(error) => return Ok(Err(error)),
    };
    let outcomes = tried(groups, false, cpu, launch.as_ref(), registry)?;
    Ok(outcomes.into_iter().collect::<Result<(), String>>().map_err(Error::new))
}

/// The events by backend, each once.
pub fn grouped(events: impl IntoIterator<Item = KnownEvent>) -> Vec<Group> {
    let mut groups = Vec::new();
    events.into_iter().for_each(|known| add(known, &mut groups));
    groups
}

/// Puts an event into the group of its backend, once.
fn add(KnownEvent { backend, event, .. }: KnownEvent, groups: &mut Vec<Group>) {
    match groups.iter_mut().find(|group| group.backend == backend) {
        Some(group) if group.events.iter().any(|other| other.name == event.name) => {}
        Some(group) => group.events.push(event),
        None => groups.push(Group { backend, events: vec![event], options: Vec::new() }),
    }
}

/// Events that can't be counted, by reason and remedy.
#[derive(Default)]
struct Missing(Vec<((String, String), Vec<String>)>);

impl Missing {
    fn add(&mut self, known: &KnownEvent) {
        let Availability::Missing { reason, remedy } = &known.availability else { return };
        let (cause, name) = ((reason.clone(), remedy.clone()), known.name());
        match self.0.iter_mut().find(|(other, _)| *other == cause) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => self.0.push((cause, vec![name])),
        }
    }

    fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|((reason, remedy), names)| {
            let are = if names.len() == 1 { "is" } else { "are" };
            format!("{} {are} not counted: {reason}. {remedy}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::Event;

    use super::*;

    fn event(name: &str, reason: &str) -> KnownEvent {
        let event = Event {
            availability: Availability::Missing { reason: reason.to_owned(), remedy: "Do it".to_owned() },
            ..Event::new(name, "events", "something")
        };
        KnownEvent::new("b", event)
    }

    #[test]
    fn events_that_are_missing_for_the_same_reason_share_a_line() {
        let mut missing = Missing::default();
        for known in
            [event("x", "no PMU"), event("y", "not allowed"), event("z", "no PMU"), event("x", "no PMU")]
        {
            missing.add(&known);
        }
        let lines: Vec<String> = missing.lines().collect();
        assert_eq!(
            lines,
            ["b:x, b:z are not counted: no PMU. Do it", "b:y is not counted: not allowed. Do it"]
        );
    }

    #[test]
    fn an_event_that_is_named_twice_is_counted_once() {
        let groups = grouped(["x", "y", "x"].map(|name| event(name, "none")));
        let names: Vec<String> = groups.iter().flat_map(Group::names).collect();
        assert_eq!(names, ["b:x", "b:y"]);
    }
}
