//! The clock of the phases: CLOCK_MONOTONIC, which host and workers share.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds since an arbitrary moment, the same for all processes of the machine.
#[inline]
pub(crate) fn now_ns() -> u64 {
    read(ClockId::Monotonic)
}

/// Nanoseconds that the calling thread has run.
pub(crate) fn thread_ns() -> u64 {
    read(ClockId::ThreadCPUTime)
}

/// Nanoseconds that those have run who search: the calling thread, or all of several together.
pub(crate) fn run_ns(threads: usize) -> u64 {
    if threads == 1 { thread_ns() } else { read(ClockId::ProcessCPUTime) }
}

#[inline]
fn read(clock: ClockId) -> u64 {
    let now = clock_gettime(clock);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
