//! The test of a window that SBNDM makes, for algorithms that come to their windows in another way.

use assay_plugin_api::prelude::*;
use assay_shared::word::prefix;

/// The pattern's prefix, as far as a word holds it, as the factors that end a window.
#[derive(Default)]
pub(crate) struct Backward {
    /// For each byte, a 1 where it occurs in the prefix, whose first character has the highest bit.
    pub mask: ByteTable<u64>,
    /// Length of the prefix.
    pub width: usize,
    /// Period of the prefix: the shift after it has occurred.
    period: usize,
}

impl Backward {
    /// Fills in the table, and answers the prefix.
    pub fn prepare<'a, P: Probe>(&mut self, pattern: &'a [u8], probe: P) -> &'a [u8] {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        let is_period = |&period: &usize| prefix[period..] == prefix[..prefix.len() - period];
        self.period = (1..).find(is_period).expect("its length is one");
        self.mask.fill(0);
        for (i, &byte) in prefix.iter().rev().enumerate() {
            self.mask[byte as usize] |= 1 << i;
        }
        probe.table(&self.mask);
        prefix
    }

    /// Reads the window that ends at `end` from its last character, whose mask is `state`, as long as what is read is a factor. Answers
    /// whether it is the prefix, and how far to shift.
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
        probe.writes(1);
        while probe.branch(state != 0) {
            if probe.branch(i == last) {
                return (true, self.period);
            }
            i += 1;
            // SAFETY: the caller's promise, and `i` is less than the width.
            state = state << 1 & mask.at(unsafe { text.at_unchecked(end - i) });
            probe.computes(1);
            probe.writes(2);
        }
        (false, self.width - i)
    }
}
