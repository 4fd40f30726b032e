//! The self-test: work of which the counts are known, counted in every way in which the backend counts.
//!
//! The loops run in user mode, where nothing else is counted, so that they are counted exactly but for the
//! few hundred instructions around the two readings, and one for each interrupt on some CPUs (Weaver,
//! Terpstra and Moore 2013, "Non-determinism and overcount on modern hardware performance counter
//! implementations").

mod counts;
mod events;
mod groups;
mod mapped_page;
#[cfg(test)]
mod tests;

use std::io;

use assay_plugin_api::{Check, Verdict};

use super::group::Group;
use super::kernel::Asked;
use super::machine::Machine;
use super::refusal::Refusal;
use super::request::Share;
use super::set::alone;
use crate::work::Work;

/// The parts. That of the mapped page is the last, because it is the one that a wrong page could crash.
pub const PARTS: [&str; 4] = ["events", "counts", "groups", "mapped-page"];

/// Runs a part.
///
/// # Errors
/// If there is no such part.
pub fn run(part: &str, machine: &Machine, work: &dyn Work) -> Result<Vec<Check>, String> {
    match part {
        "events" => Ok(events::checks(machine, work)),
        "counts" => Ok(counts::checks(machine, work)),
        "groups" => Ok(groups::checks(machine, work)),
        "mapped-page" => Ok(mapped_page::checks(machine, work)),
        _ => Err(format!("perf has no self-test `{part}`: choose from {}", PARTS.join(", "))),
    }
}

/// Greatest relative error of a count whose size is known. The loops are so long that what is counted beside
/// them is less than a tenth of this.
const TOLERANCE: f64 = 0.001;

/// Number of iterations of a loop whose counts are compared: about 3 ms on a CPU of 3 GHz.
const ITERATIONS: u64 = 10_000_000;

/// How to ask the kernel for an event by itself.
///
/// # Errors
/// The reason why the kernel does not open it.
fn asked(machine: &Machine, name: &str) -> Result<Asked, Refusal> {
    let request = machine.resolve(name)?.expect("the kernel's general names are known");
    let modes = alone(machine, &request, Share::Auto)?;
    Ok(Asked { encoding: request.encoding, modes })
}

/// Opens events as a group, the first of which leads.
///
/// # Errors
/// The error of the kernel.
fn open(machine: &Machine, asked: &[Asked]) -> io::Result<Group> {
    Group::open(&machine.kernel, asked).map_err(|(_, error)| error)
}

/// What is said of an event that this machine does not have.
fn absent(name: &str, Refusal { reason, remedy }: &Refusal) -> Check {
    Check::new(name, Verdict::Absent, format!("{reason}; {remedy}"))
}

/// What is said of an event that opened before, and now not.
fn broken(name: &str, error: &io::Error) -> Check {
    Check::new(name, Verdict::Wrong, format!("the kernel fails to count it: {error}"))
}

/// What a group counted during a piece of work.
struct Counted {
    counts: Vec<u64>,
    enabled: u64,
    running: u64,
}

impl Counted {
    /// Counts the work with a group of this many events.
    fn during(group: &mut Group, events: usize, work: impl FnOnce()) -> io::Result<Counted> {
        group.start()?;
        group.read()?;
        let counts = |group: &Group| -> Vec<u64> { (0..events).map(|event| group.count(event)).collect() };
        let (before, enabled, running) = (counts(group), group.enabled(), group.running());
        work();
        group.read()?;
        let after = counts(group);
        let (enabled, running) = (group.enabled() - enabled, group.running() - running);
        group.stop()?;
        let counts = after.iter().zip(before).map(|(after, before)| after.wrapping_sub(before)).collect();
        Ok(Counted { counts, enabled, running })
    }

    /// What is wrong if the group did not count all the time; `None` if it did.
    fn incomplete(&self, machine: &Machine) -> Option<String> {
        if self.running == 0 && self.enabled > 0 {
            let Refusal { reason, remedy } = Refusal::never_ran(machine);
            return Some(format!("{reason}; {remedy}"));
        }
        (self.running < self.enabled).then(|| {
            format!(
                "it counted {:.1} % of the time: another program takes turns with it on the CPU's counters",
                100.0 * self.running as f64 / self.enabled as f64
            )
        })
    }
}

/// Compares a count with the known one.
fn compared(name: &str, measured: u64, expected: u64) -> Check {
    let error = measured as f64 / expected as f64 - 1.0;
    let verdict = if error.abs() <= TOLERANCE { Verdict::Ok } else { Verdict::Wrong };
    let reason = match verdict {
        Verdict::Ok => format!("within {} %", 100.0 * TOLERANCE),
        _ => format!("it differs by {:+.2} %; {} % is allowed", 100.0 * error, 100.0 * TOLERANCE),
    };
    Check::new(name, verdict, reason).numbers(measured as f64, expected as f64)
}

/// What is said where no loop is written for the CPU.
fn no_loop(name: &str) -> Check {
    let reason = "no loop of known length is written for CPUs of this architecture";
    Check::new(name, Verdict::Absent, reason)
}
