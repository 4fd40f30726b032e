//! What shows that a file is still the same, without reading it.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Where a file lies, its size and its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    /// When the content was changed, as far as the owner says: anybody who may write to the file may set this
    /// time.
    mtime_ns: i64,
    /// When content, owner, rights or names were changed, as the system says: no program can set this time.
    ctime_ns: i64,
}

/// A file that was changed this recently may be changed again without a change of its times, because some
/// file systems round times to two seconds (FAT; ext3 to one, others to a tick of the system's clock, at most
/// 10 ms).
const UNSETTLED: Duration = Duration::from_secs(2);

impl Identity {
    /// That of a file with these metadata.
    pub fn new(metadata: &Metadata) -> Self {
        Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Whether two are of one file, whatever happened to it.
    pub(super) fn is_same_file(&self, other: &Identity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Whether a later change of the file would show, because the last one is long enough ago.
    pub fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let changed = Duration::from_nanos(u64::try_from(self.ctime_ns).unwrap_or_default());
        now.checked_sub(changed).is_some_and(|ago| ago >= UNSETTLED)
    }
}

fn nanoseconds(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// The SHA-256 of a content, in hexadecimal.
#[cfg(test)]
pub(super) fn sha256(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))
}

/// The greatest size of a library, because hashing a longer file takes minutes. The largest that we know, of a
/// browser with debug information, has about 1 GiB.
const MOST_BYTES: u64 = 4 << 30;

/// Opens the file of a library. It is not opened before it is known to be a file, because opening a pipe waits
/// for its writer.
///
/// # Errors
/// If it can't be opened, is no regular file, or is too large.
pub(super) fn open_library(path: &Path) -> io::Result<File> {
    let refuse_other_kinds = |metadata: Metadata| match metadata.len() {
        _ if !metadata.is_file() => Err(io::Error::other("it is no regular file")),
        length if length > MOST_BYTES => Err(io::Error::other("it has more than 4 GiB")),
        _ => Ok(()),
    };
    refuse_other_kinds(std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    refuse_other_kinds(file.metadata()?)?;
    Ok(file)
}

/// The SHA-256 of the content of a library, in hexadecimal.
///
/// # Errors
/// If it can't be read, is no regular file, or is too large.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    sha256_of_file(&open_library(path)?)
}

/// The SHA-256 of a file from where it stands to its end, in hexadecimal.
///
/// # Errors
/// If it can't be read.
pub(super) fn sha256_of_file(mut file: &File) -> io::Result<String> {
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hex::encode(hasher.finalize())),
            Ok(length) => hasher.update(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::*;

    #[test]
    fn a_change_in_place_shows_although_size_and_time_of_change_stay() {
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(b"abc", 0).unwrap();
        let (before, modified) = (file.metadata().unwrap(), file.metadata().unwrap().modified().unwrap());
        // Longer than a tick of the system's clock.
        std::thread::sleep(Duration::from_millis(50));
        file.write_all_at(b"X", 0).unwrap();
        file.set_modified(modified).unwrap();
        let after = file.metadata().unwrap();
        assert_eq!((before.len(), before.modified().unwrap()), (after.len(), after.modified().unwrap()));
        assert_ne!(Identity::new(&before), Identity::new(&after));
    }

    #[test]
    fn what_is_no_file_or_too_long_is_refused_without_reading_it() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| sha256_of(path).unwrap_err().to_string();
        for path in [folder.path(), Path::new("/dev/zero")] {
            assert_eq!(refused(path), "it is no regular file");
        }
        let sparse = folder.path().join("a.so");
        File::create(&sparse).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert_eq!(refused(&sparse), "it has more than 4 GiB");
    }

    #[test]
    fn a_file_settles_some_time_after_its_last_change() {
        let file = tempfile::tempfile().unwrap();
        let fresh = Identity::new(&file.metadata().unwrap());
        assert!(!fresh.is_settled());
        let old = Identity { ctime_ns: fresh.ctime_ns - 3_000_000_000, ..fresh };
        assert!(old.is_settled() && old != fresh);
        let in_the_future = Identity { ctime_ns: i64::MAX, ..fresh };
        assert!(!in_the_future.is_settled());
    }
}
