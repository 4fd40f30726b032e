//! SBNDM with sliding windows.
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
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct SlidingSbndm<const W: usize>(Sliding<W, 0>);

impl<const W: usize> Algorithm for SlidingSbndm<W> {
    const ABOUT: About = About {
        id: "sbndm-w",
        name: "SBNDM with sliding windows",
        reference: papers::SLIDING_WINDOWS,
        status: Status::FromPaper(
            "The paper's windows around SBNDM; what is left between two windows is searched window by \
                window, which is ours.",
        ),
        idea: "SBNDM in windows from both sides of each part of the text, whose states are or-ed and tested \
            together.",
        preparation_time: "O(m+s)",
        space: "O(s): 4 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm
    SlidingSbndm<2>, id: "sbndm-w2", name: "SBNDM with 2 sliding windows", parameters: "w=2";
    SlidingSbndm<4>, id: "sbndm-w4", name: "SBNDM with 4 sliding windows", parameters: "w=4";
    SlidingSbndm<6>, id: "sbndm-w6", name: "SBNDM with 6 sliding windows", parameters: "w=6"
);
