//! The subject of a test: an algorithm and its instrumented twin.

use assay_load::plugin::{InspectedLibrary, Kind, Listing, Registry, twin_id};
use serde::{Deserialize, Serialize};

/// An algorithm with its twin, or one of them if the other does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its id, without the `stat_` of the twin.
    pub id: String,
    /// The algorithm, and then its twin.
    pub variants: Vec<TestedVariant>,
}

/// The algorithm or the twin, as a library brings it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestedVariant {
    /// The id in the library's list.
    pub id: String,
    /// Its library as it was when it was inspected.
    pub library: InspectedLibrary,
    /// CPU features that it needs.
    pub cpu: Vec<String>,
}

impl TestedVariant {
    /// The variant of this listing, in its inspected library.
    pub fn new(listing: &Listing, library: InspectedLibrary) -> Self {
        let Listing { id, cpu, .. } = listing.clone();
        TestedVariant { id, library, cpu }
    }
}

impl Subject {
    /// All subjects of a registry, by id.
    pub fn all(registry: &Registry) -> Vec<Subject> {
        let mut ids: Vec<String> = registry.of_kind(Kind::Algorithm).map(base).collect();
        ids.sort();
        ids.dedup();
        ids.into_iter().map(|id| Subject::with_id(registry, id)).collect()
    }

    /// The subject to which a listed algorithm belongs; `None` if the listing is of another kind.
    pub fn of_listing(registry: &Registry, listing: &Listing) -> Option<Subject> {
        (listing.kind == Kind::Algorithm).then(|| Subject::with_id(registry, base(listing)))
    }

    fn with_id(registry: &Registry, id: String) -> Subject {
        let ids = [id.clone(), twin_id(&id)];
        let listed =
            ids.iter().filter_map(|id| registry.of_kind(Kind::Algorithm).find(|listing| listing.id == *id));
        let variants = listed.map(|listing| TestedVariant::new(listing, registry.inspected(listing)));
        Subject { variants: variants.collect(), id }
    }
}

/// The id of the algorithm, also if the listing is of its twin.
fn base(listing: &Listing) -> String {
    listing.twin_of.clone().unwrap_or_else(|| listing.id.clone())
}
