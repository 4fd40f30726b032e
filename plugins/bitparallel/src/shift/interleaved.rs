//! Shift-Or of a pattern that is dealt out to interleaved ones, so that only each q-th character of the text
//! is read: the search of the average-optimal Shift-Or and of its fast form.

use assay_plugin_api::prelude::*;
use assay_shared::naive::one_by_one;
use assay_shared::papers;

use crate::word::WORD;

/// `Q` patterns, of each Q-th character from the first, second .. on; `U` characters of the text are read
/// between two tests.
#[derive(Default)]
pub struct Interleaved<const Q: usize, const U: usize> {
    /// For each byte, a 0 where it occurs in one of the patterns. Each has a field of bits, with room for U -
    /// 1 more.
    mask: ByteTable<u64>,
    /// How many characters of each pattern find room.
    length: usize,
    /// The bits of all fields from the last character on: a 0 there is an occurrence.
    ends: u64,
}

impl<const Q: usize, const U: usize> Algorithm for Interleaved<Q, U> {
    const ABOUT: About = About {
        reference: papers::PRACTICAL_AND_OPTIMAL,
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/q), as long as few windows are verified",
        ..About::UNKNOWN
    };

    /// Each pattern has a character.
    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.length = (pattern.len() / Q).min(WORD / Q - (U - 1));
        self.ends = 0;
        let mut absent = 0;
        for j in 0..Q {
            let first = j * self.field();
            self.ends |= ((1 << U) - 1) << (first + self.length - 1);
            absent |= ((1 << self.length) - 1) << first;
        }
        self.mask.fill(absent);
        for (i, &byte) in pattern[..Q * self.length].iter().enumerate() {
            self.mask[byte as usize] &= !(1 << (i % Q * self.field() + i / Q));
        }
        probe.table(&self.mask);
    }

    #[inline(always)]
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (n, ends, mask) = (text.len(), self.ends, self.mask.view(probe));
        let (mut state, mut i) = (!0, 0);
        probe.writes(2);
        // What the characters of a round add to the state: the loop's condition held.
        let round = |i: usize| {
            probe.branch(true);
            probe.computes(U as u64);
            probe.writes(2);
            probe.jump();
            // SAFETY: called only while the last of these characters is before n.
            let at = |k: usize| mask.at(unsafe { text.at_unchecked(i + k * Q) });
            (0..U).fold(0, |new, k| new | at(k) << (U - 1 - k))
        };
        let mut test = |state, i| {
            if probe.branch(state & ends != ends) {
                self.verify(state, i - Q, pattern, text, found, probe);
            }
        };
        let stays = !ends & !ends >> U;
        // Two rounds at once: the state after both waits for no more than that after one would.
        while i + (2 * U - 1) * Q < n {
            let (first, second) = (round(i), round(i + U * Q));
            let between = (state & !ends) << U | first;
            let added = (first & !ends) << U | second;
            state = (state & stays) << (2 * U) | added;
            i += 2 * U * Q;
            // One test of both, counted as two.
            if between & state & ends != ends {
                test(between, i - U * Q);
                test(state, i);
            } else {
                probe.branch(false);
                probe.branch(false);
            }
        }
        if i + (U - 1) * Q < n {
            state = (state & !ends) << U | round(i);
            i += U * Q;
            test(state, i);
        }
        probe.branch(false);
        // Windows that end, as far as the fields go, in characters that no round has read.
        if U > 1 {
            one_by_one((i + 1).saturating_sub(Q * self.length), pattern, text, found, probe);
        }
    }
}

impl<const Q: usize, const U: usize> Interleaved<Q, U> {
    /// Compares the windows that the state has found after the character at `last`.
    #[cold]
    #[inline(never)]
    fn verify<P: Probe>(
        &self,
        state: u64,
        last: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let m = pattern.len();
        let mut hits = !state & self.ends;
        probe.writes(1);
        while probe.branch(hits != 0) {
            let bit = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            probe.writes(1);
            // Which pattern, and how many characters ago it ended.
            let (j, ago) = (bit / self.field(), bit % self.field() + 1 - self.length);
            let s = last.checked_sub(j + Q * (ago + self.length - 1));
            let s = s.filter(|s| s + m <= text.len());
            probe.computes(1);
            probe.branch(s.is_some());
            if let Some(s) = s
                && pattern.occurs(text, s, 0..m)
            {
                found.at(s);
            }
        }
    }

    /// Bits of a field.
    fn field(&self) -> usize {
        self.length + U - 1
    }
}
