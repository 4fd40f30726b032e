//! Bit-(Parallelism)^2 Wide Window 2.
//!
//! Pays where the wide window does, on patterns up to half a word's length, if both halves of a window take alike many steps.
//! Departures: little of the paper could be reached; this is its second way to double the parallelism, as we know it: the
//! two steps of an attempt, with an automaton each, run together. Of a pattern longer than 32 bytes the first 32 are searched
//! for, and the rest is verified where they occur. A last window that reaches beyond the text is searched as in
//! [`bww`](super::bww). One computation = one step of a state.

use assay_plugin_api::prelude::*;

use super::wide::around;
use crate::word::{self, prefix_occurs, rest_occurs};

/// The searcher.
#[derive(Default)]
pub struct BothSidesAtOnce {
    /// For each byte, a 1 where it occurs in the pattern's prefix, from the highest bit of its last character down.
    forward: ByteTable<u32>,
    /// The same of the prefix reversed: from the highest bit of its first character down.
    backward: ByteTable<u32>,
    /// Length of the prefix.
    width: usize,
}

/// How many characters of a pattern find room in half a word.
const HALF: usize = 32;

/// Set if what has been read from the centre on is a suffix.
const SUFFIX: u64 = 1 << 31;

/// Set if what has been read before the centre is a prefix.
const PREFIX: u64 = 1 << 63;

impl Algorithm for BothSidesAtOnce {
    const ABOUT: About = About {
        id: "dbww2",
        name: "Bit-(Parallelism)^2 Wide Window 2",
        authors: "D. Cantone, S. Faro, E. Giaquinta",
        year: 2010,
        reference: "Bit-(Parallelism)^2: Getting to the Next Level of Parallelism. FUN 2010, LNCS 6099, pp. 166-177",
        idea: "Both automata of a wide window in the two halves of one word: it is read from its centre to both sides at once.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(n) for m <= 32, else O(mn)",
        average_case: "O(n log(m)/m) for m <= 32, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = &pattern[..pattern.len().min(HALF)];
        self.width = prefix.len();
        self.forward.fill(0);
        self.backward.fill(0);
        for (i, &byte) in prefix.iter().enumerate() {
            self.forward[byte as usize] |= 1 << (HALF - self.width + i);
            self.backward[byte as usize] |= 1 << (HALF - 1 - i);
        }
        probe.table(&self.forward);
        probe.table(&self.backward);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, width) = (pattern.len(), self.width);
        let (forward, backward) = (self.forward.view(probe), self.backward.view(probe));
        // Where the prefix of the last window ends.
        let end = text.len() - m + width;
        let mut centre = width - 1;
        probe.writes(1);
        while probe.branch(centre + width <= end) {
            // Lengths of the prefixes that end before the centre, and of those that the suffixes at the centre lack.
            let (mut prefixes, mut lacking) = (1_u64, 0);
            let (mut state, mut length) = (!0, 0);
            probe.writes(4);
            while probe.branch(state != 0 && length < width - 1) {
                let masks = [forward.at(text.at(centre + length)), backward.at(text.at(centre - 1 - length))];
                state &= u64::from(masks[0]) | u64::from(masks[1]) << HALF;
                length += 1;
                probe.computes(1);
                probe.writes(2);
                if probe.branch(state & (SUFFIX | PREFIX) != 0) {
                    lacking |= u64::from(state & SUFFIX != 0) << (width - length);
                    prefixes |= u64::from(state & PREFIX != 0) << length;
                    state &= !(SUFFIX | PREFIX);
                    probe.writes(3);
                }
                state <<= 1;
            }
            // Of the window's last character nothing is left before the centre.
            if probe.branch(state & SUFFIX != 0) {
                let last = u64::from(forward.at(text.at(centre + width - 1)));
                lacking |= u64::from(state & last & SUFFIX != 0);
                probe.computes(1);
                probe.writes(1);
            }
            let mut lengths = prefixes & lacking;
            probe.writes(1);
            while prefix_occurs(lengths != 0, width == m, probe) {
                let s = centre - lengths.trailing_zeros() as usize;
                lengths &= lengths - 1;
                probe.writes(1);
                if rest_occurs(pattern, text, s, width, probe) {
                    found.at(s);
                }
            }
            centre += width;
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(centre < end) {
            let mask = |byte| u64::from(forward.at(byte)) << HALF;
            around(centre..end, width, mask, pattern, text, found, probe);
            probe.jump();
        }
    }
}

register!(algorithm BothSidesAtOnce);
