//! The clocks of a worker. All phases are timed with `CLOCK_MONOTONIC`, which is the same in host and
//! workers.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds since an arbitrary moment, the same for all processes of the machine.
#[inline]
pub(crate) fn now_ns() -> u64 {
    read(ClockId::Monotonic)
}

/// Nanoseconds for which the calling thread has run.
pub(crate) fn thread_ns() -> u64 {
    read(ClockId::ThreadCPUTime)
}

/// Nanoseconds for which the searching threads have run: the calling thread if it is the only one, otherwise
/// all threads of the process together.
pub(crate) fn run_ns(threads: usize) -> u64 {
    if threads == 1 { thread_ns() } else { read(ClockId::ProcessCPUTime) }
}

#[inline]
fn read(clock: ClockId) -> u64 {
    let now = clock_gettime(clock);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
