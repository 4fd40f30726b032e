//! HashChain (`hc1` to `hc8`).
//!
//! Pays on patterns from some ten characters on, over any alphabet; larger q suit longer patterns and smaller
//! alphabets.
//! Departures: none known. A window is compared only if its chain ends with the hash that the pattern has
//! there; 16 bits of this hash are kept. One computation = the hash of a q-gram, or a test of its link.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::chain::Links;
use crate::filter::{EXTRA, SLACK, first_known, known_at_first};

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
        after: &["wfr"],
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
        let (m, n, first, chains) =
            (pattern.len(), text.len(), self.links.first, self.links.view(text, probe));
        assert!(Q <= m, "a pattern shorter than a q-gram");
        // Every window that holds the q-gram at which a chain breaks is done with.
        let step = m - Q + 1;
        // Where the window ends.
        let mut last = m - 1;
        probe.writes(1);
        while probe.branch(last < n) {
            // SAFETY: Q <= m <= last + 1 <= n.
            let look = |last| unsafe { chains.begin(last) };
            let known = |begun: &(u32, u32)| begun.1 != 0;
            let Some(begun) = first_known(&mut last, (step, 2), Some(n), look, known, probe) else {
                break;
            };
            known_at_first(probe);
            let s = last + 1 - m;
            // SAFETY: the same, and the chain stays in the window.
            let walk = unsafe { chains.follow(last, begun, s + 2 * Q - 1) };
            last = walk.settle::<P, Q>((s, first), (pattern, text), found, probe) + step;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm HashChain, q: [1, 2, 3, 4, 5, 6, 7, 8]);
