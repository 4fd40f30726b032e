//! The rate of a counter that runs with the CPU's reference clock.

use std::time::{Duration, Instant};

use assay_plugin_api::Clock;

/// The two readings of the clock that frame one of the counter are known to some 40 ns: 2 millionths of this.
const MEASURED: Duration = Duration::from_millis(20);

/// What the CPU or the machine says of it, and what it is against CLOCK_MONOTONIC.
pub fn clock(ticks: impl Fn() -> u64) -> Clock {
    let moment = || {
        // Of some tries the one counts in which nothing came between.
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

/// Leaf 15H tells the counter's frequency by that of a crystal; hypervisors have a leaf of their own in
/// kilohertz.
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

/// What the CPU says.
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
