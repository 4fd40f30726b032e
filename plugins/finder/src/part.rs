//! Occurrences in a part of a text.

use crate::found::Found;

/// The first occurrences in a part of a text that do not overlap.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where the part begins in the text.
    begin: usize,
    /// Where the occurrences begin in the part, which has at most [`Part::LONGEST`] alignments.
    offsets: [u16; Self::MOST],
    count: usize,
    /// How many of them were taken.
    taken: usize,
    /// Where the last one ends in the part.
    end: usize,
    /// Length of the pattern.
    length: usize,
}

impl Part {
    /// The most occurrences of a part.
    pub const MOST: usize = 64;

    /// The most alignments of a part.
    pub const LONGEST: usize = 1 << 16;

    /// A part without occurrences, for patterns of this length.
    pub fn new(length: usize) -> Self {
        Part { begin: 0, offsets: [0; Self::MOST], count: 0, taken: 0, end: 0, length }
    }

    /// The part that begins here, of which nothing is known.
    pub fn begin(&mut self, begin: usize) {
        (self.begin, self.count, self.taken, self.end) = (begin, 0, 0, 0);
    }

    /// Where the next search begins, if this part had this number of alignments.
    pub fn end(&self, alignments: usize) -> usize {
        self.begin + if self.is_full() { self.end } else { self.end.max(alignments) }
    }

    /// How many occurrences were not taken yet.
    pub fn left(&self) -> usize {
        self.count - self.taken
    }

    /// Takes the next occurrence.
    #[inline]
    pub fn take(&mut self) -> Option<usize> {
        if self.taken == self.count {
            return None;
        }
        let offset = self.offsets[self.taken];
        self.taken += 1;
        Some(self.begin + usize::from(offset))
    }
}

impl Found for Part {
    const POSITIONS: bool = true;

    #[inline(always)]
    fn at(&mut self, position: usize) {
        if position >= self.end && !self.is_full() {
            self.offsets[self.count] = position as u16;
            self.count += 1;
            self.end = position + self.length;
        }
    }

    #[inline(always)]
    fn from(&self) -> usize {
        self.end
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.count == Self::MOST
    }

    fn many(&mut self, _: u64) {
        unreachable!("positions matter");
    }
}
