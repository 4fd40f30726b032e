//! Backward Nondeterministic DAWG Matching.
//!
//! Pays on patterns up to a word's length, over small alphabets too.
//! Departures: the pattern's first character has the word's highest bit, so that what is shifted out needs no mask. Of a
//! pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where they occur (the paper takes
//! several words). One computation = one step: the and and the shift.

use assay_plugin_api::prelude::*;

use crate::word::{prefix, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit down.
#[derive(Default)]
pub struct BackwardNondeterministic {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

/// Set if what has been read is a prefix of the pattern.
const PREFIX: u64 = 1 << 63;

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
        average_case: "O(n log(m)/m) for m <= 64",
        ..About::UNKNOWN
    };

    /// Occurrences of the prefix of a pattern longer than a word.
    const EXTRA: &'static [&'static str] = &["#prefix"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        self.mask.fill(0);
        for (i, &byte) in prefix.iter().enumerate() {
            self.mask[byte as usize] |= PREFIX >> i;
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let (mut state, mut i, mut shift) = (!0, width, width);
            probe.writes(3);
            while probe.branch(state != 0) {
                i -= 1;
                state &= mask.at(text.at(s + i));
                probe.writes(2);
                probe.computes(1);
                // Most are foretold, so that the next window need not wait for the state: a conditional move would.
                if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                }
                state <<= 1;
                probe.writes(1);
            }
            if probe.verify(state != 0) {
                if width < m {
                    probe.extra(0, || 1);
                }
                if rest_occurs(pattern, text, s, width) {
                    found.at(s);
                }
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm BackwardNondeterministic);
