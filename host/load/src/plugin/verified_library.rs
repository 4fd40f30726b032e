//! Makes sure that a library is loaded only with the content that was inspected. A file may be replaced or
//! overwritten at any time, also while it is in use.

use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::call::algorithm::AlgorithmEntry;
use super::catalogue::Catalogue;
use super::failure::LoadFailure;
use super::identity::{Identity, open_library, sha256_of_file};
use super::load::{load, load_algorithm};
use crate::process::sandbox;

/// A library file with the content that it had when it was inspected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InspectedLibrary {
    /// Path of the file.
    pub path: PathBuf,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// The identity of the file. While it stays the same, so does the content; `None` if only the content
    /// itself can show that.
    pub identity: Option<Identity>,
}

impl InspectedLibrary {
    /// Opens the library and verifies that it has the inspected content. The file is read only if its
    /// identity has changed, because each of many workers opens its library again. A child then enters its
    /// sandbox, so that the constructors of the library run there.
    ///
    /// # Errors
    /// If the file has another content, with both hashes; if it can't be read; if the sandbox can't be put
    /// on.
    pub fn verify_in_sandbox(&self) -> Result<VerifiedLibrary, String> {
        let path = self.path.display();
        let (library, sha256) =
            self.open().map_err(|error| format!("`{path}` can't be read any more: {error}"))?;
        if sha256 == self.sha256 {
            sandbox::enter().map_err(|error| {
                format!("the sandbox can't be put on: {error}; `--no-sandbox` does without it")
            })?;
            return Ok(library);
        }
        let [found, inspected] = [&sha256, &self.sha256].map(|sha256| sha256.get(..12).unwrap_or("nothing"));
        Err(format!(
            "`{path}` was replaced: its SHA-256 begins with {found}, that of what was inspected with {inspected}"
        ))
    }

    /// Opens the file as it is now, and returns it with the hash of its content.
    fn open(&self) -> io::Result<(VerifiedLibrary, String)> {
        let file = open_library(&self.path)?;
        let identity = Identity::new(&file.metadata()?);
        let sha256 =
            if self.identity == Some(identity) { self.sha256.clone() } else { sha256_of_file(&file)? };
        Ok((VerifiedLibrary { inspected: self.clone(), file, identity }, sha256))
    }
}

/// A library file that is open and was verified to have the inspected content.
#[derive(Debug)]
pub struct VerifiedLibrary {
    inspected: InspectedLibrary,
    file: File,
    identity: Identity,
}

impl VerifiedLibrary {
    /// Loads the library into this process, as [`load`] does.
    ///
    /// # Errors
    /// If the library can't be used; if another file has taken its place.
    pub fn load(&self) -> Result<Catalogue, String> {
        self.try_load().map_err(|failure| failure.to_string())
    }

    /// Loads the library and returns one of its algorithms, without reading the others.
    ///
    /// # Errors
    /// As for [`load`](VerifiedLibrary::load); if the library no longer brings the algorithm.
    pub fn load_algorithm(&self, id: &str) -> Result<AlgorithmEntry, String> {
        let path = &self.inspected.path;
        let algorithm = self.unreplaced(load_algorithm(path, id)).map_err(|failure| failure.to_string())?;
        algorithm.ok_or_else(|| format!("`{}` no longer brings `{id}`", path.display()))
    }

    /// As [`load`](VerifiedLibrary::load), for callers that need the stage at which loading failed.
    ///
    /// # Errors
    /// As there.
    pub(super) fn try_load(&self) -> Result<Catalogue, LoadFailure> {
        self.unreplaced(load(&self.inspected.path))
    }

    /// What was loaded, if it was the file whose content was hashed. The dynamic loader opens the path again:
    /// it must have found that file, and still find that content there.
    fn unreplaced<T>(&self, loaded: Result<T, LoadFailure>) -> Result<T, LoadFailure> {
        let loaded = loaded?;
        let path = &self.inspected.path;
        let now = fs::metadata(path).map(|metadata| Identity::new(&metadata));
        if now.is_ok_and(|now| now.is_same_file(&self.identity)) && self.has_same_content() {
            return Ok(loaded);
        }
        Err(LoadFailure::of_unsteady_file(path, "it was replaced while it was being loaded"))
    }

    /// Checks that the loaded file still has its content. A file that is overwritten while it is loaded runs
    /// other code, or crashes.
    ///
    /// # Errors
    /// If it has another content now.
    pub fn check(&self) -> Result<(), String> {
        if self.has_same_content() {
            return Ok(());
        }
        Err(format!("`{}` was replaced while it was in use", self.inspected.path.display()))
    }

    /// Whether the file has the same content as when it was opened. The content is read if the identity has
    /// changed, because a new hard link changes the identity but not the content.
    fn has_same_content(&self) -> bool {
        let now = self.file.metadata().map(|metadata| Identity::new(&metadata));
        if now.is_ok_and(|now| now == self.identity) && self.identity.is_settled() {
            return true;
        }
        self.hash_again().is_ok_and(|sha256| sha256 == self.inspected.sha256)
    }

    fn hash_again(&self) -> io::Result<String> {
        let mut file = &self.file;
        file.rewind()?;
        sha256_of_file(file)
    }
}

#[cfg(test)]
mod tests {
    use super::super::identity::sha256;
    use super::*;

    #[test]
    fn a_new_link_to_a_file_is_no_new_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.so");
        fs::write(&path, "abc").unwrap();
        let inspected = InspectedLibrary { path: path.clone(), sha256: sha256(b"abc"), identity: None };
        let verified = inspected.verify_in_sandbox().unwrap();
        fs::hard_link(&path, folder.path().join("b.so")).unwrap();
        assert_eq!(verified.check(), Ok(()));
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, b"X", 0).unwrap();
        file.set_modified(modified).unwrap();
        assert!(verified.check().is_err(), "changed in place, with its old times");
    }

    #[test]
    fn another_content_is_refused_with_both_hashes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "abc").unwrap();
        let inspected = |content: &[u8], identity| InspectedLibrary {
            path: file.path().to_owned(),
            sha256: sha256(content),
            identity,
        };
        let verified = inspected(b"abc", None).verify_in_sandbox().unwrap();
        assert_eq!(verified.check(), Ok(()));
        let message = inspected(b"", None).verify_in_sandbox().unwrap_err();
        assert!(message.contains("ba7816bf8f01") && message.contains("e3b0c44298fc"), "{message}");
        let known = inspected(b"abc", Some(verified.identity));
        assert!(known.verify_in_sandbox().is_ok());
        fs::write(&file, "abcd").unwrap();
        assert!(verified.check().unwrap_err().ends_with("was replaced while it was in use"));
        assert!(known.verify_in_sandbox().unwrap_err().contains("ba7816bf8f01"));
    }
}
