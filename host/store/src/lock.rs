//! The lock of a run that measures. It tells such a run from one that was killed, and keeps two processes
//! from continuing the same run. The system takes it away when its process ends, however it ends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use assay_base::error::{Error, Result};

use crate::MEASUREMENTS;

/// Whoever only asks whether a run measures holds the lock for a moment. So an attempt to lock is repeated.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// The lock on a folder, held until it is dropped.
#[derive(Debug)]
pub(crate) struct RunLock {
    _file: File,
}

impl RunLock {
    /// Locks a folder; `None` if another process has locked it. A file system without locks allows
    /// everything.
    ///
    /// # Errors
    /// If the file to lock can't be opened.
    pub(crate) fn take(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(MEASUREMENTS);
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|error| Error::io("write", &path, &error))?;
        for _ in 0..ATTEMPTS {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Some(RunLock { _file: file })),
            }
        }
        Ok(None)
    }
}

/// Whether a process measures into a folder now.
pub fn is_measuring(folder: &Path) -> bool {
    let Ok(file) = File::open(folder.join(MEASUREMENTS)) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_and_until_the_lock_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_measuring(folder.path()), "there is nothing to lock");
        let lock = RunLock::take(folder.path()).unwrap().unwrap();
        assert!(is_measuring(folder.path()));
        assert!(RunLock::take(folder.path()).unwrap().is_none());
        drop(lock);
        assert!(!is_measuring(folder.path()) && RunLock::take(folder.path()).unwrap().is_some());
    }
}
