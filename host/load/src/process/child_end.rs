//! The ways in which a child process ends, with their descriptions.

use std::fmt;
use std::time::Duration;

use rustix::process::{Signal, WaitStatus};
use serde::{Deserialize, Serialize};

use super::sandbox::name_of;

/// The end of a child that gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChildEnd {
    /// The child exited with this status.
    Exited(i32),
    /// A signal of this number ended the child.
    Killed(i32),
    /// The filter of the sandbox ended the child, because it made the system call of this number.
    ForbiddenCall(u32),
    /// The process that waits for the child was killed. Nothing but the child has a reason to do that.
    KilledItsParent,
    /// The child gave no answer in this time.
    Hung(Duration),
    /// The child answered something that can't be understood.
    Garbled,
}

impl ChildEnd {
    /// Whether another program may have ended the child, and not what it did itself.
    pub fn may_come_from_outside(self) -> bool {
        let signals = [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP].map(Signal::as_raw);
        self == ChildEnd::KilledItsParent
            || matches!(self, ChildEnd::Killed(signal) if signals.contains(&signal))
    }

    /// The end that the status of a process shows, with the forbidden call that the process has noted.
    pub(super) fn from_status(status: WaitStatus, forbidden: Option<u32>) -> Self {
        if let Some(code) = status.exit_status() {
            return ChildEnd::Exited(code);
        }
        let signal = status.terminating_signal().unwrap_or_default();
        match forbidden.filter(|_| signal == Signal::SYS.as_raw()) {
            Some(call) => ChildEnd::ForbiddenCall(call),
            None => ChildEnd::Killed(signal),
        }
    }
}

/// The description completes a sentence that begins with "it" or with what the child was doing.
impl fmt::Display for ChildEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChildEnd::Exited(status) => write!(f, "ends the process with exit status {status}"),
            ChildEnd::Killed(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "crashes the process ({name})"),
                None => write!(f, "crashes the process (signal {signal})"),
            },
            ChildEnd::ForbiddenCall(number) => match name_of(*number) {
                Some(name) => write!(f, "makes a system call that the sandbox forbids: `{name}`"),
                None => write!(f, "makes a system call that the sandbox forbids: number {number}"),
            },
            ChildEnd::KilledItsParent => f.write_str("kills the parent of the process"),
            ChildEnd::Hung(patience) => {
                write!(f, "hangs: no answer within {} s", patience.as_millis() as f64 / 1000.0)
            }
            ChildEnd::Garbled => f.write_str("damages the process: its answer makes no sense"),
        }
    }
}

/// The name of a signal, with its usual cause.
fn signal_name(signal: i32) -> Option<&'static str> {
    let known = [
        (Signal::SEGV, "SIGSEGV: it touched memory that is not its own"),
        (Signal::BUS, "SIGBUS: it touched memory that is not there"),
        (Signal::ABORT, "SIGABRT: it gave up"),
        (Signal::ILL, "SIGILL: it ran an instruction that this CPU lacks"),
        (Signal::FPE, "SIGFPE: it divided by zero"),
        // Otherwise the handler of the sandbox has noted the call.
        (
            Signal::SYS,
            "SIGSYS: it made a forbidden system call with its signals blocked, as `system` does, or one of another architecture",
        ),
        (Signal::KILL, "SIGKILL"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XFSZ, "SIGXFSZ: it wrote more than its limit of memory to a file"),
    ];
    known.into_iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_described_in_words() {
        assert_eq!(ChildEnd::Exited(0).to_string(), "ends the process with exit status 0");
        assert!(ChildEnd::Killed(11).to_string().contains("SIGSEGV"));
        assert!(ChildEnd::Killed(64).to_string().contains("signal 64"));
        let hung = ChildEnd::Hung(Duration::from_millis(1500)).to_string();
        assert_eq!(hung, "hangs: no answer within 1.5 s");
    }
}
