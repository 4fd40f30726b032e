//! Why the kernel refuses an event, in plain words, and what the user can do.

use std::io;

use nix::errno::Errno;

/// Both complete the sentence "the event can't be counted here: reason; remedy".
#[derive(Debug)]
pub struct Refusal {
    pub reason: String,
    pub remedy: String,
}

/// `in_kernel`: whether the event happens in the kernel only. `paranoid`: see [`paranoid_level`].
pub fn explain(error: &io::Error, in_kernel: bool, paranoid: Option<i32>) -> Refusal {
    let errno = error.raw_os_error().map_or(Errno::UnknownErrno, Errno::from_raw);
    let level = paranoid.map_or_else(|| "not readable".to_owned(), |level| level.to_string());
    let refusal =
        |reason: &str, remedy: &str| Refusal { reason: reason.to_owned(), remedy: remedy.to_owned() };
    match errno {
        Errno::ENOENT => refusal(
            "this machine does not offer it (no hardware counters: a virtual machine or an unsupported CPU)",
            "software events such as task-clock and page-faults still work",
        ),
        Errno::EACCES if in_kernel => refusal(
            &format!(
                "it happens in the kernel, and kernel.perf_event_paranoid is {level}, which excludes the kernel (1 or less includes it)"
            ),
            "count rusage:voluntary-switches and rusage:involuntary-switches, which need no privilege, or ask an administrator for a lower level or CAP_PERFMON",
        ),
        Errno::EACCES => refusal(
            &format!("kernel.perf_event_paranoid is {level}, and counting in user mode needs 2 or less"),
            "ask an administrator for a lower level or CAP_PERFMON",
        ),
        Errno::EPERM | Errno::ENOSYS => refusal(
            "the container's system-call filter blocks perf_event_open, or the kernel was built without it",
            "allow perf_event_open in the filter or add CAP_PERFMON",
        ),
        Errno::EINVAL => refusal(
            &format!(
                "the kernel does not take it with these options ({} kernel, without hypervisor)",
                if in_kernel { "with" } else { "without" }
            ),
            "count another event",
        ),
        Errno::EMFILE | Errno::ENFILE => refusal(
            "too many files are open, and each event takes one, each group another",
            "raise the limit (ulimit -n) or ask for fewer events",
        ),
        Errno::ENOSPC => refusal("the machine's counters of this kind are used up", "ask for fewer events"),
        Errno::E2BIG => {
            refusal("the kernel is too old for this request", "update the kernel or count another event")
        }
        Errno::EBUSY => refusal(
            "somebody else has taken the CPU's counters for himself alone",
            "end the other program that counts (perf, a profiler, the hypervisor) or count software events",
        ),
        Errno::EOPNOTSUPP | Errno::ENODEV => {
            refusal("the CPU's counters do not know it", "count another event")
        }
        _ => refusal(&error.to_string(), "count another event"),
    }
}

/// The system's setting of how much users may count: up to 2 they may count themselves in user mode, up to 1 in the kernel.
pub fn paranoid_level() -> Option<i32> {
    std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_errno_has_its_reason_and_remedy() {
        let cases = [
            (Errno::ENOENT, false, "does not offer it", "software events such as"),
            (
                Errno::EACCES,
                false,
                "kernel.perf_event_paranoid is 3, and counting in user mode needs 2",
                "CAP_PERFMON",
            ),
            (Errno::EACCES, true, "paranoid is 3, which excludes the kernel", "rusage:voluntary-switches"),
            (Errno::EPERM, false, "system-call filter", "perf_event_open"),
            (Errno::ENOSYS, false, "system-call filter", "perf_event_open"),
            (Errno::EINVAL, false, "(without kernel, without hypervisor)", "another event"),
            (Errno::EINVAL, true, "(with kernel, without hypervisor)", "another event"),
            (Errno::EMFILE, false, "too many files", "ulimit -n"),
            (Errno::ENOSPC, false, "used up", "fewer events"),
            (Errno::E2BIG, false, "too old", "update the kernel"),
            (Errno::EBUSY, false, "taken the CPU's counters", "end the other program"),
            (Errno::EOPNOTSUPP, false, "do not know it", "another event"),
            (Errno::ESRCH, false, "No such process", "another event"),
        ];
        for (errno, in_kernel, reason, remedy) in cases {
            let refusal = explain(&io::Error::from_raw_os_error(errno as i32), in_kernel, Some(3));
            assert!(refusal.reason.contains(reason), "{errno}: {}", refusal.reason);
            assert!(refusal.remedy.contains(remedy), "{errno}: {}", refusal.remedy);
        }
    }

    #[test]
    fn a_level_that_cannot_be_read_is_said_to_be_so() {
        let refusal = explain(&io::Error::from_raw_os_error(Errno::EACCES as i32), false, None);
        assert!(refusal.reason.contains("paranoid is not readable"), "{}", refusal.reason);
    }
}
