//! Bit-(Parallelism)^2 Wide Window (`dbww`).
//!
//! Pays where the wide window does, on patterns up to half a word's length: two windows take as many steps as
//! the longer one.
//! Departures: of a pattern longer than 32 bytes the first 32 are searched for, and the rest is verified
//! where they occur. A last window that has none beside it is searched alone. One computation = one step of a
//! state.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::wide::around;
use crate::word::{self, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit of its last
/// character down.
#[derive(Default)]
pub struct TwoWideWindows {
    mask: ByteTable<u32>,
    /// Length of the prefix.
    width: usize,
}

/// Number of characters of a pattern that fit half a word.
const HALF: usize = 32;

/// Set in either half if what has been read from its window's centre on is a suffix.
const SUFFIXES: u64 = 1 << 63 | 1 << 31;

impl Algorithm for TwoWideWindows {
    const ABOUT: About = About {
        id: "dbww",
        name: "Bit-(Parallelism)^2 Wide Window",
        reference: papers::BIT_PARALLELISM_SQUARED,
        status: Status::FromAbstract(
            "Little of the paper could be reached; the two windows in one word are its first form as it is \
                generally described.",
        ),
        after: &["bww"],
        idea: "Two wide windows in the two halves of one word, so m is halved and two windows advance \
            together.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(n) for m <= 32, else O(mn)",
        average_case: "O(n log(m)/m) for m <= 32, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = &pattern[..pattern.len().min(HALF)];
        self.width = prefix.len();
        self.mask.fill(0);
        for (i, &byte) in prefix.iter().enumerate() {
            self.mask[byte as usize] |= 1 << (HALF - self.width + i);
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, width, mask) = (pattern.len(), self.width, self.mask.view(probe));
        let is_whole = width == m;
        // Where the prefix of the last window ends.
        let end = text.len() - m + width;
        let firsts = 1 << (HALF - width) | 1 << (2 * HALF - width);
        let mut centre = width - 1;
        probe.writes(1);
        // In the lower half is the left window, in the upper half the one beside it.
        while probe.branch(centre + 2 * width <= end) {
            let both = |i| {
                let masks = [mask.at(text.at(i)), mask.at(text.at(i + width))];
                u64::from(masks[0]) | u64::from(masks[1]) << HALF
            };
            let mut verify = |which: u64, i: usize| {
                for (half, s) in [(0, i), (1, i + width)] {
                    if prefix_occurs(which >> (half * HALF) & u64::from(u32::MAX) != 0, is_whole, probe)
                        && rest_occurs(pattern, text, s, width, probe)
                    {
                        found.at(s);
                    }
                }
            };
            // The ends of prefixes whose suffixes were found.
            let mut ends = 0;
            let (mut state, mut i) = (!0, centre);
            probe.writes(3);
            while probe.branch(state != 0) {
                state &= both(i);
                i += 1;
                probe.computes(1);
                probe.writes(2);
                let suffixes = state & SUFFIXES;
                if probe.branch(suffixes != 0) {
                    let length = i - centre;
                    if probe.branch(length == width) {
                        verify(suffixes, centre);
                    } else {
                        ends |= suffixes >> length;
                        probe.writes(1);
                    }
                }
                state = (state ^ suffixes) << 1;
            }
            let mut i = centre;
            probe.writes(1);
            while probe.branch(ends != 0) {
                i -= 1;
                ends &= both(i);
                probe.computes(1);
                probe.writes(2);
                if probe.branch(ends & firsts != 0) {
                    verify(ends & firsts, i);
                    ends &= !firsts;
                    probe.writes(1);
                }
                ends >>= 1;
            }
            centre += 2 * width;
            probe.writes(1);
            probe.jump();
        }
        while probe.branch(centre < end) {
            let mask = |byte| u64::from(mask.at(byte)) << HALF;
            around(centre..end, width, mask, pattern, text, found, probe);
            centre += width;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm TwoWideWindows);
