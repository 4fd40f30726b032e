//! The counter that runs with the CPU's reference clock: the time stamp counter of x86-64, the virtual counter of aarch64.
//!
//! Its ticks have a constant rate, which is not the rate of the core: a core that runs at 4.1 GHz beside a counter of
//! 2.6 GHz does 1.6 cycles a tick. A reading takes some 20 ns.

use assay_plugin_api::{
    Availability, Backend, Clock, Cost, Event, EventCount, Open, Scope, cannot_count, register,
};

use crate::tick_rate;

/// An open set: what the counter showed at the start. Readings are taken from there, so that they stay exact as `f64`.
#[derive(Debug)]
pub struct Tsc {
    base: u64,
}

const EVENT: &str = "cycles";

impl Backend for Tsc {
    const ID: &'static str = "tsc";
    const SUMMARY: &'static str = "The CPU's time stamp counter: ticks of a constant clock.";

    fn events() -> Vec<Event> {
        let summary =
            "Ticks of the time stamp counter, which has a constant rate; they are not cycles of the core.";
        vec![Event {
            scope: Scope::System,
            cost: Cost::Register,
            availability: match counter::missing() {
                None => Availability::Available,
                Some((reason, remedy)) => {
                    Availability::Missing { reason: reason.to_owned(), remedy: remedy.to_owned() }
                }
            },
            ..Event::new(EVENT, "ticks", summary)
        }]
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        request.select(Self::ID, &[EVENT], |event| event)?;
        match counter::missing() {
            None => Ok(Tsc { base: 0 }),
            Some((reason, remedy)) => Err(cannot_count(Self::ID, EVENT, reason, remedy)),
        }
    }

    fn clock() -> Result<Clock, String> {
        match counter::missing() {
            None => Ok(tick_rate::clock(counter::ticks)),
            Some((reason, _)) => Err(reason.to_owned()),
        }
    }

    fn start(&mut self) -> Result<(), String> {
        self.base = counter::ticks();
        Ok(())
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        let ticks = counter::ticks().wrapping_sub(self.base).cast_signed();
        counts.fill(EventCount::complete(ticks as f64));
        Ok(())
    }
}

register!(backend Tsc);

#[cfg(target_arch = "x86_64")]
mod counter {
    use std::arch::x86_64::{__rdtscp, _mm_lfence};
    use std::sync::OnceLock;

    /// Why the counter is of no use here, and what helps.
    pub fn missing() -> Option<(&'static str, &'static str)> {
        static FLAGS: OnceLock<String> = OnceLock::new();
        reason(FLAGS.get_or_init(|| std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()))
    }

    /// The kernel's names for what the CPU, or the virtual machine, promises of its counter.
    pub(super) fn reason(cpuinfo: &str) -> Option<(&'static str, &'static str)> {
        let flags = cpuinfo.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        let has = |flag| flags.split_ascii_whitespace().any(|word| word == flag);
        if !has("rdtscp") {
            return Some(("the CPU has no rdtscp instruction", "use clock:ns"));
        }
        if !has("constant_tsc") || !has("nonstop_tsc") {
            return Some((
                "the time stamp counter is not invariant: its rate may change, or it may stand still",
                "use clock:ns, or give the virtual machine the CPU flag invtsc",
            ));
        }
        None
    }

    /// `rdtscp` waits until all that stands before it is done; the fence holds back what stands behind it.
    #[inline]
    pub fn ticks() -> u64 {
        let mut core = 0;
        // SAFETY: `missing` has looked for the instruction before a set could be opened.
        unsafe {
            let ticks = __rdtscp(&raw mut core);
            _mm_lfence();
            ticks
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod counter {
    /// The architecture promises a constant rate, and Linux lets every program read the counter.
    pub fn missing() -> Option<(&'static str, &'static str)> {
        None
    }

    /// A barrier on both sides: the counter may otherwise be read ahead of its place.
    #[inline]
    pub fn ticks() -> u64 {
        let ticks;
        // SAFETY: a register is read, and nothing else is touched.
        unsafe {
            std::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks, options(nostack, preserves_flags));
        }
        ticks
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod counter {
    /// There is no counter.
    pub fn missing() -> Option<(&'static str, &'static str)> {
        Some(("no such counter is known of this CPU architecture", "use clock:ns"))
    }

    /// Never called: no set can be opened.
    pub fn ticks() -> u64 {
        unreachable!("no set of this backend can be opened")
    }
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::testing::skip;

    use super::*;

    #[test]
    fn ticks_begin_near_zero_and_never_go_back() {
        let Availability::Available = Tsc::events()[0].availability else {
            skip(&Tsc::open(&Open::events(&[EVENT])).unwrap_err());
            return;
        };
        let mut tsc = Tsc::open(&Open::events(&[EVENT, EVENT])).unwrap();
        tsc.start().unwrap();
        let mut earlier = [EventCount::default(); 2];
        for _ in 0..1000 {
            let mut later = earlier;
            tsc.read(&mut later).unwrap();
            assert!(later[0].value >= earlier[0].value);
            assert_eq!(later[0], later[1]);
            earlier = later;
        }
        assert!(earlier[0].value > 0.0);
        tsc.stop().unwrap();
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_counter_that_may_stop_or_change_its_rate_is_refused() {
        let reason = |flags: &str| counter::reason(&format!("processor\t: 0\nflags\t\t: fpu {flags} sse2\n"));
        assert_eq!(reason("rdtscp constant_tsc nonstop_tsc"), None);
        assert!(reason("constant_tsc nonstop_tsc").unwrap().0.contains("no rdtscp"));
        assert!(reason("rdtscp constant_tsc").unwrap().0.contains("not invariant"));
        assert!(reason("rdtscp nonstop_tsc").unwrap().1.contains("invtsc"));
    }
}
