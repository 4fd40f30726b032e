//! Hardware counters: whether the CPU shows them, whether this user may read them, and what the kernel keeps
//! for itself.

use super::finding::{Finding, Remedy};
use super::system::System;

const HARDWARE: &str = "hardware counters";
const PERMISSION: &str = "perf_event_paranoid";
const WATCHDOG: &str = "NMI watchdog";

/// The folder of the sources of events that the kernel knows.
const SOURCES: &str = "/sys/bus/event_source/devices";
/// The greatest level at which an ordinary user may count events of a program of its own.
const USER_MODE: i64 = 2;
/// The bits of the capabilities that make the level irrelevant: CAP_SYS_ADMIN and CAP_PERFMON.
const CAPABILITIES: u64 = 1 << 21 | 1 << 38;

/// The sources of events of the CPU; `None` if the kernel shows no sources at all.
fn sources(system: &System) -> Option<Vec<String>> {
    let all = system.entries(SOURCES);
    let is_cpu = |name: &String| {
        ["cpu", "cpu_core", "cpu_atom"].contains(&name.as_str())
            || name.starts_with("armv")
            || name.starts_with("apple_")
    };
    (!all.is_empty()).then(|| all.into_iter().filter(is_cpu).collect())
}

/// Whether cycles, instructions and misses can be counted.
pub(crate) fn hardware(system: &System) -> Finding {
    match sources(system) {
        None => Finding::unknown(HARDWARE, "the kernel shows no sources of events"),
        Some(sources) if sources.is_empty() => Finding::warning(
            HARDWARE,
            "none: the CPU, or the virtual machine, shows the kernel no counters",
            "cycles, instructions and misses can't be counted; times are not affected",
            Remedy::advice(
                "let the virtual machine have a virtual PMU, or simulate: \
                 `assay run .. --cpu-stats first --simulate`",
            ),
        ),
        Some(sources) => Finding::ok(HARDWARE, sources.join(", ")),
    }
}

/// Whether this user may count events.
pub(crate) fn permission(system: &System) -> Finding {
    let Some(level) = system.number("/proc/sys/kernel/perf_event_paranoid") else {
        return Finding::unknown(PERMISSION, "the kernel has no perf events, or hides their level");
    };
    let capabilities = system.value("/proc/self/status", "CapEff");
    let capabilities = capabilities.and_then(|bits| u64::from_str_radix(&bits, 16).ok()).unwrap_or(0);
    let found = match level {
        ..=USER_MODE => format!("{level}"),
        _ if capabilities & CAPABILITIES != 0 => format!("{level}, but this user may count (CAP_PERFMON)"),
        _ => {
            return Finding::warning(
                PERMISSION,
                level.to_string(),
                "this user can count no events with perf; times are not affected",
                Remedy::sysctl("kernel.perf_event_paranoid", USER_MODE, level),
            );
        }
    };
    Finding::ok(PERMISSION, found)
}

/// Whether the kernel keeps a hardware counter for its watchdog.
pub(crate) fn watchdog(system: &System) -> Finding {
    match system.number("/proc/sys/kernel/nmi_watchdog") {
        None => Finding::unknown(WATCHDOG, "the kernel does not show it"),
        Some(0) => Finding::ok(WATCHDOG, "off"),
        Some(level) => Finding::warning(
            WATCHDOG,
            "on",
            "it takes one hardware counter, so one event less can be counted at a time",
            Remedy::sysctl("kernel.nmi_watchdog", 0, level),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Unknown, Warning};
    use crate::testing::{ARM, CONTAINER, FakeSystem, HYBRID, INTEL_LAPTOP};

    #[test]
    fn counters_are_those_of_the_cpu() {
        let finding = |files| hardware(FakeSystem::new(files).system());
        assert_eq!(finding(INTEL_LAPTOP).found, "cpu");
        assert_eq!(finding(HYBRID).found, "cpu_atom, cpu_core");
        assert_eq!(finding(ARM).found, "armv8_pmuv3_0");
        assert_eq!([finding(CONTAINER).outcome, finding(&[]).outcome], [Warning, Unknown]);
    }

    #[test]
    fn a_level_above_two_refuses_users_without_the_capability() {
        let finding = |level, capabilities| {
            let files =
                [("/proc/sys/kernel/perf_event_paranoid", level), ("/proc/self/status", capabilities)];
            permission(FakeSystem::new(&files).system())
        };
        assert_eq!([finding("2\n", "").outcome, finding("-1\n", "").outcome], [Ok, Ok]);
        let refused = finding("4\n", "CapEff:\t0000000000000000\n");
        assert_eq!(
            (refused.outcome, refused.remedy.unwrap().undo),
            (Warning, vec!["sudo sysctl kernel.perf_event_paranoid=4".to_owned()])
        );
        assert_eq!(finding("4\n", "CapEff:\t0000004000000000\n").outcome, Ok);
        assert_eq!(finding("x\n", "").outcome, Unknown);
    }

    #[test]
    fn a_watchdog_takes_a_counter() {
        let outcome =
            |text| watchdog(FakeSystem::new(&[("/proc/sys/kernel/nmi_watchdog", text)]).system()).outcome;
        assert_eq!([outcome("0"), outcome("1"), outcome("")], [Ok, Warning, Unknown]);
    }
}
