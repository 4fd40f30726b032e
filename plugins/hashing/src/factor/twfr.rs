//! Tuned WFR (`twfr` to `twfr8`).
//!
//! Pays where Weak Factor Recognition does, if the first q-gram of a window is mostly unknown.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;

/// The searcher: the hashes of all factors of the pattern, and its copy.
type TunedWeakFactorRecognition<const Q: usize> = Recognition<Q, 1, true>;

const ABOUT: About = About {
    id: "twfr",
    name: "Tuned WFR",
    reference: papers::LINEAR_WEAK_FACTORS,
    after: &["wfr"],
    idea: "Weak Factor Recognition that passes windows with an unknown end without a test for the end of \
        the text.",
    ..TunedWeakFactorRecognition::<1>::ABOUT
};

register!(algorithm
    TunedWeakFactorRecognition<1>, id: "twfr", name: "Tuned WFR (q=1)", parameters: "q=1",
        about: ABOUT;
    TunedWeakFactorRecognition, q: [2, 3, 4, 5, 6, 7, 8], about: ABOUT
);
