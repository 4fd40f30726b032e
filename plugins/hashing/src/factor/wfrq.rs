//! WFR with q-gram preprocessing (`wfrq2` to `wfrq8`).
//!
//! Pays on long patterns and small alphabets, where the table of Weak Factor Recognition gets too full.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;

/// The searcher: the hashes of factors of the pattern that consist of whole q-grams.
type WeakQgramRecognition<const Q: usize> = Recognition<Q, Q, false>;

const ABOUT: About = About {
    id: "wfrq",
    name: "WFR with q-gram preprocessing",
    reference: Reference {
        authors: &["M. N. Palmer"],
        howpublished: "SMART, branch algostats",
        related: Some(("variant of", &papers::WEAK_FACTORS)),
        ..Reference::UNKNOWN
    },
    after: &["wfr"],
    idea: "Weak Factor Recognition whose table is filled from whole q-grams only: fewer entries, filled \
        faster.",
    ..WeakQgramRecognition::<2>::ABOUT
};

register!(algorithm WeakQgramRecognition, q: [2, 3, 4, 5, 6, 7, 8], about: ABOUT);
