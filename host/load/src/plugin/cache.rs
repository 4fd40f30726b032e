//! The cache between runs, so that a library is inspected only once. It keeps the outcome of the inspection,
//! by the hash of the library's content and its file name, and the hash of each file for as long as the
//! [`Identity`] of the file stays the same.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assay_abi::ABI;
use assay_base::error::Result;
use assay_base::io::atomic::Output;
use assay_base::io::folders;
use serde::{Deserialize, Serialize};

use super::identity::{Identity, open_library, sha256_of_file};
use super::inspection::Inspection;
use super::load_attempt;
use super::trust::exposure;
use crate::process::sandbox;

const FILE: &str = "plugins.json";
/// Greatest size of a cache that is read, because reading more takes longer than inspecting the libraries
/// again. The cache of our 750 items has half a MiB.
const MOST_BYTES: u64 = 32 << 20;

/// The cache of a user, with what is new in it.
#[derive(Debug, Default)]
pub(super) struct Cache {
    folder: Option<PathBuf>,
    stored: StoredCache,
    changed: bool,
    /// Notes of earlier attempts that are now recorded in the cache. They are deleted when it is saved.
    notes: Vec<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredCache {
    /// The program that wrote the cache. Another version may inspect differently, so its outcomes do not
    /// count.
    host: CacheWriter,
    files: BTreeMap<String, KnownFile>,
    /// Outcomes by content and file name. The name counts because some dialects take the id from it; the
    /// folder does not.
    outcomes: BTreeMap<String, Inspection>,
}

/// The program that has written a cache.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct CacheWriter {
    version: String,
    abi: String,
    program: Option<Identity>,
    /// Whether libraries were inspected in a sandbox: one that fails there may load without it.
    #[serde(default)]
    sandboxed: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct KnownFile {
    /// The identity when the file was hashed; `None` if the file was too young for its identity to show a
    /// later change. Such a file is hashed again.
    identity: Option<Identity>,
    sha256: String,
}

impl CacheWriter {
    /// The running program.
    fn this_program() -> Self {
        CacheWriter {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            abi: ABI.to_string(),
            program: fs::metadata("/proc/self/exe").ok().map(|metadata| Identity::new(&metadata)),
            sandboxed: sandbox::policy().enabled,
        }
    }
}

impl Cache {
    /// Opens the cache of the user. One that can't be read, that another program has written or to which
    /// others may write counts as empty: with forged hashes, a library would pass for one that is trusted.
    pub(super) fn open() -> Self {
        Cache::open_in(folders::cache())
    }

    fn open_in(folder: Option<PathBuf>) -> Self {
        // Others could let a link lead to any file of the user, so such a cache is not written either.
        let folder = folder.filter(|folder| !exposure::is_exposed(folder, FILE));
        let file = folder.as_ref().map(|folder| folder.join(FILE));
        let text = file.and_then(|file| read(&file));
        let stored = text.and_then(|text| serde_json::from_slice::<StoredCache>(&text).ok());
        let stored = stored.filter(|stored| stored.host == CacheWriter::this_program());
        let stored = stored
            .unwrap_or_else(|| StoredCache { host: CacheWriter::this_program(), ..StoredCache::default() });
        let gone = stored.files.keys().any(|name| !Path::new(name).exists());
        let mut cache = Cache { folder, stored, changed: gone, notes: Vec::new() };
        cache.blame_abandoned_attempts();
        cache
    }

    /// Refuses the libraries that were being loaded when an earlier run of this program was killed.
    fn blame_abandoned_attempts(&mut self) {
        for abandoned in self.folder().map(load_attempt::abandoned).unwrap_or_default() {
            if self.hash(&abandoned.library).is_ok_and(|(sha256, _)| sha256 == abandoned.sha256) {
                self.remember(
                    &abandoned.library,
                    &abandoned.sha256,
                    Err(load_attempt::failure(&abandoned.library)),
                );
            }
            self.notes.push(abandoned.note);
            self.changed = true;
        }
    }

    /// The folder of the cache, if there is one.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the SHA-256 of a file's content, in hexadecimal, and the identity of the file if that will
    /// show a later change. The file is read only if its identity has changed.
    ///
    /// # Errors
    /// If the file can't be read.
    pub(super) fn hash(&mut self, path: &Path) -> io::Result<(String, Option<Identity>)> {
        let file = open_library(path)?;
        let identity = Identity::new(&file.metadata()?);
        // A path that is not UTF-8 can't be a key in JSON, so such a file is hashed each time.
        let name = path.to_str();
        if let Some(known) = name.and_then(|name| self.stored.files.get(name))
            && known.identity == Some(identity)
        {
            return Ok((known.sha256.clone(), known.identity));
        }
        let sha256 = sha256_of_file(&file)?;
        let identity = Some(identity).filter(Identity::is_settled);
        if let Some(name) = name {
            self.stored.files.insert(name.to_owned(), KnownFile { identity, sha256: sha256.clone() });
            self.changed = true;
        }
        Ok((sha256, identity))
    }

    /// The outcome of the inspection of a file with this content and name, if there was one.
    pub(super) fn outcome(&self, path: &Path, sha256: &str) -> Option<&Inspection> {
        self.stored.outcomes.get(&key(path, sha256))
    }

    /// Remembers the outcome of an inspection.
    pub(super) fn remember(&mut self, path: &Path, sha256: &str, outcome: Inspection) {
        self.stored.outcomes.insert(key(path, sha256), outcome);
        self.changed = true;
    }

    /// Forgets the outcome of the inspection of a file with the content of this one.
    pub(crate) fn forget_outcome(&mut self, path: &Path) {
        if let Ok((sha256, _)) = self.hash(path) {
            self.changed |= self.stored.outcomes.remove(&key(path, &sha256)).is_some();
        }
    }

    /// Writes the cache for the next run. A failure is ignored, because it only makes the next run take
    /// longer.
    pub(super) fn save(&mut self) {
        if !self.changed {
            return;
        }
        self.stored.files.retain(|name, _| Path::new(name).exists());
        let files = self.stored.files.iter();
        let alive: HashSet<String> = files.map(|(name, file)| key(Path::new(name), &file.sha256)).collect();
        // A failure whose cause lies outside the library is not kept: a missing library may be installed at
        // any time.
        let lasts = |outcome: &Inspection| outcome.as_ref().err().is_none_or(|failure| !failure.passing);
        self.stored.outcomes.retain(|key, outcome| alive.contains(key) && lasts(outcome));
        if self.folder.as_ref().is_some_and(|folder| self.write(folder).is_ok()) {
            self.notes.drain(..).for_each(|note| drop(fs::remove_file(note)));
        }
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let file = Output::in_folder(folder, FILE)?;
        file.write(|out| Ok(serde_json::to_writer(out, &self.stored)?))
    }
}

/// The outcomes in the text of a cache, whoever wrote it, for tests.
#[cfg(any(test, feature = "testing"))]
pub(super) fn outcomes_of(text: &[u8]) -> Vec<Inspection> {
    serde_json::from_slice::<StoredCache>(text)
        .map_or_else(|_| Vec::new(), |stored| stored.outcomes.into_values().collect())
}

/// The content of the file of a cache, if it is a file and not too large.
fn read(file: &Path) -> Option<Vec<u8>> {
    fs::metadata(file).ok().filter(|metadata| metadata.is_file() && metadata.len() <= MOST_BYTES)?;
    fs::read(file).ok()
}

/// The key of an outcome.
fn key(path: &Path, sha256: &str) -> String {
    format!("{sha256} {}", path.file_name().unwrap_or_default().display())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::plugin::{LoadFailure, Stage};

    fn failure() -> LoadFailure {
        LoadFailure::new(Path::new(""), Stage::Contents, "found", "expected", "remedy")
    }

    /// A folder with a cache that knows one file.
    fn with_one_file(outcome: Inspection) -> (tempfile::TempDir, PathBuf, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.so");
        fs::write(&file, "abc").unwrap();
        let mut cache = Cache::open_in(Some(folder.path().to_owned()));
        let (hash, _) = cache.hash(&file).unwrap();
        cache.remember(&file, &hash, outcome);
        cache.save();
        (folder, file, hash)
    }

    #[test]
    fn a_content_is_known_again_in_any_folder_but_not_by_another_name() {
        let (folder, file, hash) = with_one_file(Err(failure()));
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let below = folder.path().join("below");
        fs::create_dir(&below).unwrap();
        for (copy, known) in [(below.join("a.so"), true), (below.join("b.so"), false)] {
            fs::copy(&file, &copy).unwrap();
            let mut cache = Cache::open_in(Some(folder.path().to_owned()));
            let (again, _) = cache.hash(&copy).unwrap();
            assert_eq!(cache.outcome(&copy, &again).is_some(), known, "{}", copy.display());
        }
    }

    #[test]
    fn a_file_that_was_changed_in_place_with_its_old_times_is_hashed_anew() {
        let (folder, file, hash) = with_one_file(Err(failure()));
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        let writable = File::options().write(true).open(&file).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&writable, b"X", 0).unwrap();
        writable.set_modified(modified).unwrap();
        let mut cache = Cache::open_in(Some(folder.path().to_owned()));
        assert_ne!(cache.hash(&file).unwrap().0, hash);
    }

    #[test]
    fn a_changed_file_is_hashed_anew() {
        let (folder, file, hash) = with_one_file(Err(failure()));
        fs::write(&file, "abcd").unwrap();
        let mut cache = Cache::open_in(Some(folder.path().to_owned()));
        assert_ne!(cache.hash(&file).unwrap().0, hash);
    }

    #[test]
    fn what_can_be_mended_from_outside_is_not_remembered() {
        let (folder, file, hash) = with_one_file(Err(failure().passing()));
        assert_eq!(Cache::open_in(Some(folder.path().to_owned())).outcome(&file, &hash), None);
    }

    #[test]
    fn a_corrupt_or_endless_cache_counts_as_empty() {
        let (folder, file, hash) = with_one_file(Err(failure()));
        let known = || Cache::open_in(Some(folder.path().to_owned())).outcome(&file, &hash).is_some();
        assert!(known());
        let cache = File::options().write(true).open(folder.path().join(FILE)).unwrap();
        let content = fs::read(folder.path().join(FILE)).unwrap();
        cache.set_len(MOST_BYTES + 1).unwrap();
        assert!(!known());
        fs::write(folder.path().join(FILE), &content[..content.len() / 2]).unwrap();
        assert!(!known());
    }

    #[test]
    fn a_file_that_is_gone_is_forgotten() {
        let (folder, file, _) = with_one_file(Err(failure()));
        fs::remove_file(&file).unwrap();
        Cache::open_in(Some(folder.path().to_owned())).save();
        let left = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(left.contains("\"files\":{}") && left.contains("\"outcomes\":{}"), "{left}");
    }
}
