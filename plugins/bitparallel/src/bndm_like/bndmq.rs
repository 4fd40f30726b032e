//! BNDM with q-grams (`bndmq2`, `bndmq4`, `bndmq6`).
//!
//! Pays on patterns longer than some q characters, the more so the smaller the alphabet.
//! Departures: the pattern's first character has the word's highest bit, so that what is shifted out needs no
//! mask. Of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where they
//! occur. One computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::factors::{PREFIX, fill_masks};
use crate::word::{self, prefix, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit down.
#[derive(Default)]
pub struct Bndmq<const Q: usize> {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl<const Q: usize> Algorithm for Bndmq<Q> {
    const ABOUT: About = About {
        id: "bndmq",
        name: "BNDM with q-grams",
        reference: papers::TUNING_BNDM,
        status: Status::FromPaper(
            "The paper's search; of patterns longer than a word, the first 64 bytes are searched for and the \
                rest is verified.",
        ),
        after: &["bndm"],
        idea: "BNDM that reads q characters before its first test of the state.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let prefix = prefix(pattern);
        self.width = prefix.len();
        fill_masks(&mut self.mask, prefix);
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!((Q..=m).contains(&width) && m <= n, "prepared for another pattern");
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let mut i = width - Q;
            // SAFETY: these Q characters end the prefix of a window that lies in the text.
            let step = |state, k| state & mask.at(unsafe { text.at_unchecked(s + i + k) }) << k;
            let mut state = (0..Q).fold(!0, step);
            let mut shift = i + 1;
            probe.computes(Q as u64);
            probe.writes(3);
            while probe.branch(state != 0) {
                if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                }
                i -= 1;
                state = state << 1 & mask.at(text.at(s + i));
                probe.computes(1);
                probe.writes(2);
            }
            if prefix_occurs(state != 0, width == m, probe) && rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Bndmq, q: [2, 4, 6]);
