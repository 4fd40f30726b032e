//! Blocks of the text a stride apart: where the fingerprint of one is that of a block of the pattern, the
//! pattern may occur around it.

use assay_plugin_api::prelude::*;
use assay_shared::filled::Filled;

/// Number of characters of a window that are compared at once, as one 64-bit number, before the others.
const FIRST: usize = 8;

/// The pattern's first ones.
///
/// # Safety
/// The text must have these characters.
#[inline(always)]
unsafe fn first<P: Probe>(pattern: Pattern<P>) -> [u8; FIRST] {
    // SAFETY: the caller's promise.
    std::array::from_fn(|i| unsafe { pattern.at_unchecked(i) })
}

/// Blocks of a pattern. In each occurrence, exactly one of them begins at a multiple of the stride in the
/// text.
#[derive(Default)]
pub struct Fingerprints<const BITS: u32> {
    /// For each fingerprint, 1 + where the pattern's last block begins that has it, or 0.
    last: HashTable<u32, BITS>,
    /// Which entries of `last` are not empty.
    filled: Filled,
    /// For each block, the same of the one before it that has its fingerprint.
    before: Table<u32>,
    stride: usize,
}

impl<const BITS: u32> Fingerprints<BITS> {
    /// Prepares for a pattern. The stride is the greatest multiple of `step` for which every occurrence has a
    /// block of `length` bytes at a multiple of the stride. `fingerprint` gets the position at which a block
    /// begins.
    pub fn prepare<P: Probe>(
        &mut self,
        pattern: &[u8],
        length: usize,
        step: usize,
        fingerprint: impl Fn(usize) -> usize,
        probe: P,
    ) {
        self.stride = (pattern.len() + 1 - length) / step * step;
        self.filled.clear(&mut self.last);
        self.before.reset(self.stride, 0);
        for offset in 0..self.stride {
            let last = self.filled.fill(&mut self.last, fingerprint(offset));
            self.before[offset] = std::mem::replace(last, offset as u32 + 1);
        }
        probe.table(&self.last);
        probe.table(&self.before);
    }

    /// Finds all occurrences. The fingerprint is of the `length` bytes of the text that begin at a place.
    #[inline(always)]
    pub fn search<P: Probe>(
        &self,
        length: usize,
        fingerprint: impl Fn(usize) -> usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (n, stride, last) = (text.len(), self.stride, self.last.view(probe));
        assert!(stride > 0 && pattern.len() >= FIRST, "prepared for another pattern");
        // What the table knows of the block at `i`; the loop's condition held.
        let look_up = |i| {
            probe.branch(true);
            probe.computes(1);
            probe.writes(1);
            probe.jump();
            last.at(fingerprint(i))
        };
        let mut verify = |i, offset| {
            if probe.branch(offset != 0) {
                self.verify(i, offset, pattern, text, found, probe);
            }
        };
        let mut i = 0;
        probe.writes(1);
        // Two blocks are looked up in a round, because hardly any is a block of the pattern.
        while i + stride + length <= n {
            let offsets = [look_up(i), look_up(i + stride)];
            // One test of both, counted as two.
            if offsets[0] | offsets[1] != 0 {
                verify(i, offsets[0]);
                verify(i + stride, offsets[1]);
            } else {
                probe.branch(false);
                probe.branch(false);
            }
            i += 2 * stride;
        }
        if i + length <= n {
            verify(i, look_up(i));
        }
        probe.branch(false);
    }

    /// Verifies the alignments that have one of their blocks at `i`. Apart from the loop, which keeps its
    /// registers.
    #[cold]
    #[inline(never)]
    fn verify<P: Probe>(
        &self,
        i: usize,
        mut offset: u32,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n, before) = (pattern.len(), text.len(), self.before.view(probe));
        probe.writes(1);
        while probe.branch(offset != 0) {
            let start = i.checked_sub(offset as usize - 1);
            if let Some(s) = start.filter(|&s| probe.branch(s + m <= n))
                // SAFETY: so long is the pattern at least, and the window lies in the text.
                && probe.branch(unsafe { text.block_unchecked(s) == first(pattern) })
                && pattern.occurs(text, s, FIRST..m)
            {
                found.at(s);
            }
            offset = before.at(offset as usize - 1);
            probe.writes(1);
        }
    }
}
