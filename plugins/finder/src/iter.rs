//! Occurrences that do not overlap, one after the other.

use core::ops::Range;

use crate::Finder;
use crate::found::Found;
use crate::method::Method;

/// Bytes of a block, and so at most as many alignments.
const BLOCK: usize = 1024;

/// Distances of two occurrences that let the next block be searched for all occurrences at once: of closer
/// ones, each is found sooner by itself.
const DENSE: Range<usize> = 64..BLOCK;

/// Distances of two occurrences that let the next one be searched by a method that is chosen once: the choice
/// for each would take longer than a search of this many bytes.
const FREQUENT: Range<usize> = BLOCK..1 << 16;

/// Occurrences that do not overlap, from left to right.
///
/// Where two occurrences are close, the next block is searched for all occurrences at once, so that the
/// search needs not begin anew after each of them.
#[derive(Clone, Debug)]
pub struct FindIter<'h, 'n> {
    finder: Finder<'n>,
    haystack: &'h [u8],
    /// Where the last occurrence ended.
    end: usize,
    /// The next occurrence begins here or later.
    begin: usize,
    /// Position of the block, and of the first alignment after it.
    block: (usize, usize),
    /// A bit for each alignment of the block: whether the needle occurs there.
    occurrences: [u64; BLOCK / 64],
    /// Distance of the last occurrence from the one before.
    distance: usize,
    /// The method for occurrences at distances of [`FREQUENT`], once it is chosen.
    method: Option<Method>,
}

impl<'h, 'n> FindIter<'h, 'n> {
    pub(crate) fn new(finder: Finder<'n>, haystack: &'h [u8]) -> Self {
        FindIter {
            finder,
            haystack,
            end: 0,
            begin: 0,
            block: (0, 0),
            occurrences: [0; BLOCK / 64],
            distance: 0,
            method: None,
        }
    }

    /// The first occurrence in the block that begins at `begin` or later.
    fn next_of_block(&self) -> Option<usize> {
        let (base, end) = self.block;
        if self.begin >= end {
            return None;
        }
        let from = self.begin - base;
        let mut word = from / 64;
        let mut bits = self.occurrences[word] & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.occurrences.get(word)?;
        }
        Some(base + 64 * word + bits.trailing_zeros() as usize)
    }

    /// Searches the block that starts at `begin`. Returns whether there is one: a needle may be too long.
    fn search_block(&mut self) -> bool {
        let m = self.finder.needle().len();
        let end = self.haystack.len().min(self.begin + BLOCK);
        if m > BLOCK / 2 || end < self.begin + m {
            return false;
        }
        let found = self.finder.search_part(&self.haystack[self.begin..end], Bits([0; BLOCK / 64]));
        self.occurrences = found.0;
        self.block = (self.begin, end - (m - 1));
        true
    }
}

impl Iterator for FindIter<'_, '_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let m = self.finder.needle().len();
        let mut found = self.next_of_block();
        if found.is_none() {
            self.begin = self.begin.max(self.block.1);
            // A block without occurrences is not followed by another one.
            if DENSE.contains(&self.distance) && m > 0 && self.search_block() {
                found = self.next_of_block();
                if found.is_none() {
                    self.begin = self.block.1;
                }
            }
        }
        let position = match found {
            Some(position) => position,
            None => {
                let rest = self.haystack.get(self.begin..)?;
                let distance = if FREQUENT.contains(&self.distance) {
                    let (finder, haystack) = (self.finder, self.haystack);
                    let method = *self.method.get_or_insert_with(|| finder.method_without_table(haystack));
                    finder.find_by(method, rest)?
                } else {
                    self.finder.find(rest)?
                };
                self.begin + distance
            }
        };
        self.distance = position - self.end;
        self.begin = position + m.max(1);
        self.end = self.begin;
        Some(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let m = self.finder.needle().len();
        let left = (self.haystack.len() + 1).saturating_sub(self.begin + m);
        (0, Some(left.div_ceil(m.max(1))))
    }
}

/// A bit for each alignment.
struct Bits([u64; BLOCK / 64]);

impl Found for Bits {
    const POSITIONS: bool = true;

    #[inline(always)]
    fn at(&mut self, position: usize) {
        self.0[position / 64] |= 1 << (position % 64);
    }

    #[inline(always)]
    fn mask(&mut self, base: usize, bits: u64) {
        let (word, shift) = (base / 64, base % 64);
        self.0[word] |= bits << shift;
        // Only alignments have bits, so none is after the block.
        if shift > 0 && word + 1 < self.0.len() {
            self.0[word + 1] |= bits >> (64 - shift);
        }
    }

    fn many(&mut self, _: u64) {
        unreachable!("positions matter");
    }
}
