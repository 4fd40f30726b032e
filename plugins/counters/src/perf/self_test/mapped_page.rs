//! Readings in user mode, by the page that the kernel shares, compared with readings of the descriptor.

use std::io;

use assay_plugin_api::{Check, Verdict};

use super::super::group::Group;
use super::super::machine::Machine;
use super::super::mapped_page::{PageCount, PageTimes, Unreadable};
use super::{absent, asked, broken, open};
use crate::work::Work;

/// Number of readings that are compared, with a loop of this many iterations before each. Together they take
/// some milliseconds, so that timer interrupts fall into some of them.
const ROUNDS: u64 = 1000;
const ITERATIONS: u64 = 10_000;

/// Greatest difference in nanoseconds between the page's times and those of the kernel: both compute them by
/// ticks, with a rounding of a few nanoseconds.
const NS: u64 = 1000;

pub fn checks(machine: &Machine, work: &dyn Work) -> Vec<Check> {
    let hardware = ["instructions", "cycles"].into_iter().flat_map(|event| {
        let (count, times) = (format!("{event} by rdpmc"), format!("times of {event} by their page"));
        match asked(machine, event) {
            Err(refusal) => [absent(&count, &refusal), absent(&times, &refusal)],
            Ok(asked) => match open(machine, &[asked]).and_then(|group| Rounds::of_event(group, work)) {
                Err(error) => [broken(&count, &error), broken(&times, &error)],
                Ok(rounds) => [rounds.counts(&count, machine), rounds.times(&times)],
            },
        }
    });
    hardware.chain([without_register(machine)]).collect()
}

/// An event of the kernel has no register, and its page must say so: reading a register would end the
/// program.
fn without_register(machine: &Machine) -> Check {
    const NAME: &str = "page of an event without a register";
    let asked = match asked(machine, "page-faults") {
        Ok(asked) => asked,
        Err(refusal) => return absent(NAME, &refusal),
    };
    let read = open(machine, &[asked]).and_then(|mut group| {
        group.start()?;
        let count = group.map()?.count();
        group.stop()?;
        Ok(count)
    });
    match read {
        Ok(Err(Unreadable::Forbidden)) => Check::new(NAME, Verdict::Ok, "it forbids rdpmc"),
        Ok(other) => Check::new(NAME, Verdict::Wrong, format!("it should forbid rdpmc, and says: {other:?}")),
        Err(error) => broken(NAME, &error),
    }
}

/// A reading of the descriptor: the count, and the times.
#[derive(Clone, Copy)]
struct Descriptor {
    count: u64,
    enabled: u64,
    running: u64,
}

/// A reading of the page between two of the descriptor.
struct Round {
    before: Descriptor,
    count: Result<PageCount, Unreadable>,
    times: Result<PageTimes, Unreadable>,
    after: Descriptor,
}

struct Rounds(Vec<Round>);

impl Rounds {
    /// Reads the page of an event that was opened just now, so that its counts begin with 0 in both ways.
    fn of_event(mut group: Group, work: &dyn Work) -> io::Result<Rounds> {
        let page = group.map()?;
        group.start()?;
        let mut read = || {
            group.read()?;
            let descriptor =
                Descriptor { count: group.count(0), enabled: group.enabled(), running: group.running() };
            io::Result::Ok(descriptor)
        };
        let rounds = (0..ROUNDS).map(|_| {
            work.count_down(ITERATIONS);
            let before = read()?;
            let (count, times) = (page.count(), page.times());
            Ok(Round { before, count, times, after: read()? })
        });
        let rounds = rounds.collect::<io::Result<_>>()?;
        group.stop()?;
        Ok(Rounds(rounds))
    }

    /// How many rounds are right, or what the first other one is.
    fn judge(&self, name: &str, fault: impl Fn(&Round) -> Result<(), String>) -> Check {
        let faults: Vec<String> = self.0.iter().filter_map(|round| fault(round).err()).collect();
        let check = match faults.first() {
            None => Check::new(name, Verdict::Ok, "each between two readings of the descriptor"),
            Some(fault) => Check::new(name, Verdict::Wrong, fault.clone()),
        };
        check.numbers((self.0.len() - faults.len()) as f64, self.0.len() as f64)
    }

    fn counts(&self, name: &str, machine: &Machine) -> Check {
        if self.0.iter().all(|round| round.count == Err(Unreadable::Forbidden)) {
            let unit = machine.core().map_or("cpu", |core| core.pmu.name.as_str());
            let reason = format!(
                "the page forbids it (cap_user_rdpmc is 0), so the descriptor is read; `echo 1` into \
                 /sys/bus/event_source/devices/{unit}/rdpmc allows it, if the CPU and its hypervisor do"
            );
            return Check::new(name, Verdict::Absent, reason);
        }
        self.judge(name, |Round { before, count, after, .. }| {
            let waited = after.enabled.saturating_sub(after.running);
            match count {
                Ok(PageCount { count, .. }) if !(before.count..=after.count).contains(count) => Err(format!(
                    "the page gives {count} between {} and {} of the descriptor",
                    before.count, after.count
                )),
                Ok(page) if waited == 0 && page.waited > 0 => Err(format!(
                    "by the page the event waited {} ns for a counter, by the descriptor it did not",
                    page.waited
                )),
                Ok(_) => Ok(()),
                Err(Unreadable::NoCounter) if waited > 0 => Err(format!(
                    "the event waited for a counter for {waited} of {} ns: another program takes turns with it",
                    after.enabled
                )),
                Err(Unreadable::NoCounter) => {
                    Err("the page names no counter (index is 0), although the event counts".to_owned())
                }
                Err(Unreadable::Forbidden) => {
                    Err("the page forbids it (cap_user_rdpmc is 0) in some readings only".to_owned())
                }
                Err(Unreadable::Unsettled) => {
                    Err("the page changed again and again during the reading".to_owned())
                }
            }
        })
    }

    fn times(&self, name: &str) -> Check {
        if self.0.iter().all(|round| round.times == Err(Unreadable::Forbidden)) {
            let reason = "the page has no times (cap_user_time is 0), because the kernel's clock is not the CPU's \
                          counter of ticks; the descriptor is read where they are needed";
            return Check::new(name, Verdict::Absent, reason);
        }
        self.judge(name, |Round { before, times, after, .. }| {
            let times = times.map_err(|error| format!("the page has no times: {error:?}"))?;
            let pairs = [
                ("enabled", before.enabled, times.enabled, after.enabled),
                ("running", before.running, times.running, after.running),
            ];
            for (name, before, page, after) in pairs {
                if !(before.saturating_sub(NS)..=after + NS).contains(&page) {
                    return Err(format!(
                        "the page gives {page} ns {name} between {before} and {after} of the descriptor"
                    ));
                }
            }
            Ok(())
        })
    }
}
