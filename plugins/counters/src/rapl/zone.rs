//! The zones of power capping and their energy: `energy_uj` grows to `max_energy_range_uj` and begins again
//! from zero.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assay_plugin_api::EventCount;

use crate::kernel_file::KernelFile;

/// A part of the machine whose energy is counted.
#[derive(Debug)]
pub struct Zone {
    /// Its name in the kernel. The name of a part follows that of its package: `package-0.core`.
    pub name: String,
    folder: PathBuf,
}

/// Greatest power of a zone, in watts. It bounds how soon a counter can wrap around: one with the usual range
/// of 262 kJ takes more than two minutes.
const MOST_WATTS: u64 = 2000;

/// The zones in a folder such as `/sys/class/powercap`, packages before their parts. Zones of a second driver
/// for the same package (`intel-rapl-mmio`) are left out.
pub fn zones(folder: &Path) -> Vec<Zone> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(Vec<u32>, PathBuf)> =
        entries.filter_map(|entry| Some((numbers(entry.file_name().to_str()?)?, entry.path()))).collect();
    found.sort();
    let name = |zone: &Path| fs::read_to_string(zone.join("name")).ok().map(|name| name.trim().to_owned());
    let named = |(numbers, path): &(Vec<u32>, PathBuf)| {
        let own = name(path)?;
        let package = found.iter().find(|(other, _)| numbers.len() > 1 && *other == numbers[..1]);
        let name = match package {
            Some((_, package)) => format!("{}.{own}", name(package)?),
            None => own,
        };
        Some(Zone { name, folder: path.clone() })
    };
    found.iter().filter_map(named).collect()
}

/// The numbers of a zone, `intel-rapl:0:1`: of its package, and of the part.
fn numbers(name: &str) -> Option<Vec<u32>> {
    name.strip_prefix("intel-rapl:")?.split(':').map(|number| number.parse().ok()).collect()
}

impl Zone {
    /// Opens its counter.
    ///
    /// # Errors
    /// If the kernel refuses to open or to read it.
    pub fn meter(&self) -> io::Result<Meter> {
        let [range] = KernelFile::open(&self.folder.join("max_energy_range_uj"))?.numbers()?;
        let mut file = KernelFile::open(&self.folder.join("energy_uj"))?;
        let [latest] = file.numbers()?;
        let account = Account { range, latest, at: Instant::now(), total: 0, certain: true };
        Ok(Meter { file, account })
    }
}

/// An open counter.
#[derive(Debug)]
pub struct Meter {
    file: KernelFile,
    account: Account,
}

impl Meter {
    /// Starts again from zero.
    ///
    /// # Errors
    /// If the kernel refuses to read.
    pub fn start(&mut self, now: Instant) -> io::Result<()> {
        let [latest] = self.file.numbers()?;
        self.account = Account { latest, at: now, total: 0, certain: true, ..self.account };
        Ok(())
    }

    /// The energy since the start.
    ///
    /// # Errors
    /// If the kernel refuses to read.
    #[inline]
    pub fn read(&mut self, now: Instant) -> io::Result<EventCount> {
        let [latest] = self.file.numbers()?;
        self.account.add(latest, now);
        Ok(self.account.count())
    }
}

/// Adds up the readings of a counter that wraps around.
#[derive(Clone, Copy, Debug)]
struct Account {
    range: u64,
    latest: u64,
    at: Instant,
    total: u64,
    /// Whether the number of wraps is known.
    certain: bool,
}

impl Account {
    fn add(&mut self, latest: u64, now: Instant) {
        // The counter shows its full range before it wraps to zero.
        let round = self.range.saturating_add(1);
        let later = if latest < self.latest { latest.checked_add(round) } else { Some(latest) };
        let grown = later.and_then(|later| later.checked_sub(self.latest));
        // If the counter can't have wrapped twice since the last reading, it has wrapped once if it shows
        // less, and otherwise not at all.
        self.certain &= grown.is_some() && now.duration_since(self.at) < self.soonest_round();
        self.total = self.total.saturating_add(grown.unwrap_or(0));
        (self.latest, self.at) = (latest, now);
    }

    fn soonest_round(&self) -> Duration {
        Duration::from_micros(self.range / MOST_WATTS)
    }

    fn count(&self) -> EventCount {
        let flags = if self.certain { 0 } else { EventCount::WRAPPED };
        EventCount { flags, ..EventCount::complete(self.total as f64) }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The range of usual processors.
    const RANGE: u64 = 262_143_328_850;

    /// A zone as the kernel has it.
    pub fn fake_zone(folder: &Path, directory: &str, name: &str, energy: u64) -> PathBuf {
        let zone = folder.join(directory);
        fs::create_dir(&zone).unwrap();
        fs::write(zone.join("name"), format!("{name}\n")).unwrap();
        fs::write(zone.join("energy_uj"), format!("{energy}\n")).unwrap();
        fs::write(zone.join("max_energy_range_uj"), format!("{RANGE}\n")).unwrap();
        zone
    }

    #[test]
    fn parts_follow_their_packages_and_other_drivers_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let zones_of = [
            ("intel-rapl:10", "psys"),
            ("intel-rapl:1", "package-1"),
            ("intel-rapl:1:0", "dram"),
            ("intel-rapl:0", "package-0"),
            ("intel-rapl:0:1", "uncore"),
            ("intel-rapl:0:0", "core"),
            ("intel-rapl-mmio:0", "package-0"),
            ("intel-rapl", "none"),
            ("dtpm", "dtpm"),
        ];
        for (directory, name) in zones_of {
            fake_zone(folder.path(), directory, name, 0);
        }
        let names: Vec<String> = zones(folder.path()).into_iter().map(|zone| zone.name).collect();
        assert_eq!(
            names,
            ["package-0", "package-0.core", "package-0.uncore", "package-1", "package-1.dram", "psys"]
        );
        assert!(zones(Path::new("/no/such/folder")).is_empty());
    }

    fn account(latest: u64) -> Account {
        Account { range: RANGE, latest, at: Instant::now(), total: 0, certain: true }
    }

    #[test]
    fn one_time_round_is_counted_exactly_and_a_later_start_begins_from_zero() {
        let mut account = account(RANGE - 10);
        let soon = |seconds| account.at + Duration::from_secs(seconds);
        let times = [soon(1), soon(2), soon(3)];
        account.add(RANGE, times[0]);
        assert_eq!(account.count(), EventCount::complete(10.0));
        account.add(0, times[1]);
        assert_eq!(account.count(), EventCount::complete(11.0));
        account.add(89, times[2]);
        assert_eq!(account.count(), EventCount::complete(100.0));
    }

    #[test]
    fn where_it_may_have_gone_round_unseen_the_count_says_so_until_it_starts_again() {
        let mut account = account(5);
        let minutes = |minutes: u64| account.at + Duration::from_secs(60 * minutes);
        let times = [minutes(2), minutes(5), minutes(6)];
        account.add(50, times[0]);
        assert_eq!(account.count(), EventCount::complete(45.0));
        account.add(90, times[1]);
        assert_eq!(account.count().flags, EventCount::WRAPPED);
        account.add(91, times[2]);
        assert_eq!(account.count().flags, EventCount::WRAPPED);
    }

    #[test]
    fn a_counter_beyond_its_range_is_no_count() {
        let mut account = account(3 * RANGE);
        let now = account.at + Duration::from_secs(1);
        account.add(7, now);
        assert_eq!(account.count().flags, EventCount::WRAPPED);
    }
}
