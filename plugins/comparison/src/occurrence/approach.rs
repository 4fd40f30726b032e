//! Windows that approach each other from the two ends of a text, or of parts of it, each of which shifts by the two
//! characters beyond it: those behind a window that goes right, those before one that goes left.

use std::array;

use assay_plugin_api::prelude::*;

use crate::shifts::{PairShifts, fill_pair_shifts, pair};

/// Both shift tables.
#[derive(Default)]
pub(crate) struct Approach {
    /// For each two bytes, the shift to the right where they stand behind the window.
    right: PairShifts,
    /// For each two bytes, nearest first, the shift to the left where they stand before the window.
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

    /// Calls `compare` for the windows that `PAIRS` pairs come across, each in a part of the text. They take turns until the
    /// first two have met; then the others come to their ends one pair after the other.
    #[inline(always)]
    pub fn scan<const PAIRS: usize, P: Probe>(
        &self,
        m: usize,
        text: Text<P>,
        mut compare: impl FnMut(usize),
        probe: P,
    ) {
        let (right, left) = (self.right.view(probe), self.left.view(probe));
        let windows = text.len() + 1 - m;
        let bound = |part: usize| (windows / PAIRS * part + (windows % PAIRS).min(part)) as isize;
        // The windows of a pair: all before `low` and behind `high` are done with.
        let mut low: [isize; PAIRS] = array::from_fn(bound);
        let mut high: [isize; PAIRS] = array::from_fn(|part| bound(part + 1) - 1);
        probe.writes(2 * PAIRS as u64);
        let apart = |low: isize, high: isize| high - low >= 2;
        let mut step = |low: &mut isize, high: &mut isize| {
            compare(*low as usize);
            // SAFETY: 0 <= low <= high - 2 and high <= n - m, since no window leaves its part: two bytes are behind the
            // lower window, and before the higher one.
            let ([first, second], [far, near]) = unsafe {
                (text.block_unchecked(*low as usize + m), text.block_unchecked(*high as usize - 2))
            };
            compare(*high as usize);
            *low += right.at(pair([first, second])) as isize;
            *high -= left.at(pair([near, far])) as isize;
            probe.writes(2);
            probe.jump();
            probe.jump();
        };
        while probe.branch((0..PAIRS).all(|i| apart(low[i], high[i]))) {
            for i in 0..PAIRS {
                step(&mut low[i], &mut high[i]);
            }
        }
        for i in 0..PAIRS {
            while PAIRS > 1 && probe.branch(apart(low[i], high[i])) {
                step(&mut low[i], &mut high[i]);
            }
        }
        for i in 0..PAIRS {
            while probe.branch(low[i] <= high[i]) {
                compare(low[i] as usize);
                low[i] += 1;
                probe.writes(1);
                probe.jump();
            }
        }
    }
}
