//! Long BNDM (`lbndm`, `lbndm-t`).
//!
//! Pays on patterns longer than a word, over alphabets that are large beside the number of characters that
//! share a bit.
//! Departures: if the pattern's length is not a multiple of the number of characters that share a bit, the
//! last characters have no bit. If no characters share a bit, an occurrence that the state shows is not
//! compared again. `lbndm-t`, which is ours, limits the number of characters that share a bit so that a
//! quarter of the bits stays unset, because full masks exclude nothing; if the pattern is longer, only a
//! prefix is superimposed. One computation = one step: the and and the shift.
//! Timed: the last two characters of a window are read without a test between them, and again if they occur
//! in the pattern, because most windows end with two that do not.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::WORD;

/// The searcher: for each byte, a 1 for each group of characters that contains it, from the highest bit down.
/// If it is `LIMITED`, some bits stay unset, whatever the pattern is.
#[derive(Default)]
pub struct LongBndm<const LIMITED: bool> {
    mask: ByteTable<u64>,
    /// How many characters share a bit.
    shared: usize,
    /// How many characters have a bit.
    width: usize,
}

/// Set if what has been read is a prefix of the superimposed pattern.
const PREFIX: u64 = 1 << 63;

impl<const LIMITED: bool> LongBndm<LIMITED> {
    /// The facts about the published search.
    const PUBLISHED: About = About {
        id: "lbndm",
        name: "Long BNDM",
        reference: papers::ALTERNATIVE_ALGORITHMS,
        status: Status::FromPaper(
            "The paper's search; that the last characters have no bit if they are fewer than share one is \
                our choice.",
        ),
        after: &["bndm"],
        idea: "BNDM of a pattern whose every k characters are superimposed, in each k-th character of the \
            text; then compares.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s/k, k characters of the pattern to a bit, as \
            long as k is small beside s",
        ..About::UNKNOWN
    };

    /// Superimposes each `shared` characters of the pattern; only those of a prefix, if a word has too few
    /// bits for all.
    fn fill(&mut self, pattern: &[u8], shared: usize) {
        self.shared = shared;
        self.width = (pattern.len() / self.shared).min(WORD) * self.shared;
        self.mask.fill(0);
        for (i, &byte) in pattern[..self.width].iter().enumerate() {
            self.mask[byte as usize] |= PREFIX >> (i / self.shared);
        }
    }

    /// As [`fill`](Self::fill). Returns whether that sets too much: more than three of four bits in the mask
    /// of a character, in the mean over the pattern's, in which each byte occurs as often as `counts` says.
    fn overfills(&mut self, pattern: &[u8], counts: &[usize; 256], shared: usize) -> bool {
        self.fill(pattern, shared);
        let masks = counts.iter().zip(self.mask.iter());
        let set = masks.map(|(count, mask)| count * mask.count_ones() as usize).sum::<usize>();
        set * 4 > pattern.len() * (self.width / shared) * 3
    }

    /// Superimposes as many characters as leave a quarter of the bits unset, at most `most` and at least one.
    /// Halving and then bisecting tries few numbers, because each takes the time of filling the masks.
    fn fill_sparsely(&mut self, pattern: &[u8], most: usize) {
        let mut counts = [0; 256];
        pattern.iter().for_each(|&byte| counts[byte as usize] += 1);
        let (mut dense, mut sparse) = (most + 1, most);
        while sparse > 1 && self.overfills(pattern, &counts, sparse) {
            (dense, sparse) = (sparse, sparse / 2);
        }
        while dense - sparse > 1 {
            let middle = sparse.midpoint(dense);
            if self.overfills(pattern, &counts, middle) {
                dense = middle;
            } else {
                sparse = middle;
            }
        }
        self.fill(pattern, sparse);
    }
}

impl<const LIMITED: bool> Algorithm for LongBndm<LIMITED> {
    const ABOUT: About = if LIMITED {
        About {
            id: "lbndm-t",
            name: "Long BNDM with sparse masks",
            status: Status::ImprovedHere(
                "The paper superimposes the whole pattern, however many bits that sets; here a quarter of \
                    the bits stays unset, and only a prefix is superimposed if the pattern is longer.",
            ),
            formerly: Formerly { ids: &["lbndm"], until: "0.1.0" },
            after: &["lbndm"],
            idea: "Long BNDM that superimposes at most as many characters as leave a quarter of the bits \
                unset, and only a prefix of patterns that are longer; then compares.",
            preparation_time: "O(m log(m)+s)",
            average_case: "O(n log(p)/p), p the length of what is superimposed, k characters of it to a bit, \
                logarithm to the base s/k",
            ..Self::PUBLISHED
        }
    } else {
        Self::PUBLISHED
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let shared = pattern.len().div_ceil(WORD);
        if LIMITED {
            self.fill_sparsely(pattern, shared);
        } else {
            self.fill(pattern, shared);
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (shared, width, n, mask) = (self.shared, self.width, text.len(), self.mask.view(probe));
        assert!(shared > 0 && shared <= width, "prepared for a pattern");
        // The first of a window's characters that are read.
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s + width - shared < n) {
            if !P::COUNTS && width > shared {
                // Most windows end with two characters that don't follow each other in the pattern.
                let [last, before] = [1, 2].map(|k| mask.at(text.at(s + width - k * shared)));
                if last & PREFIX == 0 && last << 1 & before == 0 {
                    s += width;
                    continue;
                }
            }
            let (mut state, mut i, mut shift) = (!0, width, width);
            probe.writes(3);
            while probe.branch(state != 0) {
                i -= shared;
                state &= mask.at(text.at(s + i));
                probe.writes(2);
                probe.computes(1);
                if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                }
                state <<= 1;
                probe.writes(1);
            }
            if shared == 1 && width == pattern.len() {
                if probe.verify(state != 0) {
                    found.at(s);
                }
            } else if probe.branch(state != 0) {
                verify(pattern, text, (s + 1).saturating_sub(shared)..s + 1, found, probe);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Compares the windows that have a superimposed one at the same place.
#[cold]
#[inline(never)]
fn verify<P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    windows: std::ops::Range<usize>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n) = (pattern.len(), text.len());
    let mut s = windows.start;
    probe.writes(1);
    while probe.branch(s < windows.end && s <= n - m) {
        if pattern.occurs(text, s, 0..m) {
            found.at(s);
        }
        s += 1;
        probe.writes(1);
    }
}

register!(algorithm LongBndm<false>; LongBndm<true>);

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern over this number of letters.
    fn pattern(m: u32, letters: u32) -> Vec<u8> {
        (0..m)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 16 & 0xffff) % letters)
            .map(|letter| letter as u8)
            .collect()
    }

    /// How many characters share a bit.
    fn shared<const LIMITED: bool>(pattern: &[u8]) -> usize {
        let mut searcher = LongBndm::<LIMITED>::default();
        searcher.prepare(pattern, Off);
        assert_eq!(searcher.width, (pattern.len() / searcher.shared).min(WORD) * searcher.shared);
        searcher.shared
    }

    #[test]
    fn the_published_search_superimposes_all_of_the_pattern_and_ours_as_much_as_stays_sparse() {
        for (m, published) in [(64, 1), (65, 2), (128, 2), (2048, 32), (131_072, 2048)] {
            assert_eq!(shared::<false>(&pattern(m, 4)), published, "{m}");
            let ours = shared::<true>(&pattern(m, 4));
            assert!(ours <= published.min(6), "{ours} of {m}");
        }
        assert_eq!(shared::<true>(&pattern(2048, 250)), 32, "of many letters, all bits are sparse");
    }

    #[test]
    fn ours_shares_the_greatest_number_of_characters_that_stays_sparse() {
        for (m, letters) in [(512, 4), (2048, 4), (4096, 20), (65_536, 20)] {
            let pattern = pattern(m, letters);
            let mut counts = [0; 256];
            pattern.iter().for_each(|&byte| counts[byte as usize] += 1);
            let chosen = shared::<true>(&pattern);
            let is_dense = |shared| LongBndm::<true>::default().overfills(&pattern, &counts, shared);
            assert!(chosen > 1 && !is_dense(chosen) && is_dense(chosen + 1), "{chosen} for {m} of {letters}");
        }
    }
}
