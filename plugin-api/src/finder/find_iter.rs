//! Occurrences that do not overlap, one after the other.

use super::Finder;
use crate::Algorithm;

/// Occurrences that do not overlap, from left to right. The text is searched in parts, each of them when its
/// first occurrence is asked for.
pub struct FindIter<'f, 'p, 'h, A> {
    finder: &'f Finder<'p, A>,
    text: &'h [u8],
    /// Occurrences in the last part, the first one last.
    found: Vec<usize>,
    /// Windows before this one were searched, in parts of which the last had this length.
    searched: usize,
    length: usize,
    /// The next occurrence begins here, or after it.
    end: usize,
}

impl<'f, 'p, 'h, A: Algorithm> FindIter<'f, 'p, 'h, A> {
    pub(super) fn new(finder: &'f Finder<'p, A>, text: &'h [u8]) -> Self {
        FindIter { finder, text, found: Vec::new(), searched: 0, length: 0, end: 0 }
    }

    /// Searches the next part. There is none after the text's end.
    fn search_part(&mut self) -> Option<()> {
        let (finder, windows) = (self.finder, self.finder.alignments(self.text));
        self.length = finder.parts.next_length(self.length);
        let begin = self.searched.max(self.end);
        self.searched = windows.min(begin.saturating_add(self.length));
        let part = (begin < self.searched).then_some(begin..self.searched)?;
        let mut searcher = finder.searcher.borrow_mut();
        searcher.find(finder.pattern, self.text, part, finder.parts.longest, &mut self.found);
        self.found.reverse();
        Some(())
    }
}

impl<A: Algorithm> Iterator for FindIter<'_, '_, '_, A> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            while let Some(position) = self.found.pop() {
                if position >= self.end {
                    self.end = position + self.finder.pattern.len();
                    return Some(position);
                }
            }
            self.search_part()?;
        }
    }
}
