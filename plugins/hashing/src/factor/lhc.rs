//! Linear HashChain.
//!
//! Pays where HashChain does, and on periodic texts too.
//! Departures: none known. Of a chain only what lies after the last window that was looked at is followed,
//! and windows are compared by the table of Knuth, Morris and Pratt. One computation = the hash of a q-gram,
//! a test of its link, or where a chain may end.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::chain::Links;
use super::linear::{Borders, Prefix};
use super::linked::search_unscanned;
use crate::filter::{EXTRA, SLACK};

/// The searcher: the links between the pattern's q-grams, and its borders.
#[derive(Default)]
pub struct LinearHashChain<const Q: usize> {
    links: Links<Q>,
    borders: Borders,
}

impl<const Q: usize> Algorithm for LinearHashChain<Q> {
    const ABOUT: About = About {
        id: "lhc",
        name: "Linear HashChain",
        reference: papers::LINKED_WEAK_FACTORS,
        status: Status::FromPaper("The paper's search, without a change that we know of."),
        idea: "HashChain that scans no text twice and verifies with Knuth-Morris-Pratt.",
        preparation_time: "O(mq)",
        space: "O(m): 4 (m + 1) bytes beside the table of HashChain",
        worst_case: "O(nq)",
        average_case: "sublinear while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.links.fill(pattern, probe);
        self.borders.fill(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (borders, mut prefix) = (self.borders.view(probe), Prefix::default());
        probe.writes(2);
        search_unscanned(&self.links, pattern.len(), text, probe, |s| {
            prefix.compare(s, borders, (pattern, text), found, probe)
        });
    }
}

register!(algorithm LinearHashChain, q: [1, 2, 3, 4, 5, 6, 7, 8]);
