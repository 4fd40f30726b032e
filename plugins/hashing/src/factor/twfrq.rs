//! Tuned WFR with q-gram preprocessing (`twfrq2` to `twfrq8`).
//!
//! Pays where WFR with q-gram preprocessing does, if the first q-gram of a window is mostly unknown.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;

/// The searcher: the hashes of factors of the pattern that consist of whole q-grams, and its copy.
type TunedWeakQgramRecognition<const Q: usize> = Recognition<Q, Q, true>;

const ABOUT: About = About {
    id: "twfrq",
    name: "Tuned WFR with q-gram preprocessing",
    reference: Reference {
        authors: &["M. N. Palmer"],
        howpublished: "SMART, branch algostats",
        related: Some(("variant of", &papers::LINEAR_WEAK_FACTORS)),
        ..Reference::UNKNOWN
    },
    after: &["twfr", "wfrq"],
    idea: "The table of WFR with q-gram preprocessing, and the loop of Tuned WFR.",
    ..TunedWeakQgramRecognition::<2>::ABOUT
};

register!(algorithm TunedWeakQgramRecognition, q: [2, 3, 4, 5, 6, 7, 8], about: ABOUT);
