//! A library file and what came of it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use assay_base::error::{Error, Result};

use super::cache::Cache;
use super::contents::Contents;
use super::discovery::FoundFile;
use super::failure::{LoadFailure, Stage};
use super::identity::Identity;
use super::inspection::inspect;
use super::library_info::LibraryOrigin;
use super::load_attempt::LoadAttempt;
use super::trust::{Judge, Trust, TrustVerdict};
use super::verified_library::InspectedLibrary;
use crate::process::{Interrupt, sandbox};

/// A library that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Its file, an absolute path.
    pub path: PathBuf,
    /// SHA-256 of its content, in hexadecimal; empty if it can't be read.
    pub sha256: String,
    /// What tells that it still has this content, if that is known.
    identity: Option<Identity>,
    /// What is known of its content before it is loaded.
    pub trust: Trust,
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
        Library {
            path: path.to_owned(),
            sha256: sha256.to_owned(),
            identity: None,
            trust: Trust::Unknown,
            is_new: false,
            outcome,
        }
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

    /// Looks at libraries that were found: those that are not trusted enough are not loaded, and those whose
    /// content is known are not loaded again.
    ///
    /// # Errors
    /// If they can't be inspected at all.
    pub(super) fn inspect_found(files: &[FoundFile], judge: &mut Judge) -> Result<Vec<Library>> {
        let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
        Library::inspect_all(Cache::open(), &paths, |hashed| {
            for (path, sha256) in hashed {
                judge.note(path, sha256);
            }
            let judged = |(path, sha256): &(&Path, &str)| {
                let file = files.iter().find(|file| file.path == *path).expect("it is one of them");
                judge.judge(file, sha256)
            };
            hashed.iter().map(judged).collect()
        })
    }

    /// Looks at a library that the user names, even if its content is known. It need not be trusted.
    ///
    /// # Errors
    /// If it can't be inspected at all.
    pub fn inspect_named(path: &Path, judge: &mut Judge) -> Result<Library> {
        let mut cache = Cache::open();
        cache.forget_outcome(path);
        judge.note_shipped(&mut cache);
        let mut libraries = Library::inspect_all(cache, &[path.to_owned()], |hashed| {
            let look = |(path, sha256): &(&Path, &str)| judge.look(path, sha256);
            Ok(hashed.iter().map(look).collect())
        })?;
        Ok(libraries.remove(0))
    }

    /// Looks at files. `judge` gets those that can be read, with their hashes, and decides about each.
    fn inspect_all(
        mut cache: Cache,
        paths: &[PathBuf],
        judge: impl FnOnce(&[(&Path, &str)]) -> Result<Vec<TrustVerdict>>,
    ) -> Result<Vec<Library>> {
        let hashes: Vec<_> = paths.iter().map(|path| cache.hash(path)).collect();
        let readable: Vec<InspectedLibrary> = paths
            .iter()
            .zip(&hashes)
            .filter_map(|(path, hash)| {
                let (sha256, identity) = hash.as_ref().ok()?.clone();
                Some(InspectedLibrary { path: path.clone(), sha256, identity })
            })
            .collect();
        let hashed: Vec<(&Path, &str)> =
            readable.iter().map(|library| (library.path.as_path(), library.sha256.as_str())).collect();
        let verdicts: HashMap<&Path, TrustVerdict> =
            hashed.iter().map(|(path, _)| *path).zip(judge(&hashed)?).collect();
        let may_load = |library: &InspectedLibrary| verdicts[library.path.as_path()].refusal.is_none();
        let new = inspect_new(&mut cache, &readable, may_load)?;
        let library = |(path, hash): (&PathBuf, &std::io::Result<(String, Option<Identity>)>)| match hash {
            Ok((sha256, identity)) => {
                let TrustVerdict { trust, refusal } = &verdicts[path.as_path()];
                let outcome = match refusal {
                    Some(failure) => Err(failure.clone()),
                    None => {
                        cache.outcome(path, sha256).expect("it is known, or was inspected just now").clone()
                    }
                };
                let library = Library::new(path, sha256, outcome);
                let is_new = new.contains(path);
                Library { identity: *identity, trust: trust.clone(), is_new, ..library }
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

/// Inspects the libraries that may be loaded and of which no outcome is known, and remembers the outcomes.
fn inspect_new(
    cache: &mut Cache,
    readable: &[InspectedLibrary],
    may_load: impl Fn(&InspectedLibrary) -> bool,
) -> Result<HashSet<PathBuf>> {
    let is_new = |library: &&InspectedLibrary| {
        may_load(library) && cache.outcome(&library.path, &library.sha256).is_none()
    };
    let new: Vec<&InspectedLibrary> = readable.iter().filter(is_new).collect();
    // In the sandbox, a library can't end the host, so it is not to blame if something else does.
    let mut attempt = LoadAttempt::new(cache.folder().filter(|_| !sandbox::protects_processes()));
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
    Ok(new.into_iter().map(|library| library.path.clone()).collect())
}
