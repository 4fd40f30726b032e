//! Backward-Fast-Search (`bfs`).
//!
//! Pays where Fast-Search does, the more the smaller the alphabet, because the mismatch after a matched
//! suffix excludes more shifts.
//! Departures: the table has columns for the pattern's own letters alone, and one for all others, and is
//! filled in a time that is linear in its size. After an occurrence the pattern's period is the shift. There
//! is no copy of the last character after the text that stops the fast loop.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::fs::fill_skips;
use super::good_suffixes::suffix_lengths;
use crate::letters::Letters;

/// The searcher: a row for each suffix of the pattern.
#[derive(Default)]
pub struct BackwardFastSearch {
    /// By the window's last character where it mismatches, and 0 where it is the pattern's.
    skip: ByteTable<u32>,
    letters: Letters,
    /// For each suffix by where it begins, and each letter before it in the text, the shift.
    shift: Table<u32>,
    /// For each place of the pattern, the length of the longest suffix that ends there; used by the
    /// preparation alone.
    suffix: Table<u32>,
}

impl Algorithm for BackwardFastSearch {
    const ABOUT: About = About {
        id: "bfs",
        name: "Backward-Fast-Search",
        reference: papers::FAST_SEARCH,
        status: Status::FromPaper(
            "The paper's search; a bound replaces the copy of the last character after the text.",
        ),
        after: &["fs"],
        idea: "Fast-Search whose good suffix must come again after the very character that mismatched.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each of m + 1 suffixes and letter of the pattern, and 1.25 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        fill_skips(&mut self.skip, pattern);
        self.letters.prepare(pattern);
        suffix_lengths(pattern, &mut self.suffix);
        let (letters, width) = (self.letters.view(), self.letters.width());
        self.shift.reset((m + 1) * width, m as u32);
        // The longest border of the pattern that fits into the suffix comes again at its beginning, after any
        // character.
        let mut shift = m as u32;
        for length in 1..=m {
            if length < m && self.suffix[length - 1] as usize == length {
                shift = (m - length) as u32;
            }
            self.shift[(m - length) * width..][..width].fill(shift);
        }
        // Where the suffix comes again after another character, from left to right: the last such place is
        // the nearest.
        for (end, shift) in (0..m).zip((1..m as u32).rev()) {
            let length = self.suffix[end] as usize;
            if length <= end {
                self.shift[(m - length) * width + usize::from(letters.of(pattern[end - length]))] = shift;
            }
        }
        probe.table(&self.skip);
        self.letters.declare(probe);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.letters.width());
        let (skip, shift, letters) = (self.skip.view(probe), self.shift.view(probe), self.letters.view());
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let bad = skip.at(text.at(end)) as usize;
            probe.writes(1);
            probe.jump();
            if probe.branch(bad > 0) {
                end += bad;
                continue;
            }
            let (mut i, mut mismatched) = (m - 1, 0);
            probe.writes(1);
            while probe.branch(
                i > 0 && {
                    // SAFETY: the window ends at `end` and has m characters, and i - 1 is less.
                    let (expected, read) =
                        unsafe { (pattern.at_unchecked(i - 1), text.at_unchecked(end + i - m)) };
                    mismatched = read;
                    expected == read
                },
            ) {
                i -= 1;
                probe.writes(1);
            }
            if probe.verify(i == 0) {
                found.at(end + 1 - m);
                end += shift.at(0) as usize;
            } else {
                end += shift.at(i * width + usize::from(letters.of(mismatched))) as usize;
                probe.computes(1);
            }
        }
    }
}

register!(algorithm BackwardFastSearch);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_comes_again_after_the_character_that_mismatched() {
        let mut searcher = BackwardFastSearch::default();
        searcher.prepare(b"gcagagag", Off);
        let row = |i: usize| &searcher.shift[i * 4..][..4];
        // Before the suffix there is a, c, g (where that is not what the pattern has) or another character.
        assert_eq!((row(7)[1], row(7)[2], row(7)[3]), (7, 7, 7));
        assert_eq!((row(6)[0], row(6)[1], row(6)[3]), (7, 4, 7));
        assert_eq!(row(0), [7, 7, 7, 7]);
    }
}
