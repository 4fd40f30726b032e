//! SBNDM with sliding windows (`sbndm-w2`, `sbndm-w4`, `sbndm-w6`).
//!
//! Pays on patterns of some characters over larger alphabets, where most windows are left after two
//! characters.
//! Departures: two characters are read before the first test, as in [`sbndm2`](super::sbndm2). Windows slide
//! as long as those of each part of the text are apart; what is left between them is searched window by
//! window. Of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where
//! they occur. After an occurrence the shift is the period of what the word holds. One computation = one
//! step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::sliding::Sliding;

const ABOUT: About = About {
    id: "sbndm-w",
    name: "SBNDM with sliding windows",
    reference: papers::SLIDING_WINDOWS,
    status: Status::FromPaper(
        "The paper's windows around SBNDM; what is left between two windows is searched window by \
            window, which is ours.",
    ),
    after: &["sbndm"],
    idea: "SBNDM in windows from both sides of each part of the text, whose states are or-ed and tested \
        together.",
    space: "O(s): 4 KiB",
    ..Sliding::<2, 0>::ABOUT
};

register!(algorithm
    Sliding<2, 0>, id: "sbndm-w2", name: "SBNDM with 2 sliding windows", parameters: "w=2",
        about: ABOUT;
    Sliding<4, 0>, id: "sbndm-w4", name: "SBNDM with 4 sliding windows", parameters: "w=4",
        about: ABOUT;
    Sliding<6, 0>, id: "sbndm-w6", name: "SBNDM with 6 sliding windows", parameters: "w=6",
        about: ABOUT
);
