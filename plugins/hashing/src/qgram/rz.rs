//! RZ: 1.5-byte read, skip loop, k windows (`rz1`, `rz2`, `rz3`).
//!
//! Pays on large alphabets and middle lengths; more windows where the skips of one would wait for each other.
//! Departures: this is the author's program (`RZk_byte_w2.cpp` of github.com/zavadsky/stringology, Algorithms
//! 4 and 5 of the paper), and not the paper itself. The program puts a copy of the pattern before the
//! text, which stops the skips. Here the text is left as it is, and a test stops them in each turn. One
//! computation = the index of a pair.

use assay_plugin_api::prelude::*;
use assay_plugin_api::{ByteTableView, HashTableView};

/// The searcher of `K` windows.
#[derive(Default)]
pub struct Rz<const K: usize> {
    /// For each index of a pair, 0 if a window may begin or go on with the pair, and 1 if it can't, because
    /// the pair does not occur in the pattern and does not begin with its last character.
    absent: HashTable<u8, BITS>,
    /// By the character before the window: how far it moves left to have it, as in Quick Search reversed.
    shift: ByteTable<u32>,
}

/// Bits of an index: more than those of a byte, because a pair must exclude more windows than one character,
/// and few enough for a table of 8 KiB. The author's program has as many.
const BITS: u32 = 13;

impl<const K: usize> Algorithm for Rz<K> {
    const ABOUT: About = About {
        id: "rz",
        name: "RZ: 1.5-byte read, skip loop, k windows",
        reference: Reference {
            authors: &["I. O. Zavadskyi"],
            title: "Fast Exact Pattern Matching in a Bitstream and 256-ary Strings",
            booktitle: "PSC 2020",
            pages: "33-47",
            year: 2020,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram("The program was seen, and the abstracts of two papers."),
        parameters: "bits=13",
        idea: "Passes windows whose first two characters, of which 13 bits are looked up, are not in the \
            pattern, from right to left in k parts of the text at once.",
        preparation_time: "O(m+s)",
        space: "O(s): 9 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/m) while the pattern's pairs are few beside the 8192 indices",
        ..About::UNKNOWN
    };

    /// The pair after the first of a window of two characters ends after the window.
    const NEEDS: Needs =
        Needs { min_pattern: 2, slack: |m| if m == 2 { 1 } else { 0 }, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.absent.fill(1);
        for pair in pattern.windows(2) {
            *self.absent.at_mut(usize::from(u16::from_le_bytes([pair[0], pair[1]]))) = 0;
        }
        // The pattern may end with the first character of a pair, whatever comes next.
        let last = usize::from(pattern[pattern.len() - 1]);
        for next in 0..1 << (BITS - 8) {
            *self.absent.at_mut(next << 8 | last) = 0;
        }
        self.shift.fill(pattern.len() as u32 + 1);
        for (place, &byte) in pattern.iter().enumerate().rev() {
            self.shift[usize::from(byte)] = place as u32 + 1;
        }
        probe.table(&self.absent);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!((2..=n).contains(&m), "a pattern shorter than a pair, or longer than the text");
        let tables = Tables { absent: self.absent.view(probe), shift: self.shift.view(probe) };
        // Part k is of the windows that begin from `k * windows / K` on, up to the next part.
        let windows = n + 1 - m;
        let from: [usize; K] = std::array::from_fn(|k| k * windows / K);
        let mut left: [usize; K] = std::array::from_fn(|k| (k + 1) * windows / K - from[k]);
        probe.writes(K as u64);
        tables.skip(from, &mut left, pattern, text, found, probe);
        for (&from, left) in from.iter().zip(&mut left) {
            let mut rest = [*left];
            tables.skip([from], &mut rest, pattern, text, found, probe);
            let [mut left] = rest;
            while probe.branch(left > 0) {
                let shift = tables.settle(from + left - 1, pattern, text, found, probe);
                left = left.saturating_sub(shift);
                probe.writes(1);
                probe.jump();
            }
        }
    }
}

/// The tables of [`Rz`] during a search.
#[derive(Clone, Copy)]
struct Tables<'a, P> {
    absent: HashTableView<'a, u8, BITS, P>,
    shift: ByteTableView<'a, u32, P>,
}

impl<P: Probe> Tables<'_, P> {
    /// Whether no window begins with the pair at `s`, or contains it, or ends with its first character: then
    /// it is 1.
    #[inline(always)]
    fn is_absent(&self, s: usize, text: Text<P>, probe: P) -> u8 {
        probe.computes(1);
        // SAFETY: the pair begins within a window that lies in the text, or after its first character, where
        // windows of two characters have one of slack.
        let pair = unsafe { text.gram_unchecked::<2>(s) };
        self.absent.at(pair as usize)
    }

    /// Moves windows to the left as long as each has more than m positions of its part to search, which are
    /// `left`.
    #[inline(always)]
    fn skip<const N: usize>(
        &self,
        from: [usize; N],
        left: &mut [usize; N],
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let m = pattern.len();
        let least = |left: &[usize; N]| left.iter().copied().min().unwrap_or(0);
        let mut fewest = least(left);
        probe.writes(1);
        while probe.branch(fewest > m) {
            // All pairs are looked up before the branch, because it seldom matters which one occurs.
            let absent = (0..N).fold(1, |all, k| all & self.is_absent(from[k] + left[k] - 1, text, probe));
            if probe.branch(absent != 0) {
                for left in left.iter_mut() {
                    *left -= m;
                    probe.jump();
                }
                fewest -= m;
                probe.writes(N as u64 + 1);
                continue;
            }
            for k in 0..N {
                // A shift is at most m + 1, and more than m positions are left.
                left[k] -= self.settle(from[k] + left[k] - 1, pattern, text, found, probe);
                probe.jump();
            }
            fewest = least(left);
            probe.writes(N as u64 + 1);
        }
    }

    /// Searches the window at `s`, unless the pair after its first character excludes it. Returns the shift.
    #[inline(always)]
    fn settle(
        &self,
        s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let m = pattern.len();
        if probe.branch(self.is_absent(s + 1, text, probe) != 0) {
            return m - 1;
        }
        if pattern.occurs(text, s, 0..m) {
            found.at(s);
        }
        // Nothing is left before the first window.
        if s == 0 { 1 } else { self.shift.at(text.at(s - 1)) as usize }
    }
}

register!(algorithm Rz, k: [1, 2, 3]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_may_begin_with_the_last_character_and_counts_by_thirteen_bits() {
        let mut searcher = Rz::<1>::default();
        searcher.prepare(b"abcab", Off);
        let absent = |pair: &[u8; 2]| searcher.absent[usize::from(u16::from_le_bytes(*pair)) % (1 << BITS)];
        assert_eq!([b"ab", b"bc", b"ca", b"bx", b"ac", b"xa"].map(absent), [0, 0, 0, 0, 1, 1]);
        // B and b differ in the sixth bit alone.
        assert_eq!([b"aB", b"Ab"].map(absent), [0, 1]);
        assert_eq!([b'a', b'b', b'c', b'x'].map(|byte| searcher.shift[usize::from(byte)]), [1, 2, 3, 6]);
    }
}
