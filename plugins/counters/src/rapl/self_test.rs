//! The self-test: whether the energy of each zone grows while the CPU works.

use std::path::Path;
use std::time::Duration;

use assay_plugin_api::{Check, EventCount, Verdict};

use super::zone::zones;
use super::{USUAL, closed, no_zones};
use crate::refusal::Refusal;

/// The only part.
pub const PART: &str = "energy";

/// Time between two readings, and number of readings that may show the same. Together this is 250 times as
/// long as the counters take to move.
const STRETCH: Duration = Duration::from_millis(10);
const STRETCHES: u32 = 25;

/// The checks of the zones in a folder. `work` keeps the CPU busy for some time.
pub fn checks(folder: &Path, is_virtual: bool, work: &dyn Fn(Duration)) -> Vec<Check> {
    let zones = zones(folder);
    if zones.is_empty() {
        return vec![absent(&name_of(USUAL), &no_zones(folder, is_virtual))];
    }
    let tested = zones.iter().map(|zone| {
        let name = name_of(&zone.name);
        let count = zone.meter().and_then(|mut meter| {
            meter.start(std::time::Instant::now())?;
            for _ in 0..STRETCHES {
                work(STRETCH);
                let count = meter.read(std::time::Instant::now())?;
                if count.value > 0.0 {
                    return Ok(count);
                }
            }
            Ok(EventCount::complete(0.0))
        });
        match count {
            Ok(count) => moved(&name, count),
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                absent(&name, &closed(&error))
            }
            Err(error) => Check::new(name, Verdict::Wrong, closed(&error).reason),
        }
    });
    tested.collect()
}

fn name_of(zone: &str) -> String {
    format!("{zone} under load")
}

fn absent(name: &str, Refusal { reason, remedy }: &Refusal) -> Check {
    Check::new(name, Verdict::Absent, format!("{reason}; {remedy}"))
}

fn moved(name: &str, count: EventCount) -> Check {
    let (verdict, reason) = if count.flags & EventCount::WRAPPED != 0 {
        (Verdict::Wrong, "it went back: the zone has another range than the kernel says".to_owned())
    } else if count.value > 0.0 {
        (Verdict::Ok, "it grows, in microjoules".to_owned())
    } else {
        let time = STRETCH * STRETCHES;
        (Verdict::Wrong, format!("it stood still while the CPU worked for {} ms", time.as_millis()))
    };
    Check { measured: Some(count.value), ..Check::new(name, verdict, reason) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::zone::tests::fake_zone;
    use super::*;

    #[test]
    fn energy_that_grows_passes_and_energy_that_stands_still_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let package = fake_zone(folder.path(), "intel-rapl:0", "package-0", 1000);
        fake_zone(folder.path(), "intel-rapl:0:0", "core", 500);
        let stretches = std::cell::Cell::new(0);
        let checks = checks(folder.path(), false, &|_| {
            stretches.set(stretches.get() + 1);
            if stretches.get() == 3 {
                fs::write(package.join("energy_uj"), "1700\n").unwrap();
            }
        });
        assert_eq!(stretches.get(), 3 + STRETCHES);
        let [package, core] = checks.as_slice() else { panic!("{checks:?}") };
        assert_eq!((package.verdict, package.measured), (Verdict::Ok, Some(700.0)));
        assert_eq!((core.name.as_str(), core.verdict), ("package-0.core under load", Verdict::Wrong));
        assert_eq!(core.reason, "it stood still while the CPU worked for 250 ms");
    }

    #[test]
    fn a_zone_that_can_not_be_read_is_wrong_and_a_machine_without_zones_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let package = fake_zone(folder.path(), "intel-rapl:0", "package-0", 1000);
        fs::write(package.join("energy_uj"), "nothing").unwrap();
        let broken = checks(folder.path(), false, &|_| ()).remove(0);
        assert_eq!(broken.verdict, Verdict::Wrong);
        assert!(broken.reason.starts_with("energy_uj can't be read"), "{broken:?}");
        let none = checks(Path::new("/no/such/folder"), true, &|_| ()).remove(0);
        assert_eq!((none.name.as_str(), none.verdict), ("package-0 under load", Verdict::Absent));
        assert!(none.reason.contains("virtual machine"), "{none:?}");
    }

    #[test]
    fn energy_that_seems_to_go_back_is_wrong() {
        let count = EventCount { flags: EventCount::WRAPPED, ..EventCount::complete(5.0) };
        assert_eq!(moved("package-0 under load", count).verdict, Verdict::Wrong);
    }
}
