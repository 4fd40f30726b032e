//! Windows that approach each other from the two ends of a text, or of its parts. A window that moves right
//! shifts by the two characters after it, one that moves left by the two before it.

use std::array;

use assay_plugin_api::prelude::*;

use crate::shifts::{PairShifts, fill_pair_shifts, pair};

/// Both shift tables.
#[derive(Default)]
pub(crate) struct Approach {
    /// For each two bytes, the shift to the right if they follow the window.
    right: PairShifts,
    /// For each two bytes, nearest first, the shift to the left if they precede the window.
    left: PairShifts,
    /// The pattern from right to left; used by the preparation alone.
    reversed: Vec<u8>,
}

impl Approach {
    pub fn prepare(&mut self, pattern: &[u8], probe: impl Probe) {
        fill_pair_shifts(&mut self.right, pattern, pattern.len());
        self.reversed.clear();
        self.reversed.extend(pattern.iter().rev());
        fill_pair_shifts(&mut self.left, &self.reversed, pattern.len());
        probe.table(&self.right);
        probe.table(&self.left);
    }

    /// Calls `compare` for the windows that `PAIRS` pairs come across, each in a part of the text. They take
    /// turns until the first two have met; then the others come to their ends one pair after the other.
    #[inline(always)]
    pub fn scan<const PAIRS: usize, P: Probe>(
        &self,
        m: usize,
        text: Text<P>,
        mut compare: impl FnMut(usize),
        probe: P,
    ) {
        let windows = text.len() + 1 - m;
        let bound = |part: usize| (windows / PAIRS * part + (windows % PAIRS).min(part)) as isize;
        // The windows of a pair: all before the lower and after the higher one are done with.
        let mut pairs: [[isize; 2]; PAIRS] = array::from_fn(|part| [bound(part), bound(part + 1) - 1]);
        probe.writes(2 * PAIRS as u64);
        self.approach(&mut pairs, m, text, &mut compare, probe);
        for pair in pairs {
            let mut pair = [pair];
            if PAIRS > 1 {
                self.approach(&mut pair, m, text, &mut compare, probe);
            }
            let [[low, high]] = &mut pair;
            while probe.branch(low <= high) {
                compare(*low as usize);
                *low += 1;
                probe.writes(1);
                probe.jump();
            }
        }
    }

    /// Moves all pairs until the windows of one are less than two apart.
    #[inline(always)]
    fn approach<const PAIRS: usize, P: Probe>(
        &self,
        pairs: &mut [[isize; 2]; PAIRS],
        m: usize,
        text: Text<P>,
        compare: &mut impl FnMut(usize),
        probe: P,
    ) {
        let (right, left) = (self.right.view(probe), self.left.view(probe));
        while probe.branch(pairs.iter().all(|[low, high]| high - low >= 2)) {
            // All shifts are looked up before the first comparison, so that none waits for the branch that
            // ends one.
            let next = pairs.map(|[low, high]| {
                // SAFETY: 0 <= low <= high - 2 and high <= n - m, because a window that leaves its part is
                // not compared any more: two bytes are after the lower window, and before the higher one.
                let ([first, second], [far, near]) = unsafe {
                    (text.block_unchecked(low as usize + m), text.block_unchecked(high as usize - 2))
                };
                let (low_shift, high_shift) = (right.at(pair([first, second])), left.at(pair([near, far])));
                [low + low_shift as isize, high - high_shift as isize]
            });
            for [low, high] in *pairs {
                compare(low as usize);
                compare(high as usize);
                probe.writes(2);
                probe.jump();
                probe.jump();
            }
            *pairs = next;
        }
    }
}
