//! Shift Vector Matching (`svm0` to `svm4`).
//!
//! Pays on small alphabets and short patterns: of what was read of one window, the next ones know which of
//! them it excludes.
//! Departures: of a pattern longer than 63 bytes the first 63 are searched for, and the rest is verified
//! where they occur: one shift is always possible. One computation = one step: the or and its shift.
//! Timed: but for `svm1`, if a sample of the text has few characters of the pattern, windows of which nothing
//! is known are passed in a loop of their own as long as their last character is not in the pattern, so that
//! none waits for the shift of the one before it. The same characters are read.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::foreign::{SAMPLE, mostly_foreign};
use crate::word::{self, WORD, prefix_occurs, rest_occurs};

/// The searcher: for each byte at the window's end, a 1 for each shift that it makes impossible. `FIND`
/// selects how the least shift that is left is found.
#[derive(Default)]
pub struct ShiftVector<const FIND: usize> {
    impossible: ByteTable<u64>,
    /// For each byte, its lowest bit that is set.
    lowest: ByteTable<u8>,
    /// Length of the prefix.
    width: usize,
    /// Whether windows are passed whose last character makes all shifts within them impossible.
    passes: bool,
}

impl<const FIND: usize> Algorithm for ShiftVector<FIND> {
    const ABOUT: About = About {
        id: "svm",
        name: "Shift Vector Matching",
        reference: papers::ALTERNATIVE_ALGORITHMS,
        status: Status::FromPaper(
            "The paper's search; the loop that passes unread windows, where a sample of the text has few \
                characters of the pattern, is ours.",
        ),
        after: &["bm"],
        idea: "A word holds which of the next m shifts are still possible; the lowest free bit is the next \
            shift.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB, and 256 bytes for variants 3 and 4",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 63, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, ..Needs::NOTHING };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        let prefix = &pattern[..pattern.len().min(WORD - 1)];
        self.width = prefix.len();
        self.impossible.fill((1 << self.width) - 1);
        for (shift, &byte) in prefix.iter().rev().enumerate() {
            self.impossible[byte as usize] &= !(1 << shift);
        }
        let all = (1 << self.width) - 1;
        self.passes = FIND != 1 && mostly_foreign(hints.sample, |byte| self.impossible[byte as usize] != all);
        probe.table(&self.impossible);
        if FIND >= 3 {
            // The same for all patterns.
            if self.lowest[0] == 0 {
                for (byte, lowest) in (0_u8..=255).zip(self.lowest.iter_mut()) {
                    *lowest = byte.trailing_zeros() as u8;
                }
            }
            probe.table(&self.lowest);
        }
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, impossible) = (pattern.len(), text.len(), self.width, self.impossible.view(probe));
        assert!(width <= m && m <= n, "prepared for another pattern");
        let (mut s, mut vector) = (0, 0_u64);
        probe.writes(2);
        // The vector after a character that the prefix does not have.
        let all = (1 << width) - 1;
        'windows: while probe.branch(s <= n - m) {
            let mut left = width;
            probe.writes(1);
            // The next window need not wait for a shift that is the window's length. Where the shift is found
            // bit by bit, it need not anyway, because the processor predicts how many bits there are.
            if FIND != 1 && !P::COUNTS && self.passes && vector == 0 {
                left -= 1;
                loop {
                    // SAFETY: the window lies in the text.
                    vector = impossible.at(unsafe { text.at_unchecked(s + left) });
                    if vector != all {
                        break;
                    }
                    s += width;
                    if s > n - m {
                        break 'windows;
                    }
                }
            }
            while probe.branch(left > 0 && vector & 1 == 0) {
                left -= 1;
                // SAFETY: the window lies in the text.
                let byte = unsafe { text.at_unchecked(s + left) };
                vector |= impossible.at(byte) >> (width - 1 - left);
                probe.computes(1);
                probe.writes(2);
            }
            if prefix_occurs(vector & 1 == 0, width == m, probe) {
                if rest_occurs(pattern, text, s, width, probe) {
                    found.at(s);
                }
                vector |= 1;
                probe.writes(1);
            }
            let shift;
            (shift, vector) = self.least(vector, probe);
            s += shift;
            probe.writes(2);
            probe.jump();
        }
    }
}

impl<const FIND: usize> ShiftVector<FIND> {
    /// The least shift that is possible, and the vector after it. There is one, and it is not 0.
    #[inline(always)]
    fn least<P: Probe>(&self, mut vector: u64, probe: P) -> (usize, u64) {
        if FIND == 1 {
            let mut shift = 0;
            probe.writes(1);
            // The first bit is set.
            probe.branch(true);
            loop {
                vector >>= 1;
                shift += 1;
                probe.writes(2);
                if !probe.branch(vector & 1 != 0) {
                    return (shift, vector);
                }
            }
        }
        let shift = self.lowest_unset(vector, probe);
        (shift, vector >> shift)
    }

    /// The lowest bit that is not set.
    #[inline(always)]
    fn lowest_unset<P: Probe>(&self, vector: u64, probe: P) -> usize {
        let possible = !vector;
        let lowest = possible & possible.wrapping_neg();
        match FIND {
            0 => possible.trailing_zeros() as usize,
            // Each mask gives one bit of the number.
            2 => {
                let masks = [
                    0xaaaa_aaaa_aaaa_aaaa,
                    0xcccc_cccc_cccc_cccc,
                    0xf0f0_f0f0_f0f0_f0f0,
                    0xff00_ff00_ff00_ff00,
                    0xffff_0000_ffff_0000,
                    0xffff_ffff_0000_0000,
                ];
                probe.computes(7);
                (0..).zip(masks).map(|(i, mask)| usize::from(lowest & mask != 0) << i).sum()
            }
            3 => self.byte_of(lowest, |rest, half| rest >> half != 0, probe),
            _ => self.byte_of(possible, |rest, half| rest << (64 - half) == 0, probe),
        }
    }

    /// The lowest bit that is set: halves are chosen until a byte is left, which the table knows. It is in
    /// the upper half of `2 half` bits if `is_upper`.
    #[inline(always)]
    fn byte_of<P: Probe>(&self, mut rest: u64, is_upper: impl Fn(u64, usize) -> bool, probe: P) -> usize {
        let mut below = 0;
        // Most shifts are small, so that these branches are predicted.
        for half in [32, 16] {
            if probe.branch(is_upper(rest, half)) {
                seldom();
                rest >>= half;
                below += half;
                probe.writes(2);
            }
        }
        let skipped = if is_upper(rest, 8) { 8 } else { 0 };
        probe.computes(1);
        below + skipped + usize::from(self.lowest.view(probe).at((rest >> skipped) as u8))
    }
}

/// Makes this known to the compiler.
#[cold]
fn seldom() {}

register!(algorithm
    ShiftVector<0>, id: "svm0", name: "Shift Vector Matching (version 0)",
        parameters: "variant=0 (lowest bit by bit scan instruction)";
    ShiftVector<1>, id: "svm1", name: "Shift Vector Matching (version 1)",
        parameters: "variant=1 (lowest bit by one bit at a time)";
    ShiftVector<2>, id: "svm2", name: "Shift Vector Matching (version 2)",
        parameters: "variant=2 (lowest bit by masks)";
    ShiftVector<3>, id: "svm3", name: "Shift Vector Matching (version 3)",
        parameters: "variant=3 (lowest bit by byte table, high half first)";
    ShiftVector<4>, id: "svm4", name: "Shift Vector Matching (version 4)",
        parameters: "variant=4 (lowest bit by byte table, low half first)"
);
