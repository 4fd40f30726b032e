//! A counting unit of the machine, as the kernel describes it in a folder: its number, its CPUs, the terms of
//! its events and the events that it has names for.

use std::fmt;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A counting unit ("performance monitoring unit").
#[derive(Debug)]
pub struct Pmu {
    pub name: String,
    /// Its number in the kernel.
    pub kind: u32,
    /// Whether it counts what a core does.
    pub core: bool,
    /// The CPUs on which it counts; `None` if it counts on all.
    pub cpus: Option<Cpus>,
    /// Whether it counts the work of more than one core, such as that of a cache or a package.
    pub shared: bool,
    folder: PathBuf,
}

impl Pmu {
    /// All units that a folder describes, by name.
    pub fn all(devices: &Path) -> Vec<Pmu> {
        let mut pmus: Vec<Pmu> = names(devices).iter().filter_map(|name| Pmu::read(devices, name)).collect();
        pmus.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        pmus
    }

    fn read(devices: &Path, name: &str) -> Option<Pmu> {
        let folder = devices.join(name);
        let text = |file: &str| fs::read_to_string(folder.join(file)).ok();
        let kind = text("type")?.trim().parse().ok()?;
        let cpus = text("cpus").and_then(|cpus| Cpus::parse(&cpus));
        Some(Pmu {
            name: name.to_owned(),
            kind,
            core: name == "cpu" || cpus.is_some(),
            cpus,
            shared: folder.join("cpumask").exists(),
            folder,
        })
    }

    pub fn covers(&self, cpu: usize) -> bool {
        self.cpus.as_ref().is_none_or(|cpus| cpus.contain(cpu))
    }

    /// The bits of a term, such as `config:0-7,32-35`.
    pub fn format(&self, term: &str) -> Option<String> {
        self.text("format", term)
    }

    /// Names of its terms.
    pub fn terms(&self) -> Vec<String> {
        names(&self.folder.join("format"))
    }

    /// The terms that a named event of the unit stands for.
    pub fn event(&self, name: &str) -> Option<String> {
        self.text("events", name)
    }

    /// The factor of the counts of that event, and the unit after multiplication.
    pub fn scale(&self, name: &str) -> (f64, Option<String>) {
        let scale = self.text("events", &format!("{name}.scale")).and_then(|scale| scale.parse().ok());
        (scale.unwrap_or(1.0), self.text("events", &format!("{name}.unit")))
    }

    /// The names of its events.
    pub fn events(&self) -> Vec<String> {
        let about = [".scale", ".unit", ".per-pkg", ".snapshot"];
        let mut events = names(&self.folder.join("events"));
        events.retain(|name| !about.iter().any(|about| name.ends_with(about)));
        events
    }

    fn text(&self, folder: &str, file: &str) -> Option<String> {
        let text = is_name(file).then(|| fs::read_to_string(self.folder.join(folder).join(file)).ok())??;
        Some(text.trim_end().to_owned())
    }
}

/// The unit in messages: its name, with the CPUs on which it counts unless these are all.
impl fmt::Display for Pmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cpus {
            Some(cpus) => write!(f, "{} (CPUs {cpus})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Whether a word is a plain file name, so that it can't lead out of the folder.
pub fn is_name(word: &str) -> bool {
    let usual = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    !word.is_empty() && !word.starts_with('.') && word.chars().all(usual)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| is_name(name));
    names.sort_unstable();
    names
}

/// A list of CPUs as the kernel writes it: `0-3,8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpus(Vec<RangeInclusive<usize>>);

impl Cpus {
    /// `None` if it is no such list, or if it is empty.
    pub fn parse(list: &str) -> Option<Cpus> {
        let range = |part: &str| -> Option<RangeInclusive<usize>> {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Some(first.parse().ok()?..=last.parse().ok()?)
        };
        list.trim().split(',').map(range).collect::<Option<_>>().map(Cpus)
    }

    pub fn contain(&self, cpu: usize) -> bool {
        self.0.iter().any(|range| range.contains(&cpu))
    }

    pub fn all(&self, mut holds: impl FnMut(usize) -> bool) -> bool {
        self.0.iter().all(|range| range.clone().all(&mut holds))
    }

    pub fn last(&self) -> Option<usize> {
        self.0.iter().map(|range| *range.end()).max()
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, range) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match (range.start(), range.end()) {
                (first, last) if first == last => write!(f, "{comma}{first}")?,
                (first, last) => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::Folder;
    use super::*;

    #[test]
    fn a_list_of_cpus_is_read_and_written() {
        let cpus = Cpus::parse("0-3,8\n").unwrap();
        assert!([0, 3, 8].iter().all(|cpu| cpus.contain(*cpu)) && !cpus.contain(4) && !cpus.contain(9));
        assert!(cpus.all(|cpu| cpu < 9) && !cpus.all(|cpu| cpu < 8));
        assert_eq!((cpus.last(), cpus.to_string().as_str()), (Some(8), "0-3,8"));
        assert_eq!((Cpus::parse(""), Cpus::parse("0-x")), (None, None));
    }

    #[test]
    fn a_folder_describes_units_with_their_events() {
        let folder = Folder::new();
        folder.pmu("power", 17, &[("cpumask", "0"), ("events/energy-pkg", "event=0x02")]);
        folder.pmu("cpu", 4, &[("events/slots", "event=0x00,umask=0x4"), ("format/umask", "config:8-15")]);
        folder.file("sys/bus/event_source/devices/power/events/energy-pkg.scale", "2.5e-10\n");
        folder.file("sys/bus/event_source/devices/power/events/energy-pkg.unit", "Joules\n");
        folder.file("sys/bus/event_source/devices/strange/type", "many\n");
        let machine = folder.machine(None);
        let names: Vec<&str> = machine.pmus().iter().map(|pmu| pmu.name.as_str()).collect();
        assert_eq!(names, ["cpu", "power"]);
        let (cpu, power) = (machine.pmu("cpu").unwrap(), machine.pmu("power").unwrap());
        assert_eq!((cpu.core, cpu.shared, power.core, power.shared), (true, false, false, true));
        assert_eq!(power.events(), ["energy-pkg"]);
        assert_eq!(power.scale("energy-pkg"), (2.5e-10, Some("Joules".to_owned())));
        assert_eq!(cpu.scale("slots"), (1.0, None));
        assert_eq!(cpu.event("slots").as_deref(), Some("event=0x00,umask=0x4"));
        assert_eq!(
            (cpu.terms(), cpu.format("umask").as_deref()),
            (vec!["umask".to_owned()], Some("config:8-15"))
        );
    }

    #[test]
    fn a_name_leads_to_no_other_folder() {
        let folder = Folder::new();
        folder.pmu("cpu", 4, &[("events/x", "event=1")]);
        let machine = folder.machine(None);
        let cpu = machine.pmu("cpu").unwrap();
        assert_eq!((cpu.event("../type"), cpu.event("../events/x"), cpu.event("")), (None, None, None));
    }
}
