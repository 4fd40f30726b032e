//! The signals that ask a process to end. A batch system sends them to all processes of a job. They are meant
//! for the host, which ends its children itself: if a child ended first, the host would blame its library.

use std::io;

use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal};

const REQUESTS: [Signal; 3] = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP];

/// Calls a function that starts a process. Requests to end that come to the new process wait until it
/// [ignores](ignore) them; those to this one wait until the function returns.
pub(super) fn shielded<T>(start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let before = SigSet::from_iter(REQUESTS).thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let started = start();
    before.thread_set_mask()?;
    started
}

/// Ignores the requests in this process and in what it starts, also those that came while it was started.
pub(super) fn ignore() -> io::Result<()> {
    for request in REQUESTS {
        // SAFETY: no function is installed, so none can do what is forbidden in a handler.
        unsafe { signal(request, SigHandler::SigIgn) }?;
    }
    Ok(SigSet::from_iter(REQUESTS).thread_unblock()?)
}
