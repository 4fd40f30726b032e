//! Ids that meant another algorithm in earlier versions of a library, as the library itself says.

use super::contents::{Kind, Listing};
use super::registry::Registry;

/// An id that meant another algorithm before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormerId<'a> {
    /// The id.
    pub id: &'a str,
    /// The id that this other algorithm has now.
    pub now: &'a str,
    /// The last version of the library in which it had the old one.
    pub until: &'a str,
}

impl FormerId<'_> {
    /// What changed, as part of a sentence.
    pub fn words(&self) -> String {
        format!("its `{}` is `{}` now", self.id, self.now)
    }
}

impl Registry {
    /// What an id meant before; `None` if it has always meant the same, or nothing. No library decides on the ids that
    /// another one brings.
    pub fn former_id(&self, id: &str) -> Option<FormerId<'_>> {
        let known = self.of_kind(Kind::Algorithm).find(|listing| listing.id == id);
        self.of_kind(Kind::Algorithm)
            .filter(|listing| listing.twin_of.is_none())
            .filter(|listing| known.is_none_or(|known| known.library.path == listing.library.path))
            .find_map(|listing| former_id(listing, id))
    }
}

/// The id as a former one of this algorithm.
fn former_id<'a>(listing: &'a Listing, id: &str) -> Option<FormerId<'a>> {
    let former = listing.fact("formerly")?.split(", ").find(|former| *former == id)?;
    Some(FormerId { id: former, now: &listing.id, until: listing.fact("formerly_until").unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::super::library::Library;
    use super::super::testing::{contents, listing};
    use super::*;

    #[test]
    fn a_former_id_is_that_of_the_algorithm_that_had_it() {
        let facts = [("formerly", "old, older"), ("formerly_until", "0.3.0")];
        let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let renamed = Listing { facts, ..listing(Kind::Algorithm, "new", "/a.so", "1") };
        let reused = listing(Kind::Algorithm, "old", "/a.so", "1");
        let registry = Registry::of_library(Library::bringing("/a.so", "1", contents(vec![renamed, reused])));
        let words = registry.former_id("older").map(|former| former.words());
        assert_eq!(words.as_deref(), Some("its `older` is `new` now"));
        assert_eq!(registry.former_id("old").map(|former| former.now), Some("new"));
        assert_eq!([registry.former_id("new"), registry.former_id("ol")], [None, None]);
    }

    #[test]
    fn no_library_says_what_the_id_of_another_one_meant() {
        let facts = vec![("formerly".to_owned(), "hor, gone".to_owned())];
        let claims = Listing { facts, ..listing(Kind::Algorithm, "theirs", "/b.so", "2") };
        let registry = super::super::testing::registry(vec![
            ("/a.so", vec![listing(Kind::Algorithm, "hor", "/a.so", "1")]),
            ("/b.so", vec![claims]),
        ]);
        assert_eq!(registry.former_id("hor"), None);
        assert_eq!(registry.former_id("gone").map(|former| former.now), Some("theirs"));
    }
}
