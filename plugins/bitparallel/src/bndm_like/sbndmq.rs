//! SBNDM with q-grams (`sbndmq2` to `sbndmq8`).
//!
//! Pays on patterns longer than some q characters, the more so the smaller the alphabet.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After an occurrence the shift is the period of what the word holds. One computation =
//! one step: the shift and the and. With q = 2 it is the algorithm of [`sbndm2`](super::sbndm2), which it
//! generalises.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::simplified::Simplified;

/// SBNDM with q-grams, of which no character is after the window.
type Sbndmq<const Q: usize> = Simplified<Q, 0>;

const ABOUT: About = About {
    id: "sbndmq",
    name: "SBNDM with q-grams",
    reference: papers::TUNING_BNDM,
    status: Status::FromPaper(
        "The paper's search; the shift after an occurrence, and the filter for patterns longer than a \
            word, are ours.",
    ),
    after: &["sbndm", "sbndm2"],
    idea: "SBNDM that reads q characters before its first test of the state.",
    ..Simplified::<2, 0>::ABOUT
};

register!(algorithm Sbndmq, q: [2, 4, 6, 8], about: ABOUT);
