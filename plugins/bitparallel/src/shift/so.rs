//! Shift-Or.
//!
//! Pays on short patterns where every character must be read anyway: its time depends on neither text nor pattern.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where they occur
//! (the paper takes several words). Two characters are read a round, and counted as the two rounds that they are. One
//! computation = one step: the shift and the or.

use assay_plugin_api::prelude::*;

use crate::word::{self, prefix, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 0 where it occurs in the pattern's prefix.
#[derive(Default)]
pub struct ShiftOr {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl Algorithm for ShiftOr {
    const ABOUT: About = About {
        id: "so",
        name: "Shift-Or",
        authors: "R. Baeza-Yates, G. H. Gonnet",
        year: 1992,
        reference: "A new approach to text searching. Commun. ACM 35(10):74-82, 1992",
        doi: "10.1145/135239.135243",
        idea: "Bits of one word are the pattern prefixes alive (0 = alive); shift and or per text byte.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(n) for m <= 64, else O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        self.mask.fill(!0);
        for (i, &byte) in prefix.iter().enumerate() {
            self.mask[byte as usize] &= !(1 << i);
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, width, mask) = (pattern.len(), self.width, self.mask.view(probe));
        // Where the prefix of the last window ends.
        let end = text.len() - m + width;
        let whole = 1 << (width - 1);
        let mut verify = |i: usize| {
            if rest_occurs(pattern, text, i - width, width, probe) {
                found.at(i - width);
            }
        };
        // A step: the loop's condition held, the state and `i` are new, and perhaps the prefix ends before `i`.
        let ends = |state: u64| {
            probe.branch(true);
            probe.computes(1);
            probe.writes(2);
            probe.jump();
            prefix_occurs(state & whole == 0, width == m, probe)
        };
        let (mut state, mut i) = (!0, 0);
        probe.writes(2);
        // Two characters a round: the state after the first need not be known for that after the second.
        while i + 1 < end {
            let (first, second) = (mask.at(text.at(i)), mask.at(text.at(i + 1)));
            if ends(state << 1 | first) {
                verify(i + 1);
            }
            state = state << 2 | (first << 1 | second);
            i += 2;
            if ends(state) {
                verify(i);
            }
        }
        if i < end && ends(state << 1 | mask.at(text.at(i))) {
            verify(end);
        }
        probe.branch(false);
    }
}

register!(algorithm ShiftOr);
