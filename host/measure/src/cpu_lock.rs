//! Notices when two runs measure on one CPU, by a lock file for each CPU. Every run holds a shared lock on
//! the file. A run that tries to turn its lock into an exclusive one, and can't, is not alone there.

use std::fs::File;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// The lock of a CPU, held for as long as this value lives.
#[derive(Debug)]
pub(crate) struct CpuLock {
    /// The lock file; `None` if it can't be opened or made. Measuring does not fail for that.
    file: Option<File>,
    /// Whether another run was ever seen on this CPU; `None` if that is not known.
    shared: Option<bool>,
}

impl CpuLock {
    /// Locks a CPU and checks whether another run holds it too. It does not wait.
    pub(crate) fn new(cpu: usize) -> Self {
        Self::within(&folder(), cpu)
    }

    /// Locks all CPUs of a run: that of the worker, and those of the threads that search with it.
    pub(crate) fn all(own: Option<usize>, team: &[usize]) -> Vec<Self> {
        let others = team.iter().copied().filter(|cpu| Some(*cpu) != own);
        own.into_iter().chain(others).map(CpuLock::new).collect()
    }

    /// Whether another run was seen on one of these CPUs; `None` if that is known of none of them.
    pub(crate) fn any_shared(locks: &[Self]) -> Option<bool> {
        locks.iter().filter_map(CpuLock::shared).reduce(|one, other| one || other)
    }

    fn within(folder: &Path, cpu: usize) -> Self {
        let path = folder.join(format!("assay-cpu-{cpu}.lock"));
        // Opened for reading first, because a file that another user made can't be written to, but can be
        // locked.
        let file = File::open(&path).or_else(|_| File::create(&path)).ok();
        let mut lock = CpuLock { file, shared: None };
        lock.check();
        lock
    }

    /// Checks whether another run measures on this CPU now. Every run must check from time to time: the one
    /// that came first learns of later ones only in this way.
    pub(crate) fn check(&mut self) {
        let Some(file) = &self.file else { return };
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => self.shared = self.shared.or(Some(false)),
            Err(Errno::WOULDBLOCK) => self.shared = Some(true),
            // A file system without locks: nothing is known.
            Err(_) => {}
        }
        // A failed attempt loses the shared lock as well (flock(2): a conversion is not atomic), so it is
        // taken again. That fails while another run makes the same attempt; the next check repairs it.
        let _ = flock(file, FlockOperation::NonBlockingLockShared);
    }

    /// Whether another run was seen on this CPU; `None` if that is not known.
    pub(crate) fn shared(&self) -> Option<bool> {
        self.shared
    }
}

/// The folder for files that last as long as the programs of a user.
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
    fn two_runs_that_overlap_both_notice_and_remember() {
        let folder = tempfile::tempdir().unwrap();
        let [mut first, mut second] = [3, 3].map(|cpu| CpuLock::within(folder.path(), cpu));
        assert_eq!((first.shared(), second.shared()), (Some(false), Some(true)));
        first.check();
        assert_eq!(first.shared(), Some(true));
        drop(first);
        second.check();
        assert_eq!(second.shared(), Some(true));
    }
}
