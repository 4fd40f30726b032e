//! Optimal hash with unique hashes.
//!
//! Pays on large alphabets and short patterns, where q is small.
//! Departures: we have seen the paper's abstract, by which q is the least for which the hashes of the
//! pattern's q-grams all differ. The hash is that of Hash-q, with 16 bits: each character counts half as much
//! as the one before it. A q greater than eight is not tried; then q is eight, or the pattern's length if
//! that is less, and hashes may be equal. If the q-gram does not occur in the pattern, the shift is m - q + 1,
//! which passes no occurrence. One computation = the hash of a q-gram.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::shifts::Shifts;

/// The searcher: the shifts of the q that was chosen.
#[derive(Default)]
pub struct UniqueHash {
    q: usize,
    bytes: Shifts<8>,
    /// For q of 2 and more.
    shifts: Shifts<16>,
    /// The hashes of the pattern's q-grams; used by the preparation alone.
    hashes: Vec<usize>,
}

/// The greatest q: the sum of eight characters is the longest that 16 bits hold.
const GREATEST: usize = 8;

impl Algorithm for UniqueHash {
    const ABOUT: About = About {
        id: "ohash1",
        name: "Optimal hash with unique hashes",
        reference: papers::OPTIMAL_HASH,
        unverified: "the hash and the greatest q: the paper was not seen, but its abstract",
        idea: "Hash-q with the least q for which no two q-grams of the pattern have the same hash.",
        preparation_time: "O(m log m)",
        space: "O(m): 512 bytes for q = 1, else 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(nq/(m-q+1))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let greatest = GREATEST.min(pattern.len());
        self.q = (1..greatest).find(|&q| self.are_unique(pattern, q)).unwrap_or(greatest);
        match self.q {
            1 => self.bytes.fill(pattern, 1, hash, probe),
            q => self.shifts.fill(pattern, q, hash, probe),
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

impl UniqueHash {
    /// Whether no two q-grams of the pattern have the same hash.
    fn are_unique(&mut self, pattern: &[u8], q: usize) -> bool {
        self.hashes.clear();
        self.hashes.extend(pattern.windows(q).map(hash));
        self.hashes.sort_unstable();
        self.hashes.windows(2).all(|pair| pair[0] != pair[1])
    }
}

/// Hash-q's search. Only the hash of one character determines it, so that it need not be compared.
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
    let compared = if Q == 1 { m - 1 } else { m };
    // SAFETY: Q <= m <= end <= n.
    let index = |end: usize| hash(&unsafe { text.block_unchecked::<Q>(end - Q) });
    let fits = |s: usize| {
        if pattern.occurs(text, s, 0..compared) {
            found.at(s);
        }
        after_match
    };
    shifts.search(m, n, index, fits, probe);
}

/// Each character counts half as much as the one before it.
#[inline(always)]
fn hash(qgram: &[u8]) -> usize {
    qgram.iter().fold(0, |hash, &byte| (hash << 1) + usize::from(byte))
}

register!(algorithm UniqueHash);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q_is_the_least_with_hashes_that_all_differ() {
        let q = |pattern: &[u8]| {
            let mut searcher = UniqueHash::default();
            searcher.prepare(pattern, Off);
            searcher.q
        };
        // `cd` and `db` differ, but have one hash: 2 * 99 + 100 = 2 * 100 + 98.
        assert_eq!([&b"abcd"[..], b"abcda", b"acdba", b"aa", b"aaaaaaaaaaaa"].map(q), [1, 2, 3, 2, 8]);
    }
}
