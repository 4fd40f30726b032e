//! Linear WFR (`lwfr2` to `lwfr8`).
//!
//! Pays where Weak Factor Recognition does, and on periodic texts too.
//! Departures: there is no copy of the pattern after the text to stop the search, and windows are as long as
//! the pattern, where SMART's are cut to whole q-grams. Only what lies after the last window that was known
//! is read, but at least as much as a hash remembers: of less, all hashes may be known. Windows are compared
//! by the table of Knuth, Morris and Pratt. One computation = the hash of a q-gram, or where a window need
//! not be read further.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::linear::{Borders, Prefix};
use super::weak::{Factors, REMEMBERED, last_at, prepend_at};
use crate::filter::{EXTRA, first_known, known_at_first};

/// The searcher: the hashes of factors of the pattern, and its borders.
#[derive(Default)]
pub struct LinearWeakFactorRecognition<const Q: usize> {
    factors: Factors,
    borders: Borders,
}

impl<const Q: usize> Algorithm for LinearWeakFactorRecognition<Q> {
    const ABOUT: About = About {
        id: "lwfr",
        name: "Linear WFR",
        reference: papers::LINEAR_WEAK_FACTORS,
        status: Status::FromPaper(
            "The paper's search; windows are as long as the pattern, where SMART's are cut to whole q-grams, \
                and at least as much is read as a hash remembers.",
        ),
        after: &["wfr"],
        idea: "Weak Factor Recognition that scans no text twice and verifies with Knuth-Morris-Pratt.",
        preparation_time: "O(m)",
        space: "O(m): 4 (m + 1) bytes beside a table of 64 KiB",
        worst_case: "O(nq)",
        average_case: "sublinear while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.factors.fill(pattern, 1, probe);
        self.borders.fill(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (factors, borders) = (self.factors.view(probe), self.borders.view(probe));
        assert!(Q <= m, "a pattern shorter than a q-gram");
        let prepended = |hash, end: usize| {
            probe.computes(1);
            // SAFETY: a window ends before n, and all q-grams that are read lie in it.
            unsafe { prepend_at::<Q, P>(hash, text, end) }
        };
        // Every window that holds the q-gram with which a factor gets unknown is done with.
        let step = m - Q + 1;
        // So much is read before the last q-gram, whether it has been scanned or not.
        let again = REMEMBERED.next_multiple_of(Q) - Q;
        // Where the window ends; and what has been scanned, factor by factor, ends before there.
        let (mut last, mut scanned) = (m - 1, 0);
        let mut prefix = Prefix::default();
        probe.writes(4);
        while probe.branch(last < n) {
            let look = |last| {
                probe.computes(1);
                probe.writes(2);
                // SAFETY: the same.
                unsafe { last_at::<Q, P>(text, last) }
            };
            let known = first_known(&mut last, (step, 2), Some(n), look, |&hash| factors.know(hash), probe);
            let Some(mut hash) = known else { break };
            known_at_first(probe);
            let mut end = last;
            let s = last + 1 - m;
            let stop = scanned.min(last + 1 - again.min(m)).max(s + Q) + Q - 1;
            probe.computes(1);
            scanned = last + 1;
            probe.writes(1);
            loop {
                if probe.branch(end < stop) {
                    // End of the next window, without the step.
                    end = prefix.compare(s, borders, (pattern, text), found, probe) + Q - 2;
                    break;
                }
                end -= Q;
                hash = prepended(hash, end);
                probe.writes(2);
                if !probe.branch(factors.know(hash)) {
                    break;
                }
            }
            last = end + step;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm LinearWeakFactorRecognition, q: [2, 3, 4, 5, 6, 7, 8]);
