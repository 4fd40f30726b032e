//! Sets of algorithms that the user keeps: the selected one, and others by name. They hold ids, which were found when an
//! algorithm was added: what is in a set changes only when the user says so. An id stays where no library brings it now.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::selection;
use crate::error::{Error, Result, excerpt, unknown};
use crate::io::atomic::Output;
use crate::io::console::Console;
use crate::io::{folders, toml_input};
use crate::plugin::{Kind, Registry, is_id};

const FILE: &str = "sets.toml";

const HEAD: &str = "\
# Sets of algorithms, by their ids. `assay select` writes this file anew with each change, and keeps no comments.
";

/// The user's sets.
#[derive(Debug)]
pub struct Sets {
    path: PathBuf,
    kept: Kept,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Kept {
    /// The selected algorithms.
    selected: Vec<String>,
    /// The named sets.
    sets: BTreeMap<String, Vec<String>>,
}

impl Sets {
    /// Those in the user's folder for configuration; none where no file is there.
    ///
    /// # Errors
    /// If the file can't be read or holds something else, or the user has no such folder.
    pub fn open() -> Result<Self> {
        let folder = folders::config().ok_or_else(|| {
            Error::new("there is no folder for sets of algorithms: the user has no home")
                .remedy("set ASSAY_CONFIG_DIR to a folder")
        })?;
        Sets::open_in(&folder)
    }

    fn open_in(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let failed = |error: Error| {
            error.remedy("mend the file, or remove it: `assay select` begins a new one, without any set")
        };
        // Whether something is there that can't be read, reading will tell.
        let mut kept = match path.try_exists() {
            Ok(false) => Kept::default(),
            _ => toml_input::read::<Kept>(&path).map_err(failed)?,
        };
        if let Some(name) = kept.sets.keys().find(|name| !is_id(name)) {
            return Err(failed(no_name(name).within(&path)));
        }
        for ids in kept.sets.values_mut().chain([&mut kept.selected]) {
            let mut seen = HashSet::new();
            ids.retain(|id| seen.insert(id.clone()));
        }
        Ok(Sets { path, kept })
    }

    /// Writes them.
    ///
    /// # Errors
    /// If that can't be done; the file is as it was then.
    pub fn save(&self) -> Result<()> {
        let folder = self.path.parent().expect("the file lies in a folder");
        fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
        let text = toml::to_string(&self.kept).expect("lists of names have a TOML form");
        Output::create(&self.path)?.write(|file| file.write_all(format!("{HEAD}{text}").as_bytes()))
    }

    /// The ids of the selected algorithms.
    pub fn selected(&self) -> &[String] {
        &self.kept.selected
    }

    /// Selects these, and no others.
    pub fn select(&mut self, ids: Vec<String>) {
        self.kept.selected = ids;
    }

    /// The named sets, in the order of their names.
    pub fn named(&self) -> impl Iterator<Item = (&str, &[String])> + Clone {
        self.kept.sets.iter().map(|(name, ids)| (name.as_str(), ids.as_slice()))
    }

    /// The ids of a named set.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn find(&self, name: &str) -> Result<&[String]> {
        if let Some(ids) = self.kept.sets.get(name) {
            return Ok(ids);
        }
        Err(match self.kept.sets.is_empty() {
            false => unknown("set", name, self.named().map(|(name, _)| name)),
            true => Error::new(format!("there is no set `{}`, nor any other", excerpt(name)))
                .remedy("`assay select add ALGO..`, then `assay select save NAME` keeps one"),
        })
    }

    /// Keeps the selected algorithms under a name, and tells what it named before.
    ///
    /// # Errors
    /// If that is no name for a set, or nothing is selected.
    pub fn keep(&mut self, name: &str) -> Result<Option<Vec<String>>> {
        if !is_id(name) {
            return Err(no_name(name));
        }
        if self.selected().is_empty() {
            return Err(nothing_selected());
        }
        Ok(self.kept.sets.insert(name.to_owned(), self.kept.selected.clone()))
    }

    /// Deletes a named set, and tells what was in it.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn delete(&mut self, name: &str) -> Result<Vec<String>> {
        let ids = self.find(name)?.to_vec();
        self.kept.sets.remove(name);
        Ok(ids)
    }
}

fn no_name(name: &str) -> Error {
    Error::new(format!("`{}` is no name for a set", excerpt(name)))
        .remedy("a lower case letter or digit, then these, `-`, `_` and `.`; at most 64 bytes")
}

fn nothing_selected() -> Error {
    Error::new("no algorithm is selected").remedy("`assay select add ALGO..` selects some")
}

/// The algorithms of a command: those that `names` name (see [`selection::select`]), and those of the named sets and of the
/// selected one that are not among them. An id that no library brings is told, and left out.
///
/// # Errors
/// If there is no such set, it is empty, several libraries bring one of its ids, or no library brings any.
pub fn joined(
    names: &[String],
    sets: &[String],
    selected: bool,
    registry: &Registry,
    console: &Console,
) -> Result<Vec<String>> {
    let mut joined = names.to_vec();
    if sets.is_empty() && !selected {
        return Ok(joined);
    }
    let kept = Sets::open()?;
    let mut ids: Vec<&String> = Vec::new();
    for name in sets {
        match kept.find(name)? {
            [] => return Err(Error::new(format!("the set `{name}` is empty"))),
            of_set => ids.extend(of_set),
        }
    }
    match kept.selected() {
        [] if selected => return Err(nothing_selected()),
        of_set if selected => ids.extend(of_set),
        _ => {}
    }
    let mut seen: HashSet<String> = selection::named_ids(names, registry)?.into_iter().collect();
    ids.retain(|id| seen.insert((*id).clone()));
    let (there, gone) = brought(ids, registry);
    if let Some(conflict) = gone.iter().find_map(|id| registry.conflict(Kind::Algorithm, id)) {
        return Err(conflict);
    }
    joined.extend(there.into_iter().cloned());
    match (lost(&gone), joined.as_slice()) {
        (Some(lost), []) => Err(Error::new(lost).remedy("--plugin-dir names the folder of a library")),
        (Some(lost), _) => {
            console.warn(&format!("{lost}; left out"));
            Ok(joined)
        }
        (None, _) => Ok(joined),
    }
}

/// Divides ids into those of algorithms that can be used, and others.
pub fn brought<'a>(
    ids: impl IntoIterator<Item = &'a String>,
    registry: &Registry,
) -> (Vec<&'a String>, Vec<&'a String>) {
    let known = selection::ids(registry);
    ids.into_iter().partition(|id| known.contains_key(id.as_str()))
}

/// That no library brings these ids, in words; nothing if there are none.
pub fn lost(ids: &[&String]) -> Option<String> {
    let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
    (!ids.is_empty()).then(|| format!("no library brings {}", ids.join(", ")))
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
    fn what_is_wrong_with_a_set_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut sets = Sets::open_in(folder.path()).unwrap();
        assert!(sets.keep("mine").unwrap_err().to_string().starts_with("no algorithm is selected"));
        sets.select(ids(&["bm"]));
        for name in ["", "Mine", "my set", "../mine", &"x".repeat(65)] {
            assert!(sets.keep(name).unwrap_err().to_string().contains("is no name for a set"), "{name}");
        }
        sets.keep("mine").unwrap();
        assert!(sets.find("mien").unwrap_err().to_string().contains("did you mean mine?"));
    }

    #[test]
    fn a_file_that_holds_something_else_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        for (text, at, why) in [
            ("selected = [\"hor\"]\n[sets]\nmine = [\"bm\"", ":3:", "array"),
            ("selected = [\"hor\"]\nchosen = []\n", ":2:", "unknown field `chosen`"),
            ("[sets]\nmine = \"hor\"\n", ":2:", "stands where a list"),
            ("[sets]\n\"My set\" = [\"hor\"]\n", "", "`My set` is no name for a set"),
        ] {
            fs::write(&path, text).unwrap();
            let error = Sets::open_in(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("{}{at}", path.display())), "{error}");
            assert!(error.contains(why) && error.contains("\n  help: mend the file"), "{error}");
        }
        fs::write(&path, "selected = [\"hor\", \"bm\", \"hor\"]").unwrap();
        assert_eq!(Sets::open_in(folder.path()).unwrap().selected(), ids(&["hor", "bm"]), "each id once");
    }
}
