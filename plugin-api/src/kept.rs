//! Characters of the pattern that a search keeps in a register.

use crate::probe::Probe;
use crate::view::Pattern;

/// A character of the pattern that is compared in many windows, and therefore kept in a register instead of
/// being read again: see [`Pattern::kept`].
#[derive(Clone, Copy)]
pub struct Kept<P> {
    byte: u8,
    index: usize,
    probe: P,
}

/// A q-gram of the pattern that is compared in many windows: see [`Pattern::kept_gram`].
#[derive(Clone, Copy)]
pub struct KeptGram<P, const N: usize> {
    characters: u64,
    index: usize,
    probe: P,
}

impl<P: Probe> Pattern<'_, P> {
    /// The byte at `index`, to be kept in a register. This is not counted. Each comparison with it counts as
    /// a read of the pattern instead, because a count says what an algorithm compares, not where it has it.
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline(always)]
    #[track_caller]
    pub fn kept(&self, index: usize) -> Kept<P> {
        Kept { byte: self.bytes[index], index, probe: self.probe }
    }

    /// The q-gram of the `N` bytes from `index` on, at most eight, to be kept in a register. It is counted as
    /// a byte that is [kept](Pattern::kept): each comparison with it reads `N` bytes of the pattern.
    ///
    /// # Panics
    /// If they are not all in the pattern.
    #[inline(always)]
    #[track_caller]
    pub fn kept_gram<const N: usize>(&self, index: usize) -> KeptGram<P, N> {
        const { assert!(N >= 1 && N <= 8, "a q-gram has from one to eight bytes") };
        let bytes = &self.bytes[index..][..N];
        let characters = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        KeptGram { characters, index, probe: self.probe }
    }
}

impl<P: Probe, const N: usize> KeptGram<P, N> {
    /// Compares the q-gram with one of the text, as [`Text::gram_unchecked`](crate::Text::gram_unchecked)
    /// reads it: the first byte is the lowest.
    #[inline(always)]
    pub fn equals(&self, read: u64) -> bool {
        self.probe.reads_pattern(Some(self.index), N);
        self.characters == read
    }
}

impl<P: Probe> Kept<P> {
    /// Compares the character with one that was read from the text.
    #[inline(always)]
    pub fn equals(&self, read: u8) -> bool {
        self.probe.reads_pattern(Some(self.index), 1);
        self.byte == read
    }
}

#[cfg(test)]
mod tests {
    use crate::{Counters, Counting, Field, Pattern};

    #[test]
    fn each_comparison_reads_a_character_that_is_kept() {
        let counters = Counters::default();
        let kept = Pattern::new(b"ab", Counting::new(&counters)).kept(1);
        assert_eq!(counters.get(Field::PatternBytesRead), 0);
        assert_eq!([b'a', b'b', b'b'].map(|byte| kept.equals(byte)), [false, true, true]);
        assert_eq!(counters.get(Field::PatternBytesRead), 3);
    }

    #[test]
    fn each_comparison_reads_all_characters_of_a_q_gram_that_is_kept() {
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        let kept = Pattern::new(b"abcd", probe).kept_gram::<3>(1);
        assert_eq!(counters.get(Field::PatternBytesRead), 0);
        assert_eq!([0x646362, 0x636362].map(|read| kept.equals(read)), [true, false]);
        assert_eq!(counters.get(Field::PatternBytesRead), 6);
    }
}
