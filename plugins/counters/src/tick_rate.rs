//! The rate of a counter that runs with the CPU's reference clock.

use std::time::{Duration, Instant};

use assay_plugin_api::Clock;

/// Time between the first and the last reading. The two clock readings around a reading of the counter are
/// exact to some 40 ns, 2 millionths of this.
const MEASURED: Duration = Duration::from_millis(20);

/// The frequency that the CPU or the virtual machine reports, and the frequency measured against
/// CLOCK_MONOTONIC.
pub fn clock(ticks: impl Fn() -> u64) -> Clock {
    let moment = || {
        // Of several tries the shortest counts, because it was least disturbed.
        let framed = || {
            let before = Instant::now();
            let ticks = ticks();
            (before.elapsed(), before, ticks)
        };
        let tries = [framed(), framed(), framed(), framed()];
        let (took, before, ticks) = tries.into_iter().min_by_key(|(took, ..)| *took).expect("there are some");
        (before + took / 2, ticks)
    };
    let (begin, first) = moment();
    while begin.elapsed() < MEASURED {
        std::hint::spin_loop();
    }
    let (end, last) = moment();
    let measured = last.wrapping_sub(first) as f64 / end.duration_since(begin).as_secs_f64();
    Clock { reported_hz: reported(), measured_hz: Some(measured) }
}

/// CPUID leaf 15H gives the frequency of the counter as a ratio to that of a crystal. Hypervisors have a leaf
/// of their own, in kilohertz.
#[cfg(target_arch = "x86_64")]
pub fn reported() -> Option<f64> {
    use std::arch::x86_64::{__cpuid, __get_cpuid_max};
    const HYPERVISOR: u32 = 0x4000_0000;
    let (highest, _) = __get_cpuid_max(0);
    let by_crystal = (highest >= 0x15).then(|| __cpuid(0x15)).and_then(|leaf| {
        let known = leaf.eax > 0 && leaf.ebx > 0 && leaf.ecx > 0;
        known.then(|| f64::from(leaf.ecx) * f64::from(leaf.ebx) / f64::from(leaf.eax))
    });
    let is_virtual = __cpuid(1).ecx >> 31 == 1;
    let by_hypervisor = || {
        let leaf = HYPERVISOR + 0x10;
        let khz = (is_virtual && __cpuid(HYPERVISOR).eax >= leaf).then(|| __cpuid(leaf).eax)?;
        (khz > 0).then(|| f64::from(khz) * 1e3)
    };
    by_crystal.or_else(by_hypervisor)
}

/// The frequency that the CPU reports.
#[cfg(target_arch = "aarch64")]
pub fn reported() -> Option<f64> {
    let hz: u64;
    // SAFETY: a register is read that Linux lets every program read.
    unsafe { std::arch::asm!("mrs {}, cntfrq_el0", out(reg) hz, options(nomem, nostack, preserves_flags)) };
    (hz > 0).then_some(hz as f64)
}

/// Nothing is known.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn reported() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_of_nanoseconds_ticks_a_thousand_million_times_a_second() {
        let start = Instant::now();
        let clock = clock(|| start.elapsed().as_nanos() as u64);
        let hz = clock.measured_hz.unwrap();
        assert!((hz - 1e9).abs() < 1e6, "{hz}");
    }
}
