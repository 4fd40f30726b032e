//! The functions that a program calls.

use crate::cpu::{Available, Instructions};
use crate::found::{Count, First, Found, Last};
use crate::search::search;
use crate::text::Bytes;

/// A pattern, and the instructions that it is searched with.
#[derive(Clone, Copy, Debug)]
pub struct Finder<'n> {
    needle: &'n [u8],
    instructions: Available,
}

impl<'n> Finder<'n> {
    /// For this pattern. An empty one occurs everywhere, also before the first byte and after the last.
    pub fn new<B: ?Sized + AsRef<[u8]>>(needle: &'n B) -> Self {
        Finder { needle: needle.as_ref(), instructions: Available::best() }
    }

    /// The same with other instructions than the best that the CPU has.
    ///
    /// # Panics
    /// If the CPU lacks them.
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        let Some(instructions) = instructions.available() else {
            panic!("this CPU lacks {}", instructions.name())
        };
        Finder { instructions, ..self }
    }

    /// The pattern.
    pub fn needle(&self) -> &'n [u8] {
        self.needle
    }

    /// Where the pattern occurs first.
    pub fn find(&self, haystack: &[u8]) -> Option<usize> {
        if self.needle.is_empty() {
            return Some(0);
        }
        self.search(haystack, First::default()).0
    }

    /// Where the pattern occurs last. The text is searched from its end, in parts.
    pub fn rfind(&self, haystack: &[u8]) -> Option<usize> {
        /// Alignments of the last part; each further one has twice as many.
        const PART: usize = 1024;
        let m = self.needle.len();
        if m == 0 {
            return Some(haystack.len());
        }
        let mut end = (haystack.len() + 1).checked_sub(m)?;
        let mut part = PART;
        while end > 0 {
            let begin = end.saturating_sub(part);
            if let Some(position) = self.search(&haystack[begin..end + m - 1], Last::default()).0 {
                return Some(begin + position);
            }
            (end, part) = (begin, 2 * part);
        }
        None
    }

    /// How often the pattern occurs; occurrences that overlap all count.
    pub fn count(&self, haystack: &[u8]) -> u64 {
        if self.needle.is_empty() {
            return haystack.len() as u64 + 1;
        }
        self.search(haystack, Count::default()).0
    }

    /// Where the pattern occurs, from left to right. The next occurrence begins where the last one ended, or behind.
    pub fn find_iter<'h>(&self, haystack: &'h [u8]) -> FindIter<'h, 'n> {
        FindIter { finder: *self, haystack, begin: 0 }
    }

    fn search<F: Found>(&self, haystack: &[u8], mut found: F) -> F {
        search(self.needle, Bytes(haystack), self.instructions, &mut found);
        found
    }
}

/// Occurrences that do not overlap, from left to right.
#[derive(Clone, Debug)]
pub struct FindIter<'h, 'n> {
    finder: Finder<'n>,
    haystack: &'h [u8],
    begin: usize,
}

impl Iterator for FindIter<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let position = self.begin + self.finder.find(self.haystack.get(self.begin..)?)?;
        self.begin = position + self.finder.needle.len().max(1);
        Some(position)
    }
}

/// Where `needle` occurs first in `haystack`.
pub fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    Finder::new(needle).find(haystack)
}

/// Where `needle` occurs last in `haystack`.
pub fn rfind(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    Finder::new(needle).rfind(haystack)
}

/// Where `needle` occurs in `haystack`, without overlaps, from left to right.
pub fn find_iter<'h, 'n>(haystack: &'h [u8], needle: &'n [u8]) -> FindIter<'h, 'n> {
    Finder::new(needle).find_iter(haystack)
}
