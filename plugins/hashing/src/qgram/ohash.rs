//! Optimal hash.
//!
//! Pays on large alphabets and short patterns, where q is 1 or 2.
//! Departures: of the three programs that were published, this is the second. Suffixes are sorted by their
//! first eight characters, which determine q up to eight. For a greater q the published program changes to
//! Hash-q with q = 8, and so does this one. A zero byte does not end a suffix. For q of 3 and more, the index
//! is the highest 16 bits of a product. If the q-gram does not occur in the pattern, the shift is m - q + 1,
//! which passes no occurrence. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;
use assay_shared::grams::spread;
use assay_shared::papers;

use super::shifts::{Shifts, number};

/// The searcher: the shifts of the q that was chosen.
#[derive(Default)]
pub struct OptimalHash {
    q: usize,
    bytes: Shifts<8>,
    /// For q of 2 and more.
    shifts: Shifts<16>,
    /// First characters of the suffixes, and how many they are.
    suffixes: Vec<(u64, usize)>,
}

/// The greatest q. If the pattern needs a greater one, this one is taken, and its q-grams may occur more than
/// once.
const GREATEST: usize = 8;

impl Algorithm for OptimalHash {
    const ABOUT: About = About {
        id: "ohash",
        name: "Optimal hash",
        reference: papers::OPTIMAL_HASH,
        status: Status::FromAuthorsProgram(
            "Written from the second of the authors' three programs; the shift of an absent q-gram is m - q \
                + 1, where theirs is one less.",
        ),
        after: &["hash"],
        idea: "Hash-q with q so great that no q-gram occurs twice in the pattern: a character more than the \
            longest repeat.",
        preparation_time: "O(m log m)",
        space: "O(m): 512 bytes for q = 1, else 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(nq/(m-q+1))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.q = (self.longest_repeat(pattern) + 1).min(GREATEST);
        match self.q {
            1 => self.bytes.fill(pattern, 1, |byte| usize::from(byte[0]), probe),
            q => self.shifts.fill(pattern, q, |qgram| index(number(qgram), q), probe),
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        match self.q {
            1 => search::<1, 8, P>(&self.bytes, pattern, text, found, probe),
            2 => search::<2, 16, P>(&self.shifts, pattern, text, found, probe),
            3 => search::<3, 16, P>(&self.shifts, pattern, text, found, probe),
            4 => search::<4, 16, P>(&self.shifts, pattern, text, found, probe),
            5 => search::<5, 16, P>(&self.shifts, pattern, text, found, probe),
            6 => search::<6, 16, P>(&self.shifts, pattern, text, found, probe),
            7 => search::<7, 16, P>(&self.shifts, pattern, text, found, probe),
            _ => search::<GREATEST, 16, P>(&self.shifts, pattern, text, found, probe),
        }
    }
}

impl OptimalHash {
    /// Length of the longest factor that occurs twice, or eight if it is longer.
    fn longest_repeat(&mut self, pattern: &[u8]) -> usize {
        self.suffixes.clear();
        self.suffixes.extend((0..pattern.len()).map(|i| {
            let mut first = [0; GREATEST];
            let length = (pattern.len() - i).min(GREATEST);
            first[..length].copy_from_slice(&pattern[i..i + length]);
            (u64::from_be_bytes(first), length)
        }));
        self.suffixes.sort_unstable();
        // Length of the common prefix of two neighbours, without the bytes that stand for characters after
        // the pattern.
        let common = |pair: &[(u64, usize)]| {
            let same = (pair[0].0 ^ pair[1].0).leading_zeros() as usize / 8;
            same.min(pair[0].1).min(pair[1].1)
        };
        self.suffixes.windows(2).map(common).max().unwrap_or(0)
    }
}

/// Hash-q's search. An index of at most two characters determines the q-gram, which then need not be
/// compared.
#[inline(always)]
fn search<const Q: usize, const BITS: u32, P: Probe>(
    shifts: &Shifts<BITS>,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n, after_match) = (pattern.len(), text.len(), shifts.after_match);
    assert!(Q <= m, "a pattern shorter than a q-gram");
    let compared = if Q <= 2 { m - Q } else { m };
    // SAFETY: Q <= m <= end <= n.
    let index = |end: usize| index(unsafe { text.gram_unchecked::<Q>(end - Q) }, Q);
    let fits = |s: usize| {
        if pattern.occurs(text, s, 0..compared) {
            found.at(s);
        }
        after_match
    };
    shifts.search(m, n, index, fits, probe);
}

/// The index of a q-gram: itself, or the highest 16 bits of a product.
#[inline(always)]
fn index(qgram: u64, q: usize) -> usize {
    if q <= 2 { qgram as usize } else { spread(qgram, 16) }
}

register!(algorithm OptimalHash, id: "ohash2", name: "Optimal hash (program 2)", parameters: "program=2");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q_is_one_more_than_the_longest_repeat_and_eight_at_most() {
        let q = |pattern: &[u8]| {
            let mut searcher = OptimalHash::default();
            searcher.prepare(pattern, Off);
            searcher.q
        };
        let patterns = [&b"abcd"[..], b"abcda", b"abcab", b"aaa", b"\0\0\0\0", b"a\0b\0", b"aaaaaaaaaaaa"];
        assert_eq!(patterns.map(q), [1, 2, 3, 3, 4, 2, 8]);
    }
}
