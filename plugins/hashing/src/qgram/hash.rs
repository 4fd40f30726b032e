//! Hash-q (Wu-Manber for one pattern) (`hash3`, `hash5`, `hash8`).
//!
//! Pays on small alphabets, the larger q the longer the pattern.
//! Departure: there is no copy of the pattern after the text to stop the search, but a bound, which costs
//! nothing beside the look-up that each shift waits for. One computation = the hash of a q-gram.

use assay_plugin_api::prelude::*;

use crate::filter::apart;

/// The searcher: for each hash, the distance from the last q-gram with this hash to the end of the pattern.
#[derive(Default)]
pub struct Hash<const Q: usize> {
    shift: ByteTable<u32>,
    /// What the shift of the last q-gram would be if it did not end the pattern.
    after_match: u32,
}

impl<const Q: usize> Algorithm for Hash<Q> {
    const ABOUT: About = About {
        id: "hash",
        name: "Hash-q (Wu-Manber for one pattern)",
        reference: Reference {
            authors: &["T. Lecroq"],
            title: "Fast exact string matching algorithms",
            journal: "Inf. Process. Lett.",
            volume: "102",
            number: "6",
            pages: "229-235",
            year: 2007,
            doi: "10.1016/j.ipl.2007.01.002",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search for one pattern; a bound replaces the copy of the pattern after the text.",
        ),
        after: &["hor"],
        idea: "Horspool with q-grams: a shift table, indexed by a hash of the window's last q characters.",
        preparation_time: "O(mq)",
        space: "O(1): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(nq/(m-q+1)) while the pattern's q-grams are few beside the 256 hashes",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.shift.fill((pattern.len() - Q + 1) as u32);
        for (distance, qgram) in pattern.windows(Q).rev().enumerate().rev() {
            let hash = hash::<Q>(qgram.try_into().expect("a window of Q bytes"));
            self.after_match = self.shift[hash as usize];
            self.shift[hash as usize] = distance as u32;
        }
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        assert!(Q <= m, "a pattern shorter than a q-gram");
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            probe.computes(1);
            // SAFETY: Q <= m <= end + 1 <= n.
            let qgram = unsafe { text.block_unchecked::<Q>(end + 1 - Q) };
            let mut distance = shift.at(hash(qgram));
            if probe.branch(distance == 0) {
                let s = end + 1 - m;
                if pattern.occurs(text, s, 0..m) {
                    found.at(s);
                }
                distance = self.after_match;
            }
            end += distance as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// Each character counts half as much as the one before it, modulo 2^8. By two characters a step, the hash is
/// known sooner.
#[inline(always)]
fn hash<const Q: usize>(qgram: [u8; Q]) -> u8 {
    let append = |hash: u64, byte: &u8| apart((hash << 1) + u64::from(*byte));
    let two = |hash: u64, bytes: &[u8]| apart((hash << bytes.len()) + bytes.iter().fold(0, append));
    qgram.chunks(2).fold(0, two) as u8
}

register!(algorithm Hash, q: [3, 5, 8]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_leads_to_the_last_qgram_with_that_hash() {
        let mut searcher = Hash::<3>::default();
        searcher.prepare(b"abcxabc", Off);
        let shift = |qgram: &[u8; 3]| searcher.shift[hash::<3>(*qgram) as usize];
        assert_eq!([b"abc", b"cxa", b"bcx", b"xyz"].map(shift), [0, 2, 3, 5]);
        assert_eq!(searcher.after_match, 4);
    }
}
