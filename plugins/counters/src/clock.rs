//! Clocks of the system. A reading of `ns` needs no system call, and takes a tenth of the time of
//! `thread-ns`, which needs one.

use assay_plugin_api::{Availability, Backend, Cost, Event, EventCount, Open, Scope, register};
use nix::errno::Errno;
use nix::libc::{clock_gettime, timespec};
use nix::time::ClockId;

/// An open set of clocks.
#[derive(Debug)]
pub struct Clock {
    /// Each clock, with its value at the start.
    clocks: Vec<(ClockId, u64)>,
}

struct Known {
    name: &'static str,
    summary: &'static str,
    scope: Scope,
    cost: Cost,
    id: ClockId,
}

const CLOCKS: [Known; 2] = [
    Known {
        name: "ns",
        summary: "Time that has passed (CLOCK_MONOTONIC).",
        scope: Scope::System,
        cost: Cost::Register,
        id: ClockId::CLOCK_MONOTONIC,
    },
    Known {
        name: "thread-ns",
        summary: "Time during which the thread ran on a core, in user mode or in the kernel (CLOCK_THREAD_CPUTIME_ID).",
        scope: Scope::Thread,
        cost: Cost::SystemCall,
        id: ClockId::CLOCK_THREAD_CPUTIME_ID,
    },
];

impl Backend for Clock {
    const ID: &'static str = "clock";
    const SUMMARY: &'static str = "Clocks of the system: time that has passed, and time on a core.";
    const READ_NEVER_PANICS: bool = true;

    fn events() -> Vec<Event> {
        let event = |clock: &Known| Event {
            scope: clock.scope,
            cost: clock.cost,
            availability: match nanoseconds(clock.id) {
                Ok(_) => Availability::Available,
                Err(error) => Availability::Missing {
                    reason: format!("the system does not read it: {}", error.desc()),
                    remedy: "use another event of this backend".to_owned(),
                },
            },
            ..Event::new(clock.name, "ns", clock.summary)
        };
        CLOCKS.iter().map(event).collect()
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        let clocks = request.select(Self::ID, &CLOCKS, |clock| clock.name)?;
        Ok(Clock { clocks: clocks.iter().map(|clock| (clock.id, 0)).collect() })
    }

    fn start(&mut self) -> Result<(), String> {
        for (id, base) in &mut self.clocks {
            *base = nanoseconds(*id).map_err(unreadable)?;
        }
        Ok(())
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        for (count, &(id, base)) in counts.iter_mut().zip(&self.clocks) {
            *count = EventCount::complete(
                nanoseconds(id).map_err(unreadable)?.wrapping_sub(base).cast_signed() as f64,
            );
        }
        Ok(())
    }
}

register!(backend Clock);

/// Reads a clock. The function of nix is not compiled into its caller, and moves the time once more.
#[inline]
fn nanoseconds(clock: ClockId) -> Result<u64, Errno> {
    let mut time = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time has its place.
    Errno::result(unsafe { clock_gettime(clock.as_raw(), &raw mut time) })?;
    Ok((time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64))
}

#[cold]
fn unreadable(error: Errno) -> String {
    format!("a clock could not be read: {}", error.desc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_begin_near_zero_and_never_go_back() {
        assert!(Clock::events().iter().all(|event| event.availability == Availability::Available));
        let mut clock = Clock::open(&Open::events(&["ns", "thread-ns"])).unwrap();
        clock.start().unwrap();
        let mut earlier = [EventCount::default(); 2];
        clock.read(&mut earlier).unwrap();
        for _ in 0..1000 {
            let mut later = earlier;
            clock.read(&mut later).unwrap();
            assert!(later[0].value >= earlier[0].value && later[1].value >= earlier[1].value);
            earlier = later;
        }
        assert!(earlier[0].value > 0.0 && earlier[1].value > 0.0);
        clock.stop().unwrap();
    }

    #[test]
    fn a_sleeping_thread_is_not_charged() {
        let mut clock = Clock::open(&Open::events(&["thread-ns", "ns"])).unwrap();
        clock.start().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(30));
        let mut counts = [EventCount::default(); 2];
        clock.read(&mut counts).unwrap();
        assert!(counts[1].value >= 30e6, "{counts:?}");
        assert!(counts[0].value < counts[1].value, "{counts:?}");
    }
}
