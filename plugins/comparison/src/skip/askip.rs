//! Alpha Skip Search (`askip`, `askip-t`).
//!
//! Pays on long patterns over small alphabets, where a factor has few places however long the pattern is.
//! Departures: the alphabet is that of the pattern, two characters at least, and the trie has columns for
//! these alone. Factors are put into the trie one by one. `askip-t`, which is ours, takes longer factors
//! where that saves time: if all are equally frequent, a longer one has much less than one place, and needs
//! no verification.
//! Timed: all characters of a factor are read, even if the trie has no path for the first of them, and the
//! first eight characters of a window are compared at once, because the processor cannot predict when either
//! ends.

use std::hint::select_unpredictable;

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::letters::Letters;
use crate::opening::{Opening, SLACK};

/// The searcher: a trie of the pattern's factors of one length, with the places of each. The length is the
/// paper's, or `TIMED`: the one that should take the least time.
#[derive(Default)]
pub struct AlphaSkip<const TIMED: bool> {
    /// How long the factors are.
    length: usize,
    /// For each byte, its column.
    letters: Letters,
    /// For each node a row, with the row's beginning of each child. At the last level there are no rows, but
    /// the factor's last place in the pattern, counted from 1. 0 where there is nothing.
    trie: Table<u32>,
    /// For each place, the one before it with the same factor.
    previous: Table<u32>,
}

impl<const TIMED: bool> AlphaSkip<TIMED> {
    /// The facts about the published search.
    const PUBLISHED: About = About {
        id: "askip",
        name: "Alpha Skip Search",
        reference: papers::SMALL_ALPHABETS_LONG_PATTERNS,
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the alphabet is that of the \
                pattern, and log m is rounded down.",
        ),
        after: &["skip"],
        idea: "Skip Search by factors of length log m, to the base s, that a trie finds with their places.",
        preparation_time: "O(m log m + s)",
        space: "O(m+s): at most 16 bytes for each character of the pattern, and 1.25 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };
}

impl<const TIMED: bool> Algorithm for AlphaSkip<TIMED> {
    const ABOUT: About = if TIMED {
        About {
            id: "askip-t",
            name: "Alpha Skip Search with longer factors",
            status: Status::ImprovedHere(
                "The paper's factors have log m characters; here a model of the time, with constants that \
                    were measured, chooses longer ones where they save time.",
            ),
            formerly: Formerly { ids: &["askip"], until: "0.1.0" },
            after: &["askip"],
            idea: "Alpha Skip Search by factors so long that most have no place in the pattern, as far as \
                that saves time.",
            space: "O(m+s): at most 200 bytes for each character of the pattern, and 1.25 KiB",
            ..Self::PUBLISHED
        }
    } else {
        Self::PUBLISHED
    };

    /// The trie has fewer than 48m + 257 entries, whose index must fit 32 bits.
    const NEEDS: Needs = Needs { max_pattern: (1 << 26) - 1, slack: SLACK, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        self.letters.prepare(pattern);
        let (row, base) = (self.letters.width(), self.letters.count().max(2));
        let column = self.letters.view();
        self.length = if TIMED { best_length(m, row, base) } else { m.ilog(base).max(1) as usize };
        self.trie.reset(row, 0);
        self.previous.reset(m + 2 - self.length, 0);
        for (place, factor) in (1..).zip(pattern.windows(self.length)) {
            let mut node = 0;
            for (level, &byte) in (1..).zip(factor) {
                let entry = node + usize::from(column.of(byte));
                if level == self.length {
                    self.previous[place] = std::mem::replace(&mut self.trie[entry], place as u32);
                } else {
                    if self.trie[entry] == 0 {
                        self.trie[entry] = self.trie.len() as u32;
                        (0..row).for_each(|_| self.trie.push(0));
                    }
                    node = self.trie[entry] as usize;
                }
            }
        }
        self.letters.declare(probe);
        probe.table(&self.trie);
        probe.table(&self.previous);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, length) = (pattern.len(), text.len(), self.length);
        let (column, trie, previous) =
            (self.letters.view(), self.trie.view(probe), self.previous.view(probe));
        assert!(length <= m, "prepared for another pattern");
        let opening = Opening::new(pattern, text);
        // Where the factor begins that ends the first window.
        let mut j = m - length;
        probe.writes(1);
        while probe.branch(j + length <= n) {
            let (mut i, mut node) = (0, 0);
            probe.writes(2);
            while probe.branch(i < length) {
                // SAFETY: j + i < j + length <= n, and each node has a row with an entry for each column.
                let child = unsafe {
                    trie.at_unchecked(node + usize::from(column.of(text.at_unchecked(j + i)))) as usize
                };
                // In the timed reading a walk that has left the trie goes on, because the processor cannot
                // predict when it leaves.
                node = if P::COUNTS { child } else { select_unpredictable(node == 0 && i > 0, 0, child) };
                i += 1;
                probe.writes(2);
                if P::COUNTS && probe.branch(node == 0) {
                    break;
                }
            }
            // It is a place now.
            while probe.branch(node > 0) {
                let s = j + 1 - node;
                if probe.branch(s + m <= n) {
                    // SAFETY: the condition.
                    unsafe { opening.report(s, 0..m, found) };
                }
                node = previous.at(node) as usize;
                probe.writes(1);
            }
            j += m + 1 - length;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// The length of factors that takes the least time for each character of the shift, if all factors are
/// equally frequent. A factor takes some steps, one more for each of its characters, and more for each of its
/// positions in the pattern, whose number is hard to predict.
fn best_length(m: usize, row: usize, base: usize) -> usize {
    let (mut best, mut factors, mut rows) = ((f64::INFINITY, 1), 1, 0);
    for length in 1..=m {
        // Each level has a row for each factor that ends there, and none more than there are places.
        rows += m.min(factors);
        factors = factors.saturating_mul(base);
        if length > 1 && rows * row > 47 * m {
            break;
        }
        let windows = (m + 1 - length) as f64;
        let time = (length as f64 + 3.0 + 13.0 * windows / factors as f64) / windows;
        if time >= best.0 {
            break;
        }
        best = (time, length);
    }
    best.1
}

register!(algorithm AlphaSkip<false>; AlphaSkip<true>);

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern over this number of letters.
    fn pattern(m: u32, letters: u32) -> Vec<u8> {
        (0..m).map(|i| (i.wrapping_mul(i) / 7 % letters) as u8).collect()
    }

    /// The searcher of a pattern.
    fn prepared<const TIMED: bool>(pattern: &[u8]) -> AlphaSkip<TIMED> {
        let mut searcher = AlphaSkip::default();
        searcher.prepare(pattern, Off);
        searcher
    }

    #[test]
    fn the_tries_are_never_much_larger_than_the_pattern() {
        for letters in [1, 2, 3, 4, 16, 17, 255, 256] {
            for m in [1, 2, 255, 4096, 65_537] {
                let pattern = pattern(m, letters);
                let entries = [prepared::<false>(&pattern).trie.len(), prepared::<true>(&pattern).trie.len()];
                assert!(entries[0] < 3 * m as usize + 257, "{entries:?} for {m} of {letters}");
                assert!(entries[1] < 48 * m as usize + 257, "{entries:?} for {m} of {letters}");
            }
        }
    }

    #[test]
    fn factors_have_the_logarithm_of_the_length_as_published_and_more_in_ours() {
        for (m, letters, length) in
            [(1, 1, 1), (2, 2, 1), (63, 4, 2), (64, 4, 3), (4096, 4, 6), (4096, 16, 3)]
        {
            let pattern: Vec<u8> = (0..m).map(|i| (i % letters) as u8).collect();
            assert_eq!(prepared::<false>(&pattern).length, length, "{m} of {letters}");
        }
        assert!(prepared::<true>(&pattern(4096, 4)).length > 6);
    }
}
