//! Whether a CPU is slowed down because it is too hot.

use super::finding::{Finding, Remedy};
use super::system::System;

const NAME: &str = "throttling";

/// How often a CPU had been slowed down at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThrottleCount {
    cpu: usize,
    times: Option<i64>,
}

impl ThrottleCount {
    /// Reads the count of this CPU, or of the first.
    pub(crate) fn read(system: &System, cpu: Option<usize>) -> Self {
        let cpu = cpu.unwrap_or(0);
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/thermal_throttle/core_throttle_count");
        ThrottleCount { cpu, times: system.number(&path) }
    }

    /// Whether the CPU was slowed down since then.
    pub(crate) fn finding(self, system: &System) -> Finding {
        let now = ThrottleCount::read(system, Some(self.cpu));
        let Some((before, after)) = self.times.zip(now.times) else {
            return Finding::unknown(NAME, "the system does not count how often a CPU was too hot");
        };
        if after <= before {
            return Finding::ok(NAME, format!("CPU {} is not slowed down now", self.cpu));
        }
        Finding::problem(
            NAME,
            format!("CPU {} was slowed down just now, because it is too hot", self.cpu),
            "searches take longer, by an amount that changes with the temperature",
            Remedy::advice("let the machine cool down, and see to its fans"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckOutcome::{Ok, Problem, Unknown};
    use crate::testing::FakeSystem;

    #[test]
    fn a_cpu_is_throttled_if_its_count_grows() {
        let path = "/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count";
        let machine = FakeSystem::new(&[(path, "7\n")]);
        let before = ThrottleCount::read(machine.system(), Some(1));
        assert_eq!(before.finding(machine.system()).outcome, Ok);
        let hot = FakeSystem::new(&[(path, "8\n")]);
        assert_eq!(before.finding(hot.system()).outcome, Problem);
        let silent = ThrottleCount::read(machine.system(), Some(0)).finding(machine.system());
        assert_eq!(silent.outcome, Unknown);
    }
}
