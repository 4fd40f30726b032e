//! The index of the runs in a folder: what a list of them shows. So `report.json` of each run is read once,
//! and not by each command.
//!
//! The index is a cache. It lies in the user's folder for caches, because then a folder of runs that can't be
//! written to has one too, and nobody copies it together with the runs. What it says of a run counts only
//! while `report.json` has the same [`Identity`]; otherwise this file is read again. So several processes may
//! use and replace it at once, and nothing is lost with it.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use assay_base::error::Result;
use assay_base::io::atomic::Output;
use assay_base::io::folders;
use assay_load::plugin::Identity;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{RESULTS, Run, Saved};

/// The folder of all indexes, in the folder for caches.
const FOLDER: &str = "runs";
/// Greatest size of an index that is read. An index has some 200 bytes for a run with few algorithms, and 2
/// KiB for one with 350, so this is enough for 10,000 of the latter ten times.
const MOST_BYTES: u64 = 256 << 20;

/// What a list of runs shows of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Whether it ended early.
    pub interrupted: bool,
    /// Whether the instrumented twins were run.
    pub instrumented: bool,
    /// Its text or texts, in a few words.
    pub texts: String,
    /// The ids of its algorithms; `None` if a later version wrote its experiment.
    pub algorithms: Option<Vec<String>>,
    /// The description that the user gave; may be empty.
    pub description: String,
}

impl RunSummary {
    fn new(run: Run) -> Self {
        let facts = run.experiment;
        let (algorithms, description) = match &facts.definition {
            Some(experiment) => (Some(experiment.algorithms.clone()), experiment.description.clone()),
            None => (None, String::new()),
        };
        RunSummary {
            interrupted: facts.interrupted,
            instrumented: facts.instrumented(),
            texts: facts.texts_in_words(),
            algorithms,
            description,
        }
    }
}

/// The index of the runs in a folder, with what is new in it.
#[derive(Debug)]
pub struct RunIndex {
    /// Its file; `None` if there is no place for it.
    file: Option<PathBuf>,
    stored: StoredIndex,
    changed: bool,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StoredIndex {
    /// The program that wrote it, because another version may describe a run differently.
    program: Option<Identity>,
    /// The folder that holds the runs.
    folder: PathBuf,
    /// The runs by the names of their folders.
    runs: BTreeMap<String, IndexedRun>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct IndexedRun {
    /// That of its `report.json`.
    identity: Identity,
    summary: RunSummary,
}

impl RunIndex {
    /// Opens the index of a folder of runs. One that can't be read, or that another program has written,
    /// counts as empty.
    pub fn open(out: &Path) -> Self {
        Self::open_in(folders::cache().as_deref(), out)
    }

    fn open_in(cache: Option<&Path>, out: &Path) -> Self {
        let folder = out.canonicalize().unwrap_or_else(|_| out.to_owned());
        let name = hex::encode(Sha256::digest(folder.as_os_str().as_encoded_bytes()));
        let file = cache.map(|cache| cache.join(FOLDER).join(format!("{name}.json")));
        let program = fs::metadata("/proc/self/exe").ok().map(|metadata| Identity::new(&metadata));
        let stored = file.as_deref().and_then(read::<StoredIndex>);
        let stored = stored.filter(|stored| stored.program == program && stored.folder == folder);
        let stored = stored.unwrap_or(StoredIndex { program, folder, runs: BTreeMap::new() });
        RunIndex { file, stored, changed: false }
    }

    /// What a list shows of a run.
    ///
    /// # Errors
    /// If its `report.json` can't be read, which the index does not remember.
    pub fn summary(&mut self, saved: &Saved) -> Result<RunSummary> {
        let path = saved.folder.join(RESULTS);
        // Taken before the file is read: if the file is replaced in between, it is read again next time.
        let identity = fs::metadata(&path).ok().map(|metadata| Identity::new(&metadata));
        let name = saved.folder.file_name().and_then(|name| name.to_str());
        let known = name.and_then(|name| self.stored.runs.get(name));
        if let Some(known) = known.filter(|known| Some(known.identity) == identity) {
            return Ok(known.summary.clone());
        }
        let summary = RunSummary::new(Run::read(&path)?);
        if let (Some(name), Some(identity)) = (name, identity.filter(Identity::is_settled)) {
            let run = IndexedRun { identity, summary: summary.clone() };
            self.stored.runs.insert(name.to_owned(), run);
            self.changed = true;
        }
        Ok(summary)
    }

    /// Keeps the index for other commands, without the runs that are not among `all` of the folder. A failure
    /// is ignored, because it only makes these commands take longer.
    pub fn save(mut self, all: &[Saved]) {
        let names: HashSet<&OsStr> = all.iter().filter_map(|saved| saved.folder.file_name()).collect();
        let before = self.stored.runs.len();
        self.stored.runs.retain(|name, _| names.contains(OsStr::new(name)));
        let is_changed = self.changed || self.stored.runs.len() < before;
        if let (true, Some(file)) = (is_changed, &self.file) {
            let _ = self.write(file);
        }
    }

    fn write(&self, file: &Path) -> Result<()> {
        let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return Ok(()) };
        if !file.exists() {
            remove_orphans(folder);
        }
        let output = Output::in_folder(folder, &name.to_string_lossy())?;
        output.write(|out| Ok(serde_json::to_writer(out, &self.stored)?))
    }
}

/// Removes the indexes of folders that are gone.
fn remove_orphans(indexes: &Path) {
    #[derive(Deserialize)]
    struct IndexedFolder {
        folder: PathBuf,
    }
    for entry in fs::read_dir(indexes).into_iter().flatten().flatten() {
        // One that is damaged is written anew when its folder is listed.
        let indexed = read::<IndexedFolder>(&entry.path());
        if indexed.is_some_and(|indexed| !indexed.folder.exists()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The content of a file in JSON; `None` if it is damaged, too large, or not there.
fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Option<T> {
    fs::metadata(file).ok().filter(|metadata| metadata.is_file() && metadata.len() <= MOST_BYTES)?;
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

#[cfg(test)]
mod tests;
