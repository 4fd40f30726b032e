//! Windows probed far apart (`own-windows`).
//!
//! Pays on patterns from 40 characters on, or from about 75 on a CPU with bit planes.
//! Departures: none, because this is the source.
//! Timed: what the extra fields show of a decision is worked out for the twin alone.

use assay_finder::decision::Kind;
use assay_plugin_api::prelude::*;

use crate::one_kind::OneKind;

type Search = OneKind<{ Kind::Windows as usize }>;

const ABOUT: About = About {
    id: "own-windows",
    name: "Windows probed far apart",
    idea: "Looks up one hashed q-gram of each window of m - q + 1 characters; nothing depends \
        on what a probe finds, so that the processor makes several reads at once.",
    space: "O(m), and a table of at most 32 KiB",
    worst_case: "O(n + m)",
    average_case: "O(n/m)",
    ..Search::ABOUT
};

register!(algorithm Search, about: ABOUT);
