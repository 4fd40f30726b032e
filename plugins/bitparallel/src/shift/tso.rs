//! Two-way Shift-Or (`tso5`).
//!
//! Pays on patterns up to a word's length where a few characters settle a window: they are read without a
//! test between.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. Windows where the text begins or ends too near for the first reads are read one
//! character after the other. Two windows are read a round, and counted as the two rounds that they are. One
//! computation = one step: both shifts and the or.

use std::hint::black_box;

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::{self, WORD, prefix, prefix_occurs, rest_occurs};

/// The searcher. `FIRST` characters are read before the first test.
#[derive(Default)]
pub struct TwoWayShiftOr<const FIRST: usize> {
    /// For each byte, a 0 where it occurs in the pattern's prefix, whose first character has the highest bit.
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl<const FIRST: usize> TwoWayShiftOr<FIRST> {
    /// The bits of all alignments: if no state is less, none is left.
    fn none(&self) -> u64 {
        !0 << (WORD - self.width)
    }

    /// Reads on from the state after the characters nearer than `i` to the centre, and reports the alignments
    /// that are left. In the `LAST` window, characters from `end` on are not read.
    ///
    /// # Safety
    /// The window is in the text, up to `end` if it is the last.
    #[inline(always)]
    unsafe fn read_on<const LAST: bool, P: Probe>(
        &self,
        (centre, end): (usize, usize),
        (mut state, mut i): (u64, usize),
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (width, none, mask) = (self.width, self.none(), self.mask.view(probe));
        // SAFETY: the caller's promise, since i < width.
        let at = |i| mask.at(unsafe { text.at_unchecked(i) });
        while probe.branch(state < none && i < width) {
            state |= at(centre - i) >> i;
            if !LAST || probe.branch(centre + i < end) {
                state |= at(centre + i) << i;
                probe.computes(1);
                probe.writes(1);
            }
            i += 1;
            probe.computes(1);
            probe.writes(2);
        }
        if state < none {
            self.report(centre + 1 - width, !state >> (WORD - width), pattern, text, found, probe);
        }
        // None is left.
        probe.branch(false);
    }

    /// Reports the alignments from `first` on that are left, if the rest of the pattern occurs as well. Each
    /// is a test that holds.
    #[cold]
    #[inline(never)]
    fn report<P: Probe>(
        &self,
        first: usize,
        mut left: u64,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        while left != 0 {
            prefix_occurs(true, self.width == pattern.len(), probe);
            let s = first + left.trailing_zeros() as usize;
            left &= left - 1;
            probe.writes(1);
            if rest_occurs(pattern, text, s, self.width, probe) {
                found.at(s);
            }
        }
    }

    /// A window at the text's start or end, without the first reads.
    #[cold]
    #[inline(never)]
    fn one_by_one<P: Probe>(
        &self,
        (centre, end): (usize, usize),
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        // Those that end in the text.
        let alignments = (end - centre).min(self.width);
        let beyond = !(!0 >> (WORD - alignments) << (WORD - self.width));
        let state = beyond | self.mask.view(probe).at(text.at(centre));
        probe.computes(1);
        probe.writes(2);
        // SAFETY: the window begins in the text.
        unsafe { self.read_on::<true, P>((centre, end), (state, 1), pattern, text, found, probe) };
    }
}

impl<const FIRST: usize> Algorithm for TwoWayShiftOr<FIRST> {
    const ABOUT: About = About {
        id: "tso",
        name: "Two-way Shift-Or",
        reference: papers::TWO_WAY_BIT_PARALLEL,
        status: Status::FromPaper(
            "The paper's search; how many characters are read before the first test is ours.",
        ),
        after: &["so"],
        idea: "TSA with inverted bits; combines the first r characters before its first test.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(n) for m <= 64, else O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        let none = self.none();
        self.mask.fill(none);
        for (i, &byte) in prefix.iter().enumerate() {
            self.mask[byte as usize] &= !(1 << 63 >> i);
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!((1..=WORD).contains(&width) && width <= m && m <= n, "prepared for another pattern");
        let aside = FIRST / 2;
        // Where the prefix of the last window ends.
        let end = n - m + width;
        let mut centre = width - 1;
        probe.writes(1);
        // There are windows so near to the text's start where the pattern is short.
        while centre < aside.min(end) {
            probe.branch(true);
            self.one_by_one((centre, end), pattern, text, found, probe);
            centre += width;
            probe.writes(1);
            probe.jump();
        }
        // The first reads of a window: the loop's condition held, and the window after it is the next.
        let first_reads = |centre: usize| {
            // SAFETY: the text has these characters on both sides of the centre.
            let at = |i| mask.at(unsafe { text.at_unchecked(i) });
            probe.branch(true);
            probe.computes(1 + 2 * aside as u64);
            probe.writes(3);
            probe.jump();
            (1..=aside).fold(at(centre), |state, i| state | at(centre - i) >> i | at(centre + i) << i)
        };
        let mut read_on = |centre, state| {
            let first = (state, aside + 1);
            // SAFETY: called only for windows that end at `end` or before.
            unsafe { self.read_on::<false, P>((centre, end), first, pattern, text, found, probe) };
        };
        let (none, reach) = (self.none(), width.max(aside + 1));
        // Two windows a round: mostly none is left of both.
        let rounds_end = (end + 1).saturating_sub(width + reach);
        while centre < rounds_end {
            for window in [centre, centre + width] {
                let state = first_reads(window);
                if state < none {
                    // Else the loop would keep all that the place needs there.
                    read_on(black_box(window), state);
                } else {
                    // Counted as the two tests there.
                    probe.branch(false);
                    probe.branch(false);
                }
            }
            centre += 2 * width;
        }
        if centre + reach <= end {
            read_on(centre, first_reads(centre));
            centre += width;
        }
        while probe.branch(centre < end) {
            self.one_by_one((centre, end), pattern, text, found, probe);
            centre += width;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm
    TwoWayShiftOr<5>, id: "tso5", name: "Two-way Shift-Or (5 initial reads)", parameters: "first reads=5"
);
