//! The frequencies of a CPU that the system reports.

use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A frequency that the system reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reported {
    /// The source: a file of the system, or an instruction of the CPU.
    pub source: String,
    /// The frequency, in hertz.
    pub hz: f64,
}

/// The frequencies that files below `root` report of a CPU and, if the root is `/`, those that the CPU
/// reports.
pub(crate) fn frequencies(cpu: usize, root: &Path) -> Vec<Reported> {
    let reported = |source: &str, hz| Reported { source: source.to_owned(), hz };
    let mut all: Vec<Reported> = Vec::new();
    let cpuinfo = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
    all.extend(megahertz(&cpuinfo, cpu).map(|mhz| reported("/proc/cpuinfo", mhz * 1e6)));
    let cpufreq = root.join(format!("sys/devices/system/cpu/cpu{cpu}/cpufreq"));
    for name in ["scaling_cur_freq", "base_frequency", "cpuinfo_max_freq"] {
        let khz = fs::read_to_string(cpufreq.join(name)).ok().and_then(|khz| khz.trim().parse::<f64>().ok());
        all.extend(khz.map(|khz| reported(&format!("cpufreq {name}"), khz * 1e3)));
    }
    if root == Path::new("/") {
        all.extend(by_cpuid().map(|mhz| reported("CPUID, base", mhz * 1e6)));
    }
    all.retain(|reported| reported.hz.is_finite() && reported.hz > 0.0);
    all
}

/// The value of `cpu MHz` of a CPU in `/proc/cpuinfo`.
fn megahertz(cpuinfo: &str, cpu: usize) -> Option<f64> {
    let value = |line: &str, name: &str| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    };
    let number = cpu.to_string();
    let mut blocks = cpuinfo.split("\n\n");
    let block = blocks
        .find(|block| block.lines().any(|line| value(line, "processor").is_some_and(|n| n == number)))?;
    block.lines().find_map(|line| value(line, "cpu MHz"))?.parse().ok()
}

/// The base frequency that CPUID leaf 16H reports, in megahertz; `None` if it is 0, as in many virtual
/// machines.
#[cfg(target_arch = "x86_64")]
fn by_cpuid() -> Option<f64> {
    use std::arch::x86_64::{__cpuid, __get_cpuid_max};
    let (highest, _) = __get_cpuid_max(0);
    (highest >= 0x16).then(|| f64::from(__cpuid(0x16).eax & 0xffff))
}

#[cfg(not(target_arch = "x86_64"))]
fn by_cpuid() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_says_what_it_says_of_that_cpu() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "proc/cpuinfo",
            "processor\t: 0\ncpu MHz\t\t: 800.5\n\nprocessor\t: 1\nmodel name\t: x\ncpu MHz\t\t: 2600.000\n",
        );
        write("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3100000\n");
        write("sys/devices/system/cpu/cpu1/cpufreq/base_frequency", "<unknown>\n");
        let reported = |cpu| -> Vec<(String, f64)> {
            frequencies(cpu, root.path()).into_iter().map(|reported| (reported.source, reported.hz)).collect()
        };
        assert_eq!(reported(0), [("/proc/cpuinfo".to_owned(), 800.5e6)]);
        let both = [("/proc/cpuinfo".to_owned(), 2.6e9), ("cpufreq scaling_cur_freq".to_owned(), 3.1e9)];
        assert_eq!(reported(1), both);
        assert_eq!(reported(2), []);
    }
}
