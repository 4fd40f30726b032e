//! Occurrences that do not overlap, one after the other.

use crate::Finder;
use crate::found::{First, Found};
use crate::method::Method;
use crate::part::Part;

/// Alignments of the first part of a text that is searched for many occurrences.
const SHORTEST: usize = 1 << 11;

/// Occurrences that are found one by one before their distances decide whether the text is searched in parts.
const ONE_BY_ONE: usize = 3;

/// Occurrences that should be left, if they are as far apart as those: the choice of a method takes as long
/// as to find some one by one.
const WORTH: usize = 16;

/// Occurrences that do not overlap, from left to right.
///
/// Where the pattern is frequent, the text is searched in parts, each for many occurrences, because a search
/// takes some time to begin, and may compare much in vain before it changes the method.
#[derive(Clone, Debug)]
pub struct FindIter<'h, 'n> {
    finder: Finder<'n>,
    haystack: &'h [u8],
    /// Occurrences that were found.
    part: Part,
    /// Where the next search begins.
    end: usize,
    /// The method for the next part, and its alignments; `None` if the next occurrence is searched alone.
    next: Option<(Method, usize)>,
    /// Occurrences that were found one by one, and where the search for them began.
    alone: usize,
    began: usize,
}

impl<'h, 'n> FindIter<'h, 'n> {
    pub(crate) fn new(finder: Finder<'n>, haystack: &'h [u8]) -> Self {
        let part = Part::new(finder.needle().len());
        FindIter { finder, haystack, part, end: 0, next: None, alone: 0, began: 0 }
    }

    /// The next occurrence that was not found yet, searched alone.
    #[inline(always)]
    fn one(&mut self) -> Option<usize> {
        let distance = match self.finder.find_near(self.haystack.get(self.end..)?) {
            Ok(found) => found?,
            Err(untried) => self.far(untried)?,
        };
        let position = self.end + distance;
        self.end = position + self.finder.needle().len().max(1);
        self.alone += 1;
        if self.alone >= ONE_BY_ONE {
            self.look_at_distances();
        }
        Some(position)
    }

    /// The distance of the next occurrence, which is not before `untried`. A table of the pattern is filled
    /// only if the occurrence is beyond a part, because otherwise this may take longer than the search.
    #[cold]
    #[inline(never)]
    fn far(&mut self, untried: usize) -> Option<usize> {
        let (finder, rest) = (self.finder, &self.haystack[self.end + untried..]);
        let m = finder.needle().len();
        if rest.len() < m {
            return None;
        }
        let (part, mut first) = (&rest[..rest.len().min(Part::LONGEST + m - 1)], First::default());
        let method = finder.search_by(finder.method_without_table(rest), part, &mut first);
        if let Some(distance) = first.0 {
            self.next = Some((method, SHORTEST));
            return Some(untried + distance);
        }
        let beyond = rest.get(Part::LONGEST..).filter(|beyond| beyond.len() >= m)?;
        Some(untried + Part::LONGEST + finder.search(beyond, First::default()).0?)
    }

    /// Chooses a method for parts of the text if many occurrences are to be expected.
    #[inline(never)]
    fn look_at_distances(&mut self) {
        let rest = self.haystack.get(self.end..).unwrap_or_default();
        let m = self.finder.needle().len();
        if (1..=rest.len()).contains(&m) && rest.len() * self.alone >= WORTH * (self.end - self.began) {
            self.next = Some((self.finder.method_without_table(rest), SHORTEST));
        }
        (self.alone, self.began) = (0, self.end);
    }

    /// The next occurrence in the parts that come next.
    #[inline(never)]
    fn in_parts(&mut self) -> Option<usize> {
        while let Some((method, alignments)) = self.next {
            let (rest, m) = (self.haystack.get(self.end..)?, self.finder.needle().len());
            let tried = alignments.min((rest.len() + 1).checked_sub(m).filter(|&left| left > 0)?);
            self.part.begin(self.end);
            let method = self.finder.search_by(method, &rest[..tried + m - 1], &mut self.part);
            self.end = self.part.end(tried);
            self.next = match self.part.left() {
                // The next occurrence may be far.
                0 if alignments == Part::LONGEST => None,
                _ if self.part.is_full() => Some((method, alignments)),
                _ => Some((method, Part::LONGEST.min(2 * alignments))),
            };
            if let Some(position) = self.part.take() {
                return Some(position);
            }
        }
        (self.alone, self.began) = (0, self.end);
        self.one()
    }
}

impl Iterator for FindIter<'_, '_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        match (self.part.take(), &self.next) {
            (Some(position), _) => Some(position),
            (None, Some(_)) => self.in_parts(),
            (None, None) => self.one(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let (m, known) = (self.finder.needle().len(), self.part.left());
        let left = (self.haystack.len() + 1).saturating_sub(self.end + m);
        // An empty needle occurs at each position.
        (if m == 0 { left } else { known }, Some(known + left.div_ceil(m.max(1))))
    }
}
