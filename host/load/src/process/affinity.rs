//! On which CPU a thread runs.

use rustix::thread::{CpuSet, sched_setaffinity};

/// Keeps the calling thread on a CPU, and says whether it is. One that can't be had is hardly worth failing
/// for: it was found to be allowed.
pub fn keep_on(cpu: usize) -> bool {
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).is_ok()
}
