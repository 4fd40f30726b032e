//! How many events of the core count together, and whether they count right then.

use std::io;

use assay_plugin_api::{Check, Verdict};

use super::super::group::Group;
use super::super::kernel::Asked;
use super::super::machine::Machine;
use super::{Counted, ITERATIONS, TOLERANCE, absent, asked, broken, no_loop, open};
use crate::work::{INSTRUCTIONS, Work};

/// Size at which larger groups are no longer tried. No CPU that we know has that many counters.
const MOST: usize = 64;

const SIZE: &str = "events in the largest group";
const COUNTS: &str = "counts in the largest group";

pub fn checks(machine: &Machine, work: &dyn Work) -> Vec<Check> {
    // The branches are counted as often as there are counters for them: the group has as many events then as
    // the CPU has counters, whichever events it knows.
    let (instructions, branches) = match (asked(machine, "instructions"), asked(machine, "branches")) {
        (Ok(instructions), Ok(branches)) => (instructions, branches),
        (Err(refusal), _) | (_, Err(refusal)) => {
            return [SIZE, COUNTS].map(|name| absent(name, &refusal)).into();
        }
    };
    let members = |size: usize| {
        let mut members = vec![branches; size];
        members[0] = instructions;
        members
    };
    match largest(machine, &members) {
        Ok((0, limit)) => {
            let reason = "there is no counter to try it with";
            vec![Check::new(SIZE, Verdict::Wrong, limit), Check::new(COUNTS, Verdict::Absent, reason)]
        }
        Ok((size, limit)) => {
            let found = Check { measured: Some(size as f64), ..Check::new(SIZE, Verdict::Ok, limit) };
            vec![found, counts(machine, work, &members(size))]
        }
        Err(error) => [SIZE, COUNTS].map(|name| broken(name, &error)).into(),
    }
}

/// The size of the largest group that counts, and why no larger one does.
fn largest(machine: &Machine, members: &dyn Fn(usize) -> Vec<Asked>) -> io::Result<(usize, String)> {
    for size in 1..=MOST {
        let more = match size {
            1 => "not even one".to_owned(),
            _ => format!("{} count together; one more", size - 1),
        };
        let mut group = match open(machine, &members(size)) {
            Ok(group) => group,
            Err(error) => return Ok((size - 1, format!("{more} is refused by the kernel: {error}"))),
        };
        if !group.runs()? {
            return Ok((size - 1, format!("{more} opens, but then the group gets no counters")));
        }
    }
    Ok((MOST, format!("{MOST} count together; more were not tried")))
}

/// Whether all events of a group count the loop as it is.
fn counts(machine: &Machine, work: &dyn Work, members: &[Asked]) -> Check {
    let mut worked = true;
    let count = |mut group: Group| {
        Counted::during(&mut group, members.len(), || worked = work.count_down(ITERATIONS))
    };
    let counted = match open(machine, members).and_then(count) {
        Ok(counted) => counted,
        Err(error) => return broken(COUNTS, &error),
    };
    if !worked {
        return no_loop(COUNTS);
    }
    if let Some(fault) = counted.incomplete(machine) {
        return Check::new(COUNTS, Verdict::Wrong, fault);
    }
    let errors = counted.counts.iter().enumerate().map(|(place, count)| {
        let expected = if place == 0 { INSTRUCTIONS * ITERATIONS } else { ITERATIONS };
        (place, *count as f64 / expected as f64 - 1.0)
    });
    let (place, error) =
        errors.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs())).expect("it has a leader");
    if error.abs() <= TOLERANCE {
        Check::new(COUNTS, Verdict::Ok, format!("each within {} %", 100.0 * TOLERANCE))
    } else {
        let event = if place == 0 { "instructions" } else { "branches" };
        let reason = format!(
            "{event}, event {} of {}, differ by {:+.2} %; {} % is allowed",
            place + 1,
            members.len(),
            100.0 * error,
            100.0 * TOLERANCE
        );
        Check::new(COUNTS, Verdict::Wrong, reason)
    }
}
