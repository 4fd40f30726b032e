//! Real-time Two Way (`bgm-rt`).
//!
//! Pays where each character of the text must take a bounded time, whatever the text is.
//! Departures: we have seen the paper's abstract. It says that two searches for complementary parts of the
//! pattern, in lockstep, are enough; how it finds the parts we could not see. Here each part is a prefix, cut
//! at a critical position: its right part is compared character by character, and with each of its characters
//! one of the left part, from the cut to the left. What is left of the pattern before that is the task of the
//! next part, for which the prefix is taken that leaves least. Two parts are nearly always enough; some
//! patterns have three or four. The preparation keeps the cuts of all prefixes; the search needs only the
//! parts.

use std::cmp::Ordering;

use assay_plugin_api::prelude::*;

use super::border_lengths::fill_border_lengths;

/// The searcher: the parts of the pattern, the whole one first, and the state of their searches.
#[derive(Default)]
pub struct RealTime {
    parts: Vec<Part>,
    /// For each length of a prefix, where it is cut; used by the preparation alone.
    cuts: Vec<usize>,
    /// For each length of a prefix, that of its longest border; used by the preparation alone.
    borders: Vec<usize>,
}

/// A prefix of the pattern, and its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part {
    /// Length of the prefix.
    length: usize,
    /// Where it is cut.
    cut: usize,
    /// Its period.
    period: usize,
    /// How many characters before the cut are compared.
    left: usize,
    /// Where the right part begins in the text.
    start: usize,
    /// How many characters of the right part match.
    matched: usize,
    /// How many characters before the cut were compared.
    compared: usize,
    /// Whether these match.
    alike: bool,
}

/// The same authors, 2013.
const JOURNAL: Reference = Reference {
    authors: &["D. Breslauer", "R. Grossi", "F. Mignosi"],
    title: "Simple real-time constant-space string matching",
    journal: "Theor. Comput. Sci.",
    year: 2013,
    ..Reference::UNKNOWN
};

impl Algorithm for RealTime {
    const ABOUT: About = About {
        id: "bgm-rt",
        name: "Real-time Two Way",
        reference: Reference {
            authors: &["D. Breslauer", "R. Grossi", "F. Mignosi"],
            title: "Simple Real-Time Constant-Space String Matching",
            booktitle: "CPM 2011",
            series: "LNCS",
            volume: "6661",
            year: 2011,
            doi: "10.1007/978-3-642-21458-5_16",
            related: Some(("journal version", &JOURNAL)),
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed("The abstract was seen; how the pattern is divided is ours."),
        after: &["tw"],
        idea: "Two Way that compares the left part while it compares the right one; where the left part is \
            the longer one, a second search in lockstep takes what is missing.",
        preparation_time: "O(m)",
        space: "O(1); O(m) in the preparation",
        worst_case: "O(n): two comparisons for each character and part",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        let m = pattern.len();
        find_cuts(pattern, &mut self.cuts);
        fill_border_lengths(pattern, &mut self.borders);
        self.parts.clear();
        // The pattern's first `missing` characters are in no part yet.
        let (mut length, mut missing) = (m, m);
        while missing > 0 {
            let cut = self.cuts[length];
            let left = cut.min(length - cut);
            let period = length - self.borders[length];
            self.parts.push(Part { length, cut, period, left, ..Part::default() });
            missing = cut - left;
            let remainder = |length: &usize| self.cuts[*length].saturating_sub(*length - self.cuts[*length]);
            length = (missing..=m).rev().min_by_key(remainder).expect("a prefix");
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(self.parts.first().is_some_and(|part| part.length == m), "prepared for another pattern");
        self.parts.iter_mut().for_each(Part::rewind);
        probe.writes(4 * self.parts.len() as u64 + 1);
        let mut end = 0;
        while probe.branch(end < n) {
            // Each part is compared where it would end, were this the end of an occurrence.
            let mut occurs = true;
            probe.writes(1);
            for part in &mut self.parts {
                let after = m - part.length;
                let ends = probe.branch(end >= after) && part.step(end - after, pattern, text, probe);
                occurs &= ends;
                probe.writes(1);
            }
            if probe.verify(occurs) {
                found.at(end + 1 - m);
            }
            end += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

impl Part {
    /// Back to the beginning of a text.
    fn rewind(&mut self) {
        (self.start, self.matched, self.compared, self.alike) = (self.cut, 0, 0, true);
    }

    /// Reads the character at `i`. Answers whether the right part ends there, and the characters before it
    /// match.
    #[inline(always)]
    fn step<P: Probe>(&mut self, i: usize, pattern: Pattern<P>, text: Text<P>, probe: P) -> bool {
        if probe.branch(i < self.start) {
            return false;
        }
        if probe.branch(pattern.at(self.cut + self.matched) != text.at(i)) {
            (self.start, self.matched, self.compared, self.alike) = (i + 1, 0, 0, true);
            probe.writes(4);
            return false;
        }
        self.matched += 1;
        probe.writes(1);
        if probe.branch(self.compared < self.left && self.alike) {
            self.compared += 1;
            self.alike = pattern.at(self.cut - self.compared) == text.at(self.start - self.compared);
            probe.writes(2);
        }
        if probe.branch(self.matched < self.length - self.cut) {
            return false;
        }
        let ends = self.alike;
        self.start += self.period;
        self.matched = self.matched.saturating_sub(self.period);
        (self.compared, self.alike) = (0, true);
        probe.writes(4);
        ends
    }
}

/// For each length of a prefix, where Crochemore and Perrin cut it: the later of its greatest suffixes in
/// both orders of the characters.
fn find_cuts(pattern: &[u8], cuts: &mut Vec<usize>) {
    cuts.clear();
    cuts.resize(pattern.len() + 1, 0);
    greatest_suffixes(pattern, cuts, |a, b| a.cmp(&b));
    greatest_suffixes(pattern, cuts, |a, b| b.cmp(&a));
}

/// Where the greatest suffix of each prefix begins, if that is later than what `cuts` has.
fn greatest_suffixes(pattern: &[u8], cuts: &mut [usize], order: fn(u8, u8) -> Ordering) {
    // Compares the suffix at `start` with a candidate further right; their first `k` characters agree.
    let (mut start, mut candidate, mut k, mut period) = (0, 1, 0, 1);
    // Lengths of prefixes up to this one are done: the comparison can go back to shorter ones.
    let mut done = 0;
    while candidate + k <= pattern.len() {
        let length = candidate + k;
        if length > done {
            cuts[length] = cuts[length].max(start);
            done = length;
        }
        if length == pattern.len() {
            break;
        }
        match order(pattern[length], pattern[start + k]) {
            Ordering::Less => {
                candidate += k + 1;
                k = 0;
                period = candidate - start;
            }
            Ordering::Equal if k + 1 == period => {
                candidate += period;
                k = 0;
            }
            Ordering::Equal => k += 1,
            Ordering::Greater => {
                start = candidate;
                candidate += 1;
                k = 0;
                period = 1;
            }
        }
    }
}

register!(algorithm RealTime);

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(pattern: &[u8]) -> Vec<(usize, usize)> {
        let mut searcher = RealTime::default();
        searcher.prepare(pattern, Off);
        searcher.parts.iter().map(|part| (part.length, part.cut)).collect()
    }

    #[test]
    fn a_pattern_that_is_cut_in_its_first_half_has_one_part() {
        assert_eq!(parts(b"abaabaab"), [(8, 2)]);
        assert_eq!(parts(b"a"), [(1, 0)]);
    }

    #[test]
    fn what_the_left_part_leaves_is_the_task_of_a_shorter_prefix() {
        assert_eq!(parts(b"aaaab"), [(5, 4), (4, 0)]);
        assert_eq!(parts(b"0000010011"), [(10, 8), (9, 5), (5, 0)]);
    }

    #[test]
    fn every_short_binary_pattern_is_found_between_its_parts() {
        let (mut searcher, mut found) = (RealTime::default(), Vec::new());
        for bits in 0..1_u32 << 11 {
            let pattern: Vec<u8> = (0..11).map(|i| (bits >> i & 1) as u8).collect();
            let text = [&pattern[2..], &pattern, &pattern[..7], &pattern[4..], &pattern].concat();
            searcher.prepare(&pattern, Off);
            found.clear();
            searcher.search(Pattern::new(&pattern, Off), Text::new(&text, Off), &mut found, Off);
            let naive: Vec<usize> =
                (0..=text.len() - 11).filter(|&s| text[s..].starts_with(&pattern)).collect();
            assert_eq!(found, naive, "{pattern:?}");
        }
    }

    #[test]
    fn the_cut_of_each_prefix_is_the_later_of_its_greatest_suffixes() {
        let mut cuts = Vec::new();
        for bits in 0..1_u32 << 10 {
            let pattern: Vec<u8> = (0..10).map(|i| (bits >> i & 1) as u8).collect();
            find_cuts(&pattern, &mut cuts);
            for length in 1..=10 {
                let suffix = |i: usize| &pattern[i..length];
                let inverse = |i: usize| suffix(i).iter().map(|bit| 1 - bit).collect::<Vec<_>>();
                let greatest = (0..length).max_by(|&a, &b| suffix(a).cmp(suffix(b))).unwrap();
                let other = (0..length).max_by_key(|&i| inverse(i)).unwrap();
                assert_eq!(cuts[length], greatest.max(other), "{pattern:?} {length}");
            }
        }
    }
}
