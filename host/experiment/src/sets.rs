//! Sets of algorithms that the user keeps: the selection, and named sets.
//!
//! They hold ids, which are resolved when an algorithm is added, so that a set changes only when the user
//! changes it. An id stays in its set even if no library brings it now.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use assay_base::error::{Error, Result, excerpt, unknown};
use assay_base::io::atomic::Output;
use assay_base::io::{folders, toml_input};
use assay_load::plugin::{Registry, is_id};
use serde::{Deserialize, Serialize};

use crate::former_ids;

/// The file of the sets, in the folder for configuration.
pub const SETS_FILE: &str = "sets.toml";

const HEAD: &str = "\
# Sets of algorithms, by their ids. `assay select` writes this file anew with each change, and keeps no comments.
";

/// The user's sets.
#[derive(Debug)]
pub struct Sets {
    path: PathBuf,
    file: SetsFile,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SetsFile {
    /// The ids of the selection.
    selected: Vec<String>,
    /// The named sets, each with its ids.
    sets: BTreeMap<String, Vec<String>>,
    /// The ids in these lists that meant other algorithms before, each with the last version in which they
    /// did. An id that has changed and is missing here has its old meaning.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    changed_ids: BTreeMap<String, String>,
}

impl Sets {
    /// Reads the sets in the user's folder for configuration. Without a file there are none.
    ///
    /// # Errors
    /// If the file can't be read or holds something else, or if the user has no such folder.
    pub fn open() -> Result<Self> {
        let folder = folders::config().ok_or_else(|| {
            Error::new("there is no folder for sets of algorithms: the user has no home")
                .remedy("set ASSAY_CONFIG_DIR to a folder")
        })?;
        Sets::open_in(&folder)
    }

    /// Reads the sets in a folder.
    ///
    /// # Errors
    /// If the file can't be read or holds something else.
    fn open_in(folder: &Path) -> Result<Self> {
        let path = folder.join(SETS_FILE);
        let failed = |error: Error| {
            error.remedy("correct the file, or remove it: then `assay select` begins a new one without sets")
        };
        // If the file may be there but can't be read, reading it gives the reason.
        let mut file = match path.try_exists() {
            Ok(false) => SetsFile::default(),
            _ => toml_input::read::<SetsFile>(&path).map_err(failed)?,
        };
        if let Some(name) = file.sets.keys().find(|name| !is_id(name)) {
            return Err(failed(invalid_name(name).within(&path)));
        }
        for ids in file.sets.values_mut().chain([&mut file.selected]) {
            let mut seen = HashSet::new();
            ids.retain(|id| seen.insert(id.clone()));
        }
        Ok(Sets { path, file })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the file can't be written; then it stays as it was.
    pub fn save(&self) -> Result<()> {
        let folder = self.path.parent().expect("the file lies in a folder");
        fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
        let text = toml::to_string(&self.file).expect("lists of names have a TOML form");
        Output::create(&self.path)?.write(|file| file.write_all(format!("{HEAD}{text}").as_bytes()))
    }

    /// The note that ids of the selection or of named sets mean other algorithms than when the file was
    /// written; `None` if there are no such ids. `owner` names what holds the `ids`.
    pub fn note_of_changed_ids(&self, owner: &str, ids: &[String], registry: &Registry) -> Option<String> {
        former_ids::note(owner, ids.iter().map(String::as_str), &self.file.changed_ids, registry)
    }

    /// Records that all ids have the meaning which they have in the libraries that are found.
    pub fn record_changed_ids(&mut self, registry: &Registry) {
        let ids = self.all_ids();
        self.file.changed_ids.retain(|id, _| ids.contains(id));
        self.file.changed_ids.extend(former_ids::changed(ids.iter().map(String::as_str), registry));
    }

    /// The ids of the selection and of all sets.
    pub fn all_ids(&self) -> Vec<String> {
        self.file.sets.values().chain([&self.file.selected]).flatten().cloned().collect()
    }

    /// The ids of the selection.
    pub fn selected(&self) -> &[String] {
        &self.file.selected
    }

    /// Replaces the selection.
    pub fn select(&mut self, ids: Vec<String>) {
        self.file.selected = ids;
    }

    /// The named sets, in the order of their names.
    pub fn named(&self) -> impl Iterator<Item = (&str, &[String])> + Clone {
        self.file.sets.iter().map(|(name, ids)| (name.as_str(), ids.as_slice()))
    }

    /// The ids of a named set.
    ///
    /// # Errors
    /// If there is no set of this name.
    pub fn find(&self, name: &str) -> Result<&[String]> {
        if let Some(ids) = self.file.sets.get(name) {
            return Ok(ids);
        }
        if !self.file.sets.is_empty() {
            return Err(unknown("set", name, self.named().map(|(name, _)| name)));
        }
        Err(Error::new(format!("there is no set `{}`, nor any other", excerpt(name)))
            .remedy("`assay select add ALGO..` and then `assay select save NAME` make one"))
    }

    /// Keeps the selection as a set of this name. Returns the ids of a set that it replaces.
    ///
    /// # Errors
    /// If the name is invalid, or nothing is selected.
    pub fn keep(&mut self, name: &str) -> Result<Option<Vec<String>>> {
        if !is_id(name) {
            return Err(invalid_name(name));
        }
        if self.selected().is_empty() {
            return Err(nothing_selected());
        }
        Ok(self.file.sets.insert(name.to_owned(), self.file.selected.clone()))
    }

    /// Deletes a named set, and returns its ids.
    ///
    /// # Errors
    /// If there is no set of this name.
    pub fn delete(&mut self, name: &str) -> Result<Vec<String>> {
        let ids = self.find(name)?.to_vec();
        self.file.sets.remove(name);
        Ok(ids)
    }
}

/// The error that this can't be the name of a set.
fn invalid_name(name: &str) -> Error {
    Error::new(format!("`{}` is not a valid name for a set", excerpt(name))).remedy(
        "begin with a lower case letter or digit, and use only these, `-`, `_` and `.`, at most 64 bytes",
    )
}

/// The error that the selection is empty.
pub(crate) fn nothing_selected() -> Error {
    Error::new("no algorithm is selected").remedy("`assay select add ALGO..` selects some")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn sets_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new/assay");
        let mut sets = Sets::open_in(&place).unwrap();
        assert!(sets.selected().is_empty() && sets.named().next().is_none());
        sets.select(ids(&["hor", "far:hor"]));
        assert_eq!(sets.keep("mine").unwrap(), None);
        sets.select(ids(&["bm"]));
        sets.save().unwrap();
        let mut again = Sets::open_in(&place).unwrap();
        assert_eq!(
            (again.selected(), again.find("mine").unwrap()),
            (&*ids(&["bm"]), &*ids(&["hor", "far:hor"]))
        );
        assert_eq!(again.keep("mine").unwrap(), Some(ids(&["hor", "far:hor"])), "what it named before");
        assert_eq!(again.delete("mine").unwrap(), ids(&["bm"]));
        assert!(again.find("mine").unwrap_err().to_string().contains("select save NAME"));
    }

    #[test]
    fn mistakes_with_a_set_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let mut sets = Sets::open_in(folder.path()).unwrap();
        assert!(sets.keep("mine").unwrap_err().to_string().starts_with("no algorithm is selected"));
        sets.select(ids(&["bm"]));
        for name in ["", "Mine", "my set", "../mine", &"x".repeat(65)] {
            assert!(
                sets.keep(name).unwrap_err().to_string().contains("is not a valid name for a set"),
                "{name}"
            );
        }
        sets.keep("mine").unwrap();
        assert!(sets.find("mien").unwrap_err().to_string().contains("did you mean mine?"));
    }

    #[test]
    fn a_file_that_holds_something_else_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SETS_FILE);
        for (text, at, why) in [
            ("selected = [\"hor\"]\n[sets]\nmine = [\"bm\"", ":3:", "array"),
            ("selected = [\"hor\"]\nchosen = []\n", ":2:", "unknown field `chosen`"),
            ("[sets]\nmine = \"hor\"\n", ":2:", "stands where a list"),
            ("[sets]\n\"My set\" = [\"hor\"]\n", "", "`My set` is not a valid name for a set"),
        ] {
            fs::write(&path, text).unwrap();
            let error = Sets::open_in(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("{}{at}", path.display())), "{error}");
            assert!(error.contains(why) && error.contains("\n  help: correct the file"), "{error}");
        }
        fs::write(&path, "selected = [\"hor\", \"bm\", \"hor\"]").unwrap();
        assert_eq!(Sets::open_in(folder.path()).unwrap().selected(), ids(&["hor", "bm"]), "each id once");
    }
}
