//! Weak Factor Recognition: what its four forms share.
//!
//! As in SMART, windows are as long as the greatest multiple of q that the pattern holds, so that they are
//! read in whole q-grams, and the first is compared without being looked up. One computation = the hash of a
//! q-gram.

use assay_plugin_api::prelude::*;

use super::sentinel::Sentinel;
use super::weak::{Factors, last_at, prepend_at};
use crate::filter::{EXTRA, first_known, known_at_first};

/// The searcher: the hashes of the pattern's factors whose length is a multiple of `UNIT`. If it is `TUNED`,
/// windows that end with an unknown q-gram are passed in a loop of their own, which a copy of the pattern
/// after the text stops.
#[derive(Default)]
pub struct Recognition<const Q: usize, const UNIT: usize, const TUNED: bool> {
    factors: Factors,
    sentinel: Sentinel,
}

impl<const Q: usize, const UNIT: usize, const TUNED: bool> Algorithm for Recognition<Q, UNIT, TUNED> {
    const ABOUT: About = About {
        status: Status::FromAnotherImplementation(
            "As in SMART, windows are of whole q-grams, and the first one is compared without being looked \
                up.",
        ),
        preparation_time: "O(m)",
        space: if TUNED { "O(m): m bytes beside a table of 64 KiB" } else { "O(1): 64 KiB" },
        worst_case: "O(mn)",
        average_case: "sublinear, while the table is sparse",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..if TUNED { Sentinel::NEEDS } else { Needs::NOTHING } };

    const EXTRA: &'static [&'static str] = EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let window = &pattern[..width::<Q>(pattern.len())];
        self.factors.fill(window, UNIT, probe);
        if TUNED {
            self.sentinel.keep(window);
        }
    }

    #[inline(always)]
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (n, width, factors) = (text.len(), width::<Q>(pattern.len()), self.factors.view(probe));
        assert!(Q <= width, "a pattern shorter than a q-gram");
        // Every window ends before n, and its q-grams lie in it.
        let prepended = |hash, end: usize| {
            probe.computes(1);
            probe.writes(1);
            // SAFETY: see above.
            unsafe { prepend_at::<Q, P>(hash, text, end) }
        };
        let hashed = |last: usize| {
            probe.computes(1);
            // The hash and, but in the tuned loop, where it ends.
            probe.writes(if TUNED { 1 } else { 2 });
            // SAFETY: the same, but where windows are passed in the tuned loop. There they end before n +
            // width: from before n it is less than width to the next, and from n + Q - 1 on all are known.
            unsafe { last_at::<Q, P>(text, last) }
        };
        // Every window that holds the q-gram with which a factor gets unknown is done with.
        let step = width - Q + 1;
        if TUNED {
            self.sentinel.write(width, text);
        }
        verify(pattern, text, 0, found);
        probe.jump();
        let end = (!TUNED).then_some(n);
        // Of q-grams that are so short most are known.
        let round = if Q <= 2 && !TUNED { 1 } else { 2 };
        // Where the window ends.
        let mut last = width;
        probe.writes(1);
        while probe.branch(last < n) {
            let known = first_known(&mut last, (step, round), end, hashed, |&hash| factors.know(hash), probe);
            let Some(mut hash) = known else { break };
            if TUNED && !probe.branch(last < n) {
                break;
            }
            let mut end = last;
            probe.writes(u64::from(TUNED));
            known_at_first(probe);
            let s = last + 1 - width;
            loop {
                if probe.branch(end < s + Q) {
                    verify(pattern, text, s, found);
                    break;
                }
                end -= Q;
                hash = prepended(hash, end);
                probe.writes(1);
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
