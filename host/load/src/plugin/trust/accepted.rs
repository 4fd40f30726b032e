//! The libraries that the user has accepted, in one file that people can read.

use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result};
use assay_base::io::atomic::Output;
use assay_base::io::{folders, toml_input};
use assay_base::moment;
use serde::{Deserialize, Serialize};

use super::{exposure, real_path};

/// The file of the accepted libraries, in the folder for configuration.
pub const ACCEPTED_FILE: &str = "trusted.toml";

const HEAD: &str = "\
# Plugin libraries that you trust, by the SHA-256 of their content: `assay plugins trust` adds them, and
# `assay plugins distrust` removes them.

";

/// Least number of digits by which the user may name a hash, so that a typing error names no other.
const LEAST_DIGITS: usize = 8;

/// The libraries that the user has accepted.
#[derive(Debug, Default)]
pub struct AcceptedLibraries {
    /// The file; `None` if the user has no folder for it.
    path: Option<PathBuf>,
    file: AcceptedFile,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AcceptedFile {
    library: Vec<AcceptedLibrary>,
}

/// A library that the user has accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedLibrary {
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// Where it lay then.
    pub path: PathBuf,
    /// When it was accepted, such as `2026-01-02T03:04:05Z`.
    pub accepted: String,
}

impl AcceptedLibraries {
    /// Reads the user's file. Without a file, nothing is accepted.
    ///
    /// # Errors
    /// If the file can't be read or holds something else, or if others may write to it.
    pub fn open() -> Result<Self> {
        match folders::config() {
            Some(folder) => AcceptedLibraries::open_in(&folder),
            None => Ok(AcceptedLibraries::default()),
        }
    }

    fn open_in(folder: &Path) -> Result<Self> {
        let path = folder.join(ACCEPTED_FILE);
        // If the file may be there but can't be read, reading it gives the reason.
        if path.try_exists().is_ok_and(|exists| !exists) {
            return Ok(AcceptedLibraries { path: Some(path), file: AcceptedFile::default() });
        }
        let failed = |error: Error| {
            error.remedy("correct the file, or remove it: then no library is trusted but those of assay")
        };
        exposure::refuse(&path)?;
        let mut file: AcceptedFile = toml_input::read(&path).map_err(failed)?;
        file.library.iter_mut().for_each(|library| library.sha256.make_ascii_lowercase());
        if let Some(library) = file.library.iter().find(|library| !is_sha256(&library.sha256)) {
            let message = format!("`{}` is no SHA-256: 64 digits from 0 to f are expected", library.sha256);
            return Err(failed(Error::new(message).within(&path)));
        }
        Ok(AcceptedLibraries { path: Some(path), file })
    }

    /// All of them, the oldest first.
    pub fn all(&self) -> &[AcceptedLibrary] {
        &self.file.library
    }

    /// The entry of a content.
    pub fn content(&self, sha256: &str) -> Option<&AcceptedLibrary> {
        self.file.library.iter().find(|library| library.sha256 == sha256)
    }

    /// The last entry of a file, whatever it holds now.
    pub(super) fn path(&self, path: &Path) -> Option<&AcceptedLibrary> {
        let path = real_path(path);
        self.file.library.iter().rev().find(|library| library.path == path)
    }

    /// Accepts a content. It replaces the one that was accepted at the same path, because that one is gone.
    /// Returns the entry that it replaces.
    pub fn accept(&mut self, path: &Path, sha256: &str) -> Option<AcceptedLibrary> {
        let path = real_path(path);
        let old = self.file.library.iter().position(|library| library.path == path);
        let old = old.map(|index| self.file.library.remove(index));
        self.file.library.push(AcceptedLibrary { sha256: sha256.to_owned(), path, accepted: moment::now() });
        old
    }

    /// Removes the entries that the user names: by a library's file, whose content is that of `sha256` if it
    /// can be read, by the folder of libraries, or by the first digits of a hash. Returns them.
    ///
    /// # Errors
    /// If there are none.
    pub fn remove(&mut self, name: &str, sha256: Option<&str>) -> Result<Vec<AcceptedLibrary>> {
        let path = real_path(Path::new(name));
        let is_hash = name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = name.len() >= LEAST_DIGITS && is_hash;
        let is_meant = |library: &AcceptedLibrary| {
            let begins = digits && library.sha256.starts_with(&name.to_ascii_lowercase());
            let is_there = library.path == path || library.path.parent() == Some(&path);
            begins || is_there || sha256 == Some(&library.sha256)
        };
        let (removed, left) = std::mem::take(&mut self.file.library).into_iter().partition(is_meant);
        self.file.library = left;
        let removed: Vec<AcceptedLibrary> = removed;
        if removed.is_empty() {
            let message = if is_hash && !digits && !path.exists() {
                format!("`{name}` has {} digits, too few to name one SHA-256", name.len())
            } else {
                format!("`{name}` is not among the libraries that you have accepted")
            };
            let remedy = format!(
                "name a file, a folder, or at least {LEAST_DIGITS} digits of a SHA-256; `assay plugins list` shows which are \
                 trusted"
            );
            return Err(Error::new(message).remedy(remedy));
        }
        Ok(removed)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the file can't be written; then it stays as it was.
    pub fn save(&self) -> Result<()> {
        let Some(path) = &self.path else {
            return Err(Error::new(
                "there is no folder for the list of trusted libraries: the user has no home",
            )
            .remedy("set ASSAY_CONFIG_DIR to a folder"));
        };
        let folder = path.parent().expect("the file lies in a folder");
        if let Ok(Some(exposure)) = exposure::of_folder(folder) {
            let message = format!("`{}` would be believed by no command: {exposure}", path.display());
            return Err(Error::new(message).remedy(exposure.remedy()));
        }
        let text = toml::to_string(&self.file).map_err(|error| {
            Error::new(format!("a path can't be written to `{}`: {error}", path.display()))
        })?;
        Output::in_folder(folder, ACCEPTED_FILE)?
            .write(|file| file.write_all(format!("{HEAD}{text}").as_bytes()))
    }
}

/// Whether a text is a SHA-256 in hexadecimal.
fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_library_is_accepted_once_for_each_path_and_removed_by_path_or_digits() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new/assay");
        let mut accepted = AcceptedLibraries::open_in(&place).unwrap();
        assert!(accepted.all().is_empty());
        let [one, two, three] = ["1", "2", "3"].map(|digit| digit.repeat(64));
        assert_eq!(accepted.accept(Path::new("/a.so"), &one), None);
        accepted.accept(Path::new("/b.so"), &two);
        assert_eq!(accepted.accept(Path::new("/a.so"), &three).unwrap().sha256, one);
        accepted.save().unwrap();
        let mut again = AcceptedLibraries::open_in(&place).unwrap();
        assert!(again.content(&one).is_none() && again.content(&two).is_some());
        assert_eq!(again.path(Path::new("/a.so")).unwrap().sha256, three);
        assert!(again.remove("/c.so", None).is_err() && again.remove("2222222", None).is_err());
        assert_eq!(again.remove("22222222", None).unwrap()[0].path, Path::new("/b.so"));
        assert_eq!(again.remove("/a.so", None).unwrap()[0].sha256, three);
        assert!(again.all().is_empty());
        again.accept(Path::new("/x/a.so"), &one);
        again.accept(Path::new("/x/y/b.so"), &two);
        let error = again.remove("1111", None).unwrap_err().to_string();
        assert!(error.contains("`1111` has 4 digits, too few"), "{error}");
        let removed = again.remove("/x", None).unwrap();
        assert_eq!((removed.len(), again.all().len()), (1, 1), "a folder stands for the libraries in it");
    }

    #[test]
    fn a_damaged_file_is_refused_and_never_counts_as_empty() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ACCEPTED_FILE);
        let entry = |sha256: &str| {
            format!(
                "[[library]]\nsha256 = \"{sha256}\"\npath = \"/a.so\"\naccepted = \"2026-01-02T03:04:05Z\"\n"
            )
        };
        let whole = entry(&"a".repeat(64));
        fs::write(&path, &whole).unwrap();
        assert_eq!(AcceptedLibraries::open_in(folder.path()).unwrap().all().len(), 1);
        let refused = |text: &str| {
            fs::write(&path, text).unwrap();
            AcceptedLibraries::open_in(folder.path()).unwrap_err().to_string()
        };
        for (text, place) in
            [(&whole[..30], ":2: "), ("[[library]]\n", ":1: "), ("nonsense", ":1: "), (&entry("ab"), "`: ")]
        {
            let error = refused(text);
            assert!(error.contains(&format!("{}{place}", path.display())), "{error}");
            assert!(error.contains("help: correct the file"), "{error}");
        }
    }

    #[test]
    fn a_file_that_others_may_write_to_is_refused_and_so_is_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ACCEPTED_FILE);
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        let error = AcceptedLibraries::open_in(folder.path()).unwrap_err().to_string();
        assert!(error.contains("says which libraries are trusted, but others may write"), "{error}");
        assert!(error.contains(&format!("`chmod o-w,g-w {}`", path.display())), "{error}");
        fs::remove_file(&path).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        let error = AcceptedLibraries::open_in(folder.path()).unwrap_err().to_string();
        assert!(error.contains("but is no regular file"), "{error}");
    }
}
