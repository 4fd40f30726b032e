//! The kernel's performance events, by the names that `perf list` gives them.
//!
//! Events are opened in groups. The kernel counts all events of a group at the same time or none of them.
//! Software events have a group of their own, which always counts and which a clock leads. Hardware events of
//! the core share a group as long as the CPU has enough counters. Events that no longer fit open another
//! group, and the groups take turns. [`EventCount`] then holds the part of the time in which each has
//! counted.
//!
//! A read takes one system call for each group, some 0.5 to 1 µs, or none where the kernel lets the counters
//! of the core be read in user mode.

mod cache;
#[cfg(test)]
mod fake;
#[cfg(test)]
mod fake_page;
pub(crate) mod general;
mod group;
mod kernel;
mod machine;
mod mapped_page;
mod meaning;
mod name;
mod pmu;
mod refusal;
mod request;
mod scaled;
mod self_test;
mod set;
mod terms;
#[cfg(test)]
mod tests;

use std::io;

use assay_plugin_api::{
    Access, Availability, Backend, Check, Event, EventCount, Open, cannot_count, register,
};

use self::cache::cache_events;
use self::general::{GENERAL, general};
use self::kernel::Modes;
use self::machine::Machine;
use self::refusal::Refusal;
use self::request::{Request, Share};
use self::set::{Refused, Set};
use crate::work::Here;

/// An open set of events.
#[derive(Debug)]
pub struct Perf {
    set: Set,
}

impl Backend for Perf {
    const ID: &'static str = "perf";
    const SUMMARY: &'static str = "The kernel's performance events of the thread, by the names of `perf list`: its own everywhere, those of the hardware where the machine has counters.";

    const READ_NEVER_PANICS: bool = true;

    const OPTIONS: &'static [(&'static str, &'static str)] = &[
        (
            "kernel",
            "whether the kernel's share is counted: yes, no or auto, which counts user mode with the core's counters, and all else as far as the user may",
        ),
        (
            "multiplex",
            "yes: events that do not fit together take turns, and counts are scaled up; no: counts of a part of the time stay as they are",
        ),
    ];

    const SELF_TESTS: &'static [&'static str] = &self_test::PARTS;

    const ACCESS: Access = Access {
        perf_events: true,
        files: &[
            "/proc/cpuinfo",
            "/proc/self",
            "/proc/sys/kernel/perf_event_paranoid",
            "/proc/sys/kernel/nmi_watchdog",
            "/sys/bus/event_source",
            // The links of the folder before lead there.
            "/sys/devices",
            "/sys/kernel/tracing",
            "/sys/kernel/debug/tracing",
        ],
        ..Access::NOTHING
    };

    fn events() -> Vec<Event> {
        let machine = Machine::here(None);
        let mut names: Vec<String> = GENERAL
            .iter()
            .filter(|general| general.listed)
            .map(|general| general.names[0].to_owned())
            .collect();
        names.extend(cache_events().map(|event| event.name));
        names.extend(of_units(&machine));
        names.iter().filter_map(|name| found(&machine, name)).collect()
    }

    fn find(name: &str) -> Result<Option<Event>, String> {
        Ok(found(&Machine::here(None), name))
    }

    fn together(events: &[&str]) -> Result<(), String> {
        together(&Machine::here(None), events)
    }

    fn self_test(part: &str, cpu: Option<usize>) -> Result<Vec<Check>, String> {
        self_test::run(part, &Machine::here(cpu), &Here)
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        let (share, scales) = options(request.options)?;
        let set = open(&Machine::here(request.cpu), request.events, share, scales)?;
        Ok(Perf { set })
    }

    fn start(&mut self) -> Result<(), String> {
        self.set.start().map_err(|error| format!("perf: counting could not be started: {error}"))
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        self.set.read(counts).map_err(|error| format!("perf: the counts could not be read: {error}"))
    }

    fn stop(&mut self) -> Result<(), String> {
        self.set.stop().map_err(|error| format!("perf: counting could not be stopped: {error}"))
    }
}

register!(backend Perf);

/// Whether the kernel's share is counted, and whether counts of a part of the time are scaled up.
fn options(options: &[(&str, &str)]) -> Result<(Share, bool), String> {
    let (mut share, mut scales) = (Share::Auto, false);
    for (option, value) in options {
        let unknown = |values| format!("perf: the option {option} is {values}, and not `{value}`");
        match (*option, *value) {
            ("kernel", "auto") => share = Share::Auto,
            ("kernel", "yes") => share = Share::With,
            ("kernel", "no") => share = Share::Without,
            ("kernel", _) => return Err(unknown("yes, no or auto")),
            ("multiplex", "yes") => scales = true,
            ("multiplex", "no") => scales = false,
            _ => return Err(unknown("yes or no")),
        }
    }
    Ok((share, scales))
}

/// The named events of all counting units, except those that a general name of the kernel stands for.
fn of_units(machine: &Machine) -> Vec<String> {
    let units = machine.pmus().iter();
    let named = units.flat_map(|pmu| pmu.events().into_iter().map(move |event| (pmu, event)));
    let own = named.filter(|(pmu, event)| !(pmu.core && general(event).is_some()));
    own.map(|(pmu, event)| format!("{}/{event}/", pmu.name)).collect()
}

/// The event of a name, which is tried; `None` if no event has this name.
fn found(machine: &Machine, name: &str) -> Option<Event> {
    let request = match machine.resolve(name) {
        Ok(request) => request?,
        Err(refusal) => {
            let summary = "An event that this machine does not have.";
            return Some(Event { availability: refusal.into(), ..Event::new(name, "events", summary) });
        }
    };
    let set = Set::open(machine, std::slice::from_ref(&request), Share::Auto, false);
    let share = set.as_ref().map(|set| share(&request, set.modes(0), machine)).unwrap_or_default();
    Some(Event {
        availability: match set {
            Ok(_) => Availability::Available,
            Err(refused) => refused.refusal.into(),
        },
        ..Event::new(name, &request.unit, &format!("{}{share}.", request.summary))
    })
}

/// The modes that are counted, as the end of a summary.
fn share(request: &Request, modes: Modes, machine: &Machine) -> String {
    let of = |part: &str| format!(", in {part}");
    match modes {
        // What has no part in another mode needs no word, nor a clock: it runs in all of them, whatever is
        // left out.
        _ if request.in_kernel || request.clock => String::new(),
        Modes::ALL => of("user mode and the kernel"),
        Modes::USER
            if request.modes.is_none() && request.modes(Share::Auto).is_ok_and(|modes| modes.len() > 1) =>
        {
            let level = machine.paranoid().map_or_else(|| "unknown".to_owned(), |level| level.to_string());
            format!("{}: kernel.perf_event_paranoid is {level}", of("user mode only"))
        }
        Modes { user, kernel, hypervisor } => {
            let parts = [(user, "user mode"), (kernel, "the kernel"), (hypervisor, "the hypervisor")];
            let parts: Vec<&str> =
                parts.iter().filter(|(counted, _)| *counted).map(|(_, part)| *part).collect();
            of(&parts.join(" and "))
        }
    }
}

fn open(machine: &Machine, events: &[&str], share: Share, scales: bool) -> Result<Set, String> {
    let refused =
        |name: &str, refusal: &Refusal| cannot_count(Perf::ID, name, &refusal.reason, &refusal.remedy);
    let mut requests = Vec::with_capacity(events.len());
    for name in events {
        let request = machine.resolve(name).map_err(|refusal| refused(name, &refusal))?;
        requests.push(request.ok_or_else(|| {
            format!("perf has no event `{name}`: choose one of `assay counters list`, or of `perf list`")
        })?);
    }
    Set::open(machine, &requests, share, scales)
        .map_err(|Refused { event, refusal }| refused(&requests[event].name, &refusal))
}

/// Whether events are counted all the time if they are counted together.
fn together(machine: &Machine, events: &[&str]) -> Result<(), String> {
    let mut set = open(machine, events, Share::Auto, false)?;
    let tried =
        set.together().map_err(|error: io::Error| format!("perf: the events could not be tried: {error}"))?;
    if tried {
        return Ok(());
    }
    let named = |run: Vec<usize>| {
        let names: Vec<String> = run.iter().map(|event| format!("perf:{}", events[*event])).collect();
        names.join(",")
    };
    let runs: Vec<String> = set.plan().into_iter().map(named).collect();
    Err(format!(
        "the CPU has too few counters for these events at once; they fit in {} runs: {}",
        runs.len(),
        runs.join("; then ")
    ))
}
