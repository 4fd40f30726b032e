//! Where a run was made: what must be the same before two results are compared.

use std::fs;

use serde::Serialize;

/// The machine and the programs. What could not be found out is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Name of the operating system and release of its kernel.
    pub kernel: String,
    /// Architecture that the host was built for.
    pub architecture: &'static str,
    /// Model of the CPU.
    pub cpu: Option<String>,
    /// Number of CPUs that this process may use.
    pub cpus: usize,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Version of the host.
    pub assay: &'static str,
    /// Compiler of the host.
    pub compiler: &'static str,
    /// Whether the host was built with optimisation.
    pub optimised: bool,
}

impl Machine {
    /// This machine.
    pub fn here() -> Self {
        let system = rustix::system::uname();
        let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
        Machine {
            kernel: format!("{} {}", text(system.sysname()), text(system.release())),
            architecture: std::env::consts::ARCH,
            cpu: line_of("/proc/cpuinfo", "model name"),
            cpus: allowed_cpus().len(),
            memory_bytes: line_of("/proc/meminfo", "MemTotal")
                .and_then(|value| value.split(' ').next()?.parse::<u64>().ok())
                .map(|kib| kib * 1024),
            assay: env!("CARGO_PKG_VERSION"),
            compiler: env!("ASSAY_COMPILER"),
            optimised: !cfg!(debug_assertions),
        }
    }
}

/// The CPUs that this process may run on.
pub fn allowed_cpus() -> Vec<usize> {
    let Ok(set) = rustix::thread::sched_getaffinity(None) else { return vec![0] };
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

/// The features of this CPU among those wanted that it lacks. Where the system doesn't say, none is held to be missing.
pub fn missing_features(wanted: &[String]) -> Vec<&str> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let flags = line_of("/proc/cpuinfo", "flags").or_else(|| line_of("/proc/cpuinfo", "Features"));
    // The kernel's names are Rust's, but for dots: sse4.2 is sse4_2 there.
    let has = |feature: &str| {
        let name = feature.replace('.', "_");
        flags.as_ref().is_none_or(|flags| flags.split(' ').any(|flag| flag.replace('.', "_") == name))
    };
    wanted.iter().map(String::as_str).filter(|feature| !has(feature)).collect()
}

fn line_of(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.split(':').next().is_some_and(|name| name.trim() == key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_no_cpu_has_is_missing() {
        let wanted = ["warp-drive".to_owned()];
        assert_eq!(missing_features(&wanted), ["warp-drive"]);
        assert!(missing_features(&[]).is_empty());
    }
}
