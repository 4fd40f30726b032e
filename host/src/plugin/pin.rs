//! Holds a library to the content that was inspected: a file may be replaced at any time.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::catalogue::Catalogue;

use super::cache::{Identity, sha256};
use super::load;

/// A library file with the content that was inspected.
#[derive(Debug)]
pub struct Pin {
    path: PathBuf,
    file: File,
    identity: Identity,
}

impl Pin {
    /// Opens a library and compares its content with what was inspected.
    ///
    /// # Errors
    /// If it is another, with both hashes; if it can't be read.
    pub fn new(path: &Path, inspected: &str) -> Result<Self, String> {
        let read = || -> io::Result<(File, Identity, String)> {
            let mut file = File::open(path)?;
            let identity = Identity::of(&file.metadata()?);
            let mut content = Vec::new();
            file.read_to_end(&mut content)?;
            Ok((file, identity, sha256(&content)))
        };
        let (file, identity, found) =
            read().map_err(|error| format!("`{}` can't be read any more: {error}", path.display()))?;
        if found == inspected {
            return Ok(Pin { path: path.to_owned(), file, identity });
        }
        let short = |sha256: &str| sha256.get(..12).unwrap_or("nothing").to_owned();
        Err(format!(
            "`{}` was replaced: its SHA-256 begins with {}, that of what was inspected with {}",
            path.display(),
            short(&found),
            short(inspected)
        ))
    }

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
        let pin = Pin::new(file.path(), &sha256(b"abc")).unwrap();
        assert_eq!(pin.check(), Ok(()));
        let message = Pin::new(file.path(), &sha256(b"")).unwrap_err();
        assert!(message.contains("ba7816bf8f01") && message.contains("e3b0c44298fc"), "{message}");
        fs::write(&file, "abcd").unwrap();
        assert!(pin.check().unwrap_err().ends_with("was replaced while it was in use"));
    }
}
