//! The clock that times are taken with: its source, its resolution and its cost, and the time stamp counter.

use std::time::Instant;

use rustix::time::{ClockId, clock_getres};

use super::finding::{Finding, Remedy};
use super::system::System;

const SOURCE: &str = "clock source";
const TIMER: &str = "timer";
const STAMPS: &str = "time stamp counter";

/// Sources that a program can't read itself, so that each reading is a call of the kernel and of a slow
/// device.
const SLOW_SOURCES: [&str; 4] = ["hpet", "acpi_pm", "jiffies", "refined-jiffies"];
/// A reading that costs more is a system call: without one it takes 15 to 60 ns on the machines that we
/// tried.
const CHEAP_NS: f64 = 150.0;
/// A resolution that is coarser distorts the times of short searches, which take less than a microsecond.
const FINE_NS: f64 = 100.0;
/// Readings of the clock to learn its cost: they take some milliseconds at most.
const READINGS: u32 = 10_000;
/// Passes of readings, of which the quickest counts, because a pause makes one slow.
const PASSES: u32 = 5;

/// What the clock of times can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimerFacts {
    /// Time that one reading takes, in nanoseconds.
    pub cost_ns: f64,
    /// Its resolution, as the kernel says, in nanoseconds.
    pub resolution_ns: f64,
}

impl TimerFacts {
    /// Measures the monotonic clock.
    pub fn measure() -> Self {
        let pass = || {
            let begun = Instant::now();
            (0..READINGS).fold(begun, |_, _| Instant::now()) - begun
        };
        let quickest = (0..PASSES).map(|_| pass()).min().unwrap_or_default();
        let resolution = clock_getres(ClockId::Monotonic);
        TimerFacts {
            cost_ns: quickest.as_nanos() as f64 / f64::from(READINGS),
            resolution_ns: resolution.tv_sec as f64 * 1e9 + resolution.tv_nsec as f64,
        }
    }
}

/// Whether the kernel takes its clock from a counter that programs can read.
pub(crate) fn source(system: &System) -> Finding {
    let folder = "/sys/devices/system/clocksource/clocksource0";
    let Some(current) = system.text(&format!("{folder}/current_clocksource")) else {
        return Finding::unknown(SOURCE, "the system does not show where its clock comes from");
    };
    if !SLOW_SOURCES.contains(&current.as_str()) {
        return Finding::ok(SOURCE, current);
    }
    let available = system.text(&format!("{folder}/available_clocksource")).unwrap_or_default();
    let better = available.split_whitespace().find(|other| !SLOW_SOURCES.contains(other));
    let remedy = match better {
        Some(better) => Remedy::write(&format!("{folder}/current_clocksource"), better, Some(&current)),
        None => Remedy::advice(
            "see in `dmesg` why the kernel gave up the time stamp counter; \
             the kernel parameter `tsc=reliable` forbids it to",
        ),
    };
    Finding::problem(
        SOURCE,
        current,
        "each time includes a reading of the clock, of about a microsecond",
        remedy,
    )
}

/// Whether the clock is cheap to read and fine enough.
pub fn timer(facts: TimerFacts) -> Finding {
    let TimerFacts { cost_ns, resolution_ns } = facts;
    let found = format!("a reading takes {cost_ns:.0} ns, resolution {resolution_ns:.0} ns");
    if resolution_ns > FINE_NS {
        return Finding::problem(
            TIMER,
            found,
            "times of short searches are multiples of the resolution",
            Remedy::advice("boot a kernel with high-resolution timers (CONFIG_HIGH_RES_TIMERS)"),
        );
    }
    if cost_ns > CHEAP_NS {
        return Finding::warning(
            TIMER,
            found,
            "every time includes the cost of a reading, so short searches look alike",
            Remedy::advice("choose another clock source, or use longer texts (`--text-size`)"),
        );
    }
    Finding::ok(TIMER, found)
}

/// Whether the time stamp counter ticks at one rate, whatever the core does.
pub(crate) fn stamp_counter(system: &System) -> Finding {
    let Some(flags) = system.value("/proc/cpuinfo", "flags") else {
        let is_arm = system.value("/proc/cpuinfo", "CPU implementer").is_some();
        return if is_arm {
            Finding::ok(STAMPS, "the architecture has a counter of constant rate")
        } else {
            Finding::unknown(STAMPS, "the system does not show the features of the CPU")
        };
    };
    let has = |flag: &str| flags.split_whitespace().any(|other| other == flag);
    let missing: Vec<&str> =
        ["tsc", "constant_tsc", "nonstop_tsc"].into_iter().filter(|flag| !has(flag)).collect();
    if missing.is_empty() {
        return Finding::ok(STAMPS, "invariant (constant_tsc, nonstop_tsc)");
    }
    Finding::warning(
        STAMPS,
        format!("not invariant: the CPU has no {}", missing.join(", ")),
        "ticks are no measure of time, because their rate changes or they stop",
        Remedy::advice("count no `tsc`; times don't depend on it"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Problem, Unknown, Warning};
    use crate::testing::{AMD_SERVER, ARM, FakeSystem};

    #[test]
    fn a_slow_clock_source_is_replaced_by_a_better_one() {
        let folder = "/sys/devices/system/clocksource/clocksource0";
        let (current, available) =
            (format!("{folder}/current_clocksource"), format!("{folder}/available_clocksource"));
        let finding =
            |all: &str| source(FakeSystem::new(&[(&current, "hpet\n"), (&available, all)]).system());
        let slow = finding("hpet tsc acpi_pm\n");
        assert_eq!(
            (slow.outcome, slow.remedy.unwrap().commands),
            (Problem, vec![format!("echo tsc | sudo tee {current} >/dev/null")])
        );
        assert!(finding("hpet\n").remedy.unwrap().commands.is_empty());
        assert_eq!(source(FakeSystem::new(&[(&current, "tsc\n")]).system()).outcome, Ok);
        assert_eq!(source(FakeSystem::new(&[]).system()).outcome, Unknown);
    }

    #[test]
    fn a_timer_is_cheap_and_fine() {
        let outcome = |cost_ns, resolution_ns| timer(TimerFacts { cost_ns, resolution_ns }).outcome;
        assert_eq!([outcome(20.0, 1.0), outcome(900.0, 1.0), outcome(20.0, 4e6)], [Ok, Warning, Problem]);
        assert!(TimerFacts::measure().cost_ns > 0.0);
    }

    #[test]
    fn a_stamp_counter_is_invariant_by_two_flags() {
        let outcome = |files| stamp_counter(FakeSystem::new(files).system()).outcome;
        assert_eq!([outcome(AMD_SERVER), outcome(ARM), outcome(&[])], [Ok, Ok, Unknown]);
        assert_eq!(outcome(&[("/proc/cpuinfo", "flags : fpu tsc constant_tsc\n")]), Warning);
    }
}
