//! Calls an algorithm on a text as it is, and on copies where it needs more than the text.

use std::ops::Range;

use crate::{Algorithm, Count, Found, Off, Pattern, Text};

/// A prepared algorithm, and the memory that its searches use again.
///
/// Parts of a text are ranges of *windows*: the positions at which an occurrence may begin.
pub(super) struct Searcher<A> {
    algorithm: A,
    /// A part of the text with its slack.
    copy: Vec<u8>,
    /// Occurrences in copies, where only their number is asked for.
    found: Vec<usize>,
}

impl<A: Algorithm> Searcher<A> {
    pub fn new(algorithm: A) -> Self {
        Searcher { algorithm, copy: Vec::new(), found: Vec::new() }
    }

    #[cfg(test)]
    pub fn into_algorithm(self) -> A {
        self.algorithm
    }

    /// Number of occurrences. Parts of at most `longest` windows are copied at a time.
    #[inline]
    pub fn count(&mut self, pattern: &[u8], text: &[u8], longest: usize) -> u64 {
        let windows = (text.len() + 1).saturating_sub(pattern.len());
        let rest = in_place_until::<A>(pattern.len(), text, &(0..windows));
        let mut count = Count::default();
        if rest > 0 {
            self.in_place(pattern, text, 0..rest, &mut count);
        }
        if rest < windows {
            let mut found = std::mem::take(&mut self.found);
            for part in cut(rest..windows, longest) {
                found.clear();
                self.copied(pattern, text, part, &mut found);
                count.0 += found.len() as u64;
            }
            self.found = found;
        }
        count.0
    }

    /// Replaces `positions` by those of the occurrences in these windows, in ascending order. Parts of at most
    /// `longest` windows are copied at a time.
    pub fn find(
        &mut self,
        pattern: &[u8],
        text: &[u8],
        windows: Range<usize>,
        longest: usize,
        positions: &mut Vec<usize>,
    ) {
        positions.clear();
        if windows.is_empty() {
            return;
        }
        let rest = in_place_until::<A>(pattern.len(), text, &windows);
        if windows.start < rest {
            self.in_place(pattern, text, windows.start..rest, positions);
            positions.iter_mut().for_each(|position| *position += windows.start);
        }
        for part in cut(rest..windows.end, longest) {
            self.copied(pattern, text, part, positions);
        }
        // Most algorithms report them in this order, but none has to.
        positions.sort_unstable();
    }

    /// Searches windows that [`in_place_until`] allows, where the text is.
    #[inline]
    fn in_place(&mut self, pattern: &[u8], text: &[u8], windows: Range<usize>, found: &mut impl Found) {
        let (length, slack) = (windows.len() + pattern.len() - 1, (A::NEEDS.slack)(pattern.len()));
        let part = &text[windows.start..][..length + slack];
        // SAFETY: the part has `length + slack` bytes, and the view does not write to them.
        let view = unsafe { Text::with_slack(part.as_ptr().cast_mut(), length, slack, false, Off) };
        self.algorithm.search(Pattern::new(pattern, Off), view, found, Off);
    }

    /// Searches windows in a copy that has everything that the algorithm needs.
    fn copied(&mut self, pattern: &[u8], text: &[u8], windows: Range<usize>, positions: &mut Vec<usize>) {
        let (m, needs) = (pattern.len(), A::NEEDS);
        let part = &text[windows.start..windows.end + m - 1];
        // A text that is too short for the algorithm is made longer. Occurrences there are left out below.
        let length = part.len().max((needs.min_text)(m));
        let slack = (needs.slack)(m);
        self.copy.clear();
        self.copy.reserve(needs.alignment - 1 + length + slack);
        let start = self.copy.as_ptr().align_offset(needs.alignment);
        self.copy.resize(start, 0);
        self.copy.extend_from_slice(part);
        self.copy.resize(start + length + slack, 0);
        let place = self.copy[start..].as_mut_ptr();
        // SAFETY: the copy has `length + slack` bytes from there on, and is used by nothing else during the search.
        let view = unsafe { Text::with_slack(place, length, slack, needs.writes_slack, Off) };
        let known = positions.len();
        self.algorithm.search(Pattern::new(pattern, Off), view, positions, Off);
        let mut kept = known;
        for at in known..positions.len() {
            if positions[at] < windows.len() {
                positions[kept] = windows.start + positions[at];
                kept += 1;
            }
        }
        positions.truncate(kept);
    }
}

/// The end of those windows that can be searched where they are: the text goes on after them as far as the
/// algorithm's slack. The start of the windows if none can.
#[inline]
fn in_place_until<A: Algorithm>(m: usize, text: &[u8], windows: &Range<usize>) -> usize {
    let needs = A::NEEDS;
    let end = windows.end.min((text.len() + 1).saturating_sub(m + (needs.slack)(m)));
    let enough = end > windows.start && end - windows.start + m > (needs.min_text)(m);
    let address = text.as_ptr().addr() + windows.start;
    if enough && !needs.writes_slack && address.is_multiple_of(needs.alignment) { end } else { windows.start }
}

/// Windows in parts of at most `longest`.
fn cut(windows: Range<usize>, longest: usize) -> impl Iterator<Item = Range<usize>> {
    let end = windows.end;
    windows.step_by(longest).map(move |start| start..end.min(start + longest))
}
