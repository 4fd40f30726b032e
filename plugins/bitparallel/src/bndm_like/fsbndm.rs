//! Forward SBNDM (`fsbndm`).
//!
//! Pays on short patterns, where a shift that is longer by one makes a difference.
//! Departures: of a pattern longer than 64 bytes, less those read after the window, the first are searched
//! for, and the rest is verified where they occur. The last windows, with too few characters after them, are
//! compared apart. After an occurrence the shift is the period of what the word holds. One computation = one
//! step: the shift and the and. `fsbndmq21` runs the same search: [`fsbndmq`](super::fsbndmq) generalises it.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::simplified::Simplified;

const ABOUT: About = About {
    id: "fsbndm",
    name: "Forward SBNDM",
    reference: papers::VARIANTS_OF_BOM,
    status: Status::FromPaper(
        "The paper's search; the shift after an occurrence, and the filter for patterns longer than a \
            word, are ours.",
    ),
    after: &["sbndm", "fbndm"],
    idea: "SBNDM that looks at the character just after the window and the last one together.",
    ..Simplified::<2, 1>::ABOUT
};

register!(algorithm Simplified<2, 1>, about: ABOUT);
