//! The test status of what is listed.

use assay_conformance::{Pass, Passes, Subject};
use assay_load::plugin::{Listing, Registry};

/// The test status of an algorithm and its twin: the latest pass, if there is one. It is `None` for other
/// kinds of plugins, because only algorithms are tested.
pub(in crate::cli) struct LatestPass(pub(in crate::cli) Option<Option<Pass>>);

impl LatestPass {
    /// The test status of a plugin.
    pub(in crate::cli) fn new(listing: &Listing, registry: &Registry, passes: &Passes) -> Self {
        LatestPass(Subject::of_listing(registry, listing).map(|subject| passes.latest(&subject).cloned()))
    }

    /// The status in a word, as tables show it.
    pub(in crate::cli) fn word(&self) -> Option<&'static str> {
        self.0.as_ref().map(|pass| match pass {
            None => "no",
            Some(pass) if pass.quick => "quick",
            Some(_) => "yes",
        })
    }

    /// Whether the latest pass was of all cases.
    pub(in crate::cli) fn is_full(&self) -> Option<bool> {
        self.word().map(|word| word == "yes")
    }

    /// The JSON of a plugin with its test status and the time of its test.
    pub(in crate::cli) fn added_to(&self, mut object: serde_json::Value) -> serde_json::Value {
        let pass = self.0.as_ref().and_then(|pass| pass.as_ref()).filter(|pass| !pass.quick);
        object["tested"] = self.is_full().into();
        object["tested_at"] = pass.map(|pass| pass.at.as_str()).into();
        object
    }
}
