//! HashChain.
//!
//! Pays on patterns from some ten characters on, over any alphabet; larger q suit longer patterns and smaller
//! alphabets.
//! Departures: none known. A window is compared only if its chain ends with the hash that the pattern has
//! there; 16 bits of this hash are kept. One computation = the hash of a q-gram, or a test of its link.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::chain::Links;
use super::linked::search_windows;
use crate::filter::{EXTRA, SLACK};

/// The searcher: the links between the pattern's q-grams.
#[derive(Default)]
pub struct HashChain<const Q: usize> {
    links: Links<Q>,
}

impl<const Q: usize> Algorithm for HashChain<Q> {
    const ABOUT: About = About {
        id: "hc",
        name: "HashChain",
        reference: papers::LINKED_WEAK_FACTORS,
        status: Status::FromPaper("The paper's search, without a change that we know of."),
        idea: "Table of q-gram hashes; each entry holds fingerprints of the q-grams that may stand q before \
            it in the pattern.",
        preparation_time: "O(mq)",
        space: "O(1): 1 KiB for q=1, 8 KiB for q=2 and 3, 16 KiB for the others",
        worst_case: "O(mn)",
        average_case: "sublinear while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, slack: SLACK, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.links.fill(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        search_windows(&self.links, None, (pattern, text), found, probe);
    }
}

register!(algorithm HashChain, q: [1, 2, 3, 4, 5, 6, 7, 8]);
