//! Backward Nondeterministic DAWG Matching.
//!
//! Pays on patterns up to a word's length, over small alphabets too.
//! Departures: the pattern's first character has the word's highest bit, so that what is shifted out needs no
//! mask. Of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where they
//! occur (the paper takes several words). For a prefix of at least eight characters, at most four of them
//! different, the timed search finds the shift with a conditional move instead of a branch. The twin always
//! counts the loop with branches, so for these prefixes it counts another loop than the one that is timed;
//! for the others, the timed loop has one more test of an empty state than the twin counts. One computation =
//! one step: the and and the shift.

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
        // The twin always counts the form with branches, because that is the algorithm of the paper.
        if self.few_letters && !P::COUNTS {
            self.windows::<false, P>(pattern, text, found, probe);
        } else {
            self.windows::<true, P>(pattern, text, found, probe);
        }
    }
}

impl BackwardNondeterministic {
    /// `PREDICTED`: whether the processor predicts most prefixes. It then does not have to wait for the state
    /// before it begins the next window, as it must with a conditional move.
    #[inline(always)]
    fn windows<const PREDICTED: bool, P: Probe>(
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
            // SAFETY: after as many characters as the prefix has, only its bit can be set, and the loop ends.
            // All of them are in the window, which is not after the last one.
            mask.at(unsafe { text.at_unchecked(i) })
        };
        while probe.branch(s <= last) {
            let (mut i, mut shift) = (width - 1, width);
            let mut state = read(s + i);
            probe.branch(true);
            probe.writes(3);
            loop {
                if !PREDICTED {
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
                    // The test after the shift would end the loop, too. A second test is faster because the
                    // processor predicts two better than one; the twin counts the other one alone.
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
            let occurs = if PREDICTED { state != 0 } else { shift == 0 };
            if prefix_occurs(occurs, width == m, probe) {
                if rest_occurs(pattern, text, s, width, probe) {
                    found.at(s);
                }
                if !PREDICTED {
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
