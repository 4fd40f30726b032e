//! A character of the pattern that a search keeps in a register.

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
}

impl<P: Probe> Kept<P> {
    /// Compares the character with one that was read from the text.
    #[inline(always)]
    pub fn equals(&self, read: u8) -> bool {
        self.probe.reads_pattern(Some(self.index));
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
}
