//! The transitions of an automaton, in a table.

use assay_plugin_api::prelude::*;
use assay_shared::letters::{Letters, LettersView};

/// For each state, an entry for each byte of the pattern, and one that all other bytes share, because a
/// smaller table stays in the cache. A state is the index at which its row begins, and the length of a row is
/// a power of two, so that a look-up needs no multiplication.
#[derive(Default)]
pub(crate) struct Transitions {
    /// The columns.
    letters: Letters,
    /// For each state and column, the state after it.
    pub targets: Table<u32>,
    /// A row has `1 << width` entries, two at least.
    pub width: u32,
}

/// The initial state. In an automaton in which no transition leads into it, it means "no transition".
pub(crate) const FAILED: u32 = 0;

/// Number of states that 32 bits can hold for every pattern, because a row has at most 256 entries.
pub(crate) const MAX_STATES: usize = (u32::MAX >> 8) as usize;

impl Transitions {
    /// Begins the automaton of a pattern, with this number of states and no transitions.
    pub fn reset(&mut self, pattern: &[u8], states: usize) {
        self.letters.prepare(pattern);
        self.width = self.letters.width().next_power_of_two().ilog2();
        self.targets.reset(states << self.width, FAILED);
    }

    /// Entries in a row.
    pub fn row_len(&self) -> usize {
        1 << self.width
    }

    /// The state of a number: that of the initial one is 0.
    pub fn state(&self, number: usize) -> u32 {
        (number << self.width) as u32
    }

    /// The number of a state.
    #[inline(always)]
    pub fn number(&self, state: u32) -> usize {
        (state >> self.width) as usize
    }

    /// Index of the transition of a state by a byte.
    pub fn entry(&self, state: u32, byte: u8) -> usize {
        (state | u32::from(self.letters.view().of(byte))) as usize
    }

    /// The state after a state and a byte.
    pub fn after(&self, state: u32, byte: u8) -> u32 {
        self.targets[self.entry(state, byte)]
    }

    /// Fills in, for each byte, the state after it from the initial state: most look-ups are these, and so
    /// they need no column.
    pub fn initial(&self, table: &mut ByteTable<u32>) {
        for (target, byte) in table.iter_mut().zip(0..=255) {
            *target = self.after(0, byte);
        }
    }

    /// Declares the tables.
    pub fn declare<P: Probe>(&self, probe: P) {
        self.letters.declare(probe);
        probe.table(&self.targets);
    }

    /// The table as a search sees it.
    #[inline(always)]
    pub fn view<P: Probe>(&self, probe: P) -> TransitionsView<'_, P> {
        assert!(!self.targets.is_empty(), "prepared for no pattern");
        TransitionsView { letters: self.letters.view(), targets: self.targets.view(probe) }
    }
}

/// The column of a byte in the rows of an automaton.
#[derive(Clone, Copy)]
pub(crate) struct Column(u8);

/// [`Transitions`] during a search.
#[derive(Clone, Copy)]
pub(crate) struct TransitionsView<'a, P> {
    letters: LettersView<'a>,
    targets: TableView<'a, u32, P>,
}

impl<P: Probe> TransitionsView<'_, P> {
    /// The state after a state and a byte: one look-up.
    ///
    /// # Safety
    /// The state must be one of this automaton: the initial one, 0, or what the preparation has put into its
    /// tables.
    #[inline(always)]
    pub unsafe fn after(&self, state: u32, byte: u8) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { self.after_column(state, self.column(byte)) }
    }

    /// The column of a byte.
    #[inline(always)]
    pub fn column(&self, byte: u8) -> Column {
        Column(self.letters.of(byte))
    }

    /// The state after a state and a byte of this column.
    ///
    /// # Safety
    /// The state must be as that of [`after`](Self::after), and the column one of this automaton.
    #[inline(always)]
    pub unsafe fn after_column(&self, state: u32, column: Column) -> u32 {
        // SAFETY: the row of each state has an entry for each column.
        unsafe { self.targets.at_unchecked((state | u32::from(column.0)) as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_the_pattern_have_columns_of_their_own() {
        let every: Vec<u8> = (0..=255).collect();
        for (pattern, row_len) in
            [(&b"a"[..], 2), (b"abcab", 4), (b"abcd", 8), (&every[1..], 256), (&every, 256)]
        {
            let mut transitions = Transitions::default();
            transitions.reset(pattern, 3);
            let entry = |byte| transitions.entry(transitions.state(2), byte);
            let mut entries: Vec<usize> = pattern.iter().map(|&byte| entry(byte)).collect();
            entries.extend((0..=255).find(|byte| !pattern.contains(byte)).map(entry));
            entries.sort_unstable();
            entries.dedup();
            let distinct = (0..=255).filter(|byte| pattern.contains(byte)).count();
            assert_eq!(entries.len(), (distinct + 1).min(256));
            assert!(entries[0] >= 2 * row_len && entries[entries.len() - 1] < 3 * row_len);
            assert_eq!((transitions.row_len(), transitions.targets.len()), (row_len, 3 * row_len));
        }
    }
}
