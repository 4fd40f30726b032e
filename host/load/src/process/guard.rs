//! The host's side of a child: starts it, hears how it ended, and lets nothing of it outlive its value.

use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assay_base::error::{Error, reason};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::end::End;
use super::frames::{receive, send};
use super::stopwatch::{LOOK_EVERY, Stopwatch};
use super::tasks::Task;

/// The hidden first argument with which this program is a child.
pub const ENTRY: &str = "__child";

/// The first message on the lifeline: whether the child is there, or the number of the system's error.
pub(super) type StartMessage = Result<(), i32>;

/// Three processes that are not there after this will not come.
const BEGIN: Duration = Duration::from_secs(30);

/// A keeper that needs longer than this to clear up was stopped, and is ended.
const CLEAR_UP: Duration = Duration::from_secs(2);

/// A child and all that it has started, which end with this value, or with this process. What stands between
/// is described in [`keeper`](super::keeper).
#[derive(Debug)]
pub struct Guard {
    keeper: Child,
    /// To the keeper: closed when the child is to end, and by the keeper when nothing is left of it.
    lifeline: UnixStream,
    end: Option<End>,
}

impl Guard {
    /// Starts a child, and the connection to it, and waits until it is there: it has run no code of others
    /// yet. It is this very program, even if its file was replaced meanwhile.
    ///
    /// # Errors
    /// If the system refuses a process, to this one or to those that stand between.
    pub fn start(task: &Task, stderr: Stdio) -> io::Result<(Self, UnixStream)> {
        let (connection, childs) = UnixStream::pair()?;
        let (lifeline, keepers) = UnixStream::pair()?;
        let mut command = Command::new("/proc/self/exe");
        command.arg0("assay").arg(ENTRY).stderr(stderr);
        command.stdin(OwnedFd::from(childs)).stdout(OwnedFd::from(keepers));
        // A group of its own: Ctrl-C is the host's to handle.
        let keeper = command.process_group(0).spawn()?;
        // It holds the others' ends of both.
        drop(command);
        let guard = Guard { keeper, lifeline, end: None };
        guard.begun()?;
        send(&connection, task)?;
        // A program that is started anew gets its instructions anew.
        if let Task::Launched(_, task) = task {
            send(&connection, task)?;
        }
        Ok((guard, connection))
    }

    fn begun(&self) -> io::Result<()> {
        if !readable(&self.lifeline, BEGIN) {
            return Err(Errno::TIMEDOUT.into());
        }
        match receive::<StartMessage>(&self.lifeline)? {
            Some(begun) => begun.map_err(io::Error::from_raw_os_error),
            None => Err(io::Error::other("it ended before it began")),
        }
    }

    /// How the child ended, if it has, or does so in this time.
    pub fn end_within(&mut self, patience: Duration) -> Option<End> {
        if self.end.is_none() && readable(&self.lifeline, patience) {
            // The keeper says nothing if the process that waits for the child could say nothing.
            self.end = Some(receive(&self.lifeline).ok().flatten().unwrap_or(End::KilledItsParent));
        }
        self.end
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.lifeline.shutdown(Shutdown::Write);
        // What comes is the end of the child, and then the end of the stream.
        while readable(&self.lifeline, CLEAR_UP) {
            if !matches!(receive::<End>(&self.lifeline), Ok(Some(_))) {
                let _ = self.keeper.wait();
                return;
            }
        }
        // Those below it are killed when their parents end.
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// What to say where a child could not be started.
pub fn not_started(error: &io::Error) -> Error {
    lacking("process", error)
}

/// What to say where a child had no room for another thread.
pub fn no_thread(error: &io::Error) -> Error {
    lacking("thread", error)
}

fn lacking(what: &str, error: &io::Error) -> Error {
    let message = Error::new(format!("can't start a {what}: {}", reason(error)));
    match Errno::from_io_error(error) {
        Some(Errno::AGAIN) => message.remedy("end other processes, or raise their limit (`ulimit -u`)"),
        Some(Errno::MFILE | Errno::NFILE) => message.remedy("raise the limit of open files (`ulimit -n`)"),
        Some(Errno::NOMEM) => message.remedy("free some memory"),
        _ => message,
    }
}

/// Whether there is something to read, or the end of the stream, or will be in this time.
pub(super) fn readable(stream: impl AsFd, patience: Duration) -> bool {
    let mut waited = Stopwatch::start();
    let mut left = patience;
    loop {
        let look = Timespec::try_from(left.min(LOOK_EVERY)).expect("it is short");
        match poll(&mut [PollFd::new(&stream, PollFlags::IN)], Some(&look)) {
            Ok(0) | Err(Errno::INTR) => {}
            // An error shows when reading.
            _ => return true,
        }
        left = patience.saturating_sub(waited.look());
        if left.is_zero() {
            return false;
        }
    }
}
