//! Bit planes (`own-planes`).
//!
//! Pays on patterns from five to about 75 characters in a MiB, most of all in texts of few different
//! characters.
//! Departures: none, because this is the source.
//! Timed: what the extra fields show of a decision is worked out for the twin alone.

use assay_finder::decision::Kind;
use assay_plugin_api::prelude::*;

use crate::one_kind::OneKind;

type Search = OneKind<{ Kind::Planes as usize }>;

const ABOUT: About = About {
    id: "own-planes",
    name: "Bit planes",
    idea: "Transposes one to four parities of 512 characters into registers, with the text as a \
        matrix of bits, and compares them for up to fourteen characters at 512 alignments at \
        once.",
    space: "O(1)",
    worst_case: "O(n + m)",
    ..Search::ABOUT
};

register!(algorithm Search, about: ABOUT);
