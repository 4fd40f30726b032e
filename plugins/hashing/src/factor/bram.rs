//! Backward Range Automaton Matcher (`bram3`, `bram5`, `bram7`).
//!
//! Pays on long patterns, whose suffix automaton is too wide for a machine word; larger q suit smaller
//! alphabets.
//! Departures: none known. Windows are read by q-grams that overlap in all but one character, and shifted to
//! the longest prefix that was in the range. One computation = the hash of a q-gram, or a step of the range.

use assay_plugin_api::prelude::*;

use crate::filter::{SLACK, append, hash_at, qgram, sum_at};

/// The later version of the paper.
const WEAK_APPROACH: Reference = Reference {
    authors: &["S. Faro", "S. Scafiti"],
    title: "A weak approach to suffix automata simulation for exact and approximate string matching",
    journal: "Theor. Comput. Sci.",
    year: 2022,
    doi: "10.1016/j.tcs.2022.08.028",
    ..Reference::UNKNOWN
};

/// The searcher: for each hash, the range of positions at which q-grams with this hash end in the pattern.
#[derive(Default)]
pub struct BackwardRangeAutomaton<const Q: usize, const S: u32> {
    ranges: Table<Range>,
    /// Length of the pattern.
    length: usize,
}

/// Places from the first to the last.
#[derive(Clone, Copy, Default)]
struct Range {
    first: u32,
    last: u32,
}

impl Range {
    const EMPTY: Range = Range { first: u32::MAX, last: 0 };

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.first > self.last
    }

    /// The places of `self` before which `after` has one.
    #[inline(always)]
    fn before(self, after: Range) -> Range {
        Range { first: self.first.max(after.first - 1), last: self.last.min(after.last - 1) }
    }
}

impl<const Q: usize, const S: u32> BackwardRangeAutomaton<Q, S> {
    /// Bits of a hash.
    const BITS: u32 = u8::BITS + S * (Q as u32 - 1);

    fn entry(hash: u32) -> usize {
        hash as usize % (1 << Self::BITS)
    }
}

impl<const Q: usize, const S: u32> Algorithm for BackwardRangeAutomaton<Q, S> {
    const ABOUT: About = About {
        id: "bram",
        name: "Backward Range Automaton Matcher",
        reference: Reference {
            authors: &["S. Faro", "S. Scafiti"],
            title: "The Range Automaton: An Efficient Approach to Text-Searching",
            booktitle: "WORDS 2021",
            series: "LNCS",
            volume: "12847",
            year: 2021,
            doi: "10.1007/978-3-030-85088-3_8",
            related: Some(("extended in", &WEAK_APPROACH)),
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The paper's search, without a change that we know of."),
        after: &["bndm"],
        idea: "Suffix automaton whose active states are one range of places in the pattern: only the first and \
            the last are kept.",
        preparation_time: "O(mq)",
        space: "O(1): 32 KiB for q=3 and 5, 128 KiB for q=7",
        worst_case: "O(mn)",
        average_case: "sublinear while few q-grams come often in the pattern",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    /// Windows whose last q-gram may occur in the pattern.
    const EXTRA: &'static [&'static str] = &["match 1st"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.length = pattern.len();
        self.ranges.reset(1 << Self::BITS, Range::EMPTY);
        for end in Q - 1..pattern.len() {
            let range = &mut self.ranges[Self::entry(append::<Q>(0, qgram(pattern, end), S))];
            range.first = range.first.min(end as u32);
            range.last = end as u32;
        }
        probe.table(&self.ranges);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, ranges) = (pattern.len(), text.len(), self.ranges.view(probe));
        assert!(Q <= m && m == self.length, "prepared for another pattern");
        assert_eq!(self.ranges.len(), 1 << Self::BITS);
        let at = |hash| {
            probe.computes(1);
            probe.writes(1);
            // SAFETY: the table has an entry for each hash.
            unsafe { ranges.at_unchecked(Self::entry(hash)) }
        };
        // Where the window ends.
        let mut last = m - 1;
        probe.writes(1);
        while probe.branch(last < n) {
            // SAFETY: Q <= m <= last + 1 <= n.
            let mut range = at(unsafe {
                if Q == 7 { hash_at::<Q, P>(text, last, S) } else { sum_at::<Q, P>(text, last, S) }
            });
            let mut shift = m - Q + 1;
            probe.writes(1);
            if probe.branch(!range.is_empty()) {
                probe.extra(0, || 1);
                let (s, mut end) = (last + 1 - m, last);
                probe.writes(1);
                loop {
                    if probe.branch(range.first == Q as u32 - 1) {
                        if probe.branch(end == s + Q - 1) {
                            verify(pattern, text, s, found);
                            break;
                        }
                        shift = end + 1 - Q - s;
                        probe.writes(1);
                    }
                    end -= 1;
                    // SAFETY: the range of the q-gram that ends the window's first Q characters holds no
                    // place but the first in the pattern, and there the reading ends.
                    range = at(unsafe { hash_at::<Q, P>(text, end, S) }).before(range);
                    probe.computes(1);
                    probe.writes(1);
                    if probe.branch(range.is_empty()) {
                        break;
                    }
                }
            }
            last += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// This is a function of its own, because the search loop is faster without it.
#[cold]
#[inline(never)]
fn verify<P: Probe>(pattern: Pattern<P>, text: Text<P>, s: usize, found: &mut impl Found) {
    if pattern.occurs(text, s, 0..pattern.len()) {
        found.at(s);
    }
}

register!(algorithm
    BackwardRangeAutomaton<3, 2>, id: "bram3", name: "Backward Range Automaton Matcher (q=3)",
        parameters: "q=3; hash bits per character=2";
    BackwardRangeAutomaton<5, 1>, id: "bram5", name: "Backward Range Automaton Matcher (q=5)",
        parameters: "q=5; hash bits per character=1";
    BackwardRangeAutomaton<7, 1>, id: "bram7", name: "Backward Range Automaton Matcher (q=7)",
        parameters: "q=7; hash bits per character=1"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_goes_back_one_place_and_keeps_those_that_the_qgram_has() {
        let before = |first, last, after| {
            let range = Range { first, last }.before(after);
            (!range.is_empty()).then_some((range.first, range.last))
        };
        assert_eq!(before(4, 9, Range { first: 3, last: 8 }), Some((4, 7)));
        assert_eq!(before(2, 6, Range { first: 5, last: 9 }), Some((4, 6)));
        assert_eq!(before(2, 6, Range { first: 8, last: 9 }), None);
        assert_eq!(before(u32::MAX, 0, Range { first: 3, last: 8 }), None);
    }
}
