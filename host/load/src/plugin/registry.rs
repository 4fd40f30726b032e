//! The registry: all items of all libraries, by kind and id.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;

use assay_base::error::{Error, Result, unknown};

use super::contents::{Contents, Kind, Listing};
use super::discovery;
use super::failure::Stage;
use super::library::Library;
use super::remote::{Corpus, Merger, Metric, Service, Statistic};
use super::shared_ids::{self, SharedIds, quoted};
use super::trust::{Judge, Trust, TrustPolicies};
use super::verified_library::InspectedLibrary;

/// The libraries that were found in the plugin folders, and their items.
#[derive(Debug)]
pub struct Registry {
    /// The folders in which libraries were looked for.
    folders: Vec<PathBuf>,
    libraries: Vec<Library>,
    listings: Vec<Listing>,
    shared: SharedIds,
    announcer: Announcer,
    /// The child processes of the libraries that were called so far.
    pub(super) services: RefCell<HashMap<PathBuf, Rc<Service>>>,
}

/// A problem with a library or a plugin folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What was found where, what was expected and what to do, in one line.
    pub message: String,
    /// More about it for `--verbose`; empty if there is no more to say.
    pub details: String,
    /// Whether everything is used nevertheless.
    pub is_used: bool,
}

impl Problem {
    /// A problem because of which something is not used, without details.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Problem { message: message.into(), details: String::new(), is_used: false }
    }
}

/// Whether the items of a library are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryState {
    /// All items of the library are used.
    Used,
    /// A library with the same content was found earlier, in another folder. Its items are used instead.
    Copy,
    /// Another library has items with the same ids, which mean those of the other library, or none. Its own
    /// can be named together with the library.
    Conflict,
    /// The library can't be used.
    Refused,
}

/// Shows a line to the user.
type Announce = dyn Fn(&str);

/// Announces the ids that are used although several libraries bring them, each once.
#[derive(Default)]
struct Announcer {
    announce: Option<Box<Announce>>,
    announced: RefCell<BTreeSet<(Kind, String)>>,
}

impl fmt::Debug for Announcer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Announcer").field("announced", &self.announced).finish_non_exhaustive()
    }
}

impl Registry {
    /// Searches for libraries, in these folders first and then in those that are always searched, and
    /// inspects those that the user's policy of trust lets pass. Nobody is asked. Returns the registry with
    /// the problems that were found.
    ///
    /// # Errors
    /// If one of the folders can't be read, if what the user has said about trust can't be read, or if
    /// libraries can't be inspected at all.
    pub fn open(folders: &[PathBuf]) -> Result<(Registry, Vec<Problem>)> {
        Registry::open_with(folders, Judge::new(TrustPolicies::resolve(None)?)?)
    }

    /// As [`open`](Registry::open), with a judge of trust who may ask the user.
    ///
    /// # Errors
    /// As [`open`](Registry::open), or if the user can't be asked.
    pub fn open_with(folders: &[PathBuf], mut judge: Judge) -> Result<(Registry, Vec<Problem>)> {
        let found = discovery::find(folders)?;
        let libraries = Library::inspect_found(&found.files, &mut judge)?;
        let registry = Registry { folders: found.folders, ..Registry::from_libraries(libraries) };
        let failures = registry.libraries.iter().filter_map(|library| library.outcome.as_ref().err());
        // The judge has a line for each folder of those that are not trusted.
        let failures = failures.filter(|failure| failure.stage != Stage::Trust);
        let failures = failures.map(|failure| Problem {
            details: failure.details.to_string(),
            ..Problem::new(failure.to_string())
        });
        let others = found.warnings.into_iter().map(Problem::new);
        let problems = judge.into_problems().into_iter().chain(failures).chain(others).collect();
        Ok((registry, problems))
    }

    /// The registry with another library, which replaces the one at the same path.
    #[must_use]
    pub fn with(self, library: Library) -> Registry {
        let path = library.path.clone();
        let others = self.libraries.into_iter().filter(|other| other.path != path);
        let libraries = others.chain([library]).collect();
        Registry { folders: self.folders, ..Registry::from_libraries(libraries) }
    }

    /// A registry of one library, without conflicts with others.
    pub fn of_library(library: Library) -> Registry {
        Registry::from_libraries(vec![library])
    }

    pub(super) fn from_libraries(libraries: Vec<Library>) -> Registry {
        let (listings, shared) = shared_ids::resolve(&libraries);
        Registry {
            folders: Vec::new(),
            libraries,
            listings,
            shared,
            services: RefCell::default(),
            announcer: Announcer::default(),
        }
    }

    /// The registry, which from now on announces an id that several libraries bring when it is used.
    #[must_use]
    pub fn announcing(self, announce: impl Fn(&str) + 'static) -> Registry {
        Registry {
            announcer: Announcer { announce: Some(Box::new(announce)), ..Announcer::default() },
            ..self
        }
    }

    /// A message for each set of libraries that have the same ids.
    pub fn conflicts(&self) -> Vec<String> {
        let line = |((paths, meaning), ids): ((&BTreeSet<PathBuf>, String), Vec<String>)| {
            let both = if paths.len() == 2 { "both" } else { "all" };
            format!("{} {both} bring {}; {meaning}", quoted(paths), ids.join(", "))
        };
        self.shared_by_paths().into_iter().map(line).collect()
    }

    /// The folders that were searched, in search order. Users may also put other files there, such as event
    /// sets.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// All libraries that were found, in search order.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// The state of one of the libraries.
    pub fn status(&self, library: &Library) -> LibraryState {
        let Ok(contents) = &library.outcome else { return LibraryState::Refused };
        let conflicting = |listing: &Listing| {
            let shared = self.shared.get(&(listing.kind, listing.id.clone()));
            shared.is_some_and(|shared| shared.owner.as_ref() != Some(&library.path))
        };
        // A copy must have the same ids, because the id of a SMART algorithm is the name of its file.
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

    /// All items that can be used, sorted by kind, then by id.
    pub fn listings(&self) -> &[Listing] {
        &self.listings
    }

    /// All items of a kind that can be used, sorted by id.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Listing> + Clone {
        self.listings.iter().filter(move |listing| listing.kind == kind)
    }

    /// Whether the library of an item was shipped with the program.
    pub fn is_shipped(&self, listing: &Listing) -> bool {
        let shipped = |library: &Library| library.trust == Trust::Shipped;
        self.libraries.iter().any(|library| library.path == listing.library.path && shipped(library))
    }

    /// Finds an item by its kind and id. `LIBRARY:ID` names the item of a library.
    ///
    /// # Errors
    /// If there is none, or if several libraries have it.
    pub fn find(&self, kind: Kind, id: &str) -> Result<&Listing> {
        if let Some(listing) = self.of_kind(kind).find(|listing| listing.id == id) {
            self.announce(kind, id);
            return Ok(listing);
        }
        if let Some(listing) = self.find_qualified(kind, id) {
            return Ok(listing);
        }
        Err(match self.conflict(kind, id) {
            Some(conflict) => conflict,
            None if self.of_kind(kind).next().is_none() => {
                Error::new(format!("unknown {kind} `{id}`: no library brings any {kind}"))
                    .remedy("`assay plugins list` shows which libraries are found, and where")
            }
            None => unknown(kind.noun(), id, self.of_kind(kind).map(|listing| listing.id.as_str())),
        })
    }

    /// Finds an item that is named together with its library, `LIBRARY:ID`, although its id alone would do.
    pub fn find_qualified(&self, kind: Kind, name: &str) -> Option<&Listing> {
        self.of_kind(kind).find(|listing| shared_ids::names(name, listing))
    }

    /// The error of an id that can't be used because several libraries have it; `None` for other ids. The prefix of a
    /// dialect may be left out of an id that nothing else has.
    pub fn conflict(&self, kind: Kind, id: &str) -> Option<Error> {
        if let Some(shared) = self.shared.get(&(kind, id.to_owned())) {
            return shared.owner.is_none().then(|| shared.error(kind, id));
        }
        if self.of_kind(kind).any(|listing| listing.id == id) {
            return None;
        }
        let without_prefix = |whole: &str| whole.split_once(':').is_some_and(|(_, rest)| rest == id);
        let mut of_dialect =
            self.shared.iter().filter(|((of, whole), _)| *of == kind && without_prefix(whole));
        let ((_, whole), shared) = of_dialect.next()?;
        shared.owner.is_none().then(|| shared.error(kind, whole))
    }

    /// Announces, once, that an id that is used is brought by another library, too.
    pub fn announce(&self, kind: Kind, id: &str) {
        let key = (kind, id.to_owned());
        let Some((shared, announce)) = self.shared.get(&key).zip(self.announcer.announce.as_ref()) else {
            return;
        };
        if self.announcer.announced.borrow_mut().insert(key) {
            announce(&format!(
                "{} `{id}` is brought by {}: {}",
                kind.noun(),
                quoted(&shared.paths),
                shared.meaning()
            ));
        }
    }

    /// A message about each set of libraries that have ids of this library too.
    pub fn conflicts_of(&self, library: &Library) -> Vec<String> {
        let concerned =
            self.shared_by_paths().into_iter().filter(|((paths, _), _)| paths.contains(&library.path));
        let line = |((paths, meaning), ids): ((&BTreeSet<PathBuf>, String), Vec<String>)| {
            let others = paths.iter().filter(|path| **path != library.path).cloned().collect();
            let are = if ids.len() == 1 { "is" } else { "are" };
            format!("{} {are} brought by {} too: {meaning}", ids.join(", "), quoted(&others))
        };
        concerned.map(line).collect()
    }

    /// The ids that several libraries have, by the paths of these libraries and by what such an id means.
    fn shared_by_paths(&self) -> BTreeMap<(&BTreeSet<PathBuf>, String), Vec<String>> {
        let mut by_paths: BTreeMap<(&BTreeSet<PathBuf>, String), Vec<String>> = BTreeMap::new();
        for ((kind, id), shared) in &self.shared {
            let key = (&shared.paths, shared.meaning_of_many());
            by_paths.entry(key).or_default().push(format!("{} `{id}`", kind.noun()));
        }
        by_paths
    }

    /// Finds a metric.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn metric(&self, id: &str) -> Result<Metric> {
        self.find(Kind::Metric, id).map(|listing| Metric::new(listing, self.service(listing)))
    }

    /// Finds a statistic.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn statistic(&self, id: &str) -> Result<Statistic> {
        self.find(Kind::Statistic, id).map(|listing| Statistic::new(listing, self.service(listing)))
    }

    /// Finds a merger.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn merger(&self, id: &str) -> Result<Merger> {
        self.find(Kind::Merger, id).map(|listing| Merger::new(listing, self.service(listing)))
    }

    /// Finds a corpus by the name that the user gives, and returns it with the number at the end of the name:
    /// "english" (0), "rand4" (4).
    ///
    /// # Errors
    /// If there is no corpus of this name, or if it does not take this number.
    pub fn corpus(&self, name: &str) -> Result<(Corpus, usize)> {
        let (listing, number) = self.corpus_listing(name)?;
        Ok((Corpus::new(listing, self.service(listing)), number))
    }

    /// What is known of a corpus of this name, and the number at the end of the name.
    ///
    /// # Errors
    /// As [`corpus`](Self::corpus).
    pub fn corpus_listing(&self, name: &str) -> Result<(&Listing, usize)> {
        let id = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let exists = |id: &str| {
            let mut corpora = self.of_kind(Kind::Corpus);
            corpora.any(|listing| listing.id == id || shared_ids::names(id, listing))
        };
        let (id, number) = if exists(name) || !exists(id) { (name, "") } else { (id, &name[id.len()..]) };
        let listing = self.find(Kind::Corpus, id)?;
        match (listing.parameter, number.parse::<usize>()) {
            (None, _) if number.is_empty() => Ok((listing, 0)),
            (Some((min, max)), Ok(number)) if (min..=max).contains(&number) => Ok((listing, number)),
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

    /// The library of an item, as it was when it was inspected.
    pub fn inspected(&self, listing: &Listing) -> InspectedLibrary {
        let library = self.libraries.iter().find(|library| library.path == listing.library.path);
        library.expect("a listing comes from a library").inspected()
    }

    /// Ends the child process that serves the items of a library. The next call starts another one.
    pub fn end_service(&self, listing: &Listing) {
        self.services.borrow_mut().remove(&listing.library.path);
    }

    /// The child process of a library, which serves all items of the library.
    fn service(&self, listing: &Listing) -> Rc<Service> {
        let mut services = self.services.borrow_mut();
        let service = services.entry(listing.library.path.clone());
        Rc::clone(service.or_insert_with(|| Rc::new(Service::new(self.inspected(listing)))))
    }
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
        let lines = registry.conflicts();
        assert!(lines.len() == 1 && lines[0].contains("bring statistic `med`;"), "{lines:?}");
        assert_eq!(registry.status(&registry.libraries()[0]), LibraryState::Conflict);
    }

    #[test]
    fn a_copy_of_a_library_is_the_same_library() {
        let registry =
            Registry::from_libraries(vec![library("/z.so", "1", &["min"]), library("/a.so", "1", &["min"])]);
        assert_eq!(registry.find(Kind::Statistic, "min").unwrap().library.path, Path::new("/z.so"));
        assert!(registry.conflicts().is_empty());
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
