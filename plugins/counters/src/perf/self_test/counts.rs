//! Counts of work whose size is known.

use std::time::Duration;

use assay_plugin_api::{Check, Verdict};

use super::super::machine::Machine;
use super::{Counted, ITERATIONS, TOLERANCE, absent, asked, broken, compared, no_loop, open};
use crate::work::{Bits, INSTRUCTIONS, Work};

/// Number of branches that depend on a bit.
const BRANCHES: u64 = 1_000_000;

/// The part of them that may be predicted wrongly if all bits are alike: a predictor learns within some
/// dozens.
const FEW: f64 = 0.01;

/// The bounds of that part if the bits are random. One half is expected, with a standard deviation of
/// 0.05 %; the bounds are wider because some CPUs count other branches that interrupts have disturbed.
const HALF: std::ops::RangeInclusive<f64> = 0.45..=0.55;

/// Number of new pages that are touched.
const PAGES: usize = 64;

pub fn checks(machine: &Machine, work: &dyn Work) -> Vec<Check> {
    let looped = |name: &str, event: &str, expected: u64| {
        counted(machine, name, event, || work.count_down(ITERATIONS), |count| compared(name, count, expected))
    };
    vec![
        looped("instructions of a loop", "instructions", INSTRUCTIONS * ITERATIONS),
        looped("branches of a loop", "branches", ITERATIONS),
        misses(machine, work, Bits::Alike),
        misses(machine, work, Bits::Random),
        faults(machine, work),
        clock(machine, work),
    ]
}

/// Counts an event during some work, and judges its count. The work returns `false` if there is none.
fn counted(
    machine: &Machine,
    name: &str,
    event: &str,
    work: impl FnOnce() -> bool,
    judge: impl FnOnce(u64) -> Check,
) -> Check {
    let asked = match asked(machine, event) {
        Ok(asked) => asked,
        Err(refusal) => return absent(name, &refusal),
    };
    let mut worked = true;
    let counted =
        open(machine, &[asked]).and_then(|mut group| Counted::during(&mut group, 1, || worked = work()));
    match counted {
        Ok(_) if !worked => no_loop(name),
        Ok(counted) => match counted.incomplete(machine) {
            Some(fault) => {
                let check = Check::new(name, Verdict::Wrong, fault);
                Check { measured: Some(counted.counts[0] as f64), ..check }
            }
            None => judge(counted.counts[0]),
        },
        Err(error) => broken(name, &error),
    }
}

/// Branches that were predicted wrongly.
fn misses(machine: &Machine, work: &dyn Work, bits: Bits) -> Check {
    let (name, expected) = match bits {
        Bits::Alike => ("mispredictions, bits alike", 0.0),
        Bits::Random => ("mispredictions, random bits", 0.5 * BRANCHES as f64),
    };
    let judge = |count: u64| {
        let part = count as f64 / BRANCHES as f64;
        let (right, range) = match bits {
            Bits::Alike => (part <= FEW, format!("at most {} %", 100.0 * FEW)),
            Bits::Random => {
                (HALF.contains(&part), format!("{} to {} %", 100.0 * HALF.start(), 100.0 * HALF.end()))
            }
        };
        let (verdict, reason) = if right {
            (Verdict::Ok, format!("{range} of the branches"))
        } else {
            (Verdict::Wrong, format!("{:.2} % of the branches; {range} is right", 100.0 * part))
        };
        Check::new(name, verdict, reason).numbers(count as f64, expected)
    };
    counted(machine, name, "branch-misses", || work.branch(BRANCHES, bits), judge)
}

/// Page faults of memory that is touched for the first time.
fn faults(machine: &Machine, work: &dyn Work) -> Check {
    const NAME: &str = "page faults of new pages";
    // What the program does beside it may touch a few more.
    const MORE: usize = PAGES / 4;
    let touch = || {
        work.touch(PAGES);
        true
    };
    counted(machine, NAME, "page-faults", touch, |count| {
        let right = (PAGES..=PAGES + MORE).contains(&(count as usize));
        let (verdict, reason) = if right {
            (Verdict::Ok, format!("one for each page, and at most {MORE} more"))
        } else {
            (Verdict::Wrong, format!("it should be one for each page, and at most {MORE} more"))
        };
        Check::new(NAME, verdict, reason).numbers(count as f64, PAGES as f64)
    })
}

/// The kernel's clock of the thread, compared with the elapsed time and with the scheduler's clock.
fn clock(machine: &Machine, work: &dyn Work) -> Check {
    const NAME: &str = "task-clock against the clock";
    // The scheduler's clock is read a little outside of the event's.
    const SLACK: Duration = Duration::from_micros(100);
    let mut on_core = Duration::ZERO;
    let run = || {
        let before = work.now().on_core;
        let worked = work.count_down(ITERATIONS);
        on_core = work.now().on_core.saturating_sub(before);
        worked
    };
    let mut count = None;
    let before = work.now().clock;
    let check = counted(machine, NAME, "task-clock", run, |counted| {
        count = Some(Duration::from_nanos(counted));
        Check::new(NAME, Verdict::Ok, "between the thread's time on the core and the elapsed time")
    });
    let elapsed = work.now().clock.saturating_sub(before);
    let Some(count) = count else { return check };
    // The scheduler leaves out time that a hypervisor has taken away, and the event does not.
    let least = on_core.mul_f64(0.9).saturating_sub(SLACK);
    let check = if (least..=elapsed.mul_f64(1.0 + TOLERANCE)).contains(&count) {
        check
    } else {
        let reason = format!(
            "the thread had a core for {} ns, and {} ns elapsed",
            on_core.as_nanos(),
            elapsed.as_nanos()
        );
        Check::new(NAME, Verdict::Wrong, reason)
    };
    check.numbers(count.as_nanos() as f64, on_core.as_nanos() as f64)
}
