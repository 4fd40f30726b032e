//! The machine as the kernel describes it in files: its counting units, the rights of users, and the CPUs of
//! this thread.

use std::cell::OnceCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::kernel::{Kernel, Linux};
use super::pmu::{Cpus, Pmu};

/// A machine, seen by a thread of it.
#[derive(Debug)]
pub struct Machine {
    /// `/`, or a folder that a test has made.
    root: PathBuf,
    pub kernel: Rc<dyn Kernel>,
    /// The CPU that the thread is bound to, as far as the host has said so.
    cpu: Option<usize>,
    pmus: OnceCell<Vec<Pmu>>,
    processor: OnceCell<Option<Processor>>,
}

/// The counting unit of the thread's core.
#[derive(Clone, Copy, Debug)]
pub struct Core<'a> {
    pub pmu: &'a Pmu,
    /// Whether there are cores of another kind, with a unit of their own.
    pub one_of_several: bool,
}

/// Processors whose general names mean something else than elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    Zen,
    Arm64,
}

impl Machine {
    /// This machine, for a thread that is bound to a CPU or to none.
    pub fn here(cpu: Option<usize>) -> Self {
        Machine::at(Path::new("/"), Rc::new(Linux), cpu)
    }

    pub fn at(root: &Path, kernel: Rc<dyn Kernel>, cpu: Option<usize>) -> Self {
        Machine { root: root.to_owned(), kernel, cpu, pmus: OnceCell::new(), processor: OnceCell::new() }
    }

    /// The content of a file, without the line's end.
    pub fn text(&self, path: &str) -> io::Result<String> {
        Ok(fs::read_to_string(self.root.join(path))?.trim_end().to_owned())
    }

    /// Whether there is such a file or folder.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    fn number(&self, path: &str) -> Option<i64> {
        self.text(path).ok()?.parse().ok()
    }

    /// The system's setting of how much users may count.
    pub fn paranoid(&self) -> Option<i64> {
        self.number("proc/sys/kernel/perf_event_paranoid")
    }

    /// Whether the kernel watches for hangs of the CPU with a counter of each core.
    pub fn watchdog(&self) -> bool {
        self.number("proc/sys/kernel/nmi_watchdog") == Some(1)
    }

    /// All counting units, by name.
    pub fn pmus(&self) -> &[Pmu] {
        self.pmus.get_or_init(|| Pmu::all(&self.root.join("sys/bus/event_source/devices")))
    }

    pub fn pmu(&self, name: &str) -> Option<&Pmu> {
        self.pmus().iter().find(|pmu| pmu.name == name)
    }

    /// Those of the cores: one, or one for each kind of core.
    pub fn core_pmus(&self) -> impl Iterator<Item = &Pmu> {
        self.pmus().iter().filter(|pmu| pmu.core)
    }

    /// That of the core on which the thread runs; none if no unit counts there.
    pub fn core(&self) -> Option<Core<'_>> {
        let one_of_several = self.core_pmus().nth(1).is_some();
        let cpu = self.cpu();
        let pmu = self.core_pmus().find(|pmu| cpu.is_none_or(|cpu| pmu.covers(cpu)))?;
        Some(Core { pmu, one_of_several })
    }

    /// The CPU of the thread. A thread that is bound to none is taken for one on the last that it may use: so
    /// a run chooses.
    pub fn cpu(&self) -> Option<usize> {
        self.cpu.or_else(|| self.allowed()?.last())
    }

    /// Whether the thread stays where the unit of its core counts. One that may leave says nothing about
    /// whether the unit has counters.
    pub fn stays(&self) -> bool {
        let Some(Core { pmu, one_of_several: true }) = self.core() else { return true };
        self.cpu.is_some() || self.allowed().is_some_and(|cpus| cpus.all(|cpu| pmu.covers(cpu)))
    }

    /// The CPUs that the thread may use.
    fn allowed(&self) -> Option<Cpus> {
        let status = self.text("proc/thread-self/status").ok()?;
        Cpus::parse(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?)
    }

    pub fn processor(&self) -> Option<Processor> {
        *self.processor.get_or_init(|| self.read_processor())
    }

    fn read_processor(&self) -> Option<Processor> {
        let cpuinfo = self.text("proc/cpuinfo").ok()?;
        let field = |name: &str| {
            let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
            fields.find(|(field, _)| field.trim_end() == name).map(|(_, value)| value.trim())
        };
        if field("CPU architecture") == Some("8") {
            return Some(Processor::Arm64);
        }
        // Zen began with family 23.
        let family: u32 = field("cpu family")?.parse().ok()?;
        let zen = matches!(field("vendor_id")?, "AuthenticAMD" | "HygonGenuine") && family >= 23;
        zen.then_some(Processor::Zen)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{Folder, hybrid};
    use super::*;

    #[test]
    fn the_unit_is_that_of_the_cpu_that_the_thread_is_bound_to() {
        let folder = hybrid();
        let unit = |cpu| folder.machine(cpu).core().map(|core| (core.pmu.name.clone(), core.one_of_several));
        assert_eq!(unit(Some(3)), Some(("cpu_core".to_owned(), true)));
        assert_eq!(unit(Some(5)), Some(("cpu_atom".to_owned(), true)));
        assert_eq!(unit(Some(9)), None);
    }

    #[test]
    fn a_thread_that_is_bound_to_none_is_taken_for_one_on_the_last_it_may_use() {
        let folder = hybrid();
        let unit = |allowed: &str| {
            folder.file("proc/thread-self/status", &format!("Name:\tx\nCpus_allowed_list:\t{allowed}\n"));
            folder.machine(None).core().map(|core| core.pmu.name.clone()).unwrap()
        };
        assert_eq!(unit("0-7"), "cpu_atom");
        assert_eq!(unit("0-1,3"), "cpu_core");
    }

    #[test]
    fn a_unit_for_all_cpus_is_one_of_its_kind() {
        let folder = Folder::new();
        folder.pmu("cpu", 4, &[]);
        folder.pmu("msr", 9, &[]);
        let machine = folder.machine(Some(70));
        let core = machine.core().unwrap();
        assert_eq!((core.pmu.name.as_str(), core.pmu.kind, core.one_of_several), ("cpu", 4, false));
        assert!(Folder::new().machine(Some(0)).core().is_none());
    }

    #[test]
    fn processors_are_known_by_what_the_kernel_says_of_them() {
        let folder = Folder::new();
        let processor = |cpuinfo: &str| {
            folder.file("proc/cpuinfo", cpuinfo);
            folder.machine(None).processor()
        };
        let x86 = |vendor, family| format!("processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\n");
        assert_eq!(processor(&x86("AuthenticAMD", 25)), Some(Processor::Zen));
        assert_eq!(processor(&x86("AuthenticAMD", 21)), None);
        assert_eq!(processor(&x86("GenuineIntel", 6)), None);
        assert_eq!(processor("processor\t: 0\nCPU architecture: 8\n"), Some(Processor::Arm64));
        assert_eq!(processor("processor\t: 0\nCPU architecture: 7\n"), None);
    }

    #[test]
    fn settings_are_read_and_missing_where_they_are_not() {
        let folder = Folder::new();
        assert_eq!((folder.machine(None).paranoid(), folder.machine(None).watchdog()), (None, false));
        folder.file("proc/sys/kernel/perf_event_paranoid", "-1\n");
        folder.file("proc/sys/kernel/nmi_watchdog", "1\n");
        assert_eq!((folder.machine(None).paranoid(), folder.machine(None).watchdog()), (Some(-1), true));
    }
}
