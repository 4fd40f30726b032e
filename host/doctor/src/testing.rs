//! Made-up machines for tests: folders with the files that checks read.

use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::system::System;

/// Files by their paths, with their contents.
pub(crate) type Files = [(&'static str, &'static str)];

/// A machine whose files lie in a temporary folder, which is removed with it.
pub(crate) struct FakeSystem {
    _folder: TempDir,
    system: System,
}

impl FakeSystem {
    /// A machine with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        for (path, text) in files {
            let path = folder.path().join(path.trim_start_matches('/'));
            fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("the folder is ours");
            fs::write(path, text).expect("the folder is ours");
        }
        let system = System::below(folder.path());
        FakeSystem { _folder: folder, system }
    }

    /// The view of it.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }
}

/// A laptop with four CPUs on two cores, turbo, and a governor that follows the load.
pub(crate) const INTEL_LAPTOP: &Files = &[
    (
        "/proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Intel(R) Core(TM) i5\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n",
    ),
    ("/proc/self/status", "Cpus_allowed_list:\t0-3\nCapEff:\t0000000000000000\n"),
    ("/proc/self/cgroup", "0::/user.slice\n"),
    ("/proc/loadavg", "0.10 0.20 0.30 1/500 1000\n"),
    (
        "/proc/meminfo",
        "MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\nSwapTotal: 2000000 kB\nSwapFree: 1500000 kB\n",
    ),
    ("/proc/sys/kernel/perf_event_paranoid", "4\n"),
    ("/proc/sys/kernel/nmi_watchdog", "1\n"),
    ("/proc/sys/kernel/seccomp/actions_avail", "kill_process allow\n"),
    ("/sys/kernel/security/lsm", "capability,landlock,yama,apparmor"),
    ("/sys/bus/event_source/devices/cpu/type", "4\n"),
    ("/sys/bus/event_source/devices/software/type", "1\n"),
    ("/sys/class/dmi/id/sys_vendor", "LENOVO\n"),
    ("/sys/class/dmi/id/product_name", "ThinkPad\n"),
    ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
    ("/sys/devices/system/cpu/online", "0-3\n"),
    ("/sys/devices/system/cpu/isolated", "\n"),
    ("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
    ("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4200000\n"),
    ("/sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "4200000\n"),
    ("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"),
    ("/sys/devices/system/cpu/cpu1/cpufreq/scaling_driver", "intel_pstate\n"),
    ("/sys/devices/system/cpu/cpu1/cpufreq/energy_performance_preference", "balance_performance\n"),
    ("/sys/devices/system/cpu/cpu2/cpufreq/cpuinfo_max_freq", "4200000\n"),
    ("/sys/devices/system/cpu/cpu3/cpufreq/cpuinfo_max_freq", "4100000\n"),
    ("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,3\n"),
    ("/sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "1,3\n"),
    ("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n"),
];

/// A server that is set up for measuring: the governor `performance`, no boost, no siblings, CPUs kept free.
pub(crate) const AMD_SERVER: &Files = &[
    (
        "/proc/cpuinfo",
        "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu tsc constant_tsc nonstop_tsc svm\n",
    ),
    ("/proc/self/status", "Cpus_allowed_list:\t0-3\nCapEff:\t000001ffffffffff\n"),
    ("/proc/self/cgroup", "0::/\n"),
    ("/proc/cmdline", "root=/dev/sda1 isolcpus=2-3 nohz_full=2-3\n"),
    ("/proc/loadavg", "0.00 0.00 0.00 1/500 1000\n"),
    ("/proc/meminfo", "MemTotal: 64000000 kB\nMemAvailable: 60000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n"),
    ("/proc/sys/kernel/perf_event_paranoid", "1\n"),
    ("/proc/sys/kernel/nmi_watchdog", "0\n"),
    ("/sys/bus/event_source/devices/cpu/type", "4\n"),
    ("/sys/class/dmi/id/sys_vendor", "Dell Inc.\n"),
    ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
    ("/sys/devices/system/cpu/online", "0-3\n"),
    ("/sys/devices/system/cpu/isolated", "2-3\n"),
    ("/sys/devices/system/cpu/cpufreq/boost", "0\n"),
    ("/sys/devices/system/cpu/cpu0/cpu_capacity", "1024\n"),
    ("/sys/devices/system/cpu/cpu1/cpu_capacity", "1024\n"),
    ("/sys/devices/system/cpu/cpu2/cpu_capacity", "1024\n"),
    ("/sys/devices/system/cpu/cpu3/cpu_capacity", "1000\n"),
    ("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
    ("/sys/devices/system/cpu/cpu1/cpufreq/scaling_driver", "acpi-cpufreq\n"),
    ("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n"),
    ("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1\n"),
    ("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
];

/// A CPU with fast cores (0 to 11) and slow cores (12 to 15).
pub(crate) const HYBRID: &Files = &[
    ("/proc/cpuinfo", "flags\t\t: fpu tsc constant_tsc nonstop_tsc\n"),
    ("/proc/self/status", "Cpus_allowed_list:\t0-15\n"),
    ("/sys/devices/system/cpu/online", "0-15\n"),
    ("/sys/bus/event_source/devices/cpu_core/cpus", "0-11\n"),
    ("/sys/bus/event_source/devices/cpu_atom/cpus", "12-15\n"),
    ("/sys/bus/event_source/devices/cpu_core/type", "4\n"),
];

/// A container in a virtual machine, which shows little.
pub(crate) const CONTAINER: &Files = &[
    ("/.dockerenv", ""),
    ("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc hypervisor\n"),
    ("/proc/self/status", "Cpus_allowed_list:\t0-1\n"),
    ("/proc/self/cgroup", "0::/\n"),
    ("/sys/bus/event_source/devices/software/type", "1\n"),
    ("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n"),
    ("/sys/fs/cgroup/cpu.max", "50000 100000\n"),
];

/// A board with two slow and two fast cores.
pub(crate) const ARM: &Files = &[
    ("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd evtstrm\nCPU implementer\t: 0x41\n"),
    ("/proc/self/status", "Cpus_allowed_list:\t0-3\n"),
    ("/sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n"),
    ("/sys/devices/system/cpu/online", "0-3\n"),
    ("/sys/devices/system/cpu/cpu0/cpu_capacity", "446\n"),
    ("/sys/devices/system/cpu/cpu1/cpu_capacity", "446\n"),
    ("/sys/devices/system/cpu/cpu2/cpu_capacity", "1024\n"),
    ("/sys/devices/system/cpu/cpu3/cpu_capacity", "1024\n"),
    ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "arch_sys_counter\n"),
];

/// All of them, and one that shows nothing.
pub(crate) const MACHINES: [&Files; 6] = [INTEL_LAPTOP, AMD_SERVER, HYBRID, CONTAINER, ARM, &[]];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Files of a kernel that we don't know, or of a container that forges them.
    #[test]
    fn no_content_of_a_file_causes_a_panic(
        contents in prop::collection::vec("[-0-9 :,\\[\\]a-z()/\n\u{0}\u{1b}]{0,40}|.{0,40}", 1..8),
        cpu in prop::option::of(0..5usize),
    ) {
        let mut files: Vec<(&str, &str)> = vec![("/proc/stat", &contents[0]), ("/proc/7/stat", &contents[0])];
        let known = MACHINES.iter().flat_map(|files| files.iter());
        files.extend(known.zip(contents.iter().cycle()).map(|((path, _), text)| (*path, text.as_str())));
        let machine = FakeSystem::new(&files);
        let activity = crate::activity::Activity::watch(machine.system(), std::time::Duration::ZERO);
        let findings = crate::of_machine(machine.system(), cpu, Some(&activity));
        let script = crate::script(&findings);
        prop_assert!(script.lines().filter(|line| line.starts_with('#')).all(|line| !line.contains('\x1b')));
        crate::memory::memory(machine.system(), Some(1));
        crate::optional_programs(machine.system(), &[]);
    }
}
