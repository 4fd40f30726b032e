//! The features of the CPU, or of the virtual machine, that the kernel lists.

/// Whether `/proc/cpuinfo`, of which this is the content, has a flag.
pub fn has(cpuinfo: &str, flag: &str) -> bool {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    flags.split_ascii_whitespace().any(|word| word == flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_a_whole_word_of_the_first_cpu() {
        let cpuinfo = "processor\t: 0\nflags\t\t: fpu nonstop_tsc\n\nflags\t\t: hypervisor\n";
        assert!(has(cpuinfo, "fpu") && has(cpuinfo, "nonstop_tsc"));
        assert!(!has(cpuinfo, "stop_tsc") && !has(cpuinfo, "hypervisor") && !has("", "fpu"));
    }
}
