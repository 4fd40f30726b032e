//! Bit-(Parallelism)^2 Wide Window 2 (`dbww2`).
//!
//! Pays where the wide window does, on patterns up to half a word's length, if both halves of a window take
//! alike many steps.
//! Departures: little of the paper could be reached; this is its second way to double the parallelism, as we
//! know it: the two steps of an attempt, with an automaton each, run together. Of a pattern longer than 32
//! bytes the first 32 are searched for, and the rest is verified where they occur. A last window that reaches
//! beyond the text is searched as in [`bww`](super::bww). One computation = one step of a state.
//! Timed: steps are made in pairs with one test. The first pair is made before the window is entered, because
//! most windows end there; if one does not, its characters are read again.

use std::hint::black_box;

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::wide::around;
use crate::word::{self, WORD, prefix_occurs, rest_occurs};

/// The searcher.
#[derive(Default)]
pub struct BothSidesAtOnce {
    /// For each byte, a 1 where it occurs in the pattern's prefix, from the highest bit of its last character
    /// down.
    forward: ByteTable<u32>,
    /// The same of the prefix reversed: from the highest bit of its first character down.
    backward: ByteTable<u32>,
    /// Length of the prefix.
    width: usize,
}

/// Number of characters of a pattern that fit half a word.
const HALF: usize = 32;

/// Set if what has been read from the centre on is a suffix.
const SUFFIX: u64 = 1 << 31;

/// Set if what has been read before the centre is a prefix.
const PREFIX: u64 = 1 << 63;

impl BothSidesAtOnce {
    /// Reports the alignments whose suffixes begin at the centre and whose prefixes end before it, according
    /// to `ends` for the lengths up to `length`; or, with `whole`, the one that begins at the centre.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "those of a search")]
    fn report<P: Probe>(
        &self,
        centre: usize,
        (ends, length): (u64, usize),
        whole: bool,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        // Lengths of the prefixes that occur, and of those that the suffixes still need.
        let prefixes = ends >> (WORD - 1 - length) | 1;
        let lacking = u64::from((ends as u32).reverse_bits()) << (self.width - length) | u64::from(whole);
        let mut lengths = prefixes & lacking;
        while prefix_occurs(lengths != 0, self.width == pattern.len(), probe) {
            let s = centre - lengths.trailing_zeros() as usize;
            lengths &= lengths - 1;
            probe.writes(1);
            if rest_occurs(pattern, text, s, self.width, probe) {
                found.at(s);
            }
        }
    }
}

impl Algorithm for BothSidesAtOnce {
    const ABOUT: About = About {
        id: "dbww2",
        name: "Bit-(Parallelism)^2 Wide Window 2",
        reference: papers::BIT_PARALLELISM_SQUARED,
        status: Status::Reconstructed(
            "Little of the paper could be reached; that the two automata of one window run together is its \
                second form as we understand it.",
        ),
        after: &["bww"],
        idea: "Both automata of a wide window in the two halves of one word: it is read from its centre to \
            both sides at once.",
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
        assert!((1..=m).contains(&width) && m <= text.len(), "prepared for another pattern");
        let end = text.len() - m + width;
        // The masks of the two characters that are read after so many on both sides of the centre.
        let masks = |centre: usize, length: usize| {
            // SAFETY: called for lengths below width - 1: these are the window's characters from the centre
            // on, and as many before it, and it lies in the text.
            let bytes =
                unsafe { [text.at_unchecked(centre + length), text.at_unchecked(centre - 1 - length)] };
            u64::from(forward.at(bytes[0])) | u64::from(backward.at(bytes[1])) << HALF
        };
        // Whether the first two steps leave nothing of a window, and find no suffix.
        let skips = |centre: usize| {
            // SAFETY: the window has as many characters from the centre on, and before it if it has three.
            let [forward_at, backward_at] =
                [&forward, &backward].map(|masks| move |i: usize| masks.at(unsafe { text.at_unchecked(i) }));
            let first = forward_at(centre);
            if width == 1 {
                return first == 0;
            }
            // The bit above shows a suffix of one character.
            let left = u64::from(first) << 1 & (u64::from(forward_at(centre + 1)) | SUFFIX << 1);
            if width == 2 {
                return left == 0;
            }
            left | u64::from(backward_at(centre - 1) << 1 & backward_at(centre - 2)) == 0
        };
        let mut centre = width - 1;
        probe.writes(1);
        while probe.branch(centre + width <= end) {
            if !P::COUNTS && skips(centre) {
                centre += width;
                continue;
            }
            // Else the loop would keep in memory where all characters of the window are.
            let here = black_box(centre);
            // Each half has a bit for each step, the highest for the last: whether a suffix of that length
            // begins at the centre, and whether a prefix of that length ends before it.
            let mut ends = 0;
            let (mut state, mut length) = (!0, 0);
            probe.writes(4);
            while !P::COUNTS && state != 0 && length + 2 < width {
                let first = state & masks(here, length);
                let ending = first & (SUFFIX | PREFIX);
                let second = (first ^ ending) << 1 & masks(here, length + 1);
                let ending_second = second & (SUFFIX | PREFIX);
                ends = (ends >> 1 | ending) >> 1 | ending_second;
                state = (second ^ ending_second) << 1;
                length += 2;
            }
            while probe.branch(state != 0 && length < width - 1) {
                state &= masks(here, length);
                length += 1;
                probe.computes(1);
                probe.writes(2);
                let ending = state & (SUFFIX | PREFIX);
                if probe.branch(ending != 0) {
                    probe.writes(3);
                }
                ends = ends >> 1 | ending;
                state = (state ^ ending) << 1;
            }
            // Of the window's last character nothing is left before the centre.
            let mut whole = false;
            if probe.branch(state & SUFFIX != 0) {
                let last = u64::from(forward.at(text.at(here + width - 1)));
                whole = state & last & SUFFIX != 0;
                probe.computes(1);
                probe.writes(1);
            }
            probe.writes(1);
            if whole || ends as u32 != 0 {
                self.report(here, (ends, length), whole, pattern, text, found, probe);
            } else {
                prefix_occurs(false, width == m, probe);
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
