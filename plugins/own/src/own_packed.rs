//! Packed characters (`own-packed`).
//!
//! Pays on patterns from seven to about forty characters in texts of few different characters, where the CPU
//! has AVX2 but no instructions for bit planes.
//! Departures: none, because this is the source.
//! Timed: what the extra fields show of a decision is worked out for the twin alone.

use assay_finder::decision::Kind;
use assay_plugin_api::prelude::*;

use crate::one_kind::OneKind;

type Search = OneKind<{ Kind::Packed as usize }>;

const ABOUT: About = About {
    id: "own-packed",
    name: "Packed characters",
    idea: "Joins one or two bits of each of 16 or 8 characters into a word, and compares words at \
        multiples of their length with one word of the pattern for each place in a word.",
    space: "O(1)",
    worst_case: "O(n + m)",
    ..Search::ABOUT
};

register!(algorithm Search, about: ABOUT);
