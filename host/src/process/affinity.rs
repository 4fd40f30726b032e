//! On which CPU a thread runs.

use rustix::thread::{CpuSet, sched_setaffinity};

/// Keeps the calling thread on a CPU. One that can't be had is not worth failing for: it was found to be allowed.
pub fn keep_on(cpu: usize) {
    let mut set = CpuSet::new();
    set.set(cpu);
    let _ = sched_setaffinity(None, &set);
}
