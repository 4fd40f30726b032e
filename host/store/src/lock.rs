//! Locks on files. The lock of a run distinguishes one that measures from one that was killed, and keeps
//! two processes from continuing the same run. The system takes a lock away when its process ends, however it
//! ends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use assay_base::error::{Error, Result};

use crate::MEASUREMENTS;

/// Whoever only asks whether a file is locked holds the lock for a moment. So an attempt to lock is repeated.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// The lock on a file, held until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    file: File,
}

impl FileLock {
    /// Locks a file, which is made if it is missing; `None` if another process has locked it. A file system
    /// without locks allows everything.
    ///
    /// # Errors
    /// If the file can't be opened.
    pub fn take(path: &Path) -> Result<Option<Self>> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| Error::io("write", path, &error))?;
        for _ in 0..ATTEMPTS {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Some(FileLock { file })),
            }
        }
        Ok(None)
    }

    /// Lets the programs that this process starts hold the lock, too, until the last of them ends.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn share_with_children(&self) -> Result<()> {
        rustix::io::fcntl_setfd(&self.file, rustix::io::FdFlags::empty())
            .map_err(|error| Error::new(format!("can't share a lock: {error}")))
    }

    /// Whether a process has locked this file.
    pub fn is_held(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// Locks the folder of a run.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn of_run(folder: &Path) -> Result<Option<Self>> {
        FileLock::take(&folder.join(MEASUREMENTS))
    }
}

/// Whether a process measures into a folder now.
pub fn is_measuring(folder: &Path) -> bool {
    FileLock::is_held(&folder.join(MEASUREMENTS))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_program_that_outlives_its_parent_holds_a_shared_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = FileLock::take(&path).unwrap().unwrap();
        lock.share_with_children().unwrap();
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        drop(lock);
        assert!(FileLock::is_held(&path));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(!FileLock::is_held(&path));
    }

    #[test]
    fn a_folder_is_locked_once_and_until_the_lock_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_measuring(folder.path()), "there is nothing to lock");
        let lock = FileLock::of_run(folder.path()).unwrap().unwrap();
        assert!(is_measuring(folder.path()));
        assert!(FileLock::of_run(folder.path()).unwrap().is_none());
        drop(lock);
        assert!(!is_measuring(folder.path()) && FileLock::of_run(folder.path()).unwrap().is_some());
    }
}
