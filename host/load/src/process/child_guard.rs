//! The side of the host: starts a child, learns how it ended, and ends everything that the child has started.

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

use super::child_end::ChildEnd;
use super::frames::receive;
use super::requests_to_end::shielded;
use super::sandbox::Permissions;
use super::stopwatch::{LOOK_EVERY, Stopwatch};
use super::tasks::{Task, send_task};

/// The hidden first argument that makes this program a child.
pub const ENTRY: &str = "__child";

/// The first message on the lifeline: whether the child was started, or the number of the error of the
/// system.
pub(super) type StartOutcome = Result<(), i32>;

/// Time for keeper, stand-in and child to start. They need milliseconds; a machine on which they need longer
/// than this has no process left for them.
const START_TIME: Duration = Duration::from_secs(30);

/// Time for the keeper to end what the child has started. Killing takes milliseconds, so a keeper that needs
/// longer was stopped by a signal, and is killed.
const END_TIME: Duration = Duration::from_secs(2);

/// A child with everything that it has started. All of it ends when this value is dropped or when this
/// process ends. [`keeper`](super::keeper) describes the processes between.
#[derive(Debug)]
pub struct ChildGuard {
    keeper: Child,
    /// The connection to the keeper. This side closes it to end the child; the keeper closes it when nothing
    /// is left.
    lifeline: UnixStream,
    end: Option<ChildEnd>,
}

impl ChildGuard {
    /// Starts a child and waits until it is there. Returns it with the connection to it. The child has run no
    /// code of a library yet. It is the same program as this one, even if the file of the program was
    /// replaced meanwhile.
    ///
    /// # Errors
    /// If the system refuses a process, to this process or to one of those between.
    pub fn start(task: &Task, permissions: &Permissions, stderr: Stdio) -> io::Result<(Self, UnixStream)> {
        let (connection, childs) = UnixStream::pair()?;
        let (lifeline, keepers) = UnixStream::pair()?;
        let mut command = Command::new("/proc/self/exe");
        command.arg0("assay").arg(ENTRY).stderr(stderr);
        command.stdin(OwnedFd::from(childs)).stdout(OwnedFd::from(keepers));
        // A process group of its own, because Ctrl-C must reach the host only.
        let keeper = shielded(|| command.process_group(0).spawn())?;
        // Closes the other ends of both connections, which would otherwise stay open after the child has
        // ended.
        drop(command);
        let guard = ChildGuard { keeper, lifeline, end: None };
        guard.wait_for_start()?;
        send_task(&connection, task, permissions)?;
        Ok((guard, connection))
    }

    /// Waits for the first message on the lifeline.
    fn wait_for_start(&self) -> io::Result<()> {
        if !readable(&self.lifeline, START_TIME) {
            return Err(Errno::TIMEDOUT.into());
        }
        match receive::<StartOutcome>(&self.lifeline)? {
            Some(outcome) => outcome.map_err(io::Error::from_raw_os_error),
            None => Err(io::Error::other("it ended before it began")),
        }
    }

    /// Returns how the child ended, if it has ended or ends within this time.
    pub fn end_within(&mut self, patience: Duration) -> Option<ChildEnd> {
        if self.end.is_none() && readable(&self.lifeline, patience) {
            // A lifeline that closes without a message means that the stand-in was killed.
            self.end = Some(receive(&self.lifeline).ok().flatten().unwrap_or(ChildEnd::KilledItsParent));
        }
        self.end
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        let _ = self.lifeline.shutdown(Shutdown::Write);
        // Reads the end of the child, and then the end of the stream.
        while readable(&self.lifeline, END_TIME) {
            if !matches!(receive::<ChildEnd>(&self.lifeline), Ok(Some(_))) {
                let _ = self.keeper.wait();
                return;
            }
        }
        // The processes below the keeper are killed by the system when their parents end.
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// The error of a child that could not be started.
pub fn not_started(error: &io::Error) -> Error {
    lacking("process", error)
}

/// The error of a thread that could not be started in a child.
pub fn no_thread(error: &io::Error) -> Error {
    lacking("thread", error)
}

/// The error of a process or thread that could not be started, with what to do about it.
fn lacking(what: &str, error: &io::Error) -> Error {
    let message = Error::new(format!("can't start a {what}: {}", reason(error)));
    match Errno::from_io_error(error) {
        Some(Errno::AGAIN) => message.remedy("end other processes, or raise their limit (`ulimit -u`)"),
        Some(Errno::MFILE | Errno::NFILE) => message.remedy("raise the limit of open files (`ulimit -n`)"),
        Some(Errno::NOMEM) => message.remedy("free some memory"),
        _ => message.remedy("try again with fewer other programs running"),
    }
}

/// Whether there is something to read, or the end of the stream, now or within this time.
pub(super) fn readable(stream: impl AsFd, patience: Duration) -> bool {
    let mut waited = Stopwatch::start();
    let mut remaining = patience;
    loop {
        let look = Timespec::try_from(remaining.min(LOOK_EVERY)).expect("it is short");
        match poll(&mut [PollFd::new(&stream, PollFlags::IN)], Some(&look)) {
            Ok(0) | Err(Errno::INTR) => {}
            // Ready, or an error, which reading will show.
            _ => return true,
        }
        remaining = patience.saturating_sub(waited.look());
        if remaining.is_zero() {
            return false;
        }
    }
}
