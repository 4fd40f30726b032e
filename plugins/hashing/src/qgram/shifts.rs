//! Horspool's shift by a whole q-gram: the table, and the search that several algorithms share.

use assay_plugin_api::prelude::*;

/// For each index, the distance from the last q-gram with this index to the end of the pattern. Shifts are
/// cut to 65535, because a shorter shift misses no occurrence.
#[derive(Default)]
pub(super) struct Shifts<const BITS: u32> {
    table: HashTable<u16, BITS>,
    /// What the shift of the last q-gram would be if it did not end the pattern.
    pub after_match: usize,
}

impl<const BITS: u32> Shifts<BITS> {
    /// Fills the table for the q-grams of a pattern. `index` gives the entry of a q-gram.
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], q: usize, index: impl Fn(&[u8]) -> usize, probe: P) {
        let cut = |distance: usize| distance.min(usize::from(u16::MAX)) as u16;
        self.table.fill(cut(pattern.len() - q + 1));
        for (distance, qgram) in pattern.windows(q).rev().enumerate().rev() {
            let entry = self.table.at_mut(index(qgram));
            self.after_match = usize::from(*entry);
            *entry = cut(distance);
        }
        probe.table(&self.table);
    }

    /// Shifts windows of `m` characters through a text of `n`. `index` gives the entry of the q-gram that
    /// ends before a position from `m` to `n`. `fits` gets the beginning of a window that ends with the
    /// pattern's last q-gram, and returns the shift.
    #[inline(always)]
    pub fn search<P: Probe>(
        &self,
        m: usize,
        n: usize,
        index: impl Fn(usize) -> usize,
        mut fits: impl FnMut(usize) -> usize,
        probe: P,
    ) {
        let shift = self.table.view(probe);
        // Where the window has ended.
        let mut end = m;
        probe.writes(1);
        while probe.branch(end <= n) {
            probe.computes(1);
            let mut distance = usize::from(shift.at(index(end)));
            if probe.branch(distance == 0) {
                distance = fits(end - m);
            }
            end += distance;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// The q-gram as a number whose lowest byte is the first character, as the view of a text reads it.
#[inline(always)]
pub(super) fn number(qgram: &[u8]) -> u64 {
    qgram.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_leads_to_the_last_qgram_and_is_cut_where_an_entry_can_t_hold_it() {
        let mut shifts = Shifts::<16>::default();
        let index = |qgram: &[u8]| number(qgram) as usize;
        shifts.fill(b"abcxab", 2, index, Off);
        let shift = |qgram: &[u8]| shifts.table[index(qgram)];
        assert_eq!([b"ab", b"xa", b"bc", b"ba"].map(|qgram| shift(qgram)), [0, 1, 3, 5]);
        assert_eq!(shifts.after_match, 4);
        shifts.fill(&[&b"ab"[..], &[b'x'; 70_000]].concat(), 2, index, Off);
        assert_eq!((shifts.table[index(b"ab")], shifts.table[0], shifts.after_match), (65_535, 65_535, 1));
    }
}
