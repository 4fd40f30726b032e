//! Backward Nondeterministic DAWG Matching.
//!
//! Pays on patterns up to a word's length, over small alphabets too.
//! Departures: the pattern's first character has the word's highest bit, so that what is shifted out needs no mask. Of a
//! pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where they occur (the paper takes
//! several words). One computation = one step: the and and the shift.

use std::hint::select_unpredictable;

use assay_plugin_api::prelude::*;

use super::factors::{PREFIX, fill_masks};
use crate::word::{self, period, prefix, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit down.
#[derive(Default)]
pub struct BackwardNondeterministic {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
    /// Period of the prefix: the shift after it has occurred.
    period: usize,
    /// Whether its letters are so few that nobody can foretell where prefixes end.
    few_letters: bool,
}

impl Algorithm for BackwardNondeterministic {
    const ABOUT: About = About {
        id: "bndm",
        name: "Backward Nondeterministic DAWG Matching",
        authors: "G. Navarro, M. Raffinot",
        year: 1998,
        reference: "A Bit-parallel Approach to Suffix Automata: Fast Extended String Matching. CPM 1998, LNCS 1448, pp. 14-33",
        doi: "10.1007/BFb0030778",
        idea: "Suffix automaton of the reversed pattern simulated in one word; the last prefix seen gives the shift.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        fill_masks(&mut self.mask, prefix);
        self.period = period(prefix);
        let letters = self.mask.iter().filter(|&&mask| mask != 0).count();
        self.few_letters = letters <= 4 && prefix.len() >= 8;
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        // What is counted is the plain form.
        if self.few_letters && !P::COUNTS {
            self.windows::<false, P>(pattern, text, found, probe);
        } else {
            self.windows::<true, P>(pattern, text, found, probe);
        }
    }
}

impl BackwardNondeterministic {
    /// `FORETOLD`: whether most prefixes are, so that the next window need not wait for the state, as it must for a conditional
    /// move.
    #[inline(always)]
    fn windows<const FORETOLD: bool, P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!((1..=m).contains(&width) && m <= n, "prepared for another pattern");
        let last = n - m;
        let mut s = 0;
        probe.writes(1);
        let read = |i: usize| {
            probe.writes(2);
            probe.computes(1);
            // SAFETY: after as many characters as the prefix has, its bit alone can be set, and nobody reads on: these are in a
            // window that is not behind the last.
            mask.at(unsafe { text.at_unchecked(i) })
        };
        while probe.branch(s <= last) {
            let (mut i, mut shift) = (width - 1, width);
            let mut state = read(s + i);
            probe.branch(true);
            probe.writes(3);
            loop {
                if !FORETOLD {
                    shift = select_unpredictable(state & PREFIX != 0, i, shift);
                    if state == 0 {
                        break;
                    }
                } else if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                } else if !P::COUNTS && state == 0 {
                    // So it will be after the shift, where it is counted; two tests are foretold better than one.
                    break;
                }
                state <<= 1;
                probe.writes(1);
                if !probe.branch(state != 0) {
                    break;
                }
                i -= 1;
                state &= read(s + i);
            }
            let occurs = if FORETOLD { state != 0 } else { shift == 0 };
            if prefix_occurs(occurs, width == m, probe) {
                if rest_occurs(pattern, text, s, width, probe) {
                    found.at(s);
                }
                if !FORETOLD {
                    shift = self.period;
                }
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm BackwardNondeterministic);
