//! Where a run was made: what must be the same before two results are compared.

use std::fs;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The machine and the programs. What could not be found out is `None`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Machine {
    /// Name of the operating system and release of its kernel.
    pub kernel: String,
    /// Architecture that the host was built for.
    pub architecture: String,
    /// Model of the CPU.
    pub cpu: Option<String>,
    /// Number of CPUs that this process may use.
    pub cpus: usize,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Frequency of the core's clock during the run, in hertz.
    pub core_hz: Option<f64>,
    /// Ticks per second of the time stamp counter during the run.
    pub tsc_hz: Option<f64>,
    /// Version of the host.
    pub assay: String,
    /// Compiler of the host.
    pub compiler: String,
    /// Whether the host was built with optimisation.
    pub optimised: bool,
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
}

impl Machine {
    /// This machine.
    pub fn here() -> Self {
        let system = rustix::system::uname();
        let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
        Machine {
            kernel: format!("{} {}", text(system.sysname()), text(system.release())),
            architecture: std::env::consts::ARCH.to_owned(),
            cpu: line_of("/proc/cpuinfo", "model name"),
            cpus: allowed_cpus().len(),
            memory_bytes: line_of("/proc/meminfo", "MemTotal")
                .and_then(|value| value.split(' ').next()?.parse::<u64>().ok())
                .map(|kib| kib * 1024),
            // Nothing measures them yet.
            core_hz: None,
            tsc_hz: None,
            assay: env!("CARGO_PKG_VERSION").to_owned(),
            compiler: env!("ASSAY_COMPILER").to_owned(),
            optimised: !cfg!(debug_assertions),
        }
    }
}

/// The CPUs that this process may run on.
pub fn allowed_cpus() -> Vec<usize> {
    let Ok(set) = rustix::thread::sched_getaffinity(None) else { return vec![0] };
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

/// Why code that needs these features, by the names of Rust's `target_feature`, can't run on this CPU, if so.
pub fn lacks(needed: &[String]) -> Option<String> {
    let missing: Vec<&str> = needed.iter().map(String::as_str).filter(|feature| !has(feature)).collect();
    (!missing.is_empty()).then(|| format!("this CPU has no {}", missing.join(", ")))
}

/// Makes `has`, which asks the standard library for each of its features: it takes names as they are written in the
/// source alone.
macro_rules! features {
    ($detected:ident: $($feature:tt)*) => {
        fn has(feature: &str) -> bool {
            match feature {
                $($feature => std::arch::$detected!($feature),)*
                _ => false,
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
features! { is_x86_feature_detected:
    "adx" "aes" "avx" "avx2" "avx512bf16" "avx512bitalg" "avx512bw" "avx512cd" "avx512dq" "avx512f"
    "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vl" "avx512vnni" "avx512vp2intersect" "avx512vpopcntdq" "avxifma"
    "avxneconvert" "avxvnni" "avxvnniint16" "avxvnniint8" "bmi1" "bmi2" "cmpxchg16b" "ermsb" "f16c" "fma" "fxsr" "gfni"
    "lzcnt" "mmx" "movbe" "pclmulqdq" "popcnt" "rdrand" "rdseed" "rtm" "sha" "sse" "sse2" "sse3"
    "sse4.1" "sse4.2" "sse4a" "ssse3" "tbm" "tsc" "vaes" "vpclmulqdq" "xsave" "xsavec" "xsaveopt" "xsaves"
}

#[cfg(target_arch = "aarch64")]
features! { is_aarch64_feature_detected:
    "aes" "bf16" "crc" "dotprod" "f32mm" "f64mm" "fhm" "fp16" "i8mm" "lse" "neon" "rdm" "sha2" "sha3" "sm4" "sve" "sve2"
}

/// Nobody says what other CPUs have: nothing is held to be missing.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn has(_feature: &str) -> bool {
    true
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
        assert_eq!(lacks(&["warp-drive".to_owned()]).unwrap(), "this CPU has no warp-drive");
        assert_eq!(lacks(&[]), None);
    }

    /// Names that the kernel and Rust spell alike, and those of which we know how the kernel spells them.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_cpu_has_what_the_kernel_says() {
        let flags = line_of("/proc/cpuinfo", "flags").expect("the kernel of an x86 lists them");
        let pairs = [
            ("sse2", "sse2"),
            ("sse3", "pni"),
            ("sse4.2", "sse4_2"),
            ("lzcnt", "abm"),
            ("cmpxchg16b", "cx16"),
            ("avx2", "avx2"),
            ("sha", "sha_ni"),
            ("avx512bw", "avx512bw"),
            ("avx512vbmi2", "avx512_vbmi2"),
            ("avx512vnni", "avx512_vnni"),
            ("avx512bitalg", "avx512_bitalg"),
        ];
        for (feature, flag) in pairs {
            assert_eq!(has(feature), flags.split(' ').any(|other| other == flag), "{feature}");
        }
    }
}
