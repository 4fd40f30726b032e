//! Features of the CPU.

/// Whether the CPU has a feature, by the name of Rust's `target_feature`. `false` for unknown names.
pub fn cpu_has(feature: &str) -> bool {
    macro_rules! any_of {
        ($($name:tt)*) => { false $(|| feature == $name && std::is_x86_feature_detected!($name))* };
    }
    #[cfg(target_arch = "x86_64")]
    return any_of!("sse2" "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "pclmulqdq" "avx" "avx2" "bmi1" "bmi2" "lzcnt" "gfni"
        "vpclmulqdq" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512bitalg"
        "avx512vpopcntdq");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
