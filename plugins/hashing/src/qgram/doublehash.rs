//! Double-Hash (`doublehash`).
//!
//! Pays nowhere, because hashing a window takes longer than comparing it. It is here because it was
//! published.
//! Departures: the paper was not seen. The hash is our choice, a sum in which each character counts 31 times
//! as much as the one after it, modulo 2^32; and a window with both hashes is verified, because other windows
//! can have them, too. One computation = one step of a hash.

use assay_plugin_api::prelude::*;
use assay_shared::shifts::fill_shifts;

/// The searcher: Horspool's shifts, and the pattern's two hashes.
#[derive(Default)]
pub struct DoubleHash {
    shift: ByteTable<u32>,
    /// Of the first half.
    half: u32,
    whole: u32,
}

impl Algorithm for DoubleHash {
    const ABOUT: About = About {
        id: "doublehash",
        name: "Double-Hash",
        reference: Reference {
            authors: &["M. Bicer", "X. Zhang"],
            title: "An efficient, hybrid, double-hash string-matching algorithm",
            booktitle: "IEEE LISAT 2019",
            year: 2019,
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The paper was not seen; the hash is ours, and so is the verification of windows with both \
                hashes.",
        ),
        after: &["hor"],
        idea: "Horspool's shifts; where the first character agrees, compares hashes of the first half and of \
            the window.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        fill_shifts(&mut self.shift, &pattern[..m - 1]);
        probe.table(&self.shift);
        self.half = pattern[..m / 2].iter().copied().fold(0, append);
        self.whole = pattern[m / 2..].iter().copied().fold(self.half, append);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift, half) = (pattern.len(), text.len(), self.shift.view(probe), pattern.len() / 2);
        // The hash of the characters of the window at `s` from `i` to `end`, after one of those before them.
        let hashed = |mut hash, s: usize, mut i: usize, end: usize| {
            probe.writes(2);
            while probe.branch(i < end) {
                // SAFETY: called only for windows that end before n, and with `end` of at most m.
                hash = append(hash, unsafe { text.at_unchecked(s + i) });
                i += 1;
                probe.computes(1);
                probe.writes(2);
            }
            hash
        };
        let first = pattern.kept(0);
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let s = end + 1 - m;
            if probe.branch(first.equals(text.at(s))) {
                let hash = hashed(0, s, 0, half);
                if probe.branch(hash == self.half)
                    && probe.branch(hashed(hash, s, half, m) == self.whole)
                    && pattern.occurs(text, s, 0..m)
                {
                    found.at(s);
                }
            }
            end += shift.at(text.at(end)) as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// The hash of a string that is longer by one character.
#[inline(always)]
fn append(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(31).wrapping_add(u32::from(byte))
}

register!(algorithm DoubleHash);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::testing;

    #[test]
    fn a_window_with_the_same_hashes_is_no_occurrence() {
        // 31 * 1 + 31 = 31 * 2 + 0, after a first half that is the same.
        let (pattern, other) = ([7, 7, 1, 31], [7, 7, 2, 0]);
        let hash = |window: [u8; 4]| window.into_iter().fold(0, append);
        assert_eq!(hash(pattern), hash(other));
        assert_eq!(testing::search::<DoubleHash, Off>(&pattern, &other), Ok(Vec::new()));
    }
}
