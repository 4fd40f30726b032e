//! The frequency of the CPU: who chooses it, turbo, and whether what the system reports is true.

use assay_counting::clocks::{Reported, misleading};

use super::finding::{Finding, Remedy};
use super::system::System;

const SCALING: &str = "frequency scaling";
const TURBO: &str = "turbo";
const REPORTED: &str = "reported frequency";

/// The files of the governors of all CPUs, for a shell.
const GOVERNORS: &str = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";

/// Drivers whose governor `powersave` chooses by load. With all others it means the lowest frequency.
const SELF_SCALING: [&str; 2] = ["intel_pstate", "amd-pstate-epp"];

/// Who chooses the frequency: the governor of the CPU of the workers, or of the first CPU, and whether those
/// of the other CPUs are the same.
pub(crate) fn scaling(system: &System, cpu: Option<usize>) -> Finding {
    let cpu = cpu.unwrap_or(0);
    let read = |name: &str| system.text(&format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/{name}"));
    let Some(governor) = read("scaling_governor") else {
        return Finding::unknown(SCALING, "the system shows no governor: it may not control the frequency");
    };
    let driver = read("scaling_driver");
    let mut found = match &driver {
        Some(driver) => format!("governor {governor}, driver {driver}"),
        None => format!("governor {governor}"),
    };
    if let Some(preference) = read("energy_performance_preference") {
        found += &format!(", preference {preference}");
    }
    let remedy = || Remedy::write(GOVERNORS, "performance", Some(&governor));
    match governor.as_str() {
        "performance" | "userspace" => Finding::ok(SCALING, found),
        "powersave" if !driver.is_some_and(|driver| SELF_SCALING.contains(&driver.as_str())) => {
            Finding::problem(
                SCALING,
                found,
                "times are those of the lowest frequency, at which memory is fast compared with the CPU",
                remedy(),
            )
        }
        _ => Finding::warning(
            SCALING,
            found,
            "the frequency follows the load, so the first searches after a pause are slower",
            remedy(),
        ),
    }
}

/// Whether the CPU may run faster than its nominal frequency.
pub(crate) fn turbo(system: &System) -> Finding {
    let on = |path: &str, off: &str| {
        let before = system.text(path).unwrap_or_default();
        Finding::warning(
            TURBO,
            "on",
            "the frequency depends on temperature and on how many cores are busy",
            Remedy::write(path, off, Some(&before)),
        )
    };
    let intel = "/sys/devices/system/cpu/intel_pstate/no_turbo";
    let others = "/sys/devices/system/cpu/cpufreq/boost";
    match (system.number(intel), system.number(others)) {
        (Some(0), _) => on(intel, "1"),
        (None, Some(1)) => on(others, "0"),
        (Some(_), _) | (None, Some(0)) => Finding::ok(TURBO, "off"),
        (None, _) => Finding::unknown(TURBO, "the system does not show whether there is turbo"),
    }
}

/// Whether the frequency that the system reports is the one that was measured, in hertz.
pub fn reported(measured: Option<f64>, report: Option<&Reported>) -> Finding {
    let mhz = |hz: f64| format!("{:.0} MHz", hz / 1e6);
    let Some(measured) = measured else {
        return Finding::unknown(REPORTED, "it could not be measured, because something else ran on the CPU");
    };
    let words = format!("{} measured", mhz(measured));
    let Some(Reported { source, hz }) = report else {
        return Finding::unknown(REPORTED, format!("{words}; the system reports none"));
    };
    let found = format!("{words}; {source} reports {}", mhz(*hz));
    match misleading(*hz, measured) {
        None => Finding::ok(REPORTED, found),
        Some(share) => Finding::warning(
            REPORTED,
            found,
            format!(
                "cycles computed from the reported frequency are {:.0} % too {}",
                100.0 * (1.0 / (1.0 + share) - 1.0).abs(),
                if share > 0.0 { "few" } else { "many" }
            ),
            Remedy::advice(
                "compute with the measured frequency (`assay counters clock`), as the metrics of assay do",
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome;
    use crate::testing::{AMD_SERVER, CONTAINER, FakeSystem, INTEL_LAPTOP};

    #[test]
    fn a_governor_is_judged_by_its_driver() {
        let with = |governor, driver| {
            let folder = "/sys/devices/system/cpu/cpu3/cpufreq";
            let files = [("scaling_governor", governor), ("scaling_driver", driver)];
            let files = files.map(|(name, value): (&str, &'static str)| (format!("{folder}/{name}"), value));
            let files: Vec<(&str, &str)> =
                files.iter().map(|(path, value)| (path.as_str(), *value)).collect();
            scaling(FakeSystem::new(&files).system(), Some(3))
        };
        assert_eq!(with("performance\n", "acpi-cpufreq\n").outcome, CheckOutcome::Ok);
        assert_eq!(with("powersave\n", "acpi-cpufreq\n").outcome, CheckOutcome::Problem);
        assert_eq!(with("powersave\n", "intel_pstate\n").outcome, CheckOutcome::Warning);
        let schedutil = with("schedutil\n", "amd-pstate\n");
        assert_eq!(
            (schedutil.outcome, schedutil.found.as_str()),
            (CheckOutcome::Warning, "governor schedutil, driver amd-pstate")
        );
        assert_eq!(
            schedutil.remedy.unwrap().undo,
            [format!("echo schedutil | sudo tee {GOVERNORS} >/dev/null")]
        );
        assert_eq!(scaling(FakeSystem::new(CONTAINER).system(), None).outcome, CheckOutcome::Unknown);
    }

    #[test]
    fn turbo_is_known_by_the_file_of_the_driver() {
        let finding = |files| turbo(FakeSystem::new(files).system());
        let laptop = finding(INTEL_LAPTOP);
        assert_eq!(laptop.outcome, CheckOutcome::Warning);
        assert_eq!(
            laptop.remedy.unwrap().commands,
            ["echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo >/dev/null"]
        );
        assert_eq!(finding(AMD_SERVER).outcome, CheckOutcome::Ok);
        assert_eq!(finding(CONTAINER).outcome, CheckOutcome::Unknown);
    }

    #[test]
    fn a_report_that_differs_from_the_measurement_is_named_with_what_it_spoils() {
        let report = Reported { source: "/proc/cpuinfo".to_owned(), hz: 2.6e9 };
        let finding = |measured| reported(measured, Some(&report));
        assert_eq!(finding(Some(2.61e9)).outcome, CheckOutcome::Ok);
        let wrong = finding(Some(4.0e9));
        assert_eq!(wrong.found, "4000 MHz measured; /proc/cpuinfo reports 2600 MHz");
        assert!(wrong.effect.unwrap().ends_with("35 % too few"));
        let unknown = [finding(None), reported(Some(4.0e9), None)].map(|finding| finding.outcome);
        assert_eq!(unknown, [CheckOutcome::Unknown; 2]);
    }
}
