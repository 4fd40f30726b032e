//! Galil-Seiferas (`gs`).
//!
//! Pays where neither memory may depend on the pattern nor its characters have an order: linear time with a
//! handful of variables.
//! Departures: none in what is compared; the three procedures of the preparation, which call each other in
//! the paper, are loops here. Reads are unchecked.

use assay_plugin_api::prelude::*;

/// A period is a prefix period if its word is repeated at least this often at the beginning.
const K: usize = 4;

/// The searcher: a factorisation of the pattern whose right part has at most one prefix period.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct GalilSeiferas {
    /// Length of the left part.
    cut: usize,
    /// The right part's prefix period; its least period if it has none.
    period: usize,
    /// How long the prefix is that has this period.
    reach: usize,
}

impl Algorithm for GalilSeiferas {
    const ABOUT: About = About {
        id: "gs",
        name: "Galil-Seiferas",
        reference: Reference {
            authors: &["Z. Galil", "J. Seiferas"],
            title: "Time-space-optimal string matching",
            journal: "J. Comput. Syst. Sci.",
            volume: "26",
            number: "3",
            pages: "280-294",
            year: 1983,
            doi: "10.1016/0022-0000(83)90002-8",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook, whose three procedures are loops \
                here.",
        ),
        parameters: "k=4",
        idea: "Cuts the pattern so that its right part has one prefix period at most, and tests the left \
            part where the right one occurs.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n): 5n comparisons",
        average_case: "O(n)",
        yardstick: true,
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        *self = factorise(pattern);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let GalilSeiferas { cut, period, reach } = *self;
        let (m, n) = (pattern.len(), text.len());
        assert!(cut < m && m <= n, "a text shorter than the pattern");
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        // Of the window's right part, the characters up to `i` match.
        let (mut s, mut i) = (0, cut);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            while probe.branch(i < m && alike(s, i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.branch(i == m) && pattern.occurs(text, s, 0..cut) {
                found.at(s);
            }
            let matched = i - cut;
            if probe.branch(matched == reach) {
                s += period;
                i -= period;
            } else {
                s += matched / K + 1;
                i = cut;
                probe.computes(1);
            }
            probe.writes(2);
            probe.jump();
        }
    }
}

/// Length of the word's longest prefix with this period. Its first `reach` characters are known to have it.
fn extend(word: &[u8], period: usize, mut reach: usize) -> usize {
    while reach < word.len() && word[reach - period] == word[reach] {
        reach += 1;
    }
    reach
}

/// Cuts the pattern.
fn factorise(pattern: &[u8]) -> GalilSeiferas {
    let (mut cut, mut period, mut reach) = (0, 1, 1);
    loop {
        let word = &pattern[cut..];
        // The first prefix period.
        reach = extend(word, period, reach);
        while reach < K * period {
            if reach >= word.len() {
                return GalilSeiferas { cut, period, reach };
            }
            period += (reach - period) / K + 1;
            reach = extend(word, period, period);
        }
        // The second, which is longer than what the first one leaves of its prefix.
        let mut second = reach - period;
        let mut known = second;
        loop {
            let end = word.len().min(K * second);
            known = extend(&word[..end], second, known);
            if known == K * second {
                break;
            }
            if known >= word.len() {
                return GalilSeiferas { cut, period, reach };
            }
            if known - second == reach {
                second += period;
            } else {
                second += (known - second) / K + 1;
                known = second;
            }
        }
        // The cut moves on until there is no prefix period before the second.
        while period < second {
            reach = extend(&pattern[cut..], period, reach);
            while reach >= K * period {
                cut += period;
                reach -= period;
            }
            period += (reach - period) / K + 1;
            reach = period;
        }
    }
}

register!(algorithm GalilSeiferas);

#[cfg(test)]
mod tests {
    use super::*;

    /// The prefix periods of a word, with the length of the prefix that has them.
    fn prefix_periods(word: &[u8]) -> Vec<(usize, usize)> {
        let basic = |p: usize| {
            (1..p).all(|part| !p.is_multiple_of(part) || (part..p).any(|i| word[i] != word[i - part]))
        };
        let periods = (1..=word.len() / K).map(|p| (p, extend(word, p, p)));
        periods.filter(|&(p, reach)| reach >= K * p && basic(p)).collect()
    }

    #[test]
    fn the_right_part_has_one_prefix_period_at_most() {
        let words = (1..=13)
            .flat_map(|m| (0_u32..1 << m).map(move |bits| (0..m).map(|i| (bits >> i & 1) as u8).collect()));
        let powers = (1..6)
            .flat_map(|i| (1..6).map(move |j| [b"a".repeat(i), b"b".to_vec()].concat().repeat(j).repeat(5)));
        for word in words.chain(powers) {
            let GalilSeiferas { cut, period, reach } = factorise(&word);
            let right = &word[cut..];
            match prefix_periods(right)[..] {
                [] => assert_eq!((reach, extend(right, period, period)), (right.len(), right.len())),
                ref periods => assert_eq!(periods, [(period, reach)], "{}", word.escape_ascii()),
            }
        }
    }
}
