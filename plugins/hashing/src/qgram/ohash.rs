//! Optimal hash (`ohash2`).
//!
//! Pays on large alphabets and short patterns, where q is 1 or 2.
//! Departures: only the abstract was used, because the paper was not seen and the author's three programs are
//! under the GPL. The index of one or two characters is their number; for q of 3 and more, it is the highest
//! 16 bits of a product. If no q up to eight separates the q-grams, q is eight. If the q-gram does not occur
//! in the pattern, the shift is m - q + 1, which passes no occurrence. One computation = the index of a
//! q-gram.

use assay_plugin_api::prelude::*;
use assay_shared::grams::spread;
use assay_shared::papers;

use super::shifts::{Shifts, number};

/// The searcher: the shifts of the q that was chosen.
#[derive(Default)]
pub struct OptimalHash {
    q: usize,
    /// For q = 1.
    bytes: Shifts<8>,
    /// For q of 2 and more.
    shifts: Shifts<16>,
    /// The indices of a pattern's q-grams, in order.
    indices: Vec<usize>,
}

/// The greatest q: that many characters fit a word.
const GREATEST: usize = 8;

impl Algorithm for OptimalHash {
    const ABOUT: About = About {
        id: "ohash2",
        name: "Optimal hash",
        reference: papers::OPTIMAL_HASH,
        status: Status::FromAbstract(
            "The abstract was seen, which takes the least q for which each q-gram of the pattern has a hash \
                value of its own; the hash, the limit of eight and the shift of an absent q-gram are ours.",
        ),
        after: &["hash"],
        idea: "Hash-q with the least q for which no two q-grams of the pattern share a hash value.",
        preparation_time: "O(m log m)",
        space: "O(m): 512 bytes for q = 1, else 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(nq/(m-q+1))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        // A shorter pattern is separated by its length at most.
        self.q = (1..GREATEST).find(|&q| self.separates(pattern, q)).unwrap_or(GREATEST);
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
    /// Whether each q-gram of the pattern has an index of its own.
    fn separates(&mut self, pattern: &[u8], q: usize) -> bool {
        self.indices.clear();
        self.indices.extend(pattern.windows(q).map(|qgram| index(number(qgram), q)));
        self.indices.sort_unstable();
        self.indices.windows(2).all(|pair| pair[0] != pair[1])
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

register!(algorithm OptimalHash);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q_is_the_least_that_separates_all_qgrams_and_eight_at_most() {
        let q = |pattern: &[u8]| {
            let mut searcher = OptimalHash::default();
            searcher.prepare(pattern, Off);
            searcher.q
        };
        let patterns = [&b"abcd"[..], b"abcda", b"abcab", b"aaa", b"\0\0\0\0", b"a\0b\0", b"aaaaaaaaaaaa"];
        assert_eq!(patterns.map(q), [1, 2, 3, 3, 4, 2, 8]);
    }
}
