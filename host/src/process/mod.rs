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
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, kill_process_group, set_parent_process_death_signal, setrlimit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// Names the milliseconds that a child may work on one item before it counts as hanging.
const PATIENCE_VARIABLE: &str = "ASSAY_PATIENCE_MS";
const PATIENCE: Duration = Duration::from_secs(5);
/// Tells a child its parent's process id.
const PARENT_VARIABLE: &str = "ASSAY_PARENT";

/// How a child ended without a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited with this status.
    Exited(i32),
    /// It was ended by this signal.
    Killed(i32),
    /// It gave no answer in this time.
    Hung(Duration),
    /// It answered something that can't be understood.
    Garbled,
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
            End::Hung(patience) => write!(f, "hangs: no answer within {} s", patience.as_secs_f64()),
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

/// How long a child may work on one item: of `ASSAY_PATIENCE_MS`, for machines that are slow and tests in a hurry, or
/// else some seconds.
fn patience() -> Result<Duration> {
    let Some(given) = std::env::var_os(PATIENCE_VARIABLE).filter(|given| !given.is_empty()) else {
        return Ok(PATIENCE);
    };
    let number = given.to_str().and_then(|given| given.parse().ok()).filter(|&ms: &u32| ms > 0);
    number.map(|ms| Duration::from_millis(ms.into())).ok_or_else(|| {
        Error::new(format!("{PATIENCE_VARIABLE} is `{}`", given.display()))
            .remedy("set it to a number of milliseconds, or not at all")
    })
}

/// This very program, even if its file was replaced meanwhile, to be started as a [`Guard`] child that calls
/// [`obey_parent`].
///
/// The child is killed when the *thread* that starts it ends, so that thread must outlive it.
pub fn this_program() -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg0("assay").env(PARENT_VARIABLE, std::process::id().to_string());
    command
}

/// Starts this program as `assay COMMAND.. ITEM..` and collects a record for each item, in as many children as that takes.
///
/// # Errors
/// If no child can be started.
pub fn each<T: DeserializeOwned>(
    command: &[&OsStr],
    items: &[impl AsRef<OsStr>],
) -> Result<Vec<Result<T, End>>> {
    let patience = patience()?;
    let mut outcomes = Vec::with_capacity(items.len());
    while outcomes.len() < items.len() {
        let mut child = this_program();
        child.args(command).args(&items[outcomes.len()..]);
        let (records, end) = work(&mut child, items.len() - outcomes.len(), patience)
            .map_err(|error| Error::new(format!("can't work in a child process: {error}")))?;
        if let (Some(end), true) = (end, records.is_empty()) {
            outcomes.push(Err(end));
        }
        outcomes.extend(records.into_iter().map(Ok));
    }
    Ok(outcomes)
}

/// Runs one child until it has delivered so many records, or has ended. This thread waits for it: see [`this_program`].
fn work<T: DeserializeOwned>(
    command: &mut Command,
    items: usize,
    patience: Duration,
) -> io::Result<(Vec<T>, Option<End>)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Guard::spawn(command)?;
    let mut lines = Lines { pipe: child.0.stdout.take().expect("it is piped"), read: Vec::new() };
    let mut records = Vec::new();
    while records.len() < items {
        let deadline = Instant::now() + patience;
        let end = match lines.next(deadline)? {
            Line::Complete(line) => match serde_json::from_slice(&line) {
                Ok(record) => {
                    records.push(record);
                    continue;
                }
                Err(_) => End::Garbled,
            },
            // It may end without closing its side, if it leaves a child of its own behind, and close it without ending.
            Line::End | Line::Late => child.end(deadline).unwrap_or(End::Hung(patience)),
        };
        return Ok((records, Some(end)));
    }
    Ok((records, None))
}

/// A child that does not outlive this value, nor does what it has started: it leads a process group of its own. Ctrl-C is
/// therefore its parent's to handle. When all has been said that counts, destructors of libraries may crash or hang too.
#[derive(Debug)]
pub struct Guard(Child);

impl Guard {
    /// Starts a child.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        command.process_group(0).spawn().map(Guard)
    }

    /// How the child ended, if it has.
    pub fn ended(&mut self) -> Option<End> {
        self.0.try_wait().ok().flatten().map(End::of)
    }

    /// How the child ended, or does until the deadline.
    pub fn end(&mut self, deadline: Instant) -> Option<End> {
        loop {
            if let Some(end) = self.ended() {
                return Some(end);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Killing what has ended already does nothing; waiting leaves no zombie.
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
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
/// If the parent has ended already, or the system refuses.
pub fn obey_parent() -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // A parent that ended before the line above sends no signal any more.
    let parent = std::env::var(PARENT_VARIABLE).ok().and_then(|id| id.parse().ok());
    if parent != Some(std::os::unix::process::parent_id()) {
        return Err(io::Error::other("the process that started this one is gone"));
    }
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
    use std::path::Path;

    use super::*;

    #[test]
    fn an_end_is_told_in_words() {
        assert_eq!(End::Exited(0).to_string(), "ends the process with exit status 0");
        assert!(End::Killed(11).to_string().contains("SIGSEGV"));
        assert!(End::Killed(64).to_string().contains("signal 64"));
        let hung = End::Hung(Duration::from_millis(1500)).to_string();
        assert_eq!(hung, "hangs: no answer within 1.5 s");
    }

    /// What comes of a shell script that should deliver two numbers.
    fn work_of(script: &str) -> (Vec<u32>, Option<End>) {
        let mut shell = Command::new("sh");
        work(shell.args(["-c", script]), 2, Duration::from_millis(500)).unwrap()
    }

    #[test]
    fn an_answer_that_makes_no_sense_is_the_end_of_its_item_alone() {
        assert_eq!(work_of("echo 1; echo 2; exit 3"), (vec![1, 2], None));
        assert_eq!(work_of("echo 1; echo '{'; sleep 60"), (vec![1], Some(End::Garbled)));
        assert_eq!(work_of("echo 1; exit 3"), (vec![1], Some(End::Exited(3))));
        assert_eq!(work_of("kill -9 $$"), (vec![], Some(End::Killed(9))));
    }

    #[test]
    fn a_child_that_gives_no_answer_is_ended() {
        let id = tempfile::NamedTempFile::new().unwrap();
        let script = format!("echo $$ > {}; exec sleep 60", id.path().display());
        assert_eq!(work_of(&script), (vec![], Some(End::Hung(Duration::from_millis(500)))));
        let id = std::fs::read_to_string(id.path()).unwrap();
        assert!(!Path::new("/proc").join(id.trim()).exists());
    }

    #[test]
    fn what_a_child_leaves_behind_is_ended_too_and_its_own_end_is_told() {
        let id = tempfile::NamedTempFile::new().unwrap();
        // The shell's child keeps the pipe open.
        let script = format!("sleep 60 & echo $! > {}; exit 3", id.path().display());
        assert_eq!(work_of(&script), (vec![], Some(End::Exited(3))));
        let id = std::fs::read_to_string(id.path()).unwrap();
        let stat = Path::new("/proc").join(id.trim()).join("stat");
        // Whoever adopts it may not have waited for it yet.
        let lives = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
        let gone = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(5));
            !lives()
        });
        assert!(gone, "{id} lives");
    }
}
