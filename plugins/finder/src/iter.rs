//! Occurrences that do not overlap, one after the other.

use core::ops::Range;

use crate::Finder;
use crate::finder::NEAR;
use crate::method::Method;

/// Distances of two occurrences that let the next one be searched by a method that is chosen once: closer ones are
/// found without a choice, and the choice for each would take longer than a search of this many bytes.
const FREQUENT: Range<usize> = NEAR..1 << 16;

/// Occurrences that do not overlap, from left to right.
#[derive(Clone, Debug)]
pub struct FindIter<'h, 'n> {
    finder: Finder<'n>,
    haystack: &'h [u8],
    /// Where the last occurrence ended.
    end: usize,
    /// Distance of the last occurrence from the one before.
    distance: usize,
    /// The method for occurrences at distances of [`FREQUENT`], once it is chosen.
    method: Option<Method>,
}

impl<'h, 'n> FindIter<'h, 'n> {
    pub(crate) fn new(finder: Finder<'n>, haystack: &'h [u8]) -> Self {
        FindIter { finder, haystack, end: 0, distance: 0, method: None }
    }
}

impl Iterator for FindIter<'_, '_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let (finder, rest) = (self.finder, self.haystack.get(self.end..)?);
        self.distance = if FREQUENT.contains(&self.distance) {
            let method = *self.method.get_or_insert_with(|| finder.method_without_table(self.haystack));
            finder.find_by(method, rest)?
        } else {
            finder.find(rest)?
        };
        let position = self.end + self.distance;
        self.end = position + finder.needle().len().max(1);
        Some(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let m = self.finder.needle().len();
        let left = (self.haystack.len() + 1).saturating_sub(self.end + m);
        // An empty needle occurs at each position.
        (if m == 0 { left } else { 0 }, Some(left.div_ceil(m.max(1))))
    }
}
