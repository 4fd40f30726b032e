//! Binding of threads to CPUs.

use rustix::thread::{CpuSet, sched_setaffinity};

/// Binds the calling thread to a CPU, and returns whether that succeeded. Most callers ignore the answer,
/// because the CPU was found to be allowed when it was chosen, and a thread elsewhere still measures.
pub fn bind_to_cpu(cpu: usize) -> bool {
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).is_ok()
}
