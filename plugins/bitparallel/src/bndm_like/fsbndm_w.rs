//! Forward SBNDM with sliding windows.
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
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct SlidingForwardSbndm<const W: usize>(Sliding<W, 1>);

impl<const W: usize> Algorithm for SlidingForwardSbndm<W> {
    const ABOUT: About = About {
        id: "fsbndm-w",
        name: "Forward SBNDM with sliding windows",
        reference: papers::SLIDING_WINDOWS,
        status: Status::FromPaper(
            "The paper's windows around Forward SBNDM; what is left between two windows is searched window \
                by window, which is ours.",
        ),
        idea: "Forward SBNDM in windows from both sides of each part of the text, with Horspool's shift \
            where all states are empty.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 to 4.5 KiB",
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
    SlidingForwardSbndm<1>, id: "fsbndm-w1", name: "Forward SBNDM with 1 sliding window", parameters: "w=1";
    SlidingForwardSbndm<2>, id: "fsbndm-w2", name: "Forward SBNDM with 2 sliding windows", parameters: "w=2";
    SlidingForwardSbndm<4>, id: "fsbndm-w4", name: "Forward SBNDM with 4 sliding windows", parameters: "w=4";
    SlidingForwardSbndm<6>, id: "fsbndm-w6", name: "Forward SBNDM with 6 sliding windows", parameters: "w=6";
    SlidingForwardSbndm<8>, id: "fsbndm-w8", name: "Forward SBNDM with 8 sliding windows", parameters: "w=8"
);
