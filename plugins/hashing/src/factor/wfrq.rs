//! WFR with q-gram preprocessing.
//!
//! Pays on long patterns and small alphabets, where the table of Weak Factor Recognition gets too full.
//! Departures: those of all forms, which [the search](super::recognition) lists.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::recognition::Recognition;
use crate::filter::EXTRA;

/// The searcher: the hashes of factors of the pattern that consist of whole q-grams.
#[derive(Default)]
pub struct WeakQgramRecognition<const Q: usize>(Recognition<Q, false>);

impl<const Q: usize> Algorithm for WeakQgramRecognition<Q> {
    const ABOUT: About = About {
        id: "wfrq",
        name: "WFR with q-gram preprocessing",
        reference: Reference {
            authors: &["M. N. Palmer"],
            howpublished: "SMART, branch algostats",
            related: Some(("variant of", &papers::WEAK_FACTORS)),
            ..Reference::UNKNOWN
        },
        status: Status::FromAnotherImplementation(
            "As in SMART, windows are of whole q-grams, and the first one is compared without being looked \
                up.",
        ),
        idea: "Weak Factor Recognition whose table is filled from whole q-grams only: fewer entries, filled \
            faster.",
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
        self.0.prepare(pattern, Q, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm WeakQgramRecognition, q: [2, 3, 4, 5, 6, 7, 8]);
