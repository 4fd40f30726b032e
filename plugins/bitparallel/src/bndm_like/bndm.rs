//! Backward Nondeterministic DAWG Matching (`bndm`).
//!
//! Pays on patterns up to a word's length, over small alphabets too.
//! Departures: the pattern's first character has the word's highest bit, so that what is shifted out needs no
//! mask. Of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where they
//! occur (the paper takes several words). The first character of a window takes the place of the initial
//! state, in which all bits are set. One computation = one step: the and and the shift.
//! Timed: for patterns of at least eight characters whose first 64 have at most four different ones, a
//! conditional move keeps the shift instead of a branch, because the processor cannot predict where prefixes
//! end.

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
    /// Whether the prefix has so few different letters that the processor cannot predict where prefixes end.
    few_letters: bool,
}

impl Algorithm for BackwardNondeterministic {
    const ABOUT: About = About {
        id: "bndm",
        name: "Backward Nondeterministic DAWG Matching",
        reference: Reference {
            authors: &["G. Navarro", "M. Raffinot"],
            title: "A Bit-parallel Approach to Suffix Automata: Fast Extended String Matching",
            booktitle: "CPM 1998",
            series: "LNCS",
            volume: "1448",
            pages: "14-33",
            year: 1998,
            doi: "10.1007/BFb0030778",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search for patterns of a word; of longer ones, the first 64 bytes are searched for \
                and the rest is verified, where the paper takes several words.",
        ),
        after: &["rf", "so"],
        idea: "Suffix automaton of the reversed pattern simulated in one word; the last prefix seen gives \
            the shift.",
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
        // With as few letters as DNA has, prefixes end in windows at random, and a branch cannot be
        // predicted. Windows shorter than eight characters end before this matters.
        self.few_letters = letters <= 4 && prefix.len() >= 8;
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        // The twin always counts the search of the paper.
        if self.few_letters && !P::COUNTS {
            self.search_without_branch(pattern, text, found, probe);
        } else {
            self.search_as_published(pattern, text, found, probe);
        }
    }
}

impl BackwardNondeterministic {
    /// The search of the paper: reads each window from right to left while what was read is a factor of the
    /// pattern, and shifts to the last prefix that it was.
    #[inline(always)]
    fn search_as_published<P: Probe>(
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
        while probe.branch(s <= last) {
            let (mut i, mut shift) = (width - 1, width);
            // SAFETY: the window is not after the last one.
            let mut state = mask.at(unsafe { text.at_unchecked(s + i) });
            // Counted as the initial values and the first step.
            probe.branch(true);
            probe.computes(1);
            probe.writes(5);
            loop {
                if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                } else if state == 0 {
                    // The test after the shift would end the loop, too, and is counted. This one is faster
                    // by up to 15 %, because the processor predicts two tests better than one.
                    probe.writes(1);
                    probe.branch(false);
                    break;
                }
                state <<= 1;
                probe.writes(1);
                if !probe.branch(state != 0) {
                    break;
                }
                i -= 1;
                // SAFETY: after as many characters as the prefix has, only its bit can be set, and the loop
                // ends, so the character is in the window.
                state &= mask.at(unsafe { text.at_unchecked(s + i) });
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

    /// The same search where the processor cannot predict prefixes: a conditional move keeps the last one. In
    /// return, each window waits for the state of the one before it.
    #[inline(always)]
    fn search_without_branch<P: Probe>(
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
        while s <= last {
            let (mut i, mut shift) = (width - 1, width);
            // SAFETY: the window is not after the last one.
            let mut state = mask.at(unsafe { text.at_unchecked(s + i) });
            loop {
                shift = select_unpredictable(state & PREFIX != 0, i, shift);
                if state == 0 {
                    break;
                }
                state <<= 1;
                if state == 0 {
                    break;
                }
                i -= 1;
                // SAFETY: as in the search of the paper.
                state &= mask.at(unsafe { text.at_unchecked(s + i) });
            }
            if shift == 0 {
                if rest_occurs(pattern, text, s, width, probe) {
                    found.at(s);
                }
                shift = self.period;
            }
            s += shift;
        }
    }
}

register!(algorithm BackwardNondeterministic);
