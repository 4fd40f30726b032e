//! Finds out what code of a library has done to the process that called it: whether it has forked, or killed
//! the parent of the process. This is checked before the process reports anything, because a copy would
//! report a second time, and a process lives on for a moment after its parent was killed.

use std::fs;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

/// The parent of this process, if this process is a child of the host.
static STAND_IN: OnceLock<Pid> = OnceLock::new();

/// A process that ends with its parent is ended by the system long before this time is over.
const END_WITHIN: Duration = Duration::from_secs(10);

/// Notes the parent of this process.
pub(super) fn is_child_of(stand_in: Pid) {
    STAND_IN.get_or_init(|| stand_in);
}

/// The process in which this value was made, to tell it from its copies.
#[derive(Clone, Copy, Debug)]
pub struct OriginalProcess(Pid);

impl OriginalProcess {
    /// This process.
    pub fn here() -> Self {
        OriginalProcess(getpid())
    }

    /// Ends the calling process if it is a copy of the original. A copy shares the connections of the
    /// original, and would answer a second time.
    pub fn end_copies(self) {
        if getpid() != self.0 {
            // Killed instead of exited, so that no exit handler of the library runs.
            let _ = kill_process(getpid(), Signal::KILL);
            std::process::abort();
        }
    }
}

/// Calls code of a library. If it forks, only the original process returns.
pub(crate) fn call_without_copies<T>(call: impl FnOnce() -> T) -> T {
    let original = OriginalProcess::here();
    let result = call();
    original.end_copies();
    result
}

/// Ends this process if its parent was killed. A child calls this before it reports a result: the system
/// takes its time to end the child, and without this check a library that kills the parent could still report
/// success.
pub fn end_with_parent() {
    if STAND_IN.get().is_some_and(|&stand_in| is_ending(stand_in)) {
        thread::sleep(END_WITHIN);
        std::process::abort();
    }
}

/// Whether the parent of this process has ended, or has a pending signal that will end it. The parent only
/// waits, and nothing but the child has a reason to send it a signal.
fn is_ending(parent: Pid) -> bool {
    if getppid() != Some(parent) {
        return true;
    }
    let status = fs::read_to_string(format!("/proc/{}/status", parent.as_raw_nonzero())).unwrap_or_default();
    ends(&status)
}

/// Whether a process has ended or will end, from its `/proc/PID/status`.
fn ends(status: &str) -> bool {
    /// The signals that do not end a process: SIGCHLD, SIGCONT, four that stop it, SIGURG, SIGWINCH.
    const HARMLESS: u64 = {
        let (mut set, harmless) = (0, [17, 18, 19, 20, 21, 22, 23, 28]);
        let mut i = 0;
        while i < harmless.len() {
            set |= 1 << (harmless[i] - 1);
            i += 1;
        }
        set
    };
    let word = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let pending = ["SigPnd:", "ShdPnd:"].map(|name| u64::from_str_radix(word(name).unwrap_or("0"), 16));
    let fatal = pending.into_iter().flatten().any(|pending| pending & !HARMLESS != 0);
    fatal || word("State:").is_none_or(|state| state.starts_with(['Z', 'X']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_ends_if_it_was_killed_or_has_a_deadly_signal_pending() {
        let status = |state: &str, own: &str, shared: &str| {
            format!("Name:\tassay\nState:\t{state} (x)\nSigPnd:\t{own}\nShdPnd:\t{shared}\n")
        };
        let none = "0000000000000000";
        for (state, own, shared, expected) in [
            ("S", none, none, false),
            ("T", none, "0000000000040000", false),
            ("S", none, "0000000000010000", false),
            ("S", none, "0000000000000100", true),
            ("S", "0000000000000100", none, true),
            ("R", none, "0000000000004000", true),
            ("Z", none, none, true),
        ] {
            assert_eq!(ends(&status(state, own, shared)), expected, "{state} {own} {shared}");
        }
        assert!(ends(""), "it is gone");
        assert!(!is_ending(getppid().unwrap()));
    }
}
