//! All characters (`own-all`).
//!
//! Pays on patterns of one to four characters, and of five to eight in texts of two characters, where they
//! occur often.
//! Departures: none, because this is the source.
//! Timed: what the extra fields show of a decision is worked out for the twin alone.

use assay_finder::decision::Kind;
use assay_plugin_api::prelude::*;

use crate::one_kind::OneKind;

type Search = OneKind<{ Kind::AllCharacters as usize }>;

const ABOUT: About = About {
    id: "own-all",
    name: "All characters",
    idea: "Compares all characters at all alignments of a block, joins the differences with `or`, and \
        counts zeros in lanes, so that a text full of occurrences takes as long as one without any.",
    space: "O(1)",
    worst_case: "O(n)",
    ..Search::ABOUT
};

register!(algorithm Search, about: ABOUT);
