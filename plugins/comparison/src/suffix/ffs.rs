//! Forward-Fast-Search (`ffs`).
//!
//! Pays where Fast-Search does, the more the smaller the alphabet: the character after the window lies under
//! the pattern after whatever shift.
//! Departures: the last window has no character after it, so it is compared apart. The table has columns for
//! the pattern's own letters alone, and one for all others, and is filled in a time that is linear in its
//! size.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::fs::fill_skips;
use super::good_suffixes::suffix_lengths;
use crate::letters::Letters;

/// The searcher: a row for each suffix of the pattern.
#[derive(Default)]
pub struct ForwardFastSearch {
    /// By the window's last character where it mismatches, and 0 where it is the pattern's.
    skip: ByteTable<u32>,
    letters: Letters,
    /// For each suffix by where it begins, and each letter after the window, the shift.
    shift: Table<u32>,
    /// For each place of the pattern, the length of the longest suffix that ends there; used by the
    /// preparation alone.
    suffix: Table<u32>,
}

impl Algorithm for ForwardFastSearch {
    const ABOUT: About = About {
        id: "ffs",
        name: "Forward-Fast-Search",
        reference: Reference {
            authors: papers::FAST_SEARCH.authors,
            title: "Forward-Fast-Search: Another Fast Variant of the Boyer-Moore String Matching Algorithm",
            booktitle: "PSC 2003",
            year: 2003,
            related: Some(("extended in", &papers::FAST_SEARCH)),
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The paper's search; the last window is compared apart."),
        after: &["fs", "qs"],
        idea: "Fast-Search whose good suffix must come again before the character that stands after the \
            window.",
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
        let column = |place: usize| usize::from(letters.of(pattern[place]));
        self.shift.reset((m + 1) * width, m as u32 + 1);
        // A border of the pattern that fits into the suffix comes again at its beginning, and before its next
        // character: the longest such border is the nearest. The empty one fits everywhere.
        self.shift[m * width + column(0)] = m as u32;
        for length in 1..=m {
            let row = (m - length) * width;
            self.shift.copy_within(row + width..row + 2 * width, row);
            if length < m && self.suffix[length - 1] as usize == length {
                self.shift[row + column(length)] = (m - length) as u32;
            }
        }
        // Where the suffix comes again after another character, from left to right: the last such place is
        // the nearest.
        for (end, shift) in (0..m).zip((1..m as u32).rev()) {
            let length = self.suffix[end] as usize;
            if length <= end {
                self.shift[(m - length) * width + column(end + 1)] = shift;
            }
        }
        probe.table(&self.skip);
        self.letters.declare(probe);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.letters.width());
        let (skip, shift, letters) = (self.skip.view(probe), self.shift.view(probe), self.letters.view());
        // The place after the window.
        let mut after = m;
        probe.writes(1);
        while probe.branch(after < n) {
            // SAFETY: m <= after < n.
            let bad = skip.at(unsafe { text.at_unchecked(after - 1) }) as usize;
            probe.writes(1);
            probe.jump();
            if probe.branch(bad > 0) {
                after += bad;
                continue;
            }
            // Looked up before it is needed: what follows a mismatch need not wait for it.
            let column = usize::from(letters.of(text.at(after)));
            let mut i = m - 1;
            probe.writes(1);
            // SAFETY: the window begins at `after - m` and has m characters, and i - 1 is less.
            let alike = |i| unsafe { pattern.at_unchecked(i) == text.at_unchecked(after - m + i) };
            while probe.branch(i > 0 && alike(i - 1)) {
                i -= 1;
                probe.writes(1);
            }
            if probe.verify(i == 0) {
                found.at(after - m);
            }
            after += shift.at(i * width + column) as usize;
            probe.computes(1);
        }
        if probe.branch(after == n) && pattern.occurs(text, n - m, 0..m) {
            found.at(n - m);
        }
    }
}

register!(algorithm ForwardFastSearch);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_comes_again_before_the_character_after_the_window() {
        let mut searcher = ForwardFastSearch::default();
        searcher.prepare(b"gcagagag", Off);
        let row = |i: usize| &searcher.shift[i * 4..][..4];
        // After the window there is a, c, g or another character: the suffix ga, gag ..
        assert_eq!(row(7), [9, 7, 8, 9]);
        assert_eq!(row(6), [4, 7, 8, 9]);
        assert_eq!(row(0), [9, 7, 8, 9]);
    }
}
