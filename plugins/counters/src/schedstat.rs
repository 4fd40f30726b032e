//! The accounts that the scheduler of the kernel keeps of each thread in `/proc/thread-self/schedstat`: how
//! long it ran, and how long it waited for a core. A read takes one system call for any number of events.

use std::io;
use std::path::Path;

use assay_plugin_api::{Access, Backend, Event, EventCount, Open, register};

use crate::account::{self, Account};
use crate::kernel_file::KernelFile;
use crate::refusal::{Refusal, availability};

/// An open set of the scheduler's accounts.
#[derive(Debug)]
pub struct Schedstat {
    file: KernelFile,
    /// Each account by its place in the file, with its value at the start.
    accounts: Vec<(usize, u64)>,
}

/// The accounts with their places in the file.
const ACCOUNTS: [Account<usize>; 3] = [
    Account {
        name: "running",
        unit: "ns",
        summary: "Time on a core; it moves in ticks of the scheduler (1 to 10 ms), so not for short phases.",
        in_ticks: true,
        place: 0,
    },
    Account {
        name: "waiting",
        unit: "ns",
        summary: "Time in which the thread could have run, and others had the core: a disturbed measurement.",
        in_ticks: false,
        place: 1,
    },
    Account {
        name: "slices",
        unit: "events",
        summary: "Times that the thread was given a core.",
        in_ticks: false,
        place: SLICES,
    },
];

const FILE: &str = "/proc/thread-self/schedstat";
/// Place of the number of time slices in the file.
const SLICES: usize = 2;

impl Backend for Schedstat {
    const ID: &'static str = "schedstat";
    const SUMMARY: &'static str =
        "The scheduler's accounts of the thread: time on a core, and time of waiting for one.";
    const READ_NEVER_PANICS: bool = true;
    // Each thread has a folder of its own below this one.
    const ACCESS: Access = Access { files: &["/proc/self"], ..Access::NOTHING };

    fn events() -> Vec<Event> {
        account::events(&ACCOUNTS, &availability(accounts(Path::new(FILE))))
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        let wanted = request.select(Self::ID, &ACCOUNTS, |account| account.name)?;
        let file = accounts(Path::new(FILE)).map_err(|refusal| refusal.of_all(Self::ID, request.events))?;
        Ok(Schedstat { file, accounts: wanted.iter().map(|account| (account.place, 0)).collect() })
    }

    fn start(&mut self) -> Result<(), String> {
        let held: [u64; ACCOUNTS.len()] = self.file.numbers().map_err(unreadable)?;
        for (place, base) in &mut self.accounts {
            *base = held[*place];
        }
        Ok(())
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        let held: [u64; ACCOUNTS.len()] = self.file.numbers().map_err(unreadable)?;
        for (count, &(place, base)) in counts.iter_mut().zip(&self.accounts) {
            *count = EventCount::complete(held[place].wrapping_sub(base).cast_signed() as f64);
        }
        Ok(())
    }
}

register!(backend Schedstat);

/// The accounts of the calling thread. The error says why there are none, and what helps.
fn accounts(path: &Path) -> Result<KernelFile, Refusal> {
    let refused = |reason: &str| {
        let remedy = "use a kernel with CONFIG_SCHEDSTATS, or start it with the parameter `delayacct`; rusage counts switches";
        Refusal::new(reason, remedy)
    };
    let readable = |error| refused(&format!("{}: {}", path.display(), plain(&error)));
    let mut file = KernelFile::open(path).map_err(readable)?;
    let held: [u64; ACCOUNTS.len()] = file.numbers().map_err(readable)?;
    // The thread that reads this has run on a core, so zeros mean that the kernel keeps no accounts.
    if held[SLICES] == 0 { Err(refused("the kernel keeps no accounts of the scheduler")) } else { Ok(file) }
}

#[cold]
fn unreadable(error: io::Error) -> String {
    format!("{FILE} could not be read: {}", plain(&error))
}

fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::InvalidData => "it does not have three numbers".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use assay_plugin_api::testing::skip;

    use super::*;

    /// The counts of some work; `None` if the kernel keeps no accounts.
    fn count<const N: usize>(events: [&str; N], work: impl FnOnce()) -> Option<[f64; N]> {
        let mut set = Schedstat::open(&Open::events(&events)).map_err(|error| skip(&error)).ok()?;
        let mut counts = [EventCount::default(); N];
        set.start().unwrap();
        work();
        set.read(&mut counts).unwrap();
        set.stop().unwrap();
        Some(counts.map(|count| count.value))
    }

    #[test]
    fn who_works_runs_and_who_sleeps_is_given_a_core_again() {
        let work = || {
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_millis(60) {}
        };
        let Some([running]) = count(["running"], work) else { return };
        assert!(running >= 1e6, "{running}");
        let sleep = || (0..5).for_each(|_| std::thread::sleep(Duration::from_millis(1)));
        let [slices, again] = count(["slices", "slices"], sleep).unwrap();
        assert!(slices >= 5.0 && slices == again, "{slices} {again}");
    }

    #[test]
    fn time_moves_in_ticks_and_the_rest_with_each_event() {
        let grains: Vec<u64> = Schedstat::events().iter().map(|event| event.grain_ns).collect();
        assert!((1_000_000..=10_000_000).contains(&grains[0]), "{grains:?}");
        assert_eq!(grains[1..], [0, 0]);
    }

    #[test]
    fn a_kernel_without_accounts_is_refused_though_its_file_has_zeros() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "0 0 0\n").unwrap();
        let Refusal { reason, remedy } = accounts(file.path()).unwrap_err();
        assert!(reason.contains("keeps no accounts") && remedy.contains("CONFIG_SCHEDSTATS"), "{reason}");
        std::fs::write(&file, "5 0\n").unwrap();
        assert!(accounts(file.path()).unwrap_err().reason.ends_with("it does not have three numbers"));
        let missing = accounts(Path::new("/proc/no-such-file")).unwrap_err().reason;
        assert!(missing.starts_with("/proc/no-such-file: No such file"), "{missing}");
    }
}
