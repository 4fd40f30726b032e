//! Weak Factor Recognition.
//!
//! Pays on long patterns and small alphabets; larger q suit longer patterns.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;
use crate::filter::EXTRA;

/// The searcher: the hashes of all factors of the pattern.
#[derive(Default)]
pub struct WeakFactorRecognition<const Q: usize>(Recognition<Q, false>);

impl<const Q: usize> Algorithm for WeakFactorRecognition<Q> {
    const ABOUT: About = About {
        id: "wfr",
        name: "Weak Factor Recognition",
        reference: papers::WEAK_FACTORS,
        status: Status::FromAnotherImplementation(
            "As in SMART, windows are of whole q-grams, and the first one is compared without being looked \
                up.",
        ),
        idea: "Hashes of all factors of the pattern in a table; reads a window backward while the hash is \
            known.",
        preparation_time: "O(m)",
        space: "O(1): 64 KiB",
        worst_case: "O(mn)",
        average_case: "sublinear, while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Recognition::<Q, false>::NEEDS;

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, 1, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm
    WeakFactorRecognition<1>, id: "wfr", name: "Weak Factor Recognition (q=1)", parameters: "q=1";
    WeakFactorRecognition, q: [2, 3, 4, 5, 6, 7, 8]
);
