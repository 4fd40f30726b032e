//! Weak Factor Recognition (`wfr` to `wfr8`).
//!
//! Pays on long patterns and small alphabets; larger q suit longer patterns.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;

/// The searcher: the hashes of all factors of the pattern.
pub type WeakFactorRecognition<const Q: usize> = Recognition<Q, 1, false>;

const ABOUT: About = About {
    id: "wfr",
    name: "Weak Factor Recognition",
    reference: papers::WEAK_FACTORS,
    after: &["bom"],
    idea: "Hashes of all factors of the pattern in a table; reads a window backward while the hash is \
        known.",
    ..WeakFactorRecognition::<1>::ABOUT
};

register!(algorithm
    WeakFactorRecognition<1>, id: "wfr", name: "Weak Factor Recognition (q=1)", parameters: "q=1",
        about: ABOUT;
    WeakFactorRecognition, q: [2, 3, 4, 5, 6, 7, 8], about: ABOUT
);
