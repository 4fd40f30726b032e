//! The worker's side: the hidden command that the host starts.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::thread::{CpuSet, sched_setaffinity};

use super::measure::Bench;
use super::protocol::{ToHost, ToWorker, receive, send};
use super::shared::Heartbeat;
use crate::process::obey_parent;

/// Serves the host that started this process, over standard input, until it closes the connection.
///
/// # Errors
/// If the connection breaks.
pub fn serve() -> io::Result<()> {
    obey_parent()?;
    let mut host = take_standard_input()?;
    let Some(ToWorker::Setup(setup, watch)) = receive(&mut host)? else { return Ok(()) };
    if let Some(cpu) = setup.cpu {
        pin(cpu);
    }
    let watch = Heartbeat::open(&watch)?;
    let mut bench = match Bench::new(&setup) {
        Ok(bench) => bench,
        Err(failure) => return send(&mut host, &ToHost::Ended(failure.into())),
    };
    send(&mut host, &ToHost::Ready)?;
    while let Some(ToWorker::Batch(batch)) = receive(&mut host)? {
        let mut sent = Ok(());
        let result = bench.run(&batch, &watch, |rows| {
            sent = send(&mut host, &ToHost::Rows(rows));
            sent.is_ok()
        });
        sent?;
        send(&mut host, &result.map_or_else(|failure| ToHost::Ended(failure.into()), |()| ToHost::Done))?;
    }
    Ok(())
}

/// Moves the connection away from standard input, where a library might read it.
fn take_standard_input() -> io::Result<UnixStream> {
    let connection: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    io::stdout().flush()?;
    Ok(connection.into())
}

/// Keeps the calling thread on a CPU. One that can't be had is not worth failing for: it was found to be allowed.
pub fn pin(cpu: usize) {
    let mut set = CpuSet::new();
    set.set(cpu);
    let _ = sched_setaffinity(None, &set);
}
