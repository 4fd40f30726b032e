//! Linear distances of q-gram occurrences (`ldistq2` to `ldistq8`).
//!
//! Pays as `distq` does, where q is long and shifts are short.
//! Departures: as in `distq`; and the hash, here one that rolls, is Hash-q's, of twelve bits or more. One
//! computation = the hash of a q-gram.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::distances::Distances;

/// The searcher: the distances for hashes of 12 bits.
#[derive(Default)]
pub struct LinearDistQ<const Q: usize> {
    distances: Distances,
}

impl<const Q: usize> LinearDistQ<Q> {
    /// Bits by which a character counts more than the one after it: the first one reaches the hash's highest
    /// bits.
    const SHIFT: u32 = if Q <= 2 {
        4
    } else if Q <= 4 {
        2
    } else {
        1
    };
}

impl<const Q: usize> Algorithm for LinearDistQ<Q> {
    const ABOUT: About = About {
        id: "ldistq",
        name: "Linear distances of q-gram occurrences",
        reference: papers::DISTANCES_OF_QGRAMS,
        status: Status::FromPaper("The paper's search; the hash, which rolls, is that of `hash`."),
        after: &["distq"],
        idea: "DISTq with a rolling hash: a q-gram that overlaps the last one is hashed from that one.",
        preparation_time: "O(m)",
        space: "O(m): 16 KiB and 12 bytes a character",
        worst_case: "O(n)",
        average_case: "O(nq/(m-q+1)) while the pattern's q-grams are few beside the 4096 hashes",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        let append = |hash: usize, &byte: &u8| (hash << Self::SHIFT) + usize::from(byte);
        self.distances.fill(pattern, Q, |qgram| qgram.iter().fold(0, append), probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        assert!(Q <= pattern.len(), "a pattern shorter than a q-gram");
        // SAFETY: only q-grams are read that end between the end of the first window and that of the text.
        let at = |i: usize| usize::from(unsafe { text.at_unchecked(i) });
        // Where the last q-gram ended, and its hash with all bits.
        let (mut ended, mut hash) = (0, 0_usize);
        let hash_before = |end: usize| {
            if probe.branch(end - ended < Q) {
                while probe.branch(ended < end) {
                    hash = (hash << Self::SHIFT) + at(ended) - (at(ended - Q) << (Self::SHIFT * Q as u32));
                    ended += 1;
                    probe.writes(2);
                }
            } else {
                hash = (end - Q..end).fold(0, |hash, i| (hash << Self::SHIFT) + at(i));
                ended = end;
                probe.writes(2);
            }
            hash
        };
        self.distances.search(Q, pattern, text, found, hash_before, probe);
    }
}

register!(algorithm LinearDistQ, q: [2, 3, 4, 5, 6, 7, 8]);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::{Count, Counters, Counting, Field};

    /// Each character is read twice at most by comparisons, and when it enters and when it leaves a q-gram.
    #[test]
    fn time_is_linear_where_windows_nearly_match() {
        let (m, n) = (200, 20_000);
        let repeated =
            |unit: &[u8], length: usize| -> Vec<u8> { unit.iter().copied().cycle().take(length).collect() };
        for unit in [&b"a"[..], b"ab", b"aab", b"abaab"] {
            for (odd, every) in [(0, m), (m / 2, m - 7), (m - 1, m), (m - 1, 3 * m)] {
                let (mut pattern, mut text) = (repeated(unit, m), repeated(unit, n));
                pattern[odd] = b'c';
                text.iter_mut().skip(odd).step_by(every).for_each(|byte| *byte = b'c');
                let counters = Counters::default();
                let probe = Counting::new(&counters);
                let mut searcher = LinearDistQ::<3>::default();
                searcher.prepare(&pattern, probe);
                searcher.search(Pattern::new(&pattern, probe), Text::new(&text, probe), &mut Count(0), probe);
                assert!(counters.get(Field::TextBytesRead) <= 4 * n as u64, "{unit:?} {odd} {every}");
            }
        }
    }
}
