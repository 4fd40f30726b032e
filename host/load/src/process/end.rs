//! How a child ended, in words.

use std::fmt;
use std::time::Duration;

use rustix::process::{Signal, WaitStatus};
use serde::{Deserialize, Serialize};

/// How a child ended without a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// It exited with this status.
    Exited(i32),
    /// It was ended by this signal.
    Killed(i32),
    /// The process that waited for it was ended, which only the child had a reason to do.
    KilledItsParent,
    /// It gave no answer in this time.
    Hung(Duration),
    /// It answered something that can't be understood.
    Garbled,
}

impl End {
    /// From the status of a process that has ended.
    pub(super) fn from_status(status: WaitStatus) -> Self {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Killed(signal.unwrap_or_default()),
        }
    }
}

/// Completes "it ..".
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exited(status) => write!(f, "ends the process with exit status {status}"),
            End::Killed(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "crashes the process ({name})"),
                None => write!(f, "crashes the process (signal {signal})"),
            },
            End::KilledItsParent => f.write_str("kills the parent of the process"),
            End::Hung(patience) => {
                write!(f, "hangs: no answer within {} s", patience.as_millis() as f64 / 1000.0)
            }
            End::Garbled => f.write_str("damages the process: its answer makes no sense"),
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    let known = [
        (Signal::SEGV, "SIGSEGV: it touched memory that is not its own"),
        (Signal::BUS, "SIGBUS: it touched memory that is not there"),
        (Signal::ABORT, "SIGABRT: it gave up"),
        (Signal::ILL, "SIGILL: it ran an instruction that this CPU lacks"),
        (Signal::FPE, "SIGFPE: it divided by zero"),
        (Signal::SYS, "SIGSYS: it made a forbidden system call"),
        (Signal::KILL, "SIGKILL"),
        (Signal::TERM, "SIGTERM"),
    ];
    known.into_iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_in_words() {
        assert_eq!(End::Exited(0).to_string(), "ends the process with exit status 0");
        assert!(End::Killed(11).to_string().contains("SIGSEGV"));
        assert!(End::Killed(64).to_string().contains("signal 64"));
        let hung = End::Hung(Duration::from_millis(1500)).to_string();
        assert_eq!(hung, "hangs: no answer within 1.5 s");
    }
}
