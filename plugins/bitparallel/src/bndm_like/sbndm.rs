//! Simplified BNDM (`sbndm`).
//!
//! Pays where BNDM does: it shifts less far, but each step takes less.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After an occurrence the shift is the period of what the word holds. One computation =
//! one step: the shift and the and. SMART's program of this name reads two characters before it tests the
//! state, which is [`sbndm2`](super::sbndm2).

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::simplified::Simplified;

const ABOUT: About = About {
    id: "sbndm",
    name: "Simplified BNDM",
    reference: papers::ALTERNATIVE_ALGORITHMS,
    status: Status::FromPaper(
        "The paper's search, which tests the state after each character; the shift after an occurrence, and \
            the filter for patterns longer than a word, are ours.",
    ),
    after: &["bndm"],
    idea: "BNDM that does not record prefixes: shifts past the character where it failed.",
    ..Simplified::<1, 0>::ABOUT
};

register!(algorithm Simplified<1, 0>, about: ABOUT);
