//! The processes between host and child. They keep from the host what a child does to its parent, and what it
//! leaves running.
//!
//! ```text
//! host ── keeper ── stand-in ── child
//! ```
//!
//! The host starts the *keeper*, which forks twice. The *stand-in* is the parent that the child sees, and may
//! kill or stop; it waits for the child and tells the host how it ended. The keeper is a subreaper: whatever
//! loses its parent below it, in whichever process group or session, becomes its own. When the child or the
//! stand-in has ended, or the host has closed its end of the lifeline (by itself, or because it died), the
//! keeper kills its children until it has none.
//!
//! The first message on the lifeline says whether the child was started. It comes from the child, or from the
//! process that could not fork. So the host never blames a library for what the system refused.

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

use super::child_end::ChildEnd;
use super::child_guard::StartOutcome;
use super::forks_and_orphans::is_child_of;
use super::frames::send;
use super::requests_to_end;
use super::sandbox::ForbiddenCallNote;

/// Number of processes and threads that a child may add to those that the machine has now. Algorithms with
/// threads need fewer, and a library that forks without end stops before it does harm. The limit does not
/// hold for root.
const MOST_MORE: u64 = 512;

/// Turns this process into a keeper, and starts stand-in and child. Only the child returns, with its
/// connection to the host. Its standard input and output lead nowhere, it leaves no core file, and it can't
/// start processes without end.
///
/// # Errors
/// If this process was not started by a [`ChildGuard`](super::ChildGuard), or if the system refuses a
/// process.
pub fn become_child() -> io::Result<UnixStream> {
    close_what_was_inherited()?;
    let connection = connected(io::stdin().as_fd().try_clone_to_owned()?)?;
    let lifeline = connected(io::stdout().as_fd().try_clone_to_owned()?)?;
    let null = fs::File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    let become_one = become_one(connection, &lifeline);
    let begun: StartOutcome = become_one.as_ref().map(|_| ()).map_err(errno);
    send(&lifeline, &begun)?;
    become_one
}

/// A descriptor as a connection.
///
/// # Errors
/// If it is none: a user has started the program with the hidden argument.
fn connected(descriptor: OwnedFd) -> io::Result<UnixStream> {
    let socket = UnixStream::from(descriptor);
    match socket.peer_addr() {
        Ok(_) => Ok(socket),
        Err(_) => Err(io::Error::other("only assay itself starts children")),
    }
}

/// Closes every descriptor that was inherited from the program that started the host, so that no library can
/// write to its files.
fn close_what_was_inherited() -> io::Result<()> {
    let listed =
        fs::read_dir("/proc/self/fd")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    // Collected first, because the list itself has a descriptor, which is closed when the list is complete.
    for descriptor in listed.collect::<Vec<i32>>().into_iter().filter(|descriptor| *descriptor > 2) {
        // SAFETY: this process was just started, and has opened nothing itself that it still uses.
        unsafe { rustix::io::close(descriptor) };
    }
    Ok(())
}

/// The number of an error of the system.
fn errno(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or_else(|| Errno::IO.raw_os_error())
}

/// Forks twice. Returns in the child, or in the process that fails.
fn become_one(connection: UnixStream, lifeline: &UnixStream) -> io::Result<UnixStream> {
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    requests_to_end::ignore()?;
    let keeper = getpid();
    set_child_subreaper(Some(keeper))?;
    if let Some(stand_in) = forked()? {
        drop(connection);
        keep(stand_in, lifeline);
    }
    end_with(keeper)?;
    let stand_in = getpid();
    let note = ForbiddenCallNote::new()?;
    if let Some(child) = forked()? {
        drop(connection);
        report(child, lifeline, &note);
    }
    note.keep();
    end_with(stand_in)?;
    is_child_of(stand_in);
    // A session of its own: a signal to its process group reaches no other process, and it has no terminal.
    setsid()?;
    limit_processes()?;
    Ok(connection)
}

/// Limits the number of processes of the user for this process and what it starts.
fn limit_processes() -> io::Result<()> {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let Some(all) = threads(&load) else { return Ok(()) };
    let Rlimit { current, maximum } = getrlimit(Resource::Nproc);
    let lower = |limit: Option<u64>| Some(limit.unwrap_or(u64::MAX).min(all + MOST_MORE));
    setrlimit(Resource::Nproc, Rlimit { current: lower(current), maximum: lower(maximum) })?;
    Ok(())
}

/// The number of threads of the machine, which `/proc/loadavg` shows after the slash: `0.20 0.18 0.12 1/80
/// 11206`.
fn threads(load: &str) -> Option<u64> {
    load.split_whitespace().nth(3)?.split_once('/')?.1.parse().ok().filter(|&all| all > 0)
}

/// Forks. Returns the id of the new process; `None` in the new process.
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

/// The work of the keeper: it waits for the end of the stand-in or of the lifeline, and then ends all its
/// children.
fn keep(stand_in: Pid, lifeline: &UnixStream) -> ! {
    if let Ok(stand_in) = pidfd_open(stand_in, PidfdFlags::empty()) {
        let mut either = [PollFd::new(&stand_in, PollFlags::IN), PollFd::new(lifeline, PollFlags::IN)];
        while poll(&mut either, None) == Err(Errno::INTR) {}
    }
    loop {
        let doomed: Vec<Pid> = children().collect();
        for child in &doomed {
            // Fails if the child has ended by itself.
            let _ = kill_process(*child, Signal::KILL);
        }
        // Processes that lost their parent by this are children of the keeper in the next pass.
        for _ in 0..doomed.len().max(1) {
            if matches!(wait(WaitOptions::empty()), Err(Errno::CHILD)) {
                std::process::exit(0)
            }
        }
    }
}

/// The children of this process, with those that it has adopted. The list of the thread is that of the
/// process, because the keeper has one thread.
fn children() -> impl Iterator<Item = Pid> {
    let listed = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    let ids: Vec<i32> = listed.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    ids.into_iter().filter_map(Pid::from_raw)
}

/// The work of the stand-in: it waits for the child, and reports its end to the host.
fn report(child: Pid, lifeline: &UnixStream, note: &ForbiddenCallNote) -> ! {
    let end = loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => break ChildEnd::from_status(status, note.read()),
            Ok(None) | Err(Errno::INTR) => {}
            Err(_) => break ChildEnd::KilledItsParent,
        }
    };
    // Fails if the host is gone, and then the report has no reader.
    let _ = send(lifeline, &end);
    std::process::exit(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_the_machine_are_read_from_the_load() {
        let loads = ["0.20 0.18 0.12 1/80 11206\n", "0.00 0.00 0.00 0/0 0\n", ""];
        assert_eq!(loads.map(threads), [Some(80), None, None]);
    }
}
