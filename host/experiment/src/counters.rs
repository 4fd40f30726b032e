//! The counters of a run. They are named as `backend`, `backend:event` or `@set`, and are found and tried
//! before anything is measured.

use assay_base::error::{Error, Result};
use assay_base::io::console::Console;
use assay_counting::clocks;
use assay_counting::sets::{EventSet, EventSets};
use assay_counting::{BackendEvents, EventFacts, Events, KnownEvent, MULTIPLEX, launch_for, rehearse};
use assay_load::plugin::{Kind, Registry};
use assay_load::process::Launch;
use assay_plugin_api::Availability;

use super::cpu;

/// The counters of one backend, which a run reads together.
#[derive(Clone, Debug, PartialEq)]
pub struct BackendCounters {
    /// Id of the backend.
    pub backend: String,
    /// The events that are counted, each available here.
    pub events: Vec<EventFacts>,
    /// Options of the backend: name and value.
    pub options: Vec<(String, String)>,
}

impl BackendCounters {
    /// The names of the counters in results: `backend:event`.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.events.iter().map(|event| format!("{}:{}", self.backend, event.name))
    }

    /// The request to open these events. With `multiplex`, groups of them may take turns.
    ///
    /// # Errors
    /// If there is no such backend.
    pub fn part(&self, registry: &Registry, multiplex: bool) -> Result<BackendEvents> {
        let backend = registry.find(Kind::Counter, &self.backend)?;
        let events = self.events.iter().map(|event| event.name.clone()).collect();
        // The option of the backend overrides that of the run.
        let own = self.options.iter().find(|(name, _)| name == MULTIPLEX.0);
        let multiplex = own.map_or(multiplex, |(_, value)| value == MULTIPLEX.1);
        Ok(BackendEvents {
            multiplex,
            options: self.options.clone(),
            ..BackendEvents::new(registry, backend, events)
        })
    }
}

/// Gives the backends their options, which are written `backend.option=value`. Whether a backend has such an
/// option is known later, when the backend is asked how to start the workers.
///
/// # Errors
/// If an option is written otherwise, or if its backend counts nothing in this run.
pub(crate) fn with_options(
    mut groups: Vec<BackendCounters>,
    options: &[String],
) -> Result<Vec<BackendCounters>> {
    for given in options {
        let parts = given.split_once('=').and_then(|(name, value)| Some((name.split_once('.')?, value)));
        let Some(((backend, option), value)) = parts.filter(|((_, option), _)| !option.is_empty()) else {
            return Err(Error::new(format!("`{given}` is not an option of a counter backend"))
                .remedy("write BACKEND.OPTION=VALUE, for example perf.kernel=no"));
        };
        let group = groups.iter_mut().find(|group| group.backend == backend).ok_or_else(|| {
            Error::new(format!(
                "`{given}` is an option of {backend}, but this run counts nothing with {backend}"
            ))
            .remedy("name the backend's events with --counters, or leave the option out")
        })?;
        group.options.retain(|(name, _)| name != option);
        group.options.push((option.to_owned(), value.to_owned()));
    }
    Ok(groups)
}

/// Finds the counters and event sets that the user asked for.
///
/// A backend alone means all of its events that can be counted here; a note says how many are left out. An
/// event that is asked for but can't be counted is left out with a warning that has the reason and the
/// remedy, one for all events that share them. Its counts are then missing from the results, not 0. The same
/// holds for a backend that fails when it is asked for its events.
///
/// # Errors
/// If there is no such backend, event or set.
pub fn resolve(
    wanted: &[String],
    cpu: Option<usize>,
    registry: &Registry,
    console: &Console,
) -> Result<ChosenCounters> {
    let mut search = CounterSearch {
        events: Events::new(registry).on(cpu),
        groups: Vec::new(),
        uncountable: UncountableEvents::default(),
        known_sets: EventSets::among(registry.folders()),
        sets: Vec::new(),
        failed: Vec::new(),
        registry,
        console,
    };
    for given in wanted {
        match as_set(given) {
            Some((backend, name)) => search.add_set(backend, name)?,
            None => search.add_events(given)?,
        }
    }
    search.uncountable.lines().for_each(|line| console.warn(&line));
    let CounterSearch { groups, sets, known_sets, failed, .. } = search;
    Ok(ChosenCounters { groups, sets, known_sets, failed })
}

/// What was found so far of the counters that the user asked for.
struct CounterSearch<'a> {
    events: Events<'a>,
    groups: Vec<BackendCounters>,
    uncountable: UncountableEvents,
    known_sets: EventSets,
    sets: Vec<EventSet>,
    failed: Vec<String>,
    registry: &'a Registry,
    console: &'a Console,
}

impl CounterSearch<'_> {
    /// Adds the events of a set, those of the same names of `backend` unless that is empty.
    ///
    /// # Errors
    /// If there is no such backend or set.
    fn add_set(&mut self, backend: &str, name: &str) -> Result<()> {
        if !backend.is_empty() {
            self.registry.find(Kind::Counter, backend)?;
        }
        let set = self.known_sets.find(name)?;
        let set = if backend.is_empty() { set } else { set.for_backend(backend) };
        let mut unknown = Vec::new();
        for event in set.events.values() {
            match self.events.find(event) {
                Ok(found) => found.into_iter().for_each(|known| match known.availability {
                    Availability::Available => add(known, &mut self.groups),
                    Availability::Missing { .. } => self.uncountable.add(&known),
                }),
                // A set is written for many machines, so a backend or an event of it may be unknown here.
                Err(_) => unknown.push(event.as_str()),
            }
        }
        if !unknown.is_empty() {
            unknown.sort_unstable();
            unknown.dedup();
            let are = if unknown.len() == 1 { "is" } else { "are" };
            let unknown = unknown.join(", ");
            self.console.warn(&format!("event set `{name}`: {unknown} {are} unknown here and not counted"));
        }
        if set.events.is_empty() {
            self.console.note(&format!("event set `{name}` has no events for this machine"));
        }
        self.sets.retain(|other| other.name != set.name);
        self.sets.push(set);
        Ok(())
    }

    /// Adds the event or all events of `backend` or `backend:event`.
    ///
    /// # Errors
    /// If there is no such backend or event.
    fn add_events(&mut self, given: &str) -> Result<()> {
        let backend = given.split_once(':').map_or(given, |(backend, _)| backend);
        if self.events.failure(backend).is_some() {
            return Ok(());
        }
        let found = match self.events.find(given) {
            Ok(found) => found,
            Err(error) if self.events.failure(backend).is_some() => {
                self.console.warn(&format!("{}; its columns are left out", error.message()));
                self.failed.push(backend.to_owned());
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let (available, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|known| known.is_available());
        available.into_iter().for_each(|known| add(known, &mut self.groups));
        if given.contains(':') {
            others.iter().for_each(|known| self.uncountable.add(known));
        } else if !others.is_empty() {
            self.console.note(&format!(
                "{given}: {} of its events can't be counted here and are left out; see `assay counters list`",
                others.len()
            ));
        }
        Ok(())
    }
}

/// The counters and event sets that a run was asked for.
#[derive(Debug)]
pub struct ChosenCounters {
    /// The counters, by backend.
    pub groups: Vec<BackendCounters>,
    /// The event sets that were asked for.
    pub sets: Vec<EventSet>,
    /// All event sets that are known.
    pub known_sets: EventSets,
    /// The backends that failed when they were asked for their events.
    pub failed: Vec<String>,
}

/// Splits `@set` or `backend@set` into the backend, which may be empty, and the name of the set; `None` if
/// `given` is neither.
fn as_set(given: &str) -> Option<(&str, &str)> {
    given.split_once('@').filter(|_| !given.contains(':'))
}

/// The launcher of the workers of a run with these counters; `None` if the host starts them itself.
///
/// # Errors
/// If a backend fails, or can't count its events together and they may not take turns. Also if a backend must
/// start the workers and other backends are to count as well, because these would count the work of the
/// launcher.
pub fn launch(
    groups: &[BackendCounters],
    multiplex: bool,
    cpu: Option<usize>,
    registry: &Registry,
) -> Result<Option<Launch>> {
    let mut launch = None;
    for group in groups {
        let backend = &group.backend;
        let own = launch_for(&group.part(registry, multiplex)?, cpu)?;
        let own = own.map_err(|message| {
            Error::new(format!("counter backend `{backend}`: {message}"))
                .remedy("`assay counters` shows which backends can count here")
        })?;
        let Some(own) = own else { continue };
        if let Some(other) = groups.iter().find(|other| other.backend != *backend) {
            return Err(Error::new(format!(
                "{backend} runs the algorithms in a program of its own, so {} would count the work of that program",
                other.backend
            ))
            .remedy("count with each backend in a run of its own"));
        }
        launch = Some(own);
    }
    Ok(launch)
}

/// Refuses counters of ticks if workers may move between CPUs and the counters of these are not shown to be
/// synchronised. A stamp of one CPU would be subtracted from a stamp of another.
///
/// # Errors
/// If the counters are refused, or no child process can be started.
pub(crate) fn check_stamps(groups: &[BackendCounters], registry: &Registry) -> Result<()> {
    for BackendCounters { backend, .. } in groups {
        if clocks::ticks(registry, Some(backend))?.is_empty() {
            continue;
        }
        let cpus = cpu::allowed();
        let offsets = clocks::offsets(&cpus)?;
        let pairs = cpus.len().saturating_sub(1);
        if offsets.len() < pairs || offsets.iter().any(|offset| offset.synchronised_within_ns().is_none()) {
            return Err(Error::new(format!(
                "{backend} reads a separate counter on each CPU, and these were not shown to be synchronised"
            ))
            .remedy("leave out --pin off, so that a worker stays on one CPU, or count with clock:ns; `assay counters clock` shows more"));
        }
    }
    Ok(())
}

/// Tries all counters as the run will use them, and leaves out backends that fail, with a warning. They can't
/// then end a worker during the run, which would cost an algorithm its row. Returns the counters that are
/// left, and adds the backends that are left out to `failed`.
///
/// # Errors
/// If no child process can be started.
pub(crate) fn rehearsed(
    groups: Vec<BackendCounters>,
    multiplex: bool,
    cpu: Option<usize>,
    launch: Option<&Launch>,
    registry: &Registry,
    (console, failed): (&Console, &mut Vec<String>),
) -> Result<Vec<BackendCounters>> {
    let mut kept = Vec::with_capacity(groups.len());
    let outcomes = tried(&groups, multiplex, cpu, launch, registry)?;
    for (group, outcome) in groups.into_iter().zip(outcomes) {
        match outcome {
            Ok(()) => kept.push(group),
            Err(message) => {
                console.warn(&format!("{message}; its columns are left out"));
                failed.push(group.backend);
            }
        }
    }
    Ok(kept)
}

/// Tries whether the counters of each backend can be opened and read beside the others. The inner error is a
/// sentence that says why not.
fn tried(
    groups: &[BackendCounters],
    multiplex: bool,
    cpu: Option<usize>,
    launch: Option<&Launch>,
    registry: &Registry,
) -> Result<Vec<Result<(), String>>> {
    let parts = groups.iter().map(|group| group.part(registry, multiplex)).collect::<Result<Vec<_>>>()?;
    let outcomes = groups.iter().zip(rehearse(&parts, cpu, launch)?);
    let named = outcomes.map(|(group, outcome)| {
        outcome.map_err(|message| format!("counter backend `{}`: {message}", group.backend))
    });
    Ok(named.collect())
}

/// Tries whether a run on this CPU can count these events together, without turns, by opening and reading
/// them. The inner error says why not.
///
/// # Errors
/// If no child process can be started.
pub fn together(groups: &[BackendCounters], cpu: Option<usize>, registry: &Registry) -> Result<Result<()>> {
    let launch = match launch(groups, false, cpu, registry) {
        Ok(launch) => launch,
        Err(error) => return Ok(Err(error)),
    };
    let outcomes = tried(groups, false, cpu, launch.as_ref(), registry)?;
    Ok(outcomes.into_iter().collect::<Result<(), String>>().map_err(Error::new))
}

/// The counters of these events by backend, each event once.
pub fn grouped(events: impl IntoIterator<Item = KnownEvent>) -> Vec<BackendCounters> {
    let mut groups = Vec::new();
    events.into_iter().for_each(|known| add(known, &mut groups));
    groups
}

/// Adds an event to the counters of its backend, if it is not there yet.
fn add(KnownEvent { backend, event, .. }: KnownEvent, groups: &mut Vec<BackendCounters>) {
    match groups.iter_mut().find(|group| group.backend == backend) {
        Some(group) if group.events.iter().any(|other| other.name == event.name) => {}
        Some(group) => group.events.push(event),
        None => groups.push(BackendCounters { backend, events: vec![event], options: Vec::new() }),
    }
}

/// Events that can't be counted, grouped by reason and remedy.
#[derive(Default)]
struct UncountableEvents(Vec<((String, String), Vec<String>)>);

impl UncountableEvents {
    /// Adds an event, unless it can be counted or is there already.
    fn add(&mut self, known: &KnownEvent) {
        let Availability::Missing { reason, remedy } = &known.availability else { return };
        let (cause, name) = ((reason.clone(), remedy.clone()), known.name());
        match self.0.iter_mut().find(|(other, _)| *other == cause) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => self.0.push((cause, vec![name])),
        }
    }

    /// A warning for each reason and remedy.
    fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|((reason, remedy), names)| {
            let are = if names.len() == 1 { "is" } else { "are" };
            Error::new(format!("{} {are} not counted: {reason}", names.join(", "))).remedy(remedy).to_string()
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
        let mut missing = UncountableEvents::default();
        for known in
            [event("x", "no PMU"), event("y", "not allowed"), event("z", "no PMU"), event("x", "no PMU")]
        {
            missing.add(&known);
        }
        let lines: Vec<String> = missing.lines().collect();
        assert_eq!(
            lines,
            [
                "b:x, b:z are not counted: no PMU\n  help: Do it",
                "b:y is not counted: not allowed\n  help: Do it"
            ]
        );
    }

    #[test]
    fn an_event_that_is_named_twice_is_counted_once() {
        let groups = grouped(["x", "y", "x"].map(|name| event(name, "none")));
        let names: Vec<String> = groups.iter().flat_map(BackendCounters::names).collect();
        assert_eq!(names, ["b:x", "b:y"]);
    }
}
