//! Children: this program started again to do, item by item, what may crash, hang or exit.
//!
//! A child writes a record, one line of JSON, as soon as it is done with an item. What the parent has no record of did
//! not happen, whatever the child's exit status says. The item at which a child ends is to blame only if it was the
//! first that this child worked on: otherwise an earlier one may have left a mess behind, and it gets a child of its own.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// How long a child may work on one item before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(5);

/// How a child ended without a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited with this status.
    Exited(i32),
    /// It was ended by this signal.
    Killed(i32),
    /// It gave no answer in time.
    Hung,
}

impl End {
    /// From the status of a process that has ended.
    pub fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
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
            End::Hung => write!(f, "hangs: no answer within {} seconds", PATIENCE.as_secs()),
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

/// Starts this program as `assay COMMAND.. ITEM..` and collects a record for each item, in as many children as that takes.
///
/// # Errors
/// If no child can be started.
pub fn each<T: DeserializeOwned>(
    command: &[&OsStr],
    items: &[impl AsRef<OsStr>],
) -> Result<Vec<Result<T, End>>> {
    let mut outcomes = Vec::with_capacity(items.len());
    while outcomes.len() < items.len() {
        let rest = &items[outcomes.len()..];
        let (records, end) = work(command, rest).map_err(|error| {
            Error::io("start this program again from", Path::new("/proc/self/exe"), &error)
        })?;
        if let (Some(end), true) = (end, records.is_empty()) {
            outcomes.push(Err(end));
        }
        outcomes.extend(records.into_iter().map(Ok));
    }
    Ok(outcomes)
}

/// Runs one child until it has delivered all records, or has ended.
fn work<T: DeserializeOwned>(
    command: &[&OsStr],
    items: &[impl AsRef<OsStr>],
) -> io::Result<(Vec<T>, Option<End>)> {
    // This very program, even if its file was replaced meanwhile.
    let mut child = Command::new("/proc/self/exe")
        .arg0("assay")
        .args(command)
        .args(items)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut lines = Lines { pipe: child.stdout.take().expect("it is piped"), read: Vec::new() };
    let mut records = Vec::new();
    let end = loop {
        if records.len() == items.len() {
            break None;
        }
        let deadline = Instant::now() + PATIENCE;
        match lines.next(deadline)? {
            Line::Complete(line) => match serde_json::from_slice(&line) {
                Ok(record) => records.push(record),
                Err(error) => break Some(Err(io::Error::other(error))),
            },
            Line::End => break Some(Ok(status(&mut child, deadline)?)),
            Line::Late => break Some(Ok(End::Hung)),
        }
    };
    // All has been said that counts. Destructors of libraries may crash or hang too.
    child.kill()?;
    child.wait()?;
    Ok((records, end.transpose()?))
}

/// How a child ended that has closed its side of the pipe.
fn status(child: &mut Child, deadline: Instant) -> io::Result<End> {
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(End::of(status));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(End::Hung)
}

struct Lines {
    pipe: ChildStdout,
    read: Vec<u8>,
}

enum Line {
    Complete(Vec<u8>),
    End,
    Late,
}

impl Lines {
    fn next(&mut self, deadline: Instant) -> io::Result<Line> {
        loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let rest = self.read.split_off(end + 1);
                return Ok(Line::Complete(std::mem::replace(&mut self.read, rest)));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(&self.pipe, PollFlags::IN)], Some(&left)) {
                Ok(0) => return Ok(Line::Late),
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let mut buffer = [0; 1 << 16];
            match self.pipe.read(&mut buffer)? {
                0 => return Ok(Line::End),
                length => self.read.extend_from_slice(&buffer[..length]),
            }
        }
    }
}

/// The child's side: the process ends when its parent does, and leaves no core file.
///
/// # Errors
/// If the system refuses.
pub fn obey_parent() -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?)
}

/// The child's side: where it writes its records.
#[derive(Debug)]
pub struct Records(File);

impl Records {
    /// Takes standard output over for records; what libraries print goes nowhere. See also [`obey_parent`].
    ///
    /// # Errors
    /// If the system refuses.
    pub fn open() -> io::Result<Self> {
        obey_parent()?;
        let records = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
        rustix::stdio::dup2_stdout(File::options().write(true).open("/dev/null")?)?;
        Ok(Records(records.into()))
    }

    /// Tells the parent of one item.
    ///
    /// # Errors
    /// If the parent is gone.
    pub fn write(&mut self, record: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_in_words() {
        assert_eq!(End::Exited(0).to_string(), "ends the process with exit status 0");
        assert!(End::Killed(11).to_string().contains("SIGSEGV"));
        assert!(End::Killed(64).to_string().contains("signal 64"));
    }
}
