//! What foreign code may have done to the process that it was called in, looked at before anything is said of
//! what came of it: it may have copied the process, or ended its parent, which a process outlives by a
//! moment.

use std::fs;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

/// The parent of this process, where this is a child.
static STAND_IN: OnceLock<Pid> = OnceLock::new();

/// A process that ends with its parent needs no longer than this for it.
const END_WITHIN: Duration = Duration::from_secs(10);

/// Notes who the parent of this process is.
pub(super) fn is_child_of(stand_in: Pid) {
    STAND_IN.get_or_init(|| stand_in);
}

/// The process in which this value was made.
#[derive(Clone, Copy, Debug)]
pub struct OriginalProcess(Pid);

impl OriginalProcess {
    /// This process.
    pub fn here() -> Self {
        OriginalProcess(getpid())
    }

    /// Ends the calling process if it is a copy of that one: it shares its connections and would answer a
    /// second time.
    pub fn end_copies(self) {
        if getpid() != self.0 {
            // Without what the library wants done at its exit.
            let _ = kill_process(getpid(), Signal::KILL);
            std::process::abort();
        }
    }
}

/// Calls foreign code: whatever it forks, one process comes back.
pub(crate) fn uncopied<T>(call: impl FnOnce() -> T) -> T {
    let original = OriginalProcess::here();
    let result = call();
    original.end_copies();
    result
}

/// To be asked by a child before it tells its host what came of something. If its parent was ended, which the
/// system does in its own time, the child says nothing any more and ends with it.
pub fn end_with_parent() {
    if STAND_IN.get().is_some_and(|&stand_in| is_ending(stand_in)) {
        thread::sleep(END_WITHIN);
        std::process::abort();
    }
}

/// Whether the parent of this process has ended, or was sent a signal that it has yet to notice: it waits,
/// and nobody has a reason to send it any.
fn is_ending(parent: Pid) -> bool {
    if getppid() != Some(parent) {
        return true;
    }
    let status = fs::read_to_string(format!("/proc/{}/status", parent.as_raw_nonzero())).unwrap_or_default();
    ends(&status)
}

/// Whether a process of which the system says this is about to end, or has.
fn ends(status: &str) -> bool {
    /// Those that end nobody: SIGCHLD, SIGCONT, four that stop, SIGURG, SIGWINCH.
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
    fn a_process_ends_that_was_killed_or_has_a_deadly_signal_to_come() {
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
