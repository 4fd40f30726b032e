//! The self-test: whether the counter of ticks runs forward, and at the rate that the CPU reports.

use assay_plugin_api::{Check, Clock, Verdict};

use crate::tick_rate;

/// The only part.
pub const PART: &str = "rate";

const FORWARD: &str = "ticks never go back";
const STEADY: &str = "two measurements of the rate";
const REPORTED: &str = "the rate and the reported one";

/// Number of readings, some 0.3 ms.
const READINGS: usize = 10_000;

/// Greatest relative difference of two rates. A measurement is exact to some millionths unless it is
/// disturbed, while reports are rounded to a megahertz on some CPUs.
const TOLERANCE: f64 = 0.001;

/// The checks of a counter, or of why there is none.
pub fn checks(missing: Option<(&str, &str)>, ticks: fn() -> u64) -> Vec<Check> {
    if let Some((reason, remedy)) = missing {
        let reason = format!("{reason}; {remedy}");
        return [FORWARD, STEADY, REPORTED]
            .map(|name| Check::new(name, Verdict::Absent, reason.clone()))
            .into();
    }
    let readings: Vec<u64> = (0..READINGS).map(|_| ticks()).collect();
    let rates = [tick_rate::clock(ticks), tick_rate::clock(ticks)];
    [forward(&readings)].into_iter().chain(compared(&rates)).collect()
}

fn forward(readings: &[u64]) -> Check {
    let backward = readings.windows(2).filter(|pair| pair[1] < pair[0]).count();
    let (verdict, reason) = match backward {
        0 => (Verdict::Ok, "each reading is at least the one before"),
        _ => (Verdict::Wrong, "a reading was less than the one before: the counter is not to be trusted"),
    };
    Check::new(FORWARD, verdict, reason).numbers((readings.len() - backward) as f64, readings.len() as f64)
}

fn compared(rates: &[Clock; 2]) -> [Check; 2] {
    let [first, second] = rates.map(|rate| rate.measured_hz.unwrap_or(f64::NAN));
    let judge = |name: &str, measured: f64, expected: f64, fault: &str| {
        let error = measured / expected - 1.0;
        let (verdict, reason) = if error.abs() <= TOLERANCE {
            (Verdict::Ok, format!("within {} %", 100.0 * TOLERANCE))
        } else {
            (Verdict::Wrong, format!("they differ by {:+.2} %: {fault}", 100.0 * error))
        };
        Check::new(name, verdict, reason).numbers(measured.round(), expected.round())
    };
    let reported = match rates[1].reported_hz {
        Some(hz) => judge(REPORTED, second, hz, "compute with the measured rate"),
        None => {
            let reason = "neither the CPU nor a hypervisor reports a rate; metrics use the measured one";
            Check { measured: Some(second.round()), ..Check::new(REPORTED, Verdict::Absent, reason) }
        }
    };
    [judge(STEADY, second, first, "the rate changes, or the machine was too busy"), reported]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(measured: f64, reported_hz: Option<f64>) -> Clock {
        Clock { measured_hz: Some(measured), reported_hz }
    }

    fn verdicts(checks: &[Check]) -> Vec<Verdict> {
        checks.iter().map(|check| check.verdict).collect()
    }

    #[test]
    fn a_steady_rate_passes_and_one_that_changes_or_was_reported_otherwise_does_not() {
        use Verdict::{Absent, Ok, Wrong};
        let checks = |first, second, reported| compared(&[rate(first, reported), rate(second, reported)]);
        assert_eq!(verdicts(&checks(2e9, 2.001e9, Some(2e9))), [Ok, Ok]);
        assert_eq!(verdicts(&checks(2e9, 2.02e9, Some(2.02e9))), [Wrong, Ok]);
        assert_eq!(verdicts(&checks(2.02e9, 2.02e9, Some(2e9))), [Ok, Wrong]);
        assert_eq!(verdicts(&checks(2e9, 2e9, None)), [Ok, Absent]);
        let wrong = checks(2.02e9, 2.02e9, Some(2e9)).map(|check| check.reason);
        assert_eq!(wrong[1], "they differ by +1.00 %: compute with the measured rate");
    }

    #[test]
    fn a_counter_that_goes_back_is_wrong() {
        assert_eq!(forward(&[1, 2, 2, 5]).verdict, Verdict::Ok);
        let back = forward(&[1, 2, 1, 5]);
        assert_eq!((back.verdict, back.measured, back.expected), (Verdict::Wrong, Some(3.0), Some(4.0)));
    }

    #[test]
    fn where_there_is_no_counter_each_line_says_why() {
        let none = checks(Some(("the CPU has no rdtscp instruction", "use clock:ns")), || unreachable!());
        assert_eq!(verdicts(&none), [Verdict::Absent; 3]);
        assert!(none.iter().all(|check| check.reason == "the CPU has no rdtscp instruction; use clock:ns"));
    }
}
