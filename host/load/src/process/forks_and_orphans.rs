//! Finds out what code of a library has done to the process that called it: whether it has forked, or killed
//! the parent of the process. This is checked before the process reports anything, because a copy would
//! report a second time, and a process lives on for a moment after its parent was killed.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

/// The parent of this process, if this process is a child of the host.
static STAND_IN: OnceLock<Parent> = OnceLock::new();

/// The parent of a process.
#[derive(Debug)]
struct Parent {
    id: Pid,
    /// Its `/proc/PID/status`. It is opened before any library is loaded, because in the sandbox it can't be
    /// opened, nor by a process that has used up its descriptors.
    status: Option<File>,
}

/// A process that ends with its parent is ended by the system long before this time is over.
const END_WITHIN: Duration = Duration::from_secs(10);

/// Longest part of the status that is read; it has about 1500 bytes.
const LONGEST_STATUS: usize = 4096;

/// Notes the parent of this process.
pub(super) fn is_child_of(stand_in: Pid) {
    STAND_IN.get_or_init(|| Parent::new(stand_in));
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
    if STAND_IN.get().is_some_and(Parent::is_ending) {
        thread::sleep(END_WITHIN);
        std::process::abort();
    }
}

impl Parent {
    fn new(id: Pid) -> Self {
        let status = File::open(format!("/proc/{}/status", id.as_raw_nonzero())).ok();
        Parent { id, status }
    }

    /// Whether the parent of this process has ended, or has a pending signal that will end it. The parent
    /// only waits, and nothing but the child has a reason to send it a signal.
    fn is_ending(&self) -> bool {
        getppid() != Some(self.id) || self.read_status().is_some_and(|status| ends(&status))
    }

    /// The status as it is now. `None` if it can't be read, for example because a library has closed the
    /// descriptor, which is no sign that the parent ends.
    fn read_status(&self) -> Option<String> {
        let mut status = [0; LONGEST_STATUS];
        let length = self.status.as_ref()?.read_at(&mut status, 0).ok()?;
        let status = String::from_utf8_lossy(&status[..length]).into_owned();
        // Something else may be open under its number now.
        status.starts_with("Name:").then_some(status)
    }
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
        let parent = Parent::new(getppid().unwrap());
        assert!(!parent.is_ending());
        let unreadable = Parent { status: None, ..parent };
        assert!(!unreadable.is_ending(), "a status that can't be read is no dead parent");
        assert!(Parent::new(getpid()).is_ending(), "it is not the parent");
    }
}
