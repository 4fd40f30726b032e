//! One run a CPU: a file that whoever measures there holds locked.

use std::fs::File;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// A CPU on which to measure, for as long as the value lasts.
#[derive(Debug)]
pub enum CpuLock {
    /// Nobody else measures there.
    Held(File),
    /// Somebody else does.
    Taken,
    /// There is no place for the file.
    Unknown,
}

impl CpuLock {
    /// Locks a CPU, or finds out that somebody else has. It does not wait.
    pub fn new(cpu: usize) -> Self {
        Self::within(&folder(), cpu)
    }

    fn within(folder: &Path, cpu: usize) -> Self {
        let path = folder.join(format!("assay-cpu-{cpu}.lock"));
        // One that somebody else made can be locked, but not written to.
        let Ok(file) = File::open(&path).or_else(|_| File::create(&path)) else { return CpuLock::Unknown };
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => CpuLock::Held(file),
            Err(Errno::WOULDBLOCK) => CpuLock::Taken,
            Err(_) => CpuLock::Unknown,
        }
    }

    /// Whether somebody else measures there, where that is known.
    pub fn shared(&self) -> Option<bool> {
        match self {
            CpuLock::Held(_) => Some(false),
            CpuLock::Taken => Some(true),
            CpuLock::Unknown => None,
        }
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
        let first = CpuLock::within(folder.path(), 3);
        assert_eq!(first.shared(), Some(false));
        assert_eq!(CpuLock::within(folder.path(), 3).shared(), Some(true));
        assert_eq!(CpuLock::within(folder.path(), 4).shared(), Some(false));
        drop(first);
        assert_eq!(CpuLock::within(folder.path(), 3).shared(), Some(false));
        assert_eq!(CpuLock::within(&folder.path().join("none"), 3).shared(), None);
    }
}
