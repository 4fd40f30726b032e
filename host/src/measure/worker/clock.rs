//! The clock of the phases: CLOCK_MONOTONIC, which host and workers share.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds since an arbitrary moment, the same for all processes of the machine.
#[inline]
pub fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
