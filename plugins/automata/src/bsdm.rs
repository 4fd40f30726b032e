//! Backward SNR DAWG Matching (`bsdm` to `bsdm8`).
//!
//! Pays on patterns of medium length with a long part in which no q-gram comes twice.
//! Departures: no copy of the pattern stands after the text to stop the fast loop. The hash of a q-gram is
//! injective up to two characters; for three it is a sum, for more a product. One computation = one hash.

use assay_plugin_api::prelude::*;
use assay_shared::filled::Filled;
use assay_shared::grams::product;

/// The searcher for q-grams of `Q` characters, hashed to `BITS` bits: the suffix automaton of the longest
/// part of the pattern in which no hash comes twice, which is a table of places.
#[derive(Default)]
pub struct BackwardSnr<const Q: usize, const BITS: u32> {
    /// For each hash, the place of its q-gram in the part, counted from 1; 0 where it has none.
    place: HashTable<u16, BITS>,
    /// Which entries of `place` are not empty.
    filled: Filled,
    /// Where the part begins.
    start: usize,
    /// How many q-grams it has.
    grams: usize,
}

impl<const Q: usize, const BITS: u32> Algorithm for BackwardSnr<Q, BITS> {
    const ABOUT: About = About {
        id: "bsdm",
        name: "Backward SNR DAWG Matching",
        reference: Reference {
            authors: &["S. Faro", "T. Lecroq"],
            title: "A Fast Suffix Automata Based Algorithm for Exact Online String Matching",
            booktitle: "CIAA 2012",
            series: "LNCS",
            volume: "7381",
            pages: "149-158",
            year: 2012,
            doi: "10.1007/978-3-642-31606-7_13",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The paper's search; the hashes of q-grams are ours."),
        after: &["rf"],
        idea: "Searches for the longest part of the pattern with no repeated q-gram: its suffix automaton is \
            a table of places.",
        preparation_time: "O(m+2^b) for hashes of b bits",
        space: "O(2^b): 512 bytes, 128 KiB, 16 KiB for q = 1, 2, 3, and 32 KiB from 4 on",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,2^b))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let place = &mut self.place;
        let text = Text::new(pattern, Off);
        // SAFETY: a pattern has Q bytes at least, and the last of these q-grams ends it.
        let hashes = || (0..=pattern.len() - Q).map(move |i| unsafe { hash::<Q, BITS, Off>(text, i) });
        // The longest run of hashes that differ. Meanwhile, 1 is for those of the current run.
        self.filled.clear(place);
        (self.start, self.grams) = (0, 0);
        let (mut start, mut leaving) = (0, hashes());
        for (i, entering) in hashes().enumerate() {
            while *place.at_mut(entering) > 0 || i - start == usize::from(u16::MAX) {
                *place.at_mut(leaving.next().expect("behind `entering`")) = 0;
                start += 1;
            }
            *place.at_mut(entering) = 1;
            if i + 1 - start > self.grams {
                (self.start, self.grams) = (start, i + 1 - start);
            }
        }
        // What is left of the last run; a fill would take longer.
        leaving.for_each(|hash| *place.at_mut(hash) = 0);
        for (i, hash) in (1..=u16::MAX).zip(hashes().skip(self.start).take(self.grams)) {
            *self.filled.fill(place, hash) = i;
        }
        probe.table(place);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, place) = (pattern.len(), text.len(), self.place.view(probe));
        let (start, grams) = (self.start, self.grams);
        assert!(m <= n && grams > 0 && start + grams + Q - 1 <= m, "prepared for another pattern");
        // Where the last q-gram of the part begins, in the window at 0.
        let last = start + grams - 1;
        let (mut j, limit) = (last, n - m + last);
        // SAFETY: up to `limit`, the window at j - last lies in the text, and the part's last q-gram in the
        // window.
        let look_up = |j| place.at(unsafe { hash::<Q, BITS, P>(text, j) });
        probe.writes(1);
        'windows: while probe.branch(j <= limit) {
            let mut i = usize::from(look_up(j));
            // Where a q-gram has no place, the next ones seldom do: two in a round.
            'unknown: loop {
                for _ in 0..2 {
                    probe.computes(1);
                    probe.writes(2);
                    probe.jump();
                    if !probe.branch(i == 0) {
                        break 'unknown;
                    }
                    j += grams;
                    if !probe.branch(j <= limit) {
                        break 'windows;
                    }
                    i = usize::from(look_up(j));
                }
            }
            // The q-gram is at `i - 1` of the part and nowhere else, so the characters before it there must
            // precede it in the text.
            let mut k = 1;
            probe.writes(1);
            // SAFETY: called for k < i <= grams, so these are characters of the part, and of the window.
            let alike = |k| unsafe { pattern.at_unchecked(start + i - 1 - k) == text.at_unchecked(j - k) };
            while probe.branch(k < i && alike(k)) {
                k += 1;
                probe.writes(1);
            }
            if probe.branch(k < i) {
                j += grams;
            } else if probe.branch(i < grams) {
                j += grams - i;
            } else {
                if pattern.occurs(text, j - last, 0..m) {
                    found.at(j - last);
                }
                j += grams;
            }
        }
    }
}

/// The hash of the q-gram at `i`.
///
/// # Safety
/// It must lie within the text.
#[inline(always)]
unsafe fn hash<const Q: usize, const BITS: u32, P: Probe>(text: Text<P>, i: usize) -> usize {
    if Q == 3 {
        // SAFETY: the caller's promise.
        let [first, second, third] = [0, 1, 2].map(|k| usize::from(unsafe { text.at_unchecked(i + k) }));
        return (first << 4) + (second << 2) + third;
    }
    // SAFETY: the caller's promise.
    unsafe { product::<Q, BITS, P>(text, i) }
}

register!(algorithm
    BackwardSnr<1, 8>, id: "bsdm", name: "Backward SNR DAWG Matching", parameters: "q=1";
    BackwardSnr<2, 16>, id: "bsdm2", name: "Backward SNR DAWG Matching with condensed alphabet (q=2)",
        parameters: "q=2";
    BackwardSnr<3, 13>, id: "bsdm3", name: "Backward SNR DAWG Matching with condensed alphabet (q=3)",
        parameters: "q=3";
    BackwardSnr<4, 14>, id: "bsdm4", name: "Backward SNR DAWG Matching with condensed alphabet (q=4)",
        parameters: "q=4";
    BackwardSnr<5, 14>, id: "bsdm5", name: "Backward SNR DAWG Matching with condensed alphabet (q=5)",
        parameters: "q=5";
    BackwardSnr<6, 14>, id: "bsdm6", name: "Backward SNR DAWG Matching with condensed alphabet (q=6)",
        parameters: "q=6";
    BackwardSnr<7, 14>, id: "bsdm7", name: "Backward SNR DAWG Matching with condensed alphabet (q=7)",
        parameters: "q=7";
    BackwardSnr<8, 14>, id: "bsdm8", name: "Backward SNR DAWG Matching with condensed alphabet (q=8)",
        parameters: "q=8"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_is_the_first_of_the_longest_without_a_repeated_q_gram() {
        assert_eq!(part::<1, 8>(b"abcabcd"), (3, 4));
        assert_eq!(part::<3, 13>(b"abcdabcd"), (0, 4));
        assert_eq!(part::<3, 13>(b"aaaab"), (1, 2));
        assert_eq!(part::<8, 14>(b"aaaaaaaaa"), (0, 1));
    }

    #[test]
    fn a_part_is_no_longer_than_places_can_tell() {
        // All pairs of bytes: each byte, then it and each greater one in turn.
        let pairs = |a| (a..=255).skip(1).flat_map(move |b| [a, b]);
        let word: Vec<u8> = (0..=255).flat_map(|a| [a].into_iter().chain(pairs(a))).chain([0]).collect();
        assert_eq!(word.len(), 65537);
        assert_eq!(part::<2, 16>(&word), (0, 65535));
    }

    fn part<const Q: usize, const BITS: u32>(pattern: &[u8]) -> (usize, usize) {
        let mut searcher = BackwardSnr::<Q, BITS>::default();
        searcher.prepare(pattern, Off);
        (searcher.start, searcher.grams)
    }
}
