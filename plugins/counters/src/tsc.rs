//! The counter of the reference clock of the CPU: the time stamp counter of x86-64, the virtual counter of
//! aarch64.
//!
//! Its ticks have a constant rate, which is not that of the core: a core that runs at 4.1 GHz does 1.6 cycles
//! in a tick of a counter of 2.6 GHz. A read takes about as long as a read of the clock.

mod self_test;

use assay_plugin_api::{
    Access, Availability, Backend, Check, Clock, Cost, Event, EventCount, Open, Recipe, Scope, cannot_count,
    register,
};

use crate::tick_rate;

/// An open set: the value of the counter at the start. Counts are differences from it, so that they stay
/// exact as `f64`.
#[derive(Debug)]
pub struct Tsc {
    base: u64,
}

/// The event under two names: the usual one, and one that says what it counts.
const NAMES: [&str; 2] = ["cycles", "ticks"];

impl Backend for Tsc {
    const ID: &'static str = "tsc";
    const SUMMARY: &'static str = "The CPU's time stamp counter: ticks of a constant clock.";
    const SELF_TESTS: &'static [&'static str] = &[self_test::PART];
    const READ_NEVER_PANICS: bool = true;
    const ACCESS: Access =
        Access { files: &["/proc/cpuinfo", "/sys/devices/system/clocksource"], ..Access::NOTHING };

    fn events() -> Vec<Event> {
        vec![event(NAMES[0])]
    }

    fn find(name: &str) -> Result<Option<Event>, String> {
        Ok(NAMES.contains(&name).then(|| event(name)))
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        request.select(Self::ID, &NAMES, |name| name)?;
        match counter::missing() {
            None => Ok(Tsc { base: 0 }),
            Some((reason, remedy)) => {
                let name = request.events.first().unwrap_or(&NAMES[0]);
                Err(cannot_count(Self::ID, name, reason, remedy))
            }
        }
    }

    fn clock() -> Result<Clock, String> {
        match counter::missing() {
            None => Ok(tick_rate::clock(ticks)),
            Some((reason, _)) => Err(reason.to_owned()),
        }
    }

    fn self_test(_: &str, _: Option<usize>) -> Result<Vec<Check>, String> {
        Ok(self_test::checks(counter::missing(), ticks))
    }

    fn start(&mut self) -> Result<(), String> {
        self.base = ticks();
        Ok(())
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        let ticks = ticks().wrapping_sub(self.base).cast_signed();
        counts.fill(EventCount::complete(ticks as f64));
        Ok(())
    }

    fn recipe(&self) -> Option<Recipe> {
        Some(Recipe::Ticks { base: self.base })
    }
}

register!(backend Tsc);

/// Reads the counter.
#[inline]
fn ticks() -> u64 {
    // SAFETY: `missing` has looked for the instruction before a set could be opened.
    unsafe { assay_plugin_api::ticks() }
}

fn event(name: &str) -> Event {
    let summary =
        "Ticks of the time stamp counter, which has a constant rate; they are not cycles of the core.";
    Event {
        scope: Scope::System,
        cost: Cost::Register,
        grain_ns: counter::grain_ns(),
        availability: match counter::missing() {
            None => Availability::Available,
            Some((reason, remedy)) => {
                Availability::Missing { reason: reason.to_owned(), remedy: remedy.to_owned() }
            }
        },
        ..Event::new(name, "ticks", summary)
    }
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use std::fs::read_to_string;
    use std::sync::OnceLock;

    /// The reason why the counter can't be used here, and what helps.
    pub fn missing() -> Option<(&'static str, &'static str)> {
        static REASON: OnceLock<Option<(&str, &str)>> = OnceLock::new();
        *REASON.get_or_init(|| {
            let sources = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
            let flags = read_to_string("/proc/cpuinfo").unwrap_or_default();
            reason(&flags, read_to_string(sources).ok().as_deref())
        })
    }

    /// Decides by the flags with which the CPU or the virtual machine promises a constant rate, and by the
    /// clock sources of the kernel, which watches the counter and removes it from the list if it is wrong.
    pub(super) fn reason(cpuinfo: &str, sources: Option<&str>) -> Option<(&'static str, &'static str)> {
        let has = |flag| crate::cpu_flag::has(cpuinfo, flag);
        if !has("rdtscp") {
            return Some(("the CPU has no rdtscp instruction", "use clock:ns"));
        }
        if !has("constant_tsc") || !has("nonstop_tsc") {
            return Some((
                "the time stamp counter is not invariant: its rate may change, or it may stand still",
                "use clock:ns, or give the virtual machine the CPU flag invtsc",
            ));
        }
        let Some(sources) = sources else {
            return Some((
                "whether the kernel trusts the time stamp counter can't be read (/sys/devices/system/clocksource)",
                "use clock:ns, or mount /sys",
            ));
        };
        if !sources.split_ascii_whitespace().any(|source| source == "tsc") {
            return Some((
                "the kernel does not trust the time stamp counter: it is not among its clock sources",
                "use clock:ns; the kernel's log says what it saw",
            ));
        }
        None
    }

    /// Each read shows another value.
    pub fn grain_ns() -> u64 {
        0
    }
}

#[cfg(target_arch = "aarch64")]
mod counter {
    /// The architecture promises a constant rate, and Linux lets every program read the counter.
    pub fn missing() -> Option<(&'static str, &'static str)> {
        None
    }

    /// The time of a tick, because many of these counters are slow, at 1 to 100 MHz.
    pub fn grain_ns() -> u64 {
        crate::tick_rate::reported().map_or(0, super::tick_ns)
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod counter {
    /// There is no counter.
    pub fn missing() -> Option<(&'static str, &'static str)> {
        Some(("no such counter is known of this CPU architecture", "use clock:ns"))
    }

    pub fn grain_ns() -> u64 {
        0
    }
}

/// Time of a tick of a counter with this frequency, in nanoseconds.
#[cfg(any(target_arch = "aarch64", test))]
fn tick_ns(hz: f64) -> u64 {
    (1e9 / hz).ceil() as u64
}

#[cfg(test)]
mod tests {
    use assay_plugin_api::testing::skip;

    use super::*;

    /// A set of these events. If there is none, prints why the test is skipped.
    fn open(events: &[&str]) -> Option<Tsc> {
        let Availability::Available = Tsc::events()[0].availability else {
            skip(&Tsc::open(&Open::events(&NAMES[..1])).unwrap_err());
            return None;
        };
        Some(Tsc::open(&Open::events(events)).unwrap())
    }

    #[test]
    fn ticks_begin_near_zero_and_never_go_back() {
        let Some(mut tsc) = open(&["ticks", "ticks"]) else { return };
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

    #[test]
    fn ticks_are_listed_and_found_by_their_old_name_too() {
        let names: Vec<String> = Tsc::events().into_iter().map(|event| event.name).collect();
        assert_eq!(names, ["cycles"]);
        for name in ["ticks", "cycles"] {
            let event = Tsc::find(name).unwrap().unwrap();
            assert_eq!((event.name.as_str(), event.unit.as_str()), (name, "ticks"));
        }
        assert_eq!(Tsc::find("tocks"), Ok(None));
        let unknown = Tsc::open(&Open::events(&["tocks"])).unwrap_err();
        assert_eq!(unknown, "tsc has no event `tocks`: choose from cycles, ticks");
        let Some(mut tsc) = open(&["cycles", "ticks"]) else { return };
        let mut counts = [EventCount::default(); 2];
        tsc.start().unwrap();
        tsc.read(&mut counts).unwrap();
        assert_eq!(counts[0], counts[1]);
    }

    #[test]
    fn a_slow_counter_moves_once_in_its_period() {
        assert_eq!([1e9, 62.5e6, 24e6].map(tick_ns), [1, 16, 42]);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_counter_that_may_stop_or_change_its_rate_or_that_the_kernel_distrusts_is_refused() {
        let flags = |flags: &str| format!("processor\t: 0\nflags\t\t: fpu {flags} sse2\n");
        let reason = |given: &str| counter::reason(&flags(given), Some("kvm-clock tsc hpet\n"));
        assert_eq!(reason("rdtscp constant_tsc nonstop_tsc"), None);
        assert!(reason("constant_tsc nonstop_tsc").unwrap().0.contains("no rdtscp"));
        assert!(reason("rdtscp constant_tsc").unwrap().0.contains("not invariant"));
        assert!(reason("rdtscp nonstop_tsc").unwrap().1.contains("invtsc"));
        let trusted = |sources| counter::reason(&flags("rdtscp constant_tsc nonstop_tsc"), sources);
        assert!(trusted(Some("hpet acpi_pm tsc-early\n")).unwrap().0.contains("does not trust"));
        assert!(trusted(None).unwrap().0.contains("can't be read"));
    }
}
