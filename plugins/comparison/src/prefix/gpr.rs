//! Sequential Sampling (`gpr`).
//!
//! Pays where neither memory nor time may depend on the pattern, and characters have no order.
//! Departures: we have seen the abstract of the paper: two positions of the pattern are tested, and then a
//! version of Knuth-Morris-Pratt is applied. The rest we derived. A prefix is regular if it has three periods
//! at least. The sample are the character after the longest regular prefix and the one a period before it:
//! they differ, and both of an occurrence further right would lie in the regular prefix, where they are
//! equal. So after the sample has matched, the window moves beyond the first of the two. Prefixes that are
//! not regular move it by a third of what matched. If the whole pattern is regular, the longest regular
//! prefix that is shorter than three of its periods is taken; a window in which three periods match moves by
//! one, and remembers the others. The preparation keeps the borders of all prefixes; the paper's takes
//! constant space.

use assay_plugin_api::prelude::*;

use super::border_lengths::fill_border_lengths;

/// How many periods a regular prefix has. With three, a window that remembers something has matched more than
/// the longest regular prefix of an irregular part.
const REGULAR: usize = 3;

/// The searcher.
#[derive(Default)]
pub struct SequentialSampling {
    sample: Option<Sample>,
    /// Period of the pattern.
    period: usize,
    /// Whether the pattern is regular.
    regular: bool,
    /// For each length of a prefix, that of its longest border; used by the preparation alone.
    borders: Vec<usize>,
}

/// Two positions of the pattern with different characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sample {
    first: usize,
    second: usize,
}

impl Algorithm for SequentialSampling {
    const ABOUT: About = About {
        id: "gpr",
        name: "Sequential Sampling",
        reference: Reference {
            authors: &["L. Gąsieniec", "W. Plandowski", "W. Rytter"],
            title: "Constant-space string matching with smaller number of comparisons: sequential sampling",
            booktitle: "CPM 1995",
            year: 1995,
            doi: "10.1007/3-540-60044-2_36",
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The abstract was seen; the sample and the shifts are derived from it.",
        ),
        after: &["kmp"],
        idea: "Tests two positions where the pattern stops to be periodic, and then compares it from left to \
            right; both bound the shift.",
        preparation_time: "O(m)",
        space: "O(1); O(m) in the preparation",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    /// Windows in which the sample matched.
    const EXTRA: &'static [&'static str] = &["#sample"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        let m = pattern.len();
        fill_border_lengths(pattern, &mut self.borders);
        let period = |length: usize| length - self.borders[length];
        self.period = period(m);
        self.regular = REGULAR * self.period <= m;
        // Lengths of prefixes that are shorter than this are looked at.
        let limit = if self.regular { REGULAR * self.period } else { m + 1 };
        let longest = (1..limit).rev().find(|&length| REGULAR * period(length) <= length);
        self.sample = longest.map(|second| Sample { first: second - period(second), second });
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, period, regular) = (pattern.len(), text.len(), self.period, self.regular);
        assert!((1..=m).contains(&period) && m <= n, "prepared for another pattern");
        assert!(self.sample.is_none_or(|sample| sample.second < m), "prepared for another pattern");
        let alike = |s: usize, i: usize| pattern.at(i) == text.at(s + i);
        // The window's first `memory` characters match.
        let (mut s, mut memory) = (0, 0);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            let mut shift = 1;
            probe.writes(1);
            if let Some(Sample { first, second }) = self.sample
                && probe.branch(memory == 0)
            {
                if !probe.branch(alike(s, second) && alike(s, first)) {
                    s += 1;
                    probe.writes(1);
                    probe.jump();
                    continue;
                }
                probe.extra(0, || 1);
                shift = first + 1;
                probe.writes(1);
            }
            let mut i = memory;
            probe.writes(1);
            while probe.branch(i < m && alike(s, i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.verify(i == m) {
                found.at(s);
            }
            if probe.branch(regular && i >= REGULAR * period) {
                s += period;
                memory = i - period;
            } else {
                // What matched is no regular prefix, unless it is shorter than what the sample excludes.
                shift = if i == m { period } else { shift.max(i / REGULAR + 1) };
                s += shift;
                memory = 0;
                probe.computes(1);
            }
            probe.writes(3);
            probe.jump();
        }
    }
}

register!(algorithm SequentialSampling);

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(pattern: &[u8]) -> SequentialSampling {
        let mut searcher = SequentialSampling::default();
        searcher.prepare(pattern, Off);
        searcher
    }

    #[test]
    fn the_sample_is_where_the_longest_regular_prefix_ends() {
        assert_eq!(prepared(b"abcd").sample, None);
        assert_eq!(prepared(b"aaab").sample, Some(Sample { first: 2, second: 3 }));
        assert_eq!(prepared(b"ababababba").sample, Some(Sample { first: 6, second: 8 }));
    }

    #[test]
    fn a_pattern_of_three_periods_is_regular_and_samples_less_than_that() {
        let searcher = prepared(&b"aaab".repeat(4));
        assert_eq!((searcher.regular, searcher.period), (true, 4));
        assert_eq!(searcher.sample, Some(Sample { first: 2, second: 3 }));
        assert!(!prepared(b"aabaab").regular);
    }

    #[test]
    fn every_short_binary_pattern_is_found_between_its_parts() {
        let mut found = Vec::new();
        for bits in 0..1_u32 << 12 {
            let pattern: Vec<u8> = (0..12).map(|i| (bits >> i & 1) as u8).collect();
            let text = [&pattern[3..], &pattern, &pattern[..7], &pattern[..9], &pattern, &pattern].concat();
            found.clear();
            let (view, text_view) = (Pattern::new(&pattern, Off), Text::new(&text, Off));
            prepared(&pattern).search(view, text_view, &mut found, Off);
            let windows = 0..=text.len() - pattern.len();
            let naive: Vec<usize> = windows.filter(|&s| text[s..].starts_with(&pattern)).collect();
            assert_eq!(found, naive, "{pattern:?}");
        }
    }
}
