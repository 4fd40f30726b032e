//! Tuned WFR with q-gram preprocessing.
//!
//! Pays where WFR with q-gram preprocessing does, if the first q-gram of a window is mostly unknown.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;
use crate::filter::EXTRA;

/// The searcher: the hashes of factors of the pattern that consist of whole q-grams, and its copy.
#[derive(Default)]
pub struct TunedWeakQgramRecognition<const Q: usize>(Recognition<Q, true>);

impl<const Q: usize> Algorithm for TunedWeakQgramRecognition<Q> {
    const ABOUT: About = About {
        id: "twfrq",
        name: "Tuned WFR with q-gram preprocessing",
        reference: Reference {
            authors: &["M. N. Palmer"],
            howpublished: "SMART, branch algostats",
            related: Some(("variant of", &papers::LINEAR_WEAK_FACTORS)),
            ..Reference::UNKNOWN
        },
        status: Status::FromAnotherImplementation(
            "As in SMART, windows are of whole q-grams, and the first one is compared without being looked \
                up.",
        ),
        idea: "The table of WFR with q-gram preprocessing, and the loop of Tuned WFR.",
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
        self.0.prepare(pattern, Q, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm TunedWeakQgramRecognition, q: [2, 3, 4, 5, 6, 7, 8]);
