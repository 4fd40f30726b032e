//! Distances of q-gram occurrences (`distq1` to `distq8`).
//!
//! Pays where windows often match far or whole: periodic texts, many occurrences.
//! Departures: the hash is a product, of which twelve bits are taken. If both a border and a distance give
//! the next position at which the pattern can begin, both are followed until they agree, so that no character
//! that a prefix has matched is compared again. The borders are those of Morris and Pratt. One computation =
//! the hash of a q-gram.

use assay_plugin_api::prelude::*;
use assay_shared::grams::spread;
use assay_shared::papers;

use super::distances::Distances;
use super::shifts::number;

/// The searcher: the distances for hashes of 12 bits.
#[derive(Default)]
pub struct DistQ<const Q: usize> {
    distances: Distances,
}

impl<const Q: usize> Algorithm for DistQ<Q> {
    const ABOUT: About = About {
        id: "distq",
        name: "Distances of q-gram occurrences",
        reference: papers::DISTANCES_OF_QGRAMS,
        status: Status::FromPaper(
            "The paper's search; the hash, and that no character of a matched prefix is compared again, is \
                ours.",
        ),
        after: &["hash", "kmp"],
        idea: "Hash-q's shift aligns a q-gram, then the distance to where it occurs before, or a border, \
            decides the next window.",
        preparation_time: "O(mq)",
        space: "O(m): 16 KiB and 12 bytes a character",
        worst_case: "O(nq)",
        average_case: "O(nq/(m-q+1)) while the pattern's q-grams are few beside the 4096 hashes",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.distances.fill(pattern, Q, |qgram| hash(number(qgram)), probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        assert!(Q <= pattern.len(), "a pattern shorter than a q-gram");
        // SAFETY: the q-gram ends between the end of the first window and the end of the text.
        let hash_before = |end: usize| hash(unsafe { text.gram_unchecked::<Q>(end - Q) });
        self.distances.search(Q, pattern, text, found, hash_before, probe);
    }
}

/// The highest twelve bits of a product. They differ for all single characters.
#[inline(always)]
fn hash(qgram: u64) -> usize {
    spread(qgram, 12)
}

register!(algorithm DistQ, q: [1, 2, 3, 4, 5, 6, 7, 8]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_characters_have_hashes_of_their_own() {
        let mut hashes: Vec<_> = (0..256).map(hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 256);
    }
}
