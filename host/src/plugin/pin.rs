//! Holds a library to the content that was inspected: a file may be replaced at any time.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::cache::{Identity, sha256};
use super::catalogue::Catalogue;
use super::load;

/// What a library file was when it was inspected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspected {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// What tells that the content is still the same without reading it, if that is known.
    pub identity: Option<Identity>,
}

impl Inspected {
    /// Opens the library, if it is still what was inspected: it is read only if it seems to have changed.
    ///
    /// # Errors
    /// If it has another content, with both hashes; if it can't be read.
    pub fn pin(&self) -> Result<Pin, String> {
        let path = self.path.display();
        let (file, identity, found) =
            self.open().map_err(|error| format!("`{path}` can't be read any more: {error}"))?;
        if found == self.sha256 {
            return Ok(Pin { path: self.path.clone(), file, identity });
        }
        let [found, inspected] = [&found, &self.sha256].map(|sha256| sha256.get(..12).unwrap_or("nothing"));
        Err(format!(
            "`{path}` was replaced: its SHA-256 begins with {found}, that of what was inspected with {inspected}"
        ))
    }

    /// The file as it is now, and the hash of its content.
    fn open(&self) -> io::Result<(File, Identity, String)> {
        let mut file = File::open(&self.path)?;
        let identity = Identity::of(&file.metadata()?);
        if self.identity == Some(identity) {
            return Ok((file, identity, self.sha256.clone()));
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        Ok((file, identity, sha256(&content)))
    }
}

/// A library file with the content that was inspected.
#[derive(Debug)]
pub struct Pin {
    path: PathBuf,
    file: File,
    identity: Identity,
}

impl Pin {
    /// Loads it into this process, as [`load`] does.
    ///
    /// # Errors
    /// Why it can't be used; if another file has taken its place.
    pub fn load(&self) -> Result<Catalogue, String> {
        let catalogue = load(&self.path).map_err(|failure| failure.to_string())?;
        // The dynamic loader went by the path.
        let there = fs::metadata(&self.path).is_ok_and(|metadata| Identity::of(&metadata) == self.identity);
        if there { Ok(catalogue) } else { Err(self.replaced()) }
    }

    /// Whether the file that was loaded still has its content: one that was written over runs other code, or crashes.
    ///
    /// # Errors
    /// If it has not.
    pub fn check(&self) -> Result<(), String> {
        let same = self.file.metadata().is_ok_and(|metadata| Identity::of(&metadata) == self.identity);
        if same { Ok(()) } else { Err(self.replaced()) }
    }

    fn replaced(&self) -> String {
        format!("`{}` was replaced while it was in use", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_content_is_refused_with_both_hashes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "abc").unwrap();
        let inspected = |content: &[u8], identity| Inspected {
            path: file.path().to_owned(),
            sha256: sha256(content),
            identity,
        };
        let pin = inspected(b"abc", None).pin().unwrap();
        assert_eq!(pin.check(), Ok(()));
        let message = inspected(b"", None).pin().unwrap_err();
        assert!(message.contains("ba7816bf8f01") && message.contains("e3b0c44298fc"), "{message}");
        let known = inspected(b"abc", Some(pin.identity));
        assert!(known.pin().is_ok());
        fs::write(&file, "abcd").unwrap();
        assert!(pin.check().unwrap_err().ends_with("was replaced while it was in use"));
        assert!(known.pin().unwrap_err().contains("ba7816bf8f01"));
    }
}
