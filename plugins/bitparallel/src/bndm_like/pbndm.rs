//! Pruned BNDM (`pbndm`).
//!
//! Pays on patterns of some words in which a character comes often enough that the distances between its
//! places distinguish positions.
//! Departures: we have seen the abstract of the paper and a summary of its longer version, so these are our
//! choices: the pivot is the most frequent character of those that a word has bits for; if the pattern has
//! more of each, a prefix is searched for in which the least frequent one just fits. A position that is not
//! the pivot's stands for any other character, so a state changes only at pivots, by the number of characters
//! between them. A window is read until it is longer without a pivot than any part of the pattern. One
//! computation = one change of the state: the shift and the and.

use assay_plugin_api::prelude::*;

use super::factors::PREFIX;
use crate::word::WORD;

/// The searcher. The first pivot has the highest bit.
#[derive(Default)]
pub struct PrunedBndm {
    /// For each number of characters, a 1 for each pivot with exactly this number of them before the next.
    between: Table<u64>,
    /// For each number of characters, a 1 for each pivot with at least this number of them before the next,
    /// or before the end.
    at_least: Table<u64>,
    /// Position of the first pivot: the number of characters before it.
    first: usize,
    /// Length of the prefix.
    width: usize,
}

/// How the pattern's pruned form is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruned {
    pivot: u8,
    /// Length of the prefix.
    width: usize,
}

impl Pruned {
    fn of(pattern: &[u8]) -> Self {
        let mut count = [0; 256];
        pattern.iter().for_each(|&byte| count[byte as usize] += 1);
        let letters = || (0..=u8::MAX).filter(|&byte| count[byte as usize] > 0);
        let count = |byte: &u8| count[*byte as usize];
        let fits = letters().filter(|byte| count(byte) <= WORD).max_by_key(count);
        let pivot = fits.or_else(|| letters().min_by_key(count)).expect("a pattern");
        // The prefix ends before the first pivot that has no bit.
        let places = pattern.iter().enumerate().filter(|&(_, &byte)| byte == pivot);
        let width = places.map(|(place, _)| place).nth(WORD).unwrap_or(pattern.len());
        Pruned { pivot, width }
    }
}

impl Algorithm for PrunedBndm {
    const ABOUT: About = About {
        id: "pbndm",
        name: "Pruned BNDM",
        reference: Reference {
            authors: &["S. Faro", "S. Scafiti"],
            title: "Pruned BNDM: Extending the Bit-Parallel Suffix Automaton to Long Strings",
            booktitle: "ICTCS 2021",
            series: "CEUR-WS",
            volume: "3072",
            year: 2021,
            related: Some(("extended in", &COMPACT_SUFFIX_AUTOMATA)),
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract and a summary of the longer version were seen; the choice of the pivot \
                and how the state is kept are ours.",
        ),
        after: &["bndm"],
        idea: "BNDM of a pattern in which only one character, the pivot, is kept; then compares.",
        preparation_time: "O(m)",
        space: "O(m): 16 bytes for each length without a pivot",
        worst_case: "O(mn)",
        average_case: "sublinear while the distances between pivots differ",
        ..About::UNKNOWN
    };

    /// Windows in which the pruned pattern occurs.
    const EXTRA: &'static [&'static str] = &["#pruned"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let Pruned { pivot, width } = Pruned::of(pattern);
        let places = || (0..width).filter(|&place| pattern[place] == pivot);
        self.width = width;
        self.first = places().next().expect("the pivot is the pattern's");
        // How many characters follow each pivot before the next.
        let distances = || places().zip(places().skip(1).chain([width])).map(|(from, to)| to - from - 1);
        let longest = distances().chain([self.first]).max().expect("a pivot");
        // One entry more: a window is read until it has more characters without a pivot.
        self.between.reset(longest + 2, 0);
        self.at_least.reset(longest + 2, 0);
        let count = places().count();
        for (pivot, distance) in distances().enumerate() {
            self.at_least[distance] |= PREFIX >> pivot;
            if pivot + 1 < count {
                self.between[distance] |= PREFIX >> pivot;
            }
        }
        for distance in (0..longest).rev() {
            self.at_least[distance] |= self.at_least[distance + 1];
        }
        probe.table(&self.between);
        probe.table(&self.at_least);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, first) = (pattern.len(), text.len(), self.width, self.first);
        let (between, at_least) = (self.between.view(probe), self.at_least.view(probe));
        let unknown = self.between.len() - 1;
        assert!(first < width && width <= m && m <= n, "prepared for another pattern");
        // Reads the window at `s` to the left from its position `end`, up to a pivot, as long as the pattern
        // can have no pivot. Answers where it stopped: after the pivot.
        let gap = |s: usize, end: usize| {
            let (mut i, least) = (end, end.saturating_sub(unknown));
            probe.writes(1);
            while probe.branch(i > least && text.at(s + i - 1) != pattern.at(first)) {
                i -= 1;
                probe.writes(1);
            }
            i
        };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let mut i = gap(s, width);
            // What has been read without a pivot is a prefix as far as the pattern begins without one.
            let mut shift = width - first.min(width - i);
            let mut state = at_least.at(width - i);
            probe.writes(2);
            while probe.branch(state != 0 && i > 0) {
                // The character before `pivot + 1` is one.
                let pivot = i - 1;
                i = gap(s, pivot);
                probe.writes(1);
                if probe.branch(state & PREFIX != 0 && pivot - i >= first) {
                    if probe.branch(pivot == first) {
                        probe.extra(0, || 1);
                        if pattern.occurs(text, s, 0..m) {
                            found.at(s);
                        }
                        break;
                    }
                    shift = pivot - first;
                    probe.writes(1);
                }
                state = state << 1 & between.at(pivot - i);
                probe.computes(1);
                probe.writes(1);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Faro and Scafiti, 2023.
static COMPACT_SUFFIX_AUTOMATA: Reference = Reference {
    authors: &["S. Faro", "S. Scafiti"],
    title: "Compact Suffix Automata Representations for Searching Long Patterns",
    journal: "Theor. Comput. Sci.",
    year: 2023,
    doi: "10.1016/j.tcs.2022.11.005",
    ..Reference::UNKNOWN
};

register!(algorithm PrunedBndm);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pivot_is_the_most_frequent_character_that_a_word_has_bits_for() {
        assert_eq!(Pruned::of(b"abracadabra"), Pruned { pivot: b'a', width: 11 });
        let long = [&b"b"[..], &[b'a'; 70], b"bb"].concat();
        assert_eq!(Pruned::of(&long), Pruned { pivot: b'b', width: 73 });
        assert_eq!(Pruned::of(&long[1..71]), Pruned { pivot: b'a', width: 64 });
    }

    #[test]
    fn a_pivot_is_known_by_the_characters_that_follow_it() {
        let mut searcher = PrunedBndm::default();
        searcher.prepare(b"bcadaaefgah", Off);
        let bits = |pivots: &[usize]| pivots.iter().fold(0, |bits, pivot| bits | PREFIX >> pivot);
        assert_eq!(searcher.first, 2);
        assert_eq!(*searcher.between, [&[1][..], &[0], &[], &[2], &[]].map(bits));
        assert_eq!(*searcher.at_least, [&[0, 1, 2, 3][..], &[0, 2, 3], &[2], &[2], &[]].map(bits));
    }
}
