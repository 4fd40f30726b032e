//! Linear HashChain (`lhc1` to `lhc8`).
//!
//! Pays where HashChain does, and on periodic texts too.
//! Departures: none known. Of a chain only what lies after the last window that was looked at is followed,
//! and windows are compared by the table of Knuth, Morris and Pratt. One computation = the hash of a q-gram,
//! a test of its link, or where a chain may end.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::chain::{Links, Walk};
use super::linear::{Borders, Prefix};
use crate::filter::{EXTRA, SLACK, first_known, known_at_first};

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
        after: &["hc", "lwfr"],
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

/// Follows chains up to the text that earlier windows have read. If the chain of a window reaches it,
/// `compare` compares the window and returns the beginning of the next one.
#[inline(always)]
pub(super) fn search_unscanned<P: Probe, const Q: usize>(
    links: &Links<Q>,
    m: usize,
    text: Text<P>,
    probe: P,
    mut compare: impl FnMut(usize) -> usize,
) {
    let (n, chains) = (text.len(), links.view(text, probe));
    assert!(Q <= m, "a pattern shorter than a q-gram");
    // Every window that holds the q-gram at which a chain breaks is done with.
    let step = m - Q + 1;
    // Where the window ends; and what has been scanned, chain by chain, ends before there.
    let (mut last, mut scanned) = (m - 1, 0);
    probe.writes(2);
    while probe.branch(last < n) {
        // SAFETY: Q <= m <= last + 1 <= n.
        let look = |last| unsafe { chains.begin(last) };
        let Some(begun) = first_known(&mut last, (step, 2), Some(n), look, |begun| begun.1 != 0, probe)
        else {
            break;
        };
        known_at_first(probe);
        let s = last + 1 - m;
        let stop = scanned.max(s + Q) + Q - 1;
        probe.computes(1);
        scanned = last + 1;
        // SAFETY: the same, and the chain stays in the window.
        last = match unsafe { chains.follow(last, begun, stop) } {
            Walk::Broken(end) => end + step,
            Walk::Whole(_) => compare(s) + m - 1,
        };
        probe.writes(2);
        probe.jump();
    }
}

register!(algorithm LinearHashChain, q: [1, 2, 3, 4, 5, 6, 7, 8]);
