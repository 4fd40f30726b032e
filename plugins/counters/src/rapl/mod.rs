//! Energy of the processor package, its cores and the memory, from the power capping of the kernel
//! (`intel-rapl`, which also serves AMD). The counters move about once in a millisecond, and include
//! everything that runs on the package. A read takes one system call for each event.

mod self_test;
mod zone;

use std::io;
use std::path::Path;
use std::time::Instant;

use assay_plugin_api::{Access, Backend, Check, Cost, Event, EventCount, Open, Scope, register};

use self::zone::{Meter, Zone, zones};
use crate::cpu_flag;
use crate::refusal::{Refusal, availability};
use crate::work::{Here, Work};

/// An open set of zones.
#[derive(Debug)]
pub struct Rapl {
    meters: Vec<Meter>,
}

const FOLDER: &str = "/sys/class/powercap";

/// Time between two updates of the counters, by the documentation of the processors.
const GRAIN_NS: u64 = 1_000_000;

/// The event that is listed if there are no zones, to show the reason.
const USUAL: &str = "package-0";

impl Backend for Rapl {
    const ID: &'static str = "rapl";
    const SUMMARY: &'static str = "Energy of the processor's package, its cores and the memory, whoever runs there; it moves once in a millisecond.";
    const SELF_TESTS: &'static [&'static str] = &[self_test::PART];
    // The links in the first folder lead to the second.
    const ACCESS: Access =
        Access { files: &[FOLDER, "/sys/devices/virtual/powercap", "/proc/cpuinfo"], ..Access::NOTHING };

    fn events() -> Vec<Event> {
        events(Path::new(FOLDER))
    }

    fn self_test(_: &str, _: Option<usize>) -> Result<Vec<Check>, String> {
        Ok(self_test::checks(Path::new(FOLDER), is_virtual(), &|time| {
            let begun = Instant::now();
            while begun.elapsed() < time {
                Here.count_down(100_000);
            }
        }))
    }

    fn open(request: &Open<'_>) -> Result<Self, String> {
        open(Path::new(FOLDER), request)
    }

    fn start(&mut self) -> Result<(), String> {
        self.meters.iter_mut().try_for_each(|meter| meter.start(Instant::now())).map_err(unreadable)
    }

    #[inline]
    fn read(&mut self, counts: &mut [EventCount]) -> Result<(), String> {
        for (count, meter) in counts.iter_mut().zip(&mut self.meters) {
            *count = meter.read(Instant::now()).map_err(unreadable)?;
        }
        Ok(())
    }
}

register!(backend Rapl);

fn events(folder: &Path) -> Vec<Event> {
    let event = |name: &str, availability| Event {
        scope: Scope::System,
        cost: Cost::SystemCall,
        grain_ns: GRAIN_NS,
        availability,
        ..Event::new(
            name,
            "uJ",
            "Energy in microjoules, of whatever ran there; it moves about once in a millisecond.",
        )
    };
    let zones = zones(folder);
    if zones.is_empty() {
        return vec![event(USUAL, no_zones(folder, is_virtual()).into())];
    }
    let listed = |zone: &Zone| event(&zone.name, availability(zone.meter().map_err(|error| closed(&error))));
    zones.iter().map(listed).collect()
}

fn open(folder: &Path, request: &Open<'_>) -> Result<Rapl, String> {
    let zones = zones(folder);
    if zones.is_empty() {
        return Err(no_zones(folder, is_virtual()).of_all(Rapl::ID, request.events));
    }
    let wanted = request.select(Rapl::ID, &zones, |zone| &zone.name)?;
    let meter = |zone: &&Zone| zone.meter().map_err(|error| closed(&error).sentence(Rapl::ID, &zone.name));
    Ok(Rapl { meters: wanted.iter().map(meter).collect::<Result<_, _>>()? })
}

/// The refusal if the kernel offers no zone.
fn no_zones(folder: &Path, is_virtual: bool) -> Refusal {
    let (reason, remedy) = if is_virtual {
        ("; this is a virtual machine, and the counters belong to its host", "measure on the machine itself")
    } else {
        ("", "load the kernel's driver: modprobe intel_rapl_msr (for AMD from Zen on, Linux 5.8)")
    };
    let folder = folder.display();
    Refusal::new(format!("the kernel offers no counters of energy (none in {folder}){reason}"), remedy)
}

/// The refusal if the energy of a zone can't be read.
fn closed(error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::PermissionDenied => Refusal::new(
            "only the administrator may read energy_uj, since the figures can betray what other programs do",
            "as root, `chmod a+r /sys/class/powercap/intel-rapl*/energy_uj`, until the next start; or count perf:power/energy-pkg/, \
             where kernel.perf_event_paranoid is 0 or less",
        ),
        _ => Refusal::new(format!("energy_uj can't be read: {error}"), "count perf:power/energy-pkg/"),
    }
}

/// Whether the processor reports that a hypervisor is present.
fn is_virtual() -> bool {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    cpu_flag::has(&cpuinfo, "hypervisor")
}

#[cold]
fn unreadable(error: io::Error) -> String {
    format!("energy_uj of a zone could not be read: {error}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use assay_plugin_api::Availability;

    use super::*;
    use crate::rapl::zone::tests::fake_zone;

    #[test]
    fn zones_are_listed_by_the_names_of_their_packages_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let package = fake_zone(folder.path(), "intel-rapl:0", "package-0", 1000);
        let cores = fake_zone(folder.path(), "intel-rapl:0:0", "core", 500);
        let listed = events(folder.path());
        let facts = |event: &Event| (event.name.clone(), event.grain_ns, event.availability.clone());
        assert_eq!(
            listed.iter().map(facts).collect::<Vec<_>>(),
            ["package-0", "package-0.core"].map(|name| (name.to_owned(), GRAIN_NS, Availability::Available))
        );

        let mut set = open(folder.path(), &Open::events(&["package-0.core", "package-0"])).unwrap();
        set.start().unwrap();
        fs::write(package.join("energy_uj"), "1700\n").unwrap();
        fs::write(cores.join("energy_uj"), "620\n").unwrap();
        let mut counts = [EventCount::default(); 2];
        set.read(&mut counts).unwrap();
        assert_eq!(counts, [120.0, 700.0].map(EventCount::complete));

        fs::write(cores.join("energy_uj"), "nothing").unwrap();
        assert!(set.read(&mut counts).unwrap_err().starts_with("energy_uj of a zone could not be read"));
        let error = open(folder.path(), &Open::events(&["package-1"])).unwrap_err();
        assert_eq!(error, "rapl has no event `package-1`: choose from package-0, package-0.core");
    }

    #[test]
    fn a_zone_that_can_not_be_read_is_listed_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let package = fake_zone(folder.path(), "intel-rapl:0", "package-0", 1000);
        fs::write(package.join("energy_uj"), "nothing").unwrap();
        let event = events(folder.path()).remove(0);
        let Availability::Missing { reason, remedy } = event.availability else { panic!("{event:?}") };
        let error = open(folder.path(), &Open::events(&["package-0"])).unwrap_err();
        assert_eq!(error, format!("rapl:package-0 can't be counted here: {reason}; {remedy}"));

        let Refusal { reason, remedy } = closed(&io::ErrorKind::PermissionDenied.into());
        assert!(reason.contains("only the administrator"), "{reason}");
        assert!(remedy.contains("perf:power/energy-pkg/") && remedy.contains("chmod"), "{remedy}");
    }

    #[test]
    fn a_machine_without_zones_says_whether_it_is_virtual_and_what_helps() {
        let folder = tempfile::tempdir().unwrap();
        let event = events(folder.path()).remove(0);
        assert_eq!(event.name, USUAL);
        assert!(event.availability != Availability::Available);
        let error = open(folder.path(), &Open::events(&[USUAL])).unwrap_err();
        assert!(error.starts_with("rapl:package-0 can't be counted here: the kernel offers no"), "{error}");
        let Refusal { reason, remedy } = no_zones(folder.path(), true);
        assert!(reason.contains("virtual machine") && remedy.contains("machine itself"), "{reason} {remedy}");
        let Refusal { reason, remedy } = no_zones(folder.path(), false);
        assert!(!reason.contains("virtual") && remedy.contains("modprobe"), "{reason} {remedy}");
    }
}
