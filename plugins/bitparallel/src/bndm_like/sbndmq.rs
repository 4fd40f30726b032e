//! SBNDM with q-grams.
//!
//! Pays on patterns longer than some q characters, the more so the smaller the alphabet.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After an occurrence the shift is the period of what the word holds. One computation =
//! one step: the shift and the and. With q = 2 it is the algorithm of [`sbndm2`](super::sbndm2), which it
//! generalises.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::simplified::Simplified;
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct SimplifiedBndmq<const Q: usize>(Simplified<Q, 0>);

impl<const Q: usize> Algorithm for SimplifiedBndmq<Q> {
    const ABOUT: About = About {
        id: "sbndmq",
        name: "SBNDM with q-grams",
        reference: papers::TUNING_BNDM,
        status: Status::FromPaper(
            "The paper's search; the shift after an occurrence, and the filter for patterns longer than a \
                word, are ours.",
        ),
        idea: "SBNDM that reads q characters before its first test of the state.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Simplified::<Q, 0>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm SimplifiedBndmq, q: [2, 4, 6, 8]);
