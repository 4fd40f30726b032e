//! Two-way Shift-And (`tsa`, `tsa-q2`).
//!
//! Pays on patterns up to a word's length: only a few characters in the middle of most windows are read.
//! Departures: the first three characters of a window, or pairs, are read without a test between them,
//! because the processor could not predict its branch. Every second pair is read, so that no two share a
//! character, and windows that are left are compared as a whole. Of a pattern longer than 64 bytes the first
//! 64 are searched for, and the rest is verified where they occur. One computation = one step: the shift and
//! the and.

use std::hint::black_box;

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::{self, WORD, prefix, prefix_occurs, rest_occurs};

/// The searcher. On both sides of a window's centre `ASIDE` characters are read before the first test.
#[derive(Default)]
pub struct TwoWayShiftAnd<const Q: usize, const BITS: u32, const ASIDE: usize> {
    /// For each q-gram, a 1 where it occurs in the pattern's prefix, whose first q-gram has the highest bit.
    mask: HashTable<u64, BITS>,
    /// Length of the prefix.
    width: usize,
}

/// Distinguishes letters in both halves of a pair.
fn hash(gram: u64) -> usize {
    (gram ^ gram >> 4) as usize
}

impl<const Q: usize, const BITS: u32, const ASIDE: usize> TwoWayShiftAnd<Q, BITS, ASIDE> {
    /// Searches all alignments that have one of their q-grams at `centre`. In a window that is `NEAR` the
    /// text's start or end, nothing is read from `end` on, and one q-gram on each side between two tests.
    ///
    /// # Safety
    /// The text has `end` characters, and those that the window's first reads take.
    #[inline(always)]
    unsafe fn around<const NEAR: bool, P: Probe>(
        &self,
        (centre, end): (usize, usize),
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (grams, mask) = (self.width + 1 - Q, self.mask.view(probe));
        // SAFETY: `i` is not above the centre, where a q-gram begins; what follows that is promised, or was
        // compared to `end`.
        let at = |i| mask.at(hash(unsafe { text.gram_unchecked::<Q>(i) }));
        let all = !0_u64 << (WORD - grams);
        // Of alignments that begin or end nearer than `i`, nothing is known.
        let left = |centre: usize, i: usize| at(centre - i) >> i | !(!0 >> i);
        let right = |centre: usize, i: usize| at(centre + i) << i | !(all << i);
        let mut state = at(centre);
        let mut i = Q;
        probe.computes(1);
        probe.writes(2);
        if NEAR {
            // Those that end in the text.
            let alignments = (end + 1 - Q - centre).min(grams);
            state &= !0 >> (WORD - alignments) << (WORD - grams);
        } else {
            while i <= ASIDE {
                state &= left(centre, i) & right(centre, i);
                i += Q;
                probe.computes(2);
                probe.writes(2);
            }
        }
        if state == 0 {
            // Counted as the two tests below.
            probe.branch(false);
            probe.branch(false);
            return;
        }
        // Else the loop over the windows would keep all that the place needs here.
        let centre = black_box(centre);
        while probe.branch(state != 0 && i < grams) {
            state &= left(centre, i);
            if !NEAR || probe.branch(centre + i + Q <= end) {
                state &= right(centre, i);
                probe.computes(1);
                probe.writes(1);
            }
            i += Q;
            probe.computes(1);
            probe.writes(2);
        }
        if state != 0 {
            self.report(centre + 1 - grams, state >> (WORD - grams), pattern, text, found, probe);
        }
        // None is left.
        probe.branch(false);
    }

    /// Reports the alignments from `first` on that are left, if the characters that were not read match as
    /// well. Each is a test that holds.
    #[cold]
    #[inline(never)]
    fn report<P: Probe>(
        &self,
        first: usize,
        mut state: u64,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, width) = (pattern.len(), self.width);
        while state != 0 {
            prefix_occurs(true, Q == 1 && width == m, probe);
            let s = first + state.trailing_zeros() as usize;
            state &= state - 1;
            probe.writes(1);
            let occurs = match Q {
                1 => rest_occurs(pattern, text, s, width, probe),
                _ => pattern.occurs(text, s, 0..m),
            };
            if occurs {
                found.at(s);
            }
        }
    }
}

impl<const Q: usize, const BITS: u32, const ASIDE: usize> Algorithm for TwoWayShiftAnd<Q, BITS, ASIDE> {
    const ABOUT: About = About {
        id: "tsa",
        name: "Two-way Shift-And",
        reference: papers::TWO_WAY_BIT_PARALLEL,
        status: Status::FromPaper(
            "The paper's search; how many characters are read before the first test is ours.",
        ),
        after: &["sa"],
        idea: "All m alignments around each m-th text position as bits; reads outwards on both sides until \
            none is left.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB, with 2-grams 32 KiB",
        worst_case: "O(n) for m <= 64, else and with 2-grams O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = if Q == 1 { word::EXTRA } else { &[] };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let prefix = prefix(pattern);
        self.width = prefix.len();
        self.mask.fill(0);
        for (i, gram) in prefix.windows(Q).enumerate() {
            let gram = gram.iter().rev().fold(0, |gram, &byte| gram << 8 | u64::from(byte));
            *self.mask.at_mut(hash(gram)) |= 1 << 63 >> i;
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.width);
        assert!(Q <= width && width <= m && m <= n, "prepared for another pattern");
        let grams = width + 1 - Q;
        // Where the prefix of the last window ends.
        let end = n - m + width;
        let mut centre = grams - 1;
        // The next centre, for the window that was searched.
        let next = |centre| {
            probe.writes(1);
            probe.jump();
            centre + grams
        };
        probe.writes(1);
        // These three loops are counted as one, because they differ only in what they know of the text's
        // ends. There are windows so near to the text's start where the pattern is short.
        while centre < ASIDE && centre + Q <= end {
            probe.branch(true);
            // SAFETY: the first q-gram ends at `end` or before.
            unsafe { self.around::<true, P>((centre, end), pattern, text, found, probe) };
            centre = next(centre);
        }
        let reach = Q + ASIDE.max(grams - 1);
        while centre + reach <= end {
            probe.branch(true);
            // SAFETY: the text has these characters on both sides of the centre.
            unsafe { self.around::<false, P>((centre, end), pattern, text, found, probe) };
            centre = next(centre);
        }
        while probe.branch(centre + Q <= end) {
            // SAFETY: as above.
            unsafe { self.around::<true, P>((centre, end), pattern, text, found, probe) };
            centre = next(centre);
        }
    }
}

register!(algorithm
    TwoWayShiftAnd<1, 8, 1>, id: "tsa", name: "Two-way Shift-And", parameters: "q=1";
    TwoWayShiftAnd<2, 12, 2>, id: "tsa-q2", name: "Two-way Shift-And with 2-grams", parameters: "q=2"
);
