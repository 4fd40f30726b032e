//! Everything that the libraries bring, by kind and id.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::rc::Rc;

use assay_base::error::{Error, Result, unknown};

use super::contents::{Contents, Kind, Listing};
use super::discovery;
use super::library::Library;
use super::remote::{Corpus, Merger, Metric, Service, Statistic};
use super::verified_library::InspectedLibrary;

/// What was found in the plugin folders.
#[derive(Debug)]
pub struct Registry {
    /// The folders in which libraries were looked for.
    folders: Vec<PathBuf>,
    libraries: Vec<Library>,
    listings: Vec<Listing>,
    conflicts: BTreeMap<(Kind, String), BTreeSet<PathBuf>>,
    /// The libraries that were called so far.
    pub(super) services: RefCell<HashMap<PathBuf, Rc<Service>>>,
}

/// Something in the plugin folders that is not in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What was found where, what was expected and what to do, in one line.
    pub message: String,
    /// The whole story; empty if there is no more to say.
    pub details: String,
}

/// How a library fares among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryState {
    /// All that it brings is used.
    Used,
    /// The same content was found before, elsewhere.
    Copy,
    /// It brings ids that another library brings too: those are not used.
    Conflict,
    /// It can't be used.
    Refused,
}

impl Registry {
    /// Looks for libraries and at what they bring: in these folders first, then where libraries are always
    /// looked for. Items with a fault are not used, and reported.
    ///
    /// # Errors
    /// If one of the folders can't be read, or libraries can't be inspected at all.
    pub fn open(folders: &[PathBuf]) -> Result<(Registry, Vec<Problem>)> {
        let found = discovery::find(folders)?;
        let registry =
            Registry { folders: found.folders, ..Registry::from_libraries(Library::examine(&found.files)?) };
        let failures = registry.libraries.iter().filter_map(|library| library.outcome.as_ref().err());
        let failures = failures
            .map(|failure| Problem { message: failure.to_string(), details: failure.details.to_string() });
        let others = found.warnings.into_iter().chain(registry.conflict_lines());
        let others = others.map(|message| Problem { message, details: String::new() });
        let problems = failures.chain(others).collect();
        Ok((registry, problems))
    }

    /// The same libraries and another one, which takes the place of the one at its path.
    #[must_use]
    pub fn with(self, library: Library) -> Registry {
        let path = library.path.clone();
        let others = self.libraries.into_iter().filter(|other| other.path != path);
        let libraries = others.chain([library]).collect();
        Registry { folders: self.folders, ..Registry::from_libraries(libraries) }
    }

    /// What one library brings, whatever others do.
    pub fn of_library(library: Library) -> Registry {
        Registry::from_libraries(vec![library])
    }

    pub(super) fn from_libraries(libraries: Vec<Library>) -> Registry {
        let mut by_id: BTreeMap<(Kind, String), Vec<&Listing>> = BTreeMap::new();
        for listing in
            libraries.iter().filter_map(|library| library.outcome.as_ref().ok()).flat_map(|c| &c.listings)
        {
            by_id.entry((listing.kind, listing.id.clone())).or_default().push(listing);
        }
        let (mut listings, mut conflicts) = (Vec::new(), BTreeMap::new());
        for (key, candidates) in by_id {
            // A library that was copied is one library: the first place in search order counts.
            if candidates.iter().all(|other| other.library.sha256 == candidates[0].library.sha256) {
                listings.push(candidates[0].clone());
            } else {
                conflicts
                    .insert(key, candidates.iter().map(|listing| listing.library.path.clone()).collect());
            }
        }
        Registry { folders: Vec::new(), libraries, listings, conflicts, services: RefCell::default() }
    }

    /// One line for each set of libraries that bring the same ids.
    fn conflict_lines(&self) -> Vec<String> {
        let line = |(paths, ids): (&BTreeSet<PathBuf>, Vec<String>)| {
            format!(
                "{} {} bring {}; expected ids that are unique within a kind, so none of these is used; \
                 move all but one of the libraries away",
                quoted(paths),
                if paths.len() == 2 { "both" } else { "all" },
                ids.join(", ")
            )
        };
        self.conflicts_by_paths().into_iter().map(line).collect()
    }

    /// The folders in which libraries were looked for, in search order: what else users drop there is found
    /// too.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// All libraries that were found, in search order.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// How one of the libraries fares.
    pub fn status(&self, library: &Library) -> LibraryState {
        let Ok(contents) = &library.outcome else { return LibraryState::Refused };
        let conflicting =
            |listing: &Listing| self.conflicts.contains_key(&(listing.kind, listing.id.clone()));
        // Under another name, a file may be another algorithm.
        let ids = |contents: &Contents| contents.listings.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
        let same = |other: &&Library| {
            other.sha256 == library.sha256
                && other.outcome.as_ref().is_ok_and(|them| ids(them) == ids(contents))
        };
        let first = self.libraries.iter().find(same);
        if contents.listings.iter().any(conflicting) {
            LibraryState::Conflict
        } else if first.is_some_and(|first| first.path != library.path) {
            LibraryState::Copy
        } else {
            LibraryState::Used
        }
    }

    /// All that can be used, sorted by kind, then by id.
    pub fn listings(&self) -> &[Listing] {
        &self.listings
    }

    /// All of a kind that can be used, sorted by id.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Listing> + Clone {
        self.listings.iter().filter(move |listing| listing.kind == kind)
    }

    /// One thing by its kind and id.
    ///
    /// # Errors
    /// If there is none, or if several libraries bring it.
    pub fn find(&self, kind: Kind, id: &str) -> Result<&Listing> {
        if let Some(listing) = self.of_kind(kind).find(|listing| listing.id == id) {
            return Ok(listing);
        }
        Err(match self.conflict(kind, id) {
            Some(conflict) => conflict,
            None if self.of_kind(kind).next().is_none() => {
                Error::new(format!("unknown {kind} `{id}`: no library brings any {kind}"))
                    .remedy("`assay plugins list` shows which libraries are found, and where")
            }
            None => unknown(kind.name(), id, self.of_kind(kind).map(|listing| listing.id.as_str())),
        })
    }

    /// Why a thing can't be used that several libraries bring.
    pub fn conflict(&self, kind: Kind, id: &str) -> Option<Error> {
        let paths = self.conflicts.get(&(kind, id.to_owned()))?;
        let error = Error::new(format!("{kind} `{id}` is brought by {}", quoted(paths)));
        Some(error.remedy("move all but one of them away"))
    }

    /// What of a library can't be used because others bring it too: a line for each set of these.
    pub fn conflicts_of(&self, library: &Library) -> Vec<String> {
        let concerned =
            self.conflicts_by_paths().into_iter().filter(|(paths, _)| paths.contains(&library.path));
        let line = |(paths, ids): (&BTreeSet<PathBuf>, Vec<String>)| {
            let others = paths.iter().filter(|path| **path != library.path).cloned().collect();
            format!(
                "{} {} brought by {} too: where assay finds these libraries together, it uses none of them",
                ids.join(", "),
                if ids.len() == 1 { "is" } else { "are" },
                quoted(&others)
            )
        };
        concerned.map(line).collect()
    }

    /// What several libraries bring, by these.
    fn conflicts_by_paths(&self) -> BTreeMap<&BTreeSet<PathBuf>, Vec<String>> {
        let mut by_paths: BTreeMap<&BTreeSet<PathBuf>, Vec<String>> = BTreeMap::new();
        for ((kind, id), paths) in &self.conflicts {
            by_paths.entry(paths).or_default().push(format!("{kind} `{id}`"));
        }
        by_paths
    }

    /// A metric, ready to compute.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn metric(&self, id: &str) -> Result<Metric> {
        self.find(Kind::Metric, id).map(|listing| Metric::new(listing, self.service(listing)))
    }

    /// A statistic, ready to compute.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn statistic(&self, id: &str) -> Result<Statistic> {
        self.find(Kind::Statistic, id).map(|listing| Statistic::new(listing, self.service(listing)))
    }

    /// A merger, ready to merge.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn merger(&self, id: &str) -> Result<Merger> {
        self.find(Kind::Merger, id).map(|listing| Merger::new(listing, self.service(listing)))
    }

    /// A corpus by the name that the user gives, with the number that follows the name: "english" (0), "rand4" (4).
    ///
    /// # Errors
    /// If there is none of this name, or if the number is not one of those that it takes.
    pub fn corpus(&self, name: &str) -> Result<(Corpus, usize)> {
        let id = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let exists = |id: &str| self.of_kind(Kind::Corpus).any(|listing| listing.id == id);
        let (id, number) = if exists(name) || !exists(id) { (name, "") } else { (id, &name[id.len()..]) };
        let listing = self.find(Kind::Corpus, id)?;
        let corpus = || Corpus::new(listing, self.service(listing));
        match (listing.parameter, number.parse::<usize>()) {
            (None, _) if number.is_empty() => Ok((corpus(), 0)),
            (Some((min, max)), Ok(number)) if (min..=max).contains(&number) => Ok((corpus(), number)),
            (None, _) => {
                Err(Error::new(format!("corpus `{name}`: `{id}` takes no number"))
                    .remedy(format!("write {id}")))
            }
            (Some((min, max)), _) => {
                Err(Error::new(format!("corpus `{name}`: `{id}` takes a number from {min} to {max}"))
                    .remedy(format!("write, for example, {id}{min}")))
            }
        }
    }

    /// What the file of something that can be used was when it was looked at.
    pub fn inspected(&self, listing: &Listing) -> InspectedLibrary {
        let library = self.libraries.iter().find(|library| library.path == listing.library.path);
        library.expect("a listing comes from a library").inspected()
    }

    /// The child process of a library, one for all that it brings.
    fn service(&self, listing: &Listing) -> Rc<Service> {
        let mut services = self.services.borrow_mut();
        let service = services.entry(listing.library.path.clone());
        Rc::clone(service.or_insert_with(|| Rc::new(Service::new(self.inspected(listing)))))
    }
}

fn quoted(paths: &BTreeSet<PathBuf>) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    quoted.join(" and ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::plugin::testing::{contents, listing};

    /// A library that brings statistics.
    fn library(path: &str, sha256: &str, ids: &[&str]) -> Library {
        let listings = ids.iter().map(|id| listing(Kind::Statistic, id, path, sha256)).collect();
        Library::bringing(path, sha256, contents(listings))
    }

    #[test]
    fn two_libraries_with_the_same_id_are_refused_with_both_paths() {
        let registry = Registry::from_libraries(vec![
            library("/z.so", "1", &["min", "med"]),
            library("/a.so", "2", &["med", "max"]),
        ]);
        let ids: Vec<&str> = registry.listings().iter().map(|listing| listing.id.as_str()).collect();
        assert_eq!(ids, ["max", "min"]);
        let error = registry.find(Kind::Statistic, "med").unwrap_err().to_string();
        assert!(error.contains("`/a.so` and `/z.so`"), "{error}");
        let lines = registry.conflict_lines();
        assert!(lines.len() == 1 && lines[0].contains("bring statistic `med`;"), "{lines:?}");
        assert_eq!(registry.status(&registry.libraries()[0]), LibraryState::Conflict);
    }

    #[test]
    fn a_copy_of_a_library_is_the_same_library() {
        let registry =
            Registry::from_libraries(vec![library("/z.so", "1", &["min"]), library("/a.so", "1", &["min"])]);
        assert_eq!(registry.find(Kind::Statistic, "min").unwrap().library.path, Path::new("/z.so"));
        assert!(registry.conflict_lines().is_empty());
        let statuses: Vec<LibraryState> =
            registry.libraries().iter().map(|library| registry.status(library)).collect();
        assert_eq!(statuses, [LibraryState::Used, LibraryState::Copy]);
    }

    #[test]
    fn an_unknown_id_is_answered_with_near_ones() {
        let registry = Registry::from_libraries(vec![library("/a.so", "1", &["min", "med"])]);
        let error = registry.find(Kind::Statistic, "medd").unwrap_err().to_string();
        let none = registry.find(Kind::Corpus, "english").unwrap_err().to_string();
        assert!(none.contains("no library brings any corpus"), "{none}");
        assert!(error.contains("unknown statistic `medd`") && error.contains("did you mean med"), "{error}");
    }
}
