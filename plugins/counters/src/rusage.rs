//! The accounts that the kernel keeps of each thread: exact counts of faults and switches, which need no
//! privilege. A read takes one system call for any number of events.

use std::mem::MaybeUninit;

use assay_plugin_api::{Availability, Backend, Event, EventCount, Open, register};
use nix::errno::Errno;
use nix::libc::{RUSAGE_THREAD, getrusage, rusage, timeval};

use crate::account::{self, Account};

/// An open set of accounts.
pub struct Rusage {
    /// The place of each account in [`values`], with its value at the start.
    accounts: Vec<(usize, i64)>,
}

/// The accounts with their places in [`values`].
const ACCOUNTS: [Account<usize>; 6] = [
    Account {
        name: "user-time",
        unit: "ns",
        summary: "Time in user mode; it may move in ticks of the scheduler (1 to 10 ms), so not for short phases.",
        place: 0,
        in_ticks: true,
    },
    Account {
        name: "system-time",
        unit: "ns",
        summary: "Time in the kernel; it may move in ticks of the scheduler (1 to 10 ms), so not for short phases.",
        place: 1,
        in_ticks: true,
    },
    Account {
        name: "minor-faults",
        unit: "events",
        summary: "Page faults that needed no input: first touches of memory, above all.",
        place: 2,
        in_ticks: false,
    },
    Account {
        name: "major-faults",
        unit: "events",
        summary: "Page faults that had to wait for input.",
        place: 3,
        in_ticks: false,
    },
    Account {
        name: "voluntary-switches",
        unit: "events",
        summary: "Times that the thread gave up its core, to wait or to sleep.",
        place: 4,
        in_ticks: false,
    },
    Account {
        name: "involuntary-switches",
        unit: "events",
        summary: "Times that the thread had its core taken away: a disturbed measurement.",
        place: 5,
        in_ticks: false,
    },
];

impl Backend for Rusage {
    const ID: &'static str = "rusage";
    const SUMMARY: &'static str =
        "The kernel's accounts of the thread: times, page faults, context switches.";
    const READ_NEVER_PANICS: bool = true;

    fn events() -> Vec<Event> {
        let availability = match usage() {
            Ok(_) => Availability::Available,
            Err(reason) => Availability::Missing {
                reason,
                remedy: "use a kernel that keeps accounts of threads (Linux 2.6.26 or later)".to_owned(),
            },
        };
        account::events(&ACCOUNTS, &availability)
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        let accounts = request.select(Self::ID, &ACCOUNTS, |account| account.name)?;
        Ok(Rusage { accounts: accounts.iter().map(|account| (account.place, 0)).collect() })
    }

    fn start(&mut self) -> Result<(), String> {
        let values = values(&usage()?);
        for (place, base) in &mut self.accounts {
            *base = values[*place];
        }
        Ok(())
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        let values = values(&usage()?);
        for (count, &(place, base)) in counts.iter_mut().zip(&self.accounts) {
            *count = EventCount::complete(values[place].wrapping_sub(base) as f64);
        }
        Ok(())
    }
}

register!(backend Rusage);

/// Asks the kernel. The function of nix is not compiled into its caller, and moves the answer once more.
#[inline]
fn usage() -> Result<rusage, String> {
    let mut usage = MaybeUninit::uninit();
    // SAFETY: the answer has its place, which the kernel fills if it succeeds.
    let answer = unsafe {
        let answer = getrusage(RUSAGE_THREAD, usage.as_mut_ptr());
        Errno::result(answer).map(|_| usage.assume_init())
    };
    answer.map_err(unreadable)
}

#[cold]
fn unreadable(error: Errno) -> String {
    format!("the kernel does not tell its accounts of the thread: {}", error.desc())
}

/// The values of all accounts in an answer of the kernel. All are computed, because that takes less than the
/// call of a function for each that is wanted.
#[inline]
fn values(usage: &rusage) -> [i64; ACCOUNTS.len()] {
    [
        nanoseconds(usage.ru_utime),
        nanoseconds(usage.ru_stime),
        usage.ru_minflt,
        usage.ru_majflt,
        usage.ru_nvcsw,
        usage.ru_nivcsw,
    ]
}

#[inline]
fn nanoseconds(time: timeval) -> i64 {
    time.tv_sec * 1_000_000_000 + time.tv_usec * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(event: &str, work: impl FnOnce()) -> f64 {
        let mut set = Rusage::open(&Open::events(&[event])).unwrap();
        let mut counts = [EventCount::default()];
        set.start().unwrap();
        work();
        set.read(&mut counts).unwrap();
        set.stop().unwrap();
        counts[0].value
    }

    #[test]
    fn times_move_in_ticks_and_counts_with_each_event() {
        let grain =
            |name: &str| Rusage::events().into_iter().find(|event| event.name == name).unwrap().grain_ns;
        assert!((1_000_000..=10_000_000).contains(&grain("user-time")), "{}", grain("user-time"));
        assert_eq!(grain("minor-faults"), 0);
    }

    #[test]
    fn touching_new_pages_faults() {
        let mut memory = memmap2::MmapMut::map_anon(64 * 4096).unwrap();
        let faults = count("minor-faults", || memory.chunks_mut(4096).for_each(|page| page[0] = 1));
        assert!(faults >= 64.0, "{faults}");
    }

    #[test]
    fn sleeping_switches() {
        let switches = count("voluntary-switches", || {
            for _ in 0..5 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        assert!(switches >= 5.0, "{switches}");
    }
}
