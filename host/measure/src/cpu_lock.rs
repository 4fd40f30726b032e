//! One run a CPU: a file that all who measure there hold locked together, and that nobody can lock alone while others do.

use std::fs::File;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// A CPU on which to measure, for as long as the value lasts.
#[derive(Debug)]
pub(crate) struct CpuLock {
    /// None if there is no place for it.
    file: Option<File>,
    /// Whether somebody else was ever seen there.
    shared: Option<bool>,
}

impl CpuLock {
    /// Locks a CPU, and looks who else has. It does not wait.
    pub(crate) fn new(cpu: usize) -> Self {
        Self::within(&folder(), cpu)
    }

    /// Locks all CPUs of a run: that of the worker, and those of the threads that search with it.
    pub(crate) fn all(own: Option<usize>, team: &[usize]) -> Vec<Self> {
        let others = team.iter().copied().filter(|cpu| Some(*cpu) != own);
        own.into_iter().chain(others).map(CpuLock::new).collect()
    }

    /// Whether somebody else was seen to measure on one of these CPUs, where that is known.
    pub(crate) fn any_shared(locks: &[Self]) -> Option<bool> {
        locks.iter().filter_map(CpuLock::shared).reduce(|one, other| one || other)
    }

    fn within(folder: &Path, cpu: usize) -> Self {
        let path = folder.join(format!("assay-cpu-{cpu}.lock"));
        // One that somebody else made can be locked, but not written to.
        let file = File::open(&path).or_else(|_| File::create(&path)).ok();
        let mut lock = CpuLock { file, shared: None };
        lock.look();
        lock
    }

    /// Looks whether somebody else measures there now. To be asked every now and then, by all: whoever came first learns of
    /// those that came later only by this.
    pub(crate) fn look(&mut self) {
        let Some(file) = &self.file else { return };
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => self.shared = self.shared.or(Some(false)),
            Err(Errno::WOULDBLOCK) => self.shared = Some(true),
            Err(_) => {}
        }
        // Who asks for the lock alone has lost the common one. It is not to be had in the moment in which another asks.
        let _ = flock(file, FlockOperation::NonBlockingLockShared);
    }

    /// Whether somebody else was seen to measure there, where that is known.
    pub(crate) fn shared(&self) -> Option<bool> {
        self.shared
    }
}

/// Where programs of this user keep what lasts as long as they run.
fn folder() -> PathBuf {
    std::env::var_os("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_is_locked_once_and_free_again_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let lock = |cpu| CpuLock::within(folder.path(), cpu);
        let first = lock(3);
        assert_eq!(first.shared(), Some(false));
        assert_eq!(lock(3).shared(), Some(true));
        assert_eq!(lock(4).shared(), Some(false));
        drop(first);
        assert_eq!(lock(3).shared(), Some(false));
        assert_eq!(CpuLock::within(&folder.path().join("none"), 3).shared(), None);
    }

    #[test]
    fn of_two_that_overlap_both_know_and_remember() {
        let folder = tempfile::tempdir().unwrap();
        let [mut first, mut second] = [3, 3].map(|cpu| CpuLock::within(folder.path(), cpu));
        assert_eq!((first.shared(), second.shared()), (Some(false), Some(true)));
        first.look();
        assert_eq!(first.shared(), Some(true));
        drop(first);
        second.look();
        assert_eq!(second.shared(), Some(true));
    }
}
