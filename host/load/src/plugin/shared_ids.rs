//! Ids that several libraries bring. Such an id means the item of the library that was shipped with the
//! program, if one of them was; the others are named `LIBRARY:ID`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use assay_base::error::Error;
use assay_base::natural_order;

use super::contents::{Kind, Listing};
use super::library::Library;
use super::trust::Trust;
use super::validation::is_id;

/// An id that libraries with different contents bring.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SharedId {
    /// The libraries.
    pub paths: BTreeSet<PathBuf>,
    /// The library whose item the id means, because it was shipped with the program.
    pub owner: Option<PathBuf>,
    /// The ids by which the items of the other libraries can be named.
    pub qualified: Vec<String>,
}

/// The ids that several libraries bring, each with its kind.
pub(super) type SharedIds = BTreeMap<(Kind, String), SharedId>;

impl SharedId {
    /// What the id means, or how the items can be named: the end of a message.
    pub(super) fn meaning(&self) -> String {
        let names = self.qualified.join(", ");
        match &self.owner {
            Some(owner) if names.is_empty() => {
                format!("the one of `{}`, which came with assay, is used", owner.display())
            }
            Some(owner) => format!(
                "it means that of `{}`, which came with assay; name the other: {names}",
                owner.display()
            ),
            None if names.is_empty() => {
                "move all but one of them away, or give their files other names if that is \
                 where the id comes from"
                    .to_owned()
            }
            None => format!("name the one that you mean: {names}"),
        }
    }

    /// As [`meaning`](SharedId::meaning), for several ids with the same answer.
    pub(super) fn meaning_of_many(&self) -> String {
        let library = self.qualified.iter().filter_map(|id| id.split_once(':'));
        let names: Vec<String> = library.map(|(library, _)| format!("{library}:ID")).collect();
        SharedId { qualified: names, ..self.clone() }.meaning()
    }

    /// The error that the id means none of them.
    pub(super) fn error(&self, kind: Kind, id: &str) -> Error {
        Error::new(format!("{} `{id}` is brought by {}", kind.noun(), quoted(&self.paths)))
            .remedy(self.meaning())
    }
}

/// The paths in backquotes, joined by "and".
pub(super) fn quoted(paths: &BTreeSet<PathBuf>) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    quoted.join(" and ")
}

/// The id by which an item can be named together with its library.
fn qualified(library: &str, id: &str) -> String {
    format!("{library}:{id}")
}

/// Whether the items of a library can be named together with it. The id of a counter backend already stands
/// before the colon of its events, and ids with the prefix of a dialect have a colon.
fn can_be_qualified(listing: &Listing) -> bool {
    listing.kind != Kind::Counter && !listing.id.contains(':') && is_id(&listing.library.info.name)
}

/// Whether an id names this item together with its library.
pub(super) fn names(id: &str, listing: &Listing) -> bool {
    can_be_qualified(listing) && qualified(&listing.library.info.name, &listing.id) == id
}

/// The items of libraries under the ids by which they are used, sorted by kind and id (in natural order), and the ids that
/// several libraries bring.
pub(super) fn resolve(libraries: &[Library]) -> (Vec<Listing>, SharedIds) {
    let mut by_id: BTreeMap<(Kind, &str), Vec<(&Library, &Listing)>> = BTreeMap::new();
    for library in libraries {
        for listing in library.outcome.as_ref().iter().flat_map(|contents| &contents.listings) {
            let candidates = by_id.entry((listing.kind, &listing.id)).or_default();
            // A library that was copied is one library: the first place in search order counts.
            if candidates.iter().all(|(other, _)| other.sha256 != library.sha256) {
                candidates.push((library, listing));
            }
        }
    }
    let mut shared = SharedIds::new();
    let (mut renamed, mut unused) = (HashSet::new(), HashSet::new());
    for (&(kind, id), candidates) in by_id.iter().filter(|(_, candidates)| candidates.len() > 1) {
        let mut shipped = candidates.iter().filter(|(library, _)| library.trust == Trust::Shipped);
        let owner =
            shipped.next().filter(|_| shipped.next().is_none()).map(|(library, _)| library.path.as_path());
        let mut found = SharedId { owner: owner.map(Path::to_owned), ..SharedId::default() };
        for (library, listing) in candidates {
            found.paths.insert(library.path.clone());
            let name = &listing.library.info.name;
            let same_name = candidates.iter().filter(|(_, other)| other.library.info.name == *name);
            if owner == Some(&library.path) {
            } else if can_be_qualified(listing) && same_name.count() == 1 {
                found.qualified.push(qualified(name, id));
                renamed.insert((library.path.as_path(), kind, id));
            } else {
                unused.insert((library.path.as_path(), kind, id));
            }
        }
        shared.insert((kind, id.to_owned()), found);
    }
    let mut listings = Vec::new();
    for (library, listing) in by_id.values().flatten() {
        let key = |id| (library.path.as_path(), listing.kind, id);
        if unused.contains(&key(listing.id.as_str())) {
            continue;
        }
        let is_renamed = |id: &str| renamed.contains(&(library.path.as_path(), listing.kind, id));
        listings.push(under_its_id(library, listing, is_renamed));
    }
    listings.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| natural_order(&a.id, &b.id)));
    (listings, shared)
}

/// An item under the id by which it is used. A twin goes with its algorithm: if that is named together with
/// its library, so is the twin.
fn under_its_id(library: &Library, listing: &Listing, is_renamed: impl Fn(&str) -> bool) -> Listing {
    let name = &listing.library.info.name;
    let mut used = listing.clone();
    match &listing.twin_of {
        None if is_renamed(&listing.id) => used.id = qualified(name, &listing.id),
        None => {}
        Some(base) => {
            let contents =
                library.outcome.as_ref().map(|contents| contents.listings.as_slice()).unwrap_or_default();
            let brings_base = contents.iter().any(|other| other.kind == listing.kind && other.id == *base);
            let base_is_renamed = is_renamed(base);
            if base_is_renamed || is_renamed(&listing.id) {
                used.id = qualified(name, &listing.id);
            }
            if base_is_renamed || (is_renamed(&listing.id) && !brings_base) {
                used.twin_of = Some(qualified(name, base));
            }
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::contents::Contents;
    use crate::plugin::library_info::LibraryInfo;
    use crate::plugin::registry::Registry;
    use crate::plugin::testing::listing;
    use crate::plugin::twins::twin_id;

    /// A library of this name that brings algorithms, and of some of them the twin.
    fn library(name: &str, trust: Trust, ids: &[&str]) -> Library {
        let listings = ids.iter().map(|id| {
            let twin_of = id.strip_prefix("stat_").map(str::to_owned);
            Listing { instrumented: twin_of.is_some(), twin_of, ..listing(Kind::Algorithm, id, "", "") }
        });
        let info = LibraryInfo { name: name.to_owned(), ..LibraryInfo::default() };
        let contents = Contents { library: info, listings: listings.collect() };
        let mut library = Library::bringing(&format!("/{name}.so"), name, contents);
        library.trust = trust;
        library
    }

    /// The ids that are used, those of twins with their algorithms.
    fn used(libraries: &[Library]) -> Vec<String> {
        let shown = |listing: &Listing| match &listing.twin_of {
            Some(base) => format!("{} of {base}", listing.id),
            None => listing.id.clone(),
        };
        resolve(libraries).0.iter().map(shown).collect()
    }

    #[test]
    fn an_id_is_that_of_the_shipped_library_and_the_others_are_qualified_with_their_twins() {
        let ours = library("ours", Trust::Shipped, &["bm", "hor"]);
        let twins = library("ours-stat", Trust::Shipped, &["stat_hor"]);
        let mine = library("mine", Trust::Unknown, &["hor", "stat_hor", "new"]);
        let libraries = [ours, twins, mine];
        let expected = ["bm", "hor", "mine:hor", "mine:stat_hor of mine:hor", "new", "stat_hor of hor"];
        assert_eq!(used(&libraries), expected);
        let shared = &resolve(&libraries).1[&(Kind::Algorithm, "hor".to_owned())];
        assert_eq!(
            (shared.owner.as_deref(), &*shared.qualified),
            (Some(Path::new("/ours.so")), &["mine:hor".to_owned()][..])
        );
    }

    #[test]
    fn items_are_listed_by_the_numbers_in_their_ids() {
        let libraries =
            [library("a", Trust::Shipped, &["ufm10", "ufm2"]), library("b", Trust::Shipped, &["ufm1"])];
        assert_eq!(used(&libraries), ["ufm1", "ufm2", "ufm10"]);
    }

    #[test]
    fn an_id_of_two_strangers_means_none_of_them() {
        let [a, b] = ["a", "b"].map(|name| library(name, Trust::Accepted, &["hor", "stat_hor"]));
        let expected = ["a:hor", "a:stat_hor of a:hor", "b:hor", "b:stat_hor of b:hor"];
        assert_eq!(used(&[a.clone(), b]), expected);
        let mut again = a.clone();
        (again.sha256, again.path) = ("another build".to_owned(), "/c.so".into());
        assert!(used(&[a, again]).is_empty(), "two libraries of one name can't be told apart by it");
    }

    #[test]
    fn the_prefix_of_a_dialect_may_be_left_out_of_an_id_that_two_libraries_have() {
        let [a, b] = ["a", "b"].map(|name| library(name, Trust::Accepted, &["old:last", "old:hor"]));
        let ours = library("ours", Trust::Shipped, &["hor"]);
        let registry = Registry::from_libraries(vec![ours, a, b]);
        let conflict = registry.conflict(Kind::Algorithm, "last").map(|error| error.to_string());
        assert!(conflict.is_some_and(|error| error.contains("`old:last` is brought by `/a.so` and `/b.so`")));
        assert!(registry.conflict(Kind::Algorithm, "hor").is_none(), "another algorithm has this id");
        assert!(registry.conflict(Kind::Algorithm, "first").is_none());
    }

    #[test]
    fn a_twin_that_only_strangers_bring_twice_stays_with_the_algorithm_of_its_library() {
        let a = library("a", Trust::Unknown, &["hor2", "stat_hor2"]);
        let b = library("b", Trust::Unknown, &["stat_hor2"]);
        assert_eq!(used(&[a, b]), ["a:stat_hor2 of hor2", "b:stat_hor2 of b:hor2", "hor2"]);
        assert_eq!(twin_id("mine:hor"), "mine:stat_hor");
    }
}
