//! Boyer-Moore with a fast good-suffix preparation (`bm-ft`).
//!
//! Pays where Boyer-Moore does, and the pattern is searched for in short texts.
//! Departures: the paper treats runs of the pattern's last character apart, and has a version for short
//! patterns that compares more; here is one pass that compares each suffix from where it is not known yet.
//! The search is that of [`bm`](super::bm).

use assay_plugin_api::prelude::*;

use super::bm::{fill_last, scan};

/// The searcher: both shift tables.
#[derive(Default)]
pub struct FastPreparedBoyerMoore {
    /// For each byte, where it occurs last in the pattern, counted from 1; 0 where it does not.
    last: ByteTable<u32>,
    /// For each suffix, by where it begins: the shift after it has matched and the character before it has
    /// not.
    good: Table<u32>,
    /// For each place of the pattern that has its last character, the length of the longest suffix that ends
    /// there. Of other places it holds anything: the preparation alone uses it, and reads only what it wrote.
    suffix: Vec<u32>,
}

impl Algorithm for FastPreparedBoyerMoore {
    const ABOUT: About = About {
        id: "bm-ft",
        name: "Boyer-Moore with a fast good-suffix preparation",
        reference: Reference {
            authors: &["T. Lecroq"],
            title: "A fast implementation of the good-suffix array for the Boyer-Moore string matching \
                algorithm",
            arxiv: "2402.16469",
            year: 2024,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's way of preparing in one pass, without its separate treatment of runs and of short \
                patterns; the search is that of `bm`.",
        ),
        after: &["bm"],
        idea: "Boyer-Moore whose good suffixes are found in one pass that looks only at places with the \
            pattern's last character.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 4 (m + 1) bytes and 1 KiB",
        worst_case: "O(mn): 3n comparisons where the pattern does not occur",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    /// Shifts are compared as `i32`.
    const NEEDS: Needs = Needs { max_pattern: i32::MAX as usize, ..Needs::NOTHING };

    /// Shifts in which the bad character rule reached further, and the others after a mismatch.
    const EXTRA: &'static [&'static str] = &["#bad", "#good"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_last(&mut self.last, pattern);
        self.fill_good(pattern);
        probe.table(&self.last);
        probe.table(&self.good);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        scan(&self.last, &self.good, pattern, text, found, probe);
    }
}

impl FastPreparedBoyerMoore {
    fn fill_good(&mut self, pattern: &[u8]) {
        let (m, good, suffix) = (pattern.len(), &mut self.good, &mut self.suffix);
        let last = pattern[m - 1];
        good.reset(m + 1, 0);
        suffix.resize(m.max(suffix.len()), 0);
        // Of the suffixes that were found again, the one that begins furthest left; it ends at `end`.
        let (mut begin, mut end) = (m, m - 1);
        // Suffixes that begin before this have their shift.
        let mut filled = 0;
        for i in (0..m - 1).rev() {
            let shift = (m - 1 - i) as u32;
            if pattern[i] != last {
                set(&mut good[m], shift);
                continue;
            }
            let mirrored = if i >= begin { suffix[i + m - 1 - end] as usize } else { 0 };
            let length = if i >= begin && mirrored < i + 1 - begin {
                mirrored
            } else {
                (begin, end) = (begin.min(i), i);
                while begin > 0 && pattern[begin - 1] == pattern[begin + m - 2 - end] {
                    begin -= 1;
                }
                i + 1 - begin
            };
            suffix[i] = length as u32;
            if length <= i {
                set(&mut good[m - length], shift);
            } else {
                // A border of the pattern. Others are shorter: this one is the longest that fits into all
                // suffixes that it fits into and into which none of those before it did.
                let fits = m - length;
                good[filled..=fits].iter_mut().for_each(|entry| set(entry, shift));
                filled = fits + 1;
            }
        }
        good[filled..].iter_mut().for_each(|entry| set(entry, m as u32));
    }
}

/// Shifts are found from the least on: the first one stays.
fn set(entry: &mut u32, shift: u32) {
    if *entry == 0 {
        *entry = shift;
    }
}

register!(algorithm FastPreparedBoyerMoore);

#[cfg(test)]
mod tests {
    use super::super::good_suffixes::GoodSuffixes;
    use super::*;

    #[test]
    fn the_shifts_are_those_of_the_plain_preparation() {
        let (mut searcher, mut plain) = (FastPreparedBoyerMoore::default(), GoodSuffixes::default());
        // All words of two letters, then some longer ones: nothing of an earlier word may change the result.
        let words = (1..=10).flat_map(|m| {
            (0..1 << m).map(move |word| (0..m).map(|i| b'a' + (word >> i & 1) as u8).collect())
        });
        for pattern in
            words.chain([b"gcagagag".to_vec(), b"abcabcabd".repeat(3), b"ab".repeat(40), b"cba".to_vec()])
        {
            let pattern: Vec<u8> = pattern;
            searcher.prepare(&pattern, Off);
            plain.prepare(&pattern);
            assert_eq!(*searcher.good, *plain.shift, "{}", pattern.escape_ascii());
        }
    }
}
