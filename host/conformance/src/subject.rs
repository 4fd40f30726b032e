//! What is tested together: an algorithm and its instrumented twin.

use assay_load::plugin::{InspectedLibrary, Kind, Listing, Registry, twin_id};
use serde::{Deserialize, Serialize};

/// An algorithm with its twin, or one of them where there is no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its id, without the `stat_` of the twin.
    pub id: String,
    /// The algorithm, and then its twin.
    pub variants: Vec<TestedVariant>,
}

/// One of them: a library brings it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestedVariant {
    /// The id in the library's list.
    pub id: String,
    /// What its library was when it was looked at.
    pub library: InspectedLibrary,
    /// Features that it needs the CPU to have.
    pub cpu: Vec<String>,
}

impl TestedVariant {
    /// One that is listed, in a library that was looked at.
    pub fn new(listing: &Listing, library: InspectedLibrary) -> Self {
        let Listing { id, cpu, .. } = listing.clone();
        TestedVariant { id, library, cpu }
    }
}

impl Subject {
    /// All subjects of a registry that can be used, by id.
    pub fn all(registry: &Registry) -> Vec<Subject> {
        let mut ids: Vec<String> = registry.of_kind(Kind::Algorithm).map(base).collect();
        ids.sort();
        ids.dedup();
        ids.into_iter().map(|id| Subject::with_id(registry, id)).collect()
    }

    /// The subject that something listed belongs to, if that is an algorithm.
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

/// The id of the algorithm itself, also for its twin.
fn base(listing: &Listing) -> String {
    listing.twin_of.clone().unwrap_or_else(|| listing.id.clone())
}
