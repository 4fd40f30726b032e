//! A library file and what came of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use assay_base::error::{Error, Result};

use super::cache::Cache;
use super::contents::Contents;
use super::failure::{LoadFailure, Stage};
use super::identity::Identity;
use super::inspection::inspect;
use super::library_info::LibraryOrigin;
use super::load_attempt::LoadAttempt;
use super::verified_library::InspectedLibrary;
use crate::process::Interrupt;

/// A library that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Its file, an absolute path.
    pub path: PathBuf,
    /// SHA-256 of its content, in hexadecimal; empty if it can't be read.
    pub sha256: String,
    /// What tells that it still has this content, if that is known.
    identity: Option<Identity>,
    /// Whether it was inspected just now, because nothing was known of its content.
    pub is_new: bool,
    /// What it brings, or why it can't be used.
    pub outcome: Result<Contents, LoadFailure>,
}

impl Library {
    /// Sets the place of what is known of a content.
    fn new(path: &Path, sha256: &str, mut outcome: Result<Contents, LoadFailure>) -> Self {
        match &mut outcome {
            Ok(contents) => {
                let info = contents.library.clone();
                let origin =
                    Arc::new(LibraryOrigin { path: path.to_owned(), sha256: sha256.to_owned(), info });
                for listing in &mut contents.listings {
                    listing.library = Arc::clone(&origin);
                }
            }
            Err(failure) => path.clone_into(&mut failure.file),
        }
        Library { path: path.to_owned(), sha256: sha256.to_owned(), identity: None, is_new: false, outcome }
    }

    /// What its file was when it was looked at.
    pub fn inspected(&self) -> InspectedLibrary {
        InspectedLibrary { path: self.path.clone(), sha256: self.sha256.clone(), identity: self.identity }
    }

    /// A library with this content, for tests of what holds libraries.
    #[cfg(any(test, feature = "testing"))]
    pub(super) fn bringing(path: &str, sha256: &str, contents: Contents) -> Self {
        Library::new(Path::new(path), sha256, Ok(contents))
    }

    /// Looks at libraries: those whose content is known are not loaded.
    ///
    /// # Errors
    /// If they can't be inspected at all.
    pub fn examine(paths: &[PathBuf]) -> Result<Vec<Library>> {
        Library::examine_with(Cache::open(), paths)
    }

    /// Looks at a library, even if its content is known.
    ///
    /// # Errors
    /// If it can't be inspected at all.
    pub fn examine_anew(path: &Path) -> Result<Library> {
        let mut cache = Cache::open();
        cache.forget(path);
        let mut libraries = Library::examine_with(cache, &[path.to_owned()])?;
        Ok(libraries.remove(0))
    }

    fn examine_with(mut cache: Cache, paths: &[PathBuf]) -> Result<Vec<Library>> {
        let hashes: Vec<_> = paths.iter().map(|path| cache.hash(path)).collect();
        let readable = paths.iter().zip(&hashes).filter_map(|(path, hash)| {
            let (sha256, identity) = hash.as_ref().ok()?.clone();
            Some(InspectedLibrary { path: path.clone(), sha256, identity })
        });
        let new: Vec<InspectedLibrary> =
            readable.filter(|library| cache.outcome(&library.path, &library.sha256).is_none()).collect();
        let mut attempt = LoadAttempt::new(cache.folder());
        let interrupt = (!new.is_empty()).then(Interrupt::watch);
        for library in &new {
            let not_interrupted = || {
                if interrupt.as_ref().is_some_and(|interrupt| interrupt.flag().load(Ordering::Relaxed)) {
                    let path = library.path.display();
                    return Err(Error::interruption(format!("interrupted while `{path}` was being tried")));
                }
                Ok(())
            };
            attempt.note(&library.path, &library.sha256);
            let outcome = inspect(library, not_interrupted)?;
            // An interrupt also ends the child, and then the library is not to blame.
            not_interrupted()?;
            cache.remember(&library.path, &library.sha256, outcome);
        }
        let library = |(path, hash): (&PathBuf, &std::io::Result<(String, Option<Identity>)>)| match hash {
            Ok((sha256, identity)) => {
                let outcome = cache.outcome(path, sha256).expect("it is known, or was inspected just now");
                let is_new = new.iter().any(|library| library.path == **path);
                Library { identity: *identity, is_new, ..Library::new(path, sha256, outcome.clone()) }
            }
            Err(error) => {
                let found = format!("it can't be read: {error}");
                let failure = LoadFailure::new(
                    path,
                    Stage::File,
                    found,
                    "a shared library",
                    "see to its permissions, or move it out of the plugin folder",
                );
                Library::new(path, "", Err(failure))
            }
        };
        let libraries = paths.iter().zip(&hashes).map(library).collect();
        cache.save();
        Ok(libraries)
    }
}
