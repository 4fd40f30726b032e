//! Weak Factor Recognition.
//!
//! Pays on long patterns and small alphabets; larger q suit longer patterns.
//! Departures: as in SMART, windows are as long as the greatest multiple of q that the pattern holds, so that they are read
//! in whole q-grams, and the first is compared without being looked up. One computation = the hash of a q-gram.

use assay_plugin_api::prelude::*;

use super::weak::{Factors, prepend_at};
use crate::filter::{EXTRA, known_at_first};

/// The searcher: the hashes of factors of the pattern.
#[derive(Default)]
pub struct WeakFactorRecognition<const Q: usize> {
    factors: Factors,
}

impl<const Q: usize> Algorithm for WeakFactorRecognition<Q> {
    const ABOUT: About = About {
        id: "wfr",
        name: "Weak Factor Recognition",
        authors: "D. Cantone, S. Faro, A. Pavone",
        year: 2017,
        reference: "Speeding Up String Matching by Weak Factor Recognition. PSC 2017, pp. 42-50",
        idea: "Hashes of all factors of the pattern in a bit table; reads a window backward while the hash is known.",
        preparation_time: "O(m)",
        space: "O(1): 8 KiB",
        worst_case: "O(mn)",
        average_case: "sublinear, while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.factors.fill(&pattern[..width::<Q>(pattern.len())], probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (n, width, factors) = (text.len(), width::<Q>(pattern.len()), self.factors.view(probe));
        assert!(Q <= width, "a pattern shorter than a q-gram");
        let prepended = |hash, end: usize| {
            probe.computes(1);
            // SAFETY: a window ends before n, and all of its q-grams lie in it.
            unsafe { prepend_at::<Q, P>(hash, text, end) }
        };
        // Every window that holds the q-gram with which a factor gets unknown is done with.
        let step = width - Q + 1;
        verify(pattern, text, 0, found);
        probe.jump();
        // Where the window ends.
        let mut last = width;
        probe.writes(1);
        while probe.branch(last < n) {
            let (mut end, mut hash) = (last, prepended(0, last));
            probe.writes(2);
            if probe.branch(factors.know(hash)) {
                known_at_first(probe);
                let s = last + 1 - width;
                loop {
                    if probe.branch(end < s + Q) {
                        verify(pattern, text, s, found);
                        break;
                    }
                    end -= Q;
                    hash = prepended(hash, end);
                    probe.writes(2);
                    if !probe.branch(factors.know(hash)) {
                        break;
                    }
                }
            }
            last = end + step;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Length of a window: of the longest prefix of the pattern that consists of whole q-grams.
fn width<const Q: usize>(m: usize) -> usize {
    m - m % Q
}

/// Compares the window at `s`, and what follows it in the pattern. The text may end before the pattern does.
#[cold]
#[inline(never)]
fn verify<P: Probe>(pattern: Pattern<P>, text: Text<P>, s: usize, found: &mut impl Found) {
    let part = pattern.len().min(text.len() - s);
    if pattern.occurs(text, s, 0..part) && part == pattern.len() {
        found.at(s);
    }
}

register!(algorithm
    WeakFactorRecognition<1>, id: "wfr", name: "Weak Factor Recognition (q=1)", parameters: "q=1";
    WeakFactorRecognition, q: [2, 3, 4, 5, 6, 7, 8]
);
