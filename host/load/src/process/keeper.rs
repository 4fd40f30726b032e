//! What stands between host and child, so that neither what a child does to its parent nor what it leaves
//! behind reaches the host.
//!
//! ```text
//! host ── keeper ── stand-in ── child
//! ```
//!
//! The host starts the *keeper*, which forks twice. The *stand-in* is the parent that the child sees, and may
//! kill or stop; it waits for the child and tells the host how it ended. The keeper is a subreaper: whatever
//! loses its parent below it, in whichever process group or session, becomes its own. When the child or the
//! stand-in has ended, or the host has closed its end of the lifeline (by itself, or because it died), the
//! keeper kills what is there until nothing is left.
//!
//! The first word on the lifeline is that of whoever got furthest: the child that it is there, or the error
//! of the one that could not fork. So what the system refuses is never taken for a deed of the child.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use nix::unistd::{ForkResult, fork};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, getpid, getppid, getrlimit, kill_process,
    pidfd_open, set_child_subreaper, set_parent_process_death_signal, setrlimit, setsid, wait, waitpid,
};

use super::aftermath::is_child_of;
use super::end::End;
use super::frames::send;
use super::guard::StartMessage;

/// So many processes and threads more than the whole machine has now a child may bring its user to. A library
/// that forks without end so stops at a number that does no harm. Root is not bound by it.
const MOST_MORE: u64 = 512;

/// Makes of this process a keeper, a stand-in and a child. Only the child returns, with its connection to the
/// host; its standard input and output lead nowhere, it leaves no core file, and can't start processes
/// without end.
///
/// # Errors
/// If this process was not started by a [`Guard`](super::Guard), or the system refuses.
pub fn become_child() -> io::Result<UnixStream> {
    close_what_was_inherited()?;
    let null = || fs::File::options().read(true).write(true).open("/dev/null");
    let connection = io::stdin().as_fd().try_clone_to_owned()?;
    let lifeline = io::stdout().as_fd().try_clone_to_owned()?;
    let connected = |socket: OwnedFd| {
        let socket = UnixStream::from(socket);
        socket.peer_addr().map(|_| socket).map_err(|_| io::Error::other("only assay itself starts children"))
    };
    let (connection, lifeline) = (connected(connection)?, connected(lifeline)?);
    rustix::stdio::dup2_stdin(null()?)?;
    rustix::stdio::dup2_stdout(null()?)?;
    let become_one = become_one(connection, &lifeline);
    let begun: StartMessage = become_one.as_ref().map(|_| ()).map_err(errno);
    send(&lifeline, &begun)?;
    become_one
}

/// Closes what the caller of the host has open: no library is to find it by its number.
fn close_what_was_inherited() -> io::Result<()> {
    let listed =
        fs::read_dir("/proc/self/fd")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    // The list itself is one of them, and closed when it is complete.
    for descriptor in listed.collect::<Vec<i32>>().into_iter().filter(|descriptor| *descriptor > 2) {
        // SAFETY: this process was just started, and has opened nothing itself that it still uses.
        unsafe { rustix::io::close(descriptor) };
    }
    Ok(())
}

fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or_else(|| Errno::IO.raw_os_error())
}

/// Forks twice. The child returns, or whoever fails.
fn become_one(connection: UnixStream, lifeline: &UnixStream) -> io::Result<UnixStream> {
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    let keeper = getpid();
    set_child_subreaper(Some(keeper))?;
    if let Some(stand_in) = forked()? {
        drop(connection);
        keep(stand_in, lifeline);
    }
    end_with(keeper)?;
    let stand_in = getpid();
    if let Some(child) = forked()? {
        drop(connection);
        report(child, lifeline);
    }
    end_with(stand_in)?;
    is_child_of(stand_in);
    // What it sends to its process group reaches nobody else, and it has no terminal.
    setsid()?;
    limit_processes()?;
    Ok(connection)
}

fn limit_processes() -> io::Result<()> {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let Some(all) = threads(&load) else { return Ok(()) };
    let Rlimit { current, maximum } = getrlimit(Resource::Nproc);
    let lower = |limit: Option<u64>| Some(limit.unwrap_or(u64::MAX).min(all + MOST_MORE));
    setrlimit(Resource::Nproc, Rlimit { current: lower(current), maximum: lower(maximum) })?;
    Ok(())
}

/// All threads of the machine, from what the system says of its load: `0.20 0.18 0.12 1/80 11206`.
fn threads(load: &str) -> Option<u64> {
    load.split_whitespace().nth(3)?.split_once('/')?.1.parse().ok().filter(|&all| all > 0)
}

/// Forks: the new process's id, or none in the new process.
fn forked() -> io::Result<Option<Pid>> {
    // SAFETY: this process was just started and has one thread, so no lock is held by another that is not
    // copied.
    match unsafe { fork() }? {
        ForkResult::Child => Ok(None),
        ForkResult::Parent { child } => Ok(Pid::from_raw(child.as_raw())),
    }
}

/// Lets the calling process end when its parent does.
fn end_with(parent: Pid) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // A parent that ended before the line above sends no signal any more.
    if getppid() == Some(parent) {
        return Ok(());
    }
    Err(Errno::SRCH.into())
}

/// The keeper.
fn keep(stand_in: Pid, lifeline: &UnixStream) -> ! {
    if let Ok(stand_in) = pidfd_open(stand_in, PidfdFlags::empty()) {
        let mut either = [PollFd::new(&stand_in, PollFlags::IN), PollFd::new(lifeline, PollFlags::IN)];
        while poll(&mut either, None) == Err(Errno::INTR) {}
    }
    loop {
        let doomed: Vec<Pid> = children().collect();
        for child in &doomed {
            // It may have ended by itself.
            let _ = kill_process(*child, Signal::KILL);
        }
        // What has lost its parent by this is a child the next time.
        for _ in 0..doomed.len().max(1) {
            if matches!(wait(WaitOptions::empty()), Err(Errno::CHILD)) {
                std::process::exit(0)
            }
        }
    }
}

/// The children of this process, which has one thread; also those that it has adopted.
fn children() -> impl Iterator<Item = Pid> {
    let listed = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    let ids: Vec<i32> = listed.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    ids.into_iter().filter_map(Pid::from_raw)
}

/// The stand-in.
fn report(child: Pid, lifeline: &UnixStream) -> ! {
    let end = loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => break End::from_status(status),
            Ok(None) | Err(Errno::INTR) => {}
            Err(_) => break End::KilledItsParent,
        }
    };
    // A host that is gone needs no answer.
    let _ = send(lifeline, &end);
    std::process::exit(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_the_machine_stand_behind_the_load() {
        let loads = ["0.20 0.18 0.12 1/80 11206\n", "0.00 0.00 0.00 0/0 0\n", ""];
        assert_eq!(loads.map(threads), [Some(80), None, None]);
    }
}
