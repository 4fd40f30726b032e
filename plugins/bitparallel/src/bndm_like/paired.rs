//! Masks of pairs of characters, so that two are read at once.

use assay_plugin_api::HashTableView;
use assay_plugin_api::prelude::*;
use assay_shared::shifts;

use super::simplified::Simplified;
use crate::word;

/// What [`Simplified`] is, but the q-gram of a window is read two characters at a time.
#[derive(Default)]
pub struct Paired<const Q: usize, const F: usize> {
    /// The search by single characters.
    pub single: Simplified<Q, F>,
    /// For each two characters the state after them.
    pub pairs: HashTable<u64, 16>,
}

impl<const Q: usize, const F: usize> Algorithm for Paired<Q, F> {
    const ABOUT: About =
        About { preparation_time: "O(m+s^2)", space: "O(s^2): 514 KiB", ..Simplified::<Q, F>::ABOUT };

    const NEEDS: Needs = Simplified::<Q, F>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.single.prepare(pattern, probe);
        let mask = &self.single.mask;
        for (row, second) in self.pairs.chunks_exact_mut(256).zip(mask.iter()) {
            row.iter_mut().zip(mask.iter()).for_each(|(entry, first)| *entry = first & second << 1);
        }
        probe.table(&self.pairs);
    }

    #[inline(always)]
    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (mask, pairs) = (self.single.mask.view(probe), self.pairs.view(probe));
        let first = |i: usize| {
            // SAFETY: `search_by` asks for Q characters in the text.
            let step = |state, k| state & unsafe { pair(pairs, text, i + 2 * k) } << (2 * k);
            let state = (0..Q / 2).fold(!0, step);
            if Q.is_multiple_of(2) {
                state
            } else {
                // SAFETY: the same.
                state & mask.at(unsafe { text.at_unchecked(i + Q - 1) }) << (Q - 1)
            }
        };
        self.single.search_by(first, pattern, text, found, probe);
    }
}

/// The state after the two characters from `i` on.
///
/// # Safety
/// They must lie in the text.
#[inline(always)]
pub(crate) unsafe fn pair<P: Probe>(pairs: HashTableView<'_, u64, 16, P>, text: Text<P>, i: usize) -> u64 {
    // SAFETY: the caller's promise.
    pairs.at(shifts::pair(unsafe { text.block_unchecked(i) }))
}
