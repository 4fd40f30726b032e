//! Notes in the cache folder about the library that is being loaded for the first time without a sandbox. A
//! library that kills all processes of the user also kills the host. The next start of the host then finds the
//! note, and refuses the library.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use tempfile::NamedTempFile;

use super::failure::{LoadFailure, Stage};

const FOLDER: &str = "trying";

/// The attempts of this process to load libraries. The note is deleted when this value is dropped. It is
/// locked as long as the process lives, so that other processes do not take it for an abandoned one.
#[derive(Debug)]
pub(crate) struct LoadAttempt {
    folder: Option<PathBuf>,
    note: Option<NamedTempFile>,
}

impl LoadAttempt {
    /// No attempt yet. Notes are written to the folder of the cache, if there is one.
    pub(super) fn new(cache: Option<&Path>) -> Self {
        LoadAttempt { folder: cache.map(|cache| cache.join(FOLDER)), note: None }
    }

    /// Notes that this library, with this content, is about to be loaded. A failure to write the note is
    /// ignored, because it matters only if the library also kills the host.
    pub(super) fn note(&mut self, library: &Path, sha256: &str) {
        self.note = self.folder.as_ref().and_then(|folder| written(folder, library, sha256).ok());
    }
}

fn written(folder: &Path, library: &Path, sha256: &str) -> io::Result<NamedTempFile> {
    fs::create_dir_all(folder)?;
    let mut note = NamedTempFile::new_in(folder)?;
    flock(&note, FlockOperation::NonBlockingLockExclusive)?;
    note.write_all(&[sha256.as_bytes(), b"\n", library.as_os_str().as_bytes()].concat())?;
    Ok(note)
}

/// A note that a process has left when it was killed.
#[derive(Debug)]
pub(crate) struct AbandonedNote {
    /// The file of the note.
    pub note: PathBuf,
    /// The library that was being loaded.
    pub library: PathBuf,
    /// SHA-256 of the content that it had then.
    pub sha256: String,
}

/// The notes of processes that have ended.
pub(crate) fn abandoned(cache: &Path) -> Vec<AbandonedNote> {
    let notes = fs::read_dir(cache.join(FOLDER)).into_iter().flatten().flatten();
    notes.filter_map(|note| read(note.path())).collect()
}

fn read(note: PathBuf) -> Option<AbandonedNote> {
    // A pipe would be waited for.
    fs::metadata(&note).ok().filter(Metadata::is_file)?;
    let file = File::open(&note).ok()?;
    // The lock of a process that lives can't be taken.
    flock(&file, FlockOperation::NonBlockingLockShared).ok()?;
    let content = fs::read(&note).ok()?;
    let end = content.iter().position(|&byte| byte == b'\n')?;
    let sha256 = std::str::from_utf8(&content[..end]).ok()?.to_owned();
    Some(AbandonedNote { library: OsStr::from_bytes(&content[end + 1..]).into(), note, sha256 })
}

/// The failure of a library that was being loaded when the host was killed.
pub(super) fn failure(library: &Path) -> LoadFailure {
    LoadFailure::new(
        library,
        Stage::Load,
        "it was being tried when assay was ended",
        "a library that leaves other processes alone",
        "it is refused until `assay plugins check` with its path tries it again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_left_only_by_those_that_were_ended() {
        let cache = tempfile::tempdir().unwrap();
        let mut attempt = LoadAttempt::new(Some(cache.path()));
        attempt.note(Path::new("/a.so"), "12ab");
        assert_eq!(abandoned(cache.path()).len(), 0, "this process lives");
        attempt.note(Path::new("/b.so"), "34cd");
        let (_, note) = attempt.note.take().unwrap().keep().unwrap();
        let found: Vec<_> = abandoned(cache.path())
            .into_iter()
            .map(|abandoned| (abandoned.note, abandoned.library, abandoned.sha256))
            .collect();
        assert_eq!(found, [(note, PathBuf::from("/b.so"), "34cd".to_owned())]);
    }
}
