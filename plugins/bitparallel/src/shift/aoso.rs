//! Average Optimal Shift-Or (`aoso2`, `aoso4`, `aoso6`).
//!
//! Pays on patterns of several times q characters, over alphabets that are not too small.
//! Departures: of patterns that a word does not hold, the first 64 bytes less a remainder are searched for;
//! each window that may hold an occurrence is compared as a whole. One computation = one step of the state,
//! or one window that is worked out.

use assay_plugin_api::prelude::*;

use super::interleaved::Interleaved;

/// The state is tested after each character that is read.
type Aoso<const Q: usize> = Interleaved<Q, 1>;

const ABOUT: About = About {
    id: "aoso",
    name: "Average Optimal Shift-Or",
    after: &["so"],
    idea: "Shift-Or over q interleaved subpatterns in one word, reading only each q-th text byte; then \
        verifies.",
    status: Status::FromAbstract(
        "The paper was not seen; its interleaved state is generally described, and the filter for \
            patterns longer than a word is ours.",
    ),
    ..Interleaved::<2, 1>::ABOUT
};

register!(algorithm Aoso, q: [2, 4, 6], about: ABOUT);
