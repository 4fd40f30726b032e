//! Some characters (`own-some`).
//!
//! Pays where the CPU has no instructions for bit planes, and in short texts.
//! Departures: none, because this is the source.
//! Timed: what the extra fields show of a decision is worked out for the twin alone.

use assay_finder::decision::Kind;
use assay_plugin_api::prelude::*;

use crate::one_kind::OneKind;

type Search = OneKind<{ Kind::SomeCharacters as usize }>;

const ABOUT: About = About {
    id: "own-some",
    name: "Some characters",
    idea: "Compares two, three, four or eight characters, rare in a sample of the text, at all alignments \
        of eight blocks, and branches once.",
    space: "O(m), and a table of at most 32 KiB",
    worst_case: "O(n + m)",
    ..Search::ABOUT
};

register!(algorithm Search, about: ABOUT);
