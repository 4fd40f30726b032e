//! Occurrences that do not overlap, one after the other.

use crate::Finder;
use crate::method::Method;

/// Occurrences that are at most this far apart are searched by a method that is chosen once: the choice for each would
/// take longer.
const FREQUENT: usize = 1 << 16;

/// Occurrences that do not overlap, from left to right.
#[derive(Clone, Debug)]
pub struct FindIter<'h, 'n> {
    finder: Finder<'n>,
    haystack: &'h [u8],
    /// Where the last occurrence ended.
    end: usize,
    /// The method that found the last occurrence, if a search without a choice did not.
    method: Option<Method>,
}

impl<'h, 'n> FindIter<'h, 'n> {
    pub(crate) fn new(finder: Finder<'n>, haystack: &'h [u8]) -> Self {
        FindIter { finder, haystack, end: 0, method: None }
    }

    /// The distance of the next occurrence.
    fn distance(&mut self) -> Option<usize> {
        let (finder, rest) = (self.finder, self.haystack.get(self.end..)?);
        let (untried, method) = match self.method {
            Some(method) => (0, method),
            None => match finder.find_near(rest) {
                Ok(found) => return found,
                Err(untried) => (untried, finder.method_without_table(&rest[untried..])),
            },
        };
        let (found, method) = finder.find_by(method, &rest[untried..]);
        let distance = untried + found?;
        self.method = (distance < FREQUENT).then_some(method);
        Some(distance)
    }
}

impl Iterator for FindIter<'_, '_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let position = self.end + self.distance()?;
        self.end = position + self.finder.needle().len().max(1);
        Some(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let m = self.finder.needle().len();
        let left = (self.haystack.len() + 1).saturating_sub(self.end + m);
        // An empty needle occurs at each position.
        (if m == 0 { left } else { 0 }, Some(left.div_ceil(m.max(1))))
    }
}
