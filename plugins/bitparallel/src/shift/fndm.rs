//! Forward Nondeterministic DAWG Matching (`fndm`).
//!
//! Pays on patterns of medium length, over alphabets so large that most of the characters at which it begins
//! are foreign.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for; each window that may hold an
//! occurrence is compared as a whole. One computation = one step of the state.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::forward::Forward;

const ABOUT: About = About {
    id: "fndm",
    name: "Forward Nondeterministic DAWG Matching",
    reference: papers::FAST_VARIANTS,
    status: Status::FromPaper(
        "The paper's search; of patterns longer than a word, the first 64 bytes are searched for and the \
            rest is verified.",
    ),
    after: &["so", "fdm"],
    idea: "Shift-Or begun in each m-th character, as if it were in all states; goes on while a prefix of \
        the pattern may be alive.",
    ..Forward::<1, false>::ABOUT
};

register!(algorithm Forward<1, false>, about: ABOUT);
