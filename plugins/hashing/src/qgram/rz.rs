//! RZ: 1.5-byte read, double skip loop, k windows.
//!
//! Pays on large alphabets and middle lengths; more windows where the skips of one would wait for each other.
//! Departures: the paper's listing was not at hand. The read takes 12 bits of its two bytes, all of the first
//! and the lower half of the second; two lookups a turn are made while all windows are far from where their
//! parts begin. Shifts beyond 65535 are cut. One computation = the index of a pair.

use assay_plugin_api::prelude::*;

/// The searcher of `K` windows.
#[derive(Default)]
pub struct Rz<const K: usize> {
    /// For each index of a pair, the first place in the pattern of one with it, which is the shift to the
    /// left.
    shift: HashTable<u16, BITS>,
    /// The greatest of them.
    longest: usize,
    /// What the shift of the first pair would be if it did not begin the pattern.
    after_match: usize,
    /// The pattern's words: at 0, 8, 16 .., and the last of eight bytes.
    words: Table<u64>,
}

/// Bits of an index: more than those of a byte, because a pair must exclude more windows than one character,
/// and few enough for a table of 8 KiB.
const BITS: u32 = 12;

impl<const K: usize> Algorithm for Rz<K> {
    const ABOUT: About = About {
        id: "rz",
        name: "RZ: 1.5-byte read, double skip loop, k windows",
        reference: Reference {
            authors: &["I. O. Zavadskyi"],
            title: "Fast Exact Pattern Matching in a Bitstream and 256-ary Strings",
            booktitle: "PSC 2020",
            year: 2020,
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstracts of two papers were seen and the listing was not; which 12 bits are read is ours.",
        ),
        parameters: "bits=12",
        idea: "Horspool from right to left by 12 bits of two characters, two skips a turn, in k parts of the \
            text at once.",
        preparation_time: "O(m)",
        space: "O(m): 8 KiB and a copy of the pattern",
        worst_case: "O(mn)",
        average_case: "O(n/m) while the pattern's pairs are few beside the 4096 indices",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let cut = |shift: usize| shift.min(usize::from(u16::MAX)) as u16;
        self.longest = usize::from(cut(pattern.len() - 1));
        self.shift.fill(cut(pattern.len() - 1));
        for (place, pair) in pattern.windows(2).enumerate().rev() {
            let entry = self.shift.at_mut(usize::from(u16::from_le_bytes([pair[0], pair[1]])));
            self.after_match = usize::from(*entry);
            *entry = cut(place);
        }
        self.words.reset(0, 0);
        let whole = pattern.chunks_exact(8).filter_map(|word| word.first_chunk());
        for word in whole.chain(pattern.last_chunk()) {
            self.words.push(u64::from_le_bytes(*word));
        }
        probe.table(&self.shift);
        probe.table(&self.words);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!((2..=n).contains(&m), "a pattern shorter than a pair, or longer than the text");
        // Part k is of the windows that begin from `k * windows / K` on, up to the next part.
        let windows = n + 1 - m;
        let from: [usize; K] = std::array::from_fn(|k| k * windows / K);
        let mut left: [usize; K] = std::array::from_fn(|k| (k + 1) * windows / K - from[k]);
        probe.writes(K as u64);
        let mut verify = |s| verify(pattern, text, self.words.view(probe), s, found, probe);
        self.skip(from, &mut left, text, &mut verify, probe);
        for (&from, left) in from.iter().zip(&mut left) {
            let mut rest = [*left];
            self.skip([from], &mut rest, text, &mut verify, probe);
            let [mut left] = rest;
            while probe.branch(left > 0) {
                let mut shift = self.step(from + left - 1, text, probe);
                if probe.branch(shift == 0) {
                    verify(from + left - 1);
                    shift = self.after_match;
                }
                left = left.saturating_sub(shift);
                probe.writes(1);
                probe.jump();
            }
        }
    }
}

impl<const K: usize> Rz<K> {
    /// The shift of the window that begins at `s`, which must be there.
    #[inline(always)]
    fn step<P: Probe>(&self, s: usize, text: Text<P>, probe: P) -> usize {
        probe.computes(1);
        // SAFETY: search asks for windows alone, which have two characters or more and lie in the text.
        let pair = unsafe { text.gram_unchecked::<2>(s) };
        usize::from(self.shift.view(probe).at(pair as usize))
    }

    /// Moves windows to the left as long as each can shift twice in its part, whose `left` positions are
    /// still to be searched.
    #[inline(always)]
    fn skip<const N: usize, P: Probe>(
        &self,
        from: [usize; N],
        left: &mut [usize; N],
        text: Text<P>,
        verify: &mut impl FnMut(usize),
        probe: P,
    ) {
        while probe.branch(left.iter().all(|&left| left > 2 * self.longest)) {
            let mut shifts = [0; N];
            for _ in 0..2 {
                for k in 0..N {
                    // No shift is longer than the longest, so that windows are left.
                    shifts[k] = self.step(from[k] + left[k] - 1, text, probe);
                    left[k] -= shifts[k];
                    probe.writes(1);
                    // A window that has come to rest stays.
                    if shifts[k] > 0 {
                        probe.jump();
                    }
                }
            }
            if probe.branch(shifts.contains(&0)) {
                for k in 0..N {
                    if probe.branch(shifts[k] == 0) {
                        verify(from[k] + left[k] - 1);
                        left[k] -= self.after_match;
                        probe.writes(1);
                        probe.jump();
                    }
                }
            }
        }
    }
}

/// Compares a window in words, or by characters where there are fewer than eight.
#[inline(never)]
fn verify<P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    words: TableView<u64, P>,
    s: usize,
    found: &mut impl Found,
    probe: P,
) {
    let m = pattern.len();
    if probe.branch(m < 8) {
        if pattern.occurs(text, s, 0..m) {
            found.at(s);
        }
        return;
    }
    let count = m / 8 + 1;
    let mut i = 0;
    probe.writes(1);
    while probe
        .branch(i < count && words.character_at(i) == u64::from_le_bytes(text.block(s + (8 * i).min(m - 8))))
    {
        i += 1;
        probe.writes(1);
    }
    if probe.verify(i == count) {
        found.at(s);
    }
}

register!(algorithm Rz, k: [1, 2, 3]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_character_counts_by_its_lower_half() {
        let mut searcher = Rz::<1>::default();
        searcher.prepare(b"xabyabab", Off);
        let shift = |pair: &[u8; 2]| searcher.shift[usize::from(u16::from_le_bytes(*pair)) % (1 << BITS)];
        assert_eq!([b"xa", b"ab", b"ar", b"ya", b"xx"].map(shift), [0, 1, 1, 3, 7]);
        assert_eq!(searcher.after_match, 7);
        assert_eq!(*searcher.words, [u64::from_le_bytes(*b"xabyabab"); 2]);
    }
}
