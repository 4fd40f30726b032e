//! Sentinel HashChain.
//!
//! Pays where HashChain does, if the last q-gram of a window is mostly unknown.
//! Departures: none known. A window is compared only if its chain ends with the hash that the pattern has
//! there; 16 bits of this hash are kept. One computation = the hash of a q-gram, or a test of its link.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::chain::Links;
use super::linked::search_windows;
use super::sentinel::Sentinel;
use crate::filter::{EXTRA, SLACK};

/// The searcher: the links between the pattern's q-grams, and its copy.
#[derive(Default)]
pub struct SentinelHashChain<const Q: usize> {
    links: Links<Q>,
    sentinel: Sentinel,
}

impl<const Q: usize> Algorithm for SentinelHashChain<Q> {
    const ABOUT: About = About {
        id: "shc",
        name: "Sentinel HashChain",
        reference: papers::LINKED_WEAK_FACTORS,
        status: Status::FromPaper("The paper's search, without a change that we know of."),
        idea: "HashChain with a copy of the pattern after the text, and a loop over unknown q-grams without \
            a test for its end.",
        preparation_time: "O(mq)",
        space: "O(m): m bytes beside the table of HashChain",
        worst_case: "O(mn)",
        average_case: "sublinear while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, slack: |m| m + SLACK(m), ..Sentinel::NEEDS };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.links.fill(pattern, probe);
        self.sentinel.keep(pattern);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        search_windows(&self.links, Some(&self.sentinel), (pattern, text), found, probe);
    }
}

register!(algorithm SentinelHashChain, q: [1, 2, 3, 4, 5, 6, 7, 8]);
