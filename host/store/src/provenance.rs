//! Where a run was made: what must be the same before two results are compared.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;

use assay_base::error::Result;
use assay_base::io::numbers::grouped;
use assay_counting::clocks::{self, Reported, misleading};
use assay_experiment::{Resolved, cpu};
use assay_load::plugin::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::caches::CpuCache;

/// The machine and the programs. Unknown facts are `null`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Machine {
    /// Name of the operating system and release of its kernel.
    pub kernel: String,
    /// Architecture that the host was built for.
    pub architecture: String,
    /// Name and version of the distribution of the operating system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<String>,
    /// Model of the CPU: its name with its family and model, where the system says them.
    pub cpu: Option<String>,
    /// Revision of the microcode of the CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub microcode: Option<String>,
    /// Number of CPUs that this process may use.
    pub cpus: usize,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// The caches of the CPU that hold data, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caches: Vec<CpuCache>,
    /// Frequency of the core, in hertz: measured before the first search, on the CPU of the run, after some
    /// work.
    pub core_hz: Option<f64>,
    /// The frequency that the system reported at that time, with its source: the first one of `assay counters
    /// clock`.
    #[serde(default)]
    pub core_reported: Option<Reported>,
    /// Ticks of the time stamp counter in a second, measured at the same time.
    pub tsc_hz: Option<f64>,
    /// Version of the host.
    pub assay: String,
    /// Compiler of the host.
    pub compiler: String,
    /// Flags of the compiler besides those of the profile, as `RUSTFLAGS` has them: also those of the libraries
    /// that were built with the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler_flags: Option<String>,
    /// Whether the host was built with optimisation.
    pub optimised: bool,
    /// Variables of the environment that plugins may read: those that begin with `ASSAY_`, without the host's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
}

/// The host's own variables: where it looks for files, whom it trusts, how long it waits. None changes a figure.
const OF_HOST: [&str; 9] = [
    "ASSAY_ALLOW_DEBUG",
    "ASSAY_CACHE_DIR",
    "ASSAY_CI_STARTED",
    "ASSAY_CONFIG_DIR",
    "ASSAY_DATA_PATH",
    "ASSAY_PATIENCE_MS",
    "ASSAY_PLUGIN_PATH",
    "ASSAY_SHARED",
    "ASSAY_TRUST",
];

/// Those of these variables that plugins may read.
fn of_plugins(variables: impl Iterator<Item = (OsString, OsString)>) -> BTreeMap<String, String> {
    variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.to_string_lossy().into_owned())))
        .filter(|(name, _)| name.starts_with("ASSAY_") && !OF_HOST.contains(&name.as_str()))
        .collect()
}

/// A library whose code takes part in a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct LibraryFacts {
    /// Path of the file.
    pub path: String,
    /// Name of the crate or library.
    pub name: String,
    /// Its version.
    pub version: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Whether it is a debug build; `null` if it does not say.
    #[serde(default)]
    pub debug: Option<bool>,
}

impl LibraryFacts {
    /// The libraries of an experiment, each once: those of algorithms, then those of counter backends.
    pub fn all(resolved: &Resolved) -> Vec<Self> {
        let mut libraries = Vec::new();
        let of_algorithms = resolved.algorithms.iter().map(|chosen| &chosen.listing.library);
        for library in of_algorithms.chain(&resolved.counter_libraries) {
            let library = LibraryFacts {
                path: library.path.display().to_string(),
                name: library.info.name.clone(),
                version: library.info.version.clone(),
                sha256: library.sha256.clone(),
                debug: library.info.debug,
            };
            if !libraries.contains(&library) {
                libraries.push(library);
            }
        }
        libraries
    }
}

impl Machine {
    /// Measures the clocks of a CPU, or of the first that may be used; those for which there is no answer
    /// stay unknown.
    ///
    /// # Errors
    /// If no child can be started.
    pub fn measure_clocks(&mut self, cpu: Option<usize>, registry: &Registry) -> Result<()> {
        let cpu: Vec<usize> = cpu.or_else(|| cpu::allowed().first().copied()).into_iter().collect();
        if let Some(core) = clocks::cores(&cpu, false, |_| Ok(()))?.pop() {
            self.core_hz = core.warm_hz;
            self.core_reported = core.reported.into_iter().next();
        }
        self.tsc_hz = clocks::ticks(registry, Some("tsc"))?.pop().and_then(|ticks| ticks.measured_hz);
        Ok(())
    }

    /// The variables that plugins may read, in words.
    pub fn environment(&self) -> String {
        if self.variables.is_empty() {
            return "no variables for plugins".to_owned();
        }
        self.variables.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// What the frequency of the core is, and who says so; nothing if it was not measured.
    pub fn core_clock(&self) -> Option<String> {
        let mhz = |hz: f64| format!("{} MHz", grouped(hz / 1e6, 0));
        let hz = self.core_hz?;
        let reported = self.core_reported.as_ref().filter(|reported| misleading(reported.hz, hz).is_some());
        let reported = reported
            .map_or_else(String::new, |reported| format!("; {} says {}", reported.source, mhz(reported.hz)));
        Some(format!("{}, measured before the first search{reported}", mhz(hz)))
    }

    /// This machine, with the caches of the CPU to measure on, or of the first that may be used.
    pub(crate) fn with_caches(cpu: Option<usize>) -> Self {
        let cpu = cpu.or_else(|| cpu::allowed().first().copied());
        Machine { caches: cpu.map_or_else(Vec::new, CpuCache::all), ..Machine::here() }
    }

    /// This machine.
    pub fn here() -> Self {
        let system = rustix::system::uname();
        let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
        Machine {
            kernel: format!("{} {}", text(system.sysname()), text(system.release())),
            architecture: std::env::consts::ARCH.to_owned(),
            distribution: distribution("/etc/os-release"),
            cpu: cpu_model("/proc/cpuinfo"),
            microcode: line_of("/proc/cpuinfo", "microcode"),
            cpus: cpu::allowed().len(),
            memory_bytes: line_of("/proc/meminfo", "MemTotal")
                .and_then(|value| value.split(' ').next()?.parse::<u64>().ok())
                .map(|kib| kib * 1024),
            caches: Vec::new(),
            core_hz: None,
            core_reported: None,
            tsc_hz: None,
            assay: env!("CARGO_PKG_VERSION").to_owned(),
            compiler: env!("ASSAY_COMPILER").to_owned(),
            compiler_flags: Some(env!("ASSAY_COMPILER_FLAGS").to_owned()).filter(|flags| !flags.is_empty()),
            optimised: !cfg!(debug_assertions),
            variables: of_plugins(std::env::vars_os()),
        }
    }
}

/// The model of the CPU. On x86 a name alone does not do, because virtual machines give different CPUs the
/// same one, such as "AMD EPYC".
fn cpu_model(file: &str) -> Option<String> {
    let name = line_of(file, "model name")?;
    Some(match line_of(file, "cpu family").zip(line_of(file, "model")) {
        Some((family, model)) => format!("{name} (family {family} model {model})"),
        None => name,
    })
}

/// The name and version of the distribution, from a file in the form of `os-release`.
fn distribution(file: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches(['"', '\'']).to_owned())
}

fn line_of(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.split(':').next().is_some_and(|name| name.trim() == key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_experiment::testing::example;

    use super::*;

    #[test]
    fn variables_that_plugins_may_read_are_kept() {
        let set = ["ASSAY_FINDER", "ASSAY_CACHE_DIR", "HOME"].map(|name| (name.into(), "avx2".into()));
        let kept = of_plugins(set.into_iter());
        assert_eq!(kept.into_iter().collect::<Vec<_>>(), [("ASSAY_FINDER".to_owned(), "avx2".to_owned())]);
    }

    #[test]
    fn a_library_of_several_items_is_named_once() {
        let mut resolved = example(3, 1);
        Arc::make_mut(&mut resolved.algorithms[1].listing.library).sha256 = "00ff".to_owned();
        resolved.counter_libraries = vec![Arc::clone(&resolved.algorithms[2].listing.library)];
        Arc::make_mut(&mut resolved.counter_libraries[0]).sha256 = "11".to_owned();
        let libraries = LibraryFacts::all(&resolved);
        let hashes: Vec<&str> = libraries.iter().map(|library| library.sha256.as_str()).collect();
        assert_eq!(hashes, ["", "00ff", "11"]);
    }

    #[test]
    fn a_line_is_found_by_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("facts");
        fs::write(&file, "model\t: 7\nmodel name\t: Fast: 3 GHz\nMemTotal:  16 kB\n").unwrap();
        let line = |key| line_of(file.to_str().unwrap(), key);
        assert_eq!(line("model name").as_deref(), Some("Fast: 3 GHz"));
        assert_eq!((line("MemTotal").as_deref(), line("name")), (Some("16 kB"), None));
        let model = || cpu_model(file.to_str().unwrap());
        assert_eq!(model().as_deref(), Some("Fast: 3 GHz"));
        fs::write(&file, "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
            .unwrap();
        assert_eq!(distribution(file.to_str().unwrap()).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        fs::write(&file, "cpu family\t: 25\nmodel\t\t: 7\nmodel name\t: Fast\n").unwrap();
        assert_eq!(model().as_deref(), Some("Fast (family 25 model 7)"));
    }

    #[test]
    fn memory_is_printed_in_bytes() {
        let here = Machine::here();
        let kib = here.memory_bytes.map(|bytes| format!("{} kB", bytes as f64 / 1024.0));
        assert_eq!(kib, line_of("/proc/meminfo", "MemTotal"));
        assert!(here.cpus > 0 && here.kernel.starts_with("Linux "), "{here:?}");
        assert_ne!(here.optimised, cfg!(debug_assertions));
    }
}
