//! Simplified BNDM with loop unrolling (`sbndm2`).
//!
//! Pays on patterns of some characters: most windows are left after two characters and one test.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After an occurrence the shift is the period of what the word holds. One computation =
//! one step: the shift and the and. [`sbndmq`](super::sbndmq) with q = 2 is the same algorithm, and Peltola
//! and Tarhio (2011) say that [`fsbndmq`](super::fsbndmq) with f = 0 is SBNDMq: so `sbndmq2` and `fsbndmq20`
//! run this search.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::simplified::Simplified;

const ABOUT: About = About {
    id: "sbndm2",
    name: "Simplified BNDM with loop unrolling",
    reference: papers::FAST_VARIANTS,
    status: Status::FromPaper(
        "The paper's search; the shift after an occurrence, and the filter for patterns longer than a \
            word, are ours.",
    ),
    formerly: Formerly { ids: &["sbndm"], until: "0.1.0" },
    after: &["sbndm"],
    idea: "SBNDM that reads two characters before its first test.",
    ..Simplified::<2, 0>::ABOUT
};

register!(algorithm Simplified<2, 0>, about: ABOUT);
