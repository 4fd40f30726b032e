//! SBNDM in several windows at once: half of them go from left to right, and the others, in the mirror of the
//! pattern, from right to left, until each pair meets.

use assay_plugin_api::ByteTableView;
use assay_plugin_api::prelude::*;

use crate::word::{self, WORD, period, prefix_occurs, rest_occurs};

/// One direction.
#[derive(Default)]
struct Side {
    /// For each byte, a 1 where it occurs in the pattern's prefix, in the order of reading from the lowest
    /// bit up. F ones are below, because any characters may be beside the window.
    mask: ByteTable<u64>,
    /// For each byte, how many characters are read before it: Horspool's shift.
    before: ByteTable<u8>,
}

impl Side {
    fn prepare<'a, const F: usize>(&mut self, reading: impl ExactSizeIterator<Item = &'a u8>) {
        self.mask.fill((1 << F) - 1);
        self.before.fill(reading.len() as u8);
        for (i, &byte) in reading.enumerate() {
            self.mask[byte as usize] |= 1 << (F + i);
            let before = &mut self.before[byte as usize];
            *before = (*before).min(i as u8);
        }
    }
}

/// `W` windows. Two characters of each are read before the first test, `F` of them beside the window; if one
/// is, and all states are empty, each window moves on by its length and then by Horspool's shift.
#[derive(Default)]
pub struct Sliding<const W: usize, const F: usize> {
    right: Side,
    left: Side,
    /// Length of the prefix.
    width: usize,
    /// Period of the prefix: the shift after it has occurred.
    period: usize,
}

impl<const W: usize, const F: usize> Algorithm for Sliding<W, F> {
    const ABOUT: About = About {
        preparation_time: "O(m+s)",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = &pattern[..pattern.len().min(WORD - F)];
        self.width = prefix.len();
        self.period = period(prefix);
        self.right.prepare::<F>(prefix.iter().rev());
        self.left.prepare::<F>(prefix.iter());
        for side in [&self.right, &self.left].into_iter().take(W) {
            probe.table(&side.mask);
            if F > 0 {
                probe.table(&side.before);
            }
        }
    }

    #[inline(always)]
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.width);
        assert!((1..=m).contains(&width) && m <= n, "prepared for another pattern");
        // Of each part the first and the last window that are left, the former by where it begins, the latter
        // by where it ends.
        let windows = n - m + 1;
        let mut first: [usize; W] = std::array::from_fn(|part| windows * part / Self::PARTS);
        let mut last: [usize; W] = std::array::from_fn(|part| windows * (part + 1) / Self::PARTS + width - 1);
        probe.writes(W as u64);
        // As long as they are so far apart, no shift leads out of the text.
        let apart = (1 + F) * width;
        let left_side = if W > 1 { &self.left } else { &self.right };
        let (rightward, leftward) = (self.right.mask.view(probe), left_side.mask.view(probe));
        // The i-th character of a window, in the order of the pattern or against it.
        // SAFETY: where first + apart < last, the windows, a character beside them, and the windows after
        // those lie in the text.
        let to_right = |first: usize, i: usize| unsafe { text.at_unchecked(first + i) };
        // SAFETY: the same.
        let to_left = |last: usize, i: usize| unsafe { text.at_unchecked(last - 1 - i) };
        let right = |first, state, i| state << 1 & rightward.at(to_right(first, i));
        let left = |last, state, i| state << 1 & leftward.at(to_left(last, i));
        let mut report = |s| {
            if rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
        };
        // The number of the second character that is read.
        let second = (width + F).wrapping_sub(2);
        while probe.branch(width + F > 1 && (0..Self::PARTS).all(|part| first[part] + apart < last[part])) {
            let (mut rights, mut lefts, mut any) = ([0; W], [0; W], 0);
            for part in 0..Self::PARTS {
                let two = |mask: ByteTableView<'_, u64, P>, a, b| mask.at(a) << 1 & mask.at(b);
                let f = first[part];
                rights[part] = two(rightward, to_right(f, second + 1), to_right(f, second));
                any |= rights[part];
                if W > 1 {
                    let l = last[part];
                    lefts[part] = two(leftward, to_left(l, second + 1), to_left(l, second));
                    any |= lefts[part];
                }
            }
            probe.computes(2 * W as u64);
            probe.writes(2 * W as u64);
            probe.jump();
            if probe.branch(any == 0) {
                for part in 0..Self::PARTS {
                    first[part] += second + 1;
                    last[part] -= if W > 1 { second + 1 } else { 0 };
                    if F > 0 {
                        let byte = to_right(first[part], width - 1);
                        first[part] += self.right.before.view(probe).at(byte) as usize;
                        if W > 1 {
                            let byte = to_left(last[part], width - 1);
                            last[part] -= self.left.before.view(probe).at(byte) as usize;
                        }
                    }
                }
                continue;
            }
            for part in 0..Self::PARTS {
                let f = first[part];
                let (shift, occurs) = self.finish(rights[part], second, |state, i| right(f, state, i), probe);
                if prefix_occurs(occurs, width == m, probe) {
                    report(f);
                }
                first[part] += shift;
                if W > 1 {
                    let l = last[part];
                    let (shift, occurs) =
                        self.finish(lefts[part], second, |state, i| left(l, state, i), probe);
                    if prefix_occurs(occurs, width == m, probe) {
                        report(l - width);
                    }
                    last[part] -= shift;
                }
            }
        }
        // What is left between them, window by window, and nothing beside it is read.
        for part in 0..Self::PARTS {
            let mut s = first[part];
            while probe.branch(s + width <= last[part]) {
                let mask = |i| rightward.at(text.at(s + i)) >> F;
                let i = width - 1;
                let (shift, occurs) = self.finish(mask(i), i, |state, i| state << 1 & mask(i), probe);
                if prefix_occurs(occurs, width == m, probe) {
                    report(s);
                }
                s += shift;
                probe.writes(1);
                probe.jump();
            }
        }
    }
}

impl<const W: usize, const F: usize> Sliding<W, F> {
    /// Parts of the text, with two windows each unless there is but one.
    const PARTS: usize = W.div_ceil(2);

    /// Reads on in a window whose `i`-th character was read last. Returns the shift, and whether the prefix
    /// occurs.
    #[inline(always)]
    fn finish<P: Probe>(
        &self,
        mut state: u64,
        mut i: usize,
        step: impl Fn(u64, usize) -> u64,
        probe: P,
    ) -> (usize, bool) {
        let mut shift = i + 1;
        probe.writes(2);
        // One condition in two parts, as in SBNDM.
        while state != 0 {
            if i == 0 {
                probe.branch(false);
                return (self.period, true);
            }
            probe.branch(true);
            shift = i;
            i -= 1;
            state = step(state, i);
            probe.computes(1);
            probe.writes(2);
        }
        probe.branch(false);
        (shift, false)
    }
}
