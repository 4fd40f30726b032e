//! Shift-Or of several characters between two tests: its state, for the fast Shift-Or and for those that
//! begin it anew in each m-th character.

use assay_plugin_api::ByteTableView;
use assay_plugin_api::prelude::*;

use crate::word::WORD;

/// Reads `U` characters at once. Bits above those of the pattern show occurrences that end before the last of
/// them.
#[derive(Default)]
pub(crate) struct Fast<const U: usize> {
    /// For each byte, a 0 where it occurs in the pattern's prefix, and in the bits above it.
    pub mask: ByteTable<u64>,
    /// Length of the prefix.
    pub width: usize,
}

impl<const U: usize> Fast<U> {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.width = pattern.len().min(WORD + 1 - U);
        self.mask.fill(u64::MAX >> (WORD - self.width));
        for (i, &byte) in pattern[..self.width].iter().enumerate() {
            self.mask[byte as usize] &= !(1 << i);
        }
        probe.table(&self.mask);
    }

    /// The bits of the prefix's last character, and above it those of one to U - 1 characters ago: a 0 is an
    /// occurrence.
    #[inline(always)]
    pub fn ends(&self) -> u64 {
        (u64::MAX >> (WORD - U)) << (self.width - 1)
    }

    /// The state after the U characters from `i` on.
    ///
    /// # Safety
    /// They must lie in the text.
    #[inline(always)]
    pub unsafe fn step<P: Probe>(
        state: u64,
        mask: ByteTableView<'_, u64, P>,
        text: Text<P>,
        i: usize,
        probe: P,
    ) -> u64 {
        probe.computes(U as u64);
        // SAFETY: the caller's promise.
        let byte = |k| unsafe { text.at_unchecked(i + k) };
        // What is shifted out at once may be more bits than a word less one has.
        let new = (0..U).fold(0, |new, k| new | mask.at(byte(k)) << (U - 1 - k));
        state << U | new
    }

    /// Compares the windows whose prefix ends in one of the U characters before `end`, according to `state`.
    #[cold]
    #[inline(never)]
    pub fn verify<P: Probe>(
        &self,
        state: u64,
        end: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        let mut hits = !state & self.ends();
        probe.writes(1);
        while probe.branch(hits != 0) {
            let ago = (hits.ilog2() as usize) + 1 - self.width;
            hits ^= 1 << hits.ilog2();
            probe.computes(1);
            probe.writes(1);
            let s = end.checked_sub(ago + self.width).filter(|s| s + m <= n);
            if let Some(s) = s
                && pattern.occurs(text, s, 0..m)
            {
                found.at(s);
            }
        }
    }
}
