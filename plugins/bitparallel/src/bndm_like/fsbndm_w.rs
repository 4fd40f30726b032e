//! Forward SBNDM with sliding windows (`fsbndm-w1` to `fsbndm-w8`).
//!
//! Pays on short patterns over larger alphabets, where most windows are left after two characters.
//! Departures: the shift that follows where all states are empty looks at the last character of the next
//! window. Windows slide as long as those of each part of the text are two of them apart; what is left
//! between them is searched window by window. Of a pattern longer than 63 bytes the first 63 are searched
//! for, and the rest is verified where they occur. After an occurrence the shift is the period of what the
//! word holds. One computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::sliding::Sliding;

const ABOUT: About = About {
    id: "fsbndm-w",
    name: "Forward SBNDM with sliding windows",
    reference: papers::SLIDING_WINDOWS,
    status: Status::FromPaper(
        "The paper's windows around Forward SBNDM; what is left between two windows is searched window \
            by window, which is ours.",
    ),
    after: &["fsbndm"],
    idea: "Forward SBNDM in windows from both sides of each part of the text, with Horspool's shift \
        where all states are empty.",
    space: "O(s): 2 to 4.5 KiB",
    ..Sliding::<2, 1>::ABOUT
};

register!(algorithm
    Sliding<1, 1>, id: "fsbndm-w1", name: "Forward SBNDM with 1 sliding window", parameters: "w=1",
        about: ABOUT;
    Sliding<2, 1>, id: "fsbndm-w2", name: "Forward SBNDM with 2 sliding windows", parameters: "w=2",
        about: ABOUT;
    Sliding<4, 1>, id: "fsbndm-w4", name: "Forward SBNDM with 4 sliding windows", parameters: "w=4",
        about: ABOUT;
    Sliding<6, 1>, id: "fsbndm-w6", name: "Forward SBNDM with 6 sliding windows", parameters: "w=6",
        about: ABOUT;
    Sliding<8, 1>, id: "fsbndm-w8", name: "Forward SBNDM with 8 sliding windows", parameters: "w=8",
        about: ABOUT
);
