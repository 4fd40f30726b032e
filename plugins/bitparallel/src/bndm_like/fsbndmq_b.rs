//! Forward SBNDM with q-grams, f look-ahead characters and 2-byte reads.
//!
//! Pays where [`fsbndmq`](super::fsbndmq) does, on patterns searched for in much text: its table is large.
//! Departures: those of [`fsbndmq`](super::fsbndmq); where q is odd, its last character is read alone. One
//! computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::paired::Paired;
use super::simplified::Simplified;
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct ForwardSbndmqPairs<const Q: usize, const F: usize>(Paired<Q, F>);

impl<const Q: usize, const F: usize> Algorithm for ForwardSbndmqPairs<Q, F> {
    const ABOUT: About = About {
        id: "fsbndmq-b",
        name: "Forward SBNDM with q-grams, f look-ahead characters and 2-byte reads",
        reference: papers::LOOKAHEAD,
        status: Status::FromAbstract(
            "The abstract was seen; reading two bytes at once is its idea, and all else is that of \
                `fsbndmq`.",
        ),
        idea: "Forward SBNDM with q-grams that looks up the mask of two characters by one read of both.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 514 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Simplified::<Q, F>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm ForwardSbndmqPairs, q, f: [(2, 1), (3, 1), (4, 1), (4, 2), (6, 1), (6, 2)]);
