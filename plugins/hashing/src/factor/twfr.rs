//! Tuned WFR.
//!
//! Pays where Weak Factor Recognition does, if the first q-gram of a window is mostly unknown.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;
use crate::filter::EXTRA;

/// The searcher: the hashes of all factors of the pattern, and its copy.
#[derive(Default)]
pub struct TunedWeakFactorRecognition<const Q: usize>(Recognition<Q, true>);

impl<const Q: usize> Algorithm for TunedWeakFactorRecognition<Q> {
    const ABOUT: About = About {
        id: "twfr",
        name: "Tuned WFR",
        reference: papers::LINEAR_WEAK_FACTORS,
        status: Status::FromAnotherImplementation(
            "As in SMART, windows are of whole q-grams, and the first one is compared without being looked \
                up.",
        ),
        idea: "Weak Factor Recognition that passes windows with an unknown end without a test for the end of \
            the text.",
        preparation_time: "O(m)",
        space: "O(m): m bytes beside a table of 64 KiB",
        worst_case: "O(mn)",
        average_case: "sublinear, while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Recognition::<Q, true>::NEEDS;

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
    TunedWeakFactorRecognition<1>, id: "twfr", name: "Tuned WFR (q=1)", parameters: "q=1";
    TunedWeakFactorRecognition, q: [2, 3, 4, 5, 6, 7, 8]
);
