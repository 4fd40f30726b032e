//! The test of a window that SBNDM makes, and Horspool's shifts, for algorithms that join the two.

use assay_plugin_api::prelude::*;
use assay_shared::shifts::fill_shifts;
use assay_shared::word::{period, prefix};

/// The pattern's prefix, as far as a word holds it, as the factors that end a window; and how far a window
/// moves by its last character.
#[derive(Default)]
pub(crate) struct Backward {
    /// For each byte, a 1 where it occurs in the prefix, whose first character has the highest bit.
    pub mask: ByteTable<u64>,
    /// Horspool's shifts of the prefix, 0 for its last character.
    pub shift: ByteTable<u32>,
    /// Length of the prefix.
    pub width: usize,
    /// Period of the prefix: the shift after it has occurred.
    period: usize,
}

impl Backward {
    /// Fills in the tables.
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        self.period = period(prefix);
        self.mask.fill(0);
        for (i, &byte) in prefix.iter().rev().enumerate() {
            self.mask[byte as usize] |= 1 << i;
        }
        let (last, before) = prefix.split_last().expect("a pattern");
        fill_shifts(&mut self.shift, before);
        self.shift[*last as usize] = 0;
        probe.table(&self.mask);
        probe.table(&self.shift);
    }

    /// Reads the window that ends at `end` from its last character, whose mask is `state`, as long as the
    /// characters read are a factor of the pattern. Returns whether the window is the prefix, and how far to
    /// shift.
    ///
    /// # Safety
    /// The window, of [`width`](Self::width) characters, lies within the text.
    #[inline(always)]
    pub unsafe fn scan<P: Probe>(
        &self,
        text: Text<P>,
        end: usize,
        mut state: u64,
        probe: P,
    ) -> (bool, usize) {
        let mask = self.mask.view(probe);
        let (last, mut i) = (self.width - 1, 0);
        probe.writes(2);
        // One condition in two parts, so that the processor predicts the shift.
        while state != 0 {
            if i == last {
                probe.branch(false);
                return (true, self.period);
            }
            probe.branch(true);
            i += 1;
            // SAFETY: the caller's promise, and `i` is less than the width.
            state = state << 1 & mask.at(unsafe { text.at_unchecked(end - i) });
            probe.computes(1);
            probe.writes(2);
        }
        probe.branch(false);
        (false, self.width - i)
    }
}
