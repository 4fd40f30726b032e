//! The CPUs to measure on, and the features that they have.

use assay_base::error::{Error, Result};

use super::definition::CpuPin;

/// The CPUs that this process may run on.
pub fn allowed() -> Vec<usize> {
    let Ok(set) = rustix::thread::sched_getaffinity(None) else { return vec![0] };
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect()
}

/// The CPU that the workers are pinned to; `None` if the system places them.
///
/// # Errors
/// If this process may not use the CPU that was asked for.
pub fn choose(pin: CpuPin) -> Result<Option<usize>> {
    let allowed = allowed();
    match pin {
        CpuPin::Off => Ok(None),
        CpuPin::Last => Ok(allowed.last().copied()),
        CpuPin::Cpu(cpu) if allowed.contains(&cpu) => Ok(Some(cpu)),
        CpuPin::Cpu(cpu) => {
            let allowed: Vec<String> = allowed.iter().map(usize::to_string).collect();
            Err(Error::new(format!("CPU {cpu} can't be used here"))
                .remedy(format!("--pin takes off, last or one of {}", allowed.join(", "))))
        }
    }
}

/// The CPUs of `threads` threads that search together: first that of the worker, then the others, the last
/// first. The list is empty if one thread searches or the system places them.
///
/// # Errors
/// If there are fewer CPUs than threads.
pub fn team(own: Option<usize>, threads: usize) -> Result<Vec<usize>> {
    let Some(own) = own.filter(|_| threads > 1) else { return Ok(Vec::new()) };
    let allowed = allowed();
    if threads > allowed.len() {
        let cpus = allowed.len();
        return Err(Error::new(format!(
            "{threads} threads are more than the {cpus} CPUs that may be used here"
        ))
        .remedy(
            "give fewer threads, or --pin off: then the system places them, and they wait for each other",
        ));
    }
    let others = allowed.into_iter().rev().filter(|cpu| *cpu != own);
    Ok(std::iter::once(own).chain(others).take(threads).collect())
}

/// Why code that needs these features can't run on this CPU; `None` if it can. Features have the names of
/// Rust's `target_feature`.
pub fn lacks(needed: &[String]) -> Option<String> {
    let missing: Vec<&str> = needed.iter().map(String::as_str).filter(|feature| !has(feature)).collect();
    (!missing.is_empty()).then(|| format!("this CPU has no {}", missing.join(", ")))
}

/// Makes `has`, which asks the standard library whether this CPU has a feature. The standard library takes
/// literal names only, so the macro spells out all of them.
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

/// On other architectures the features are unknown, so none is reported as missing.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn has(_feature: &str) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line of features that the kernel lists.
    #[cfg(target_arch = "x86_64")]
    fn flags() -> String {
        let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        cpus.lines()
            .find(|line| line.starts_with("flags"))
            .expect("the kernel of an x86 lists them")
            .to_owned()
    }

    #[test]
    fn threads_have_a_cpu_each_or_are_placed_by_the_system() {
        let all = allowed();
        let own = all.last().copied();
        assert_eq!((team(own, 1).unwrap(), team(None, 1000).unwrap()), (vec![], vec![]));
        assert_eq!(team(own, all.len()).unwrap().first().copied(), own.filter(|_| all.len() > 1));
        assert!(team(own, all.len() + 1).unwrap_err().to_string().contains("more than the"));
    }

    #[test]
    fn a_feature_that_no_cpu_has_is_missing() {
        assert_eq!(lacks(&["warp-drive".to_owned()]).unwrap(), "this CPU has no warp-drive");
        assert_eq!(lacks(&[]), None);
    }

    /// The names that Rust and the kernel have for the same feature.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_cpu_has_what_the_kernel_says() {
        let flags = flags();
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
