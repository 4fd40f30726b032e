//! Simplified BNDM with loop unrolling.
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
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct SimplifiedBndm2(Simplified<2, 0>);

impl Algorithm for SimplifiedBndm2 {
    const ABOUT: About = About {
        id: "sbndm2",
        name: "Simplified BNDM with loop unrolling",
        reference: papers::FAST_VARIANTS,
        status: Status::FromPaper(
            "The paper's search; the shift after an occurrence, and the filter for patterns longer than a \
                word, are ours.",
        ),
        idea: "SBNDM that reads two characters before its first test.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Simplified::<2, 0>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm SimplifiedBndm2);
