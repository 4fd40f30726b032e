//! BNDM for long patterns (`bndml`).
//!
//! Pays on patterns of some words over small alphabets, where a filter by the first 64 bytes would shift too
//! little.
//! Departures: the pattern's first character has the highest bit of the first word. The first character of a
//! window takes the place of the initial state, so that each character takes one step: shift, carry and and.
//! One computation = that of one word.
//! Timed: for patterns of 8 to 64 characters with at most four different ones, a conditional move keeps the
//! shift instead of a branch, because the processor cannot predict where prefixes end.

use std::hint::select_unpredictable;

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::{WORD, period};

/// The searcher: for each byte, the words with a 1 where it occurs in the pattern, from the highest bit of
/// the first on.
#[derive(Default)]
pub struct LongPatterns {
    mask: Table<u64>,
    /// The factors that are alive, and a word of zeros after them.
    state: Vec<u64>,
    /// Period of a pattern that fits a word, if it has so few different letters that the processor cannot
    /// predict where prefixes end.
    period: Option<usize>,
}

/// Set in the first word if what has been read is a prefix of the pattern.
const PREFIX: u64 = 1 << 63;

impl Algorithm for LongPatterns {
    const ABOUT: About = About {
        id: "bndml",
        name: "BNDM for long patterns",
        reference: papers::FAST_AND_FLEXIBLE,
        status: Status::FromPaper(
            "The paper's search in several words; the first character of a window takes the place of the \
                initial state.",
        ),
        after: &["bndm"],
        idea: "BNDM whose state has as many words as the pattern fills, with a carry between them.",
        preparation_time: "O(ms/64)",
        space: "O(ms/64): 2 KiB for each 64 characters of the pattern",
        worst_case: "O(nm^2/64)",
        average_case: "O(n log(m)/64), logarithm to the base s; O(n log(m)/m) for m <= 64",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let words = pattern.len().div_ceil(WORD);
        self.mask.reset(256 * words, 0);
        for (i, &byte) in pattern.iter().enumerate() {
            self.mask[byte as usize * words + i / WORD] |= PREFIX >> (i % WORD);
        }
        self.state.clear();
        self.state.resize(words + 1, 0);
        let letters = self.mask.chunks(words).filter(|row| row.iter().any(|&word| word != 0)).count();
        self.period = (letters <= 4 && (8..=WORD).contains(&pattern.len())).then(|| period(pattern));
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (lengths, mask) = ((pattern.len(), text.len()), self.mask.view(probe));
        assert_eq!(self.mask.len(), 256 * (self.state.len() - 1), "a table that has a row for each byte");
        // A length that compilers know keeps the words in registers. The twin counts the search of the paper.
        match (self.state.len() - 1, self.period) {
            (1, Some(period)) if !P::COUNTS => {
                windows::<false, P>(&mut [0; 2], period, mask, lengths, text, found, probe)
            }
            (1, _) => windows::<true, P>(&mut [0; 2], 0, mask, lengths, text, found, probe),
            (2, _) => windows::<true, P>(&mut [0; 3], 0, mask, lengths, text, found, probe),
            (3, _) => windows::<true, P>(&mut [0; 4], 0, mask, lengths, text, found, probe),
            (4, _) => windows::<true, P>(&mut [0; 5], 0, mask, lengths, text, found, probe),
            (8, _) => windows::<true, P>(&mut [0; 9], 0, mask, lengths, text, found, probe),
            _ => windows::<true, P>(&mut self.state, 0, mask, lengths, text, found, probe),
        }
    }
}

/// The search. If the processor cannot predict prefixes (not `PREDICTED`), a conditional move keeps the last
/// one, and the pattern fits a word.
#[inline(always)]
fn windows<const PREDICTED: bool, P: Probe>(
    state: &mut [u64],
    period: usize,
    mask: TableView<'_, u64, P>,
    (m, n): (usize, usize),
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (words, last) = (state.len() - 1, n - m);
    assert!(m <= n && m <= words * WORD, "prepared for another pattern");
    // SAFETY: it is called for the characters of a window that is not after the last.
    let row = |s: usize, i: usize| unsafe { text.at_unchecked(s + i) } as usize * words;
    let mut s = 0;
    probe.writes(1);
    while probe.branch(s <= last) {
        let (mut i, mut shift) = (m - 1, m);
        let first = row(s, i);
        let mut alive = 0;
        for (word, part) in state[..words].iter_mut().enumerate() {
            // SAFETY: the table has a row of this number of words for each byte.
            *part = unsafe { mask.at_unchecked(first + word) };
            alive |= *part;
        }
        probe.computes(words as u64);
        probe.writes(2 + words as u64);
        while probe.branch(alive != 0) {
            if !PREDICTED {
                shift = select_unpredictable(state[0] & PREFIX != 0, i, shift);
                if state[0] << 1 == 0 {
                    break;
                }
            } else if probe.branch(state[0] & PREFIX != 0) {
                if probe.branch(i == 0) {
                    break;
                }
                shift = i;
                probe.writes(1);
                if probe.branch(state[0] == PREFIX && state[1..words].iter().all(|&word| word == 0)) {
                    alive = 0;
                    break;
                }
            }
            i -= 1;
            let next = row(s, i);
            alive = 0;
            for word in 0..words {
                let carry = state[word + 1] >> 63;
                // SAFETY: as above.
                state[word] = (state[word] << 1 | carry) & unsafe { mask.at_unchecked(next + word) };
                alive |= state[word];
            }
            probe.computes(words as u64);
            probe.writes(1 + words as u64);
        }
        if probe.verify(if PREDICTED { alive != 0 } else { shift == 0 }) {
            found.at(s);
            if !PREDICTED {
                shift = period;
            }
        }
        s += shift;
        probe.writes(1);
        probe.jump();
    }
}

register!(algorithm LongPatterns);
