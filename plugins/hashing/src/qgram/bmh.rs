//! Horspool with q-grams (`bmh2`, `bmh4`).
//!
//! Pays on small alphabets: `bmh4` on DNA, `bmh2` on proteins.
//! Departures: of the paper its first page was seen. The folding of letters is ours: of two, the lower five
//! bits; of four, two bits that distinguish a, c, g and t. A window whose last q-gram fits is compared as a
//! whole, because different letters can have the same bits. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::shifts::{Shifts, number};

/// The searcher: shifts by the folded q-gram of the window's end.
#[derive(Default)]
pub struct HorspoolQ<const Q: usize> {
    shifts: Shifts<10>,
}

impl<const Q: usize> Algorithm for HorspoolQ<Q> {
    const ABOUT: About = About {
        id: "bmh",
        name: "Horspool with q-grams",
        reference: Reference {
            authors: &["P. Kalsi", "H. Peltola", "J. Tarhio"],
            title: "Comparison of Exact String Matching Algorithms for Biological Sequences",
            booktitle: "BIRD 2008",
            series: "CCIS",
            volume: "13",
            year: 2008,
            doi: "10.1007/978-3-540-70600-7_31",
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The first page of the paper was seen and its program was not; how letters are folded is ours.",
        ),
        after: &["hor"],
        idea: "Horspool's shift by a q-gram of letters folded to a few bits; compares where the last q-gram \
            fits.",
        preparation_time: "O(mq)",
        space: "O(1): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/m) while the pattern's q-grams are few beside all of them",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.shifts.fill(pattern, Q, |qgram| fold::<Q>(number(qgram)), probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, after_match) = (pattern.len(), text.len(), self.shifts.after_match);
        assert!(Q <= m, "a pattern shorter than a q-gram");
        // SAFETY: Q <= m <= end <= n.
        let index = |end: usize| fold::<Q>(unsafe { text.gram_unchecked::<Q>(end - Q) });
        let fits = |s: usize| {
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
            }
            after_match
        };
        self.shifts.search(m, n, index, fits, probe);
    }
}

/// The index of a q-gram: five bits a letter of two, two bits a letter of four.
#[inline(always)]
fn fold<const Q: usize>(qgram: u64) -> usize {
    const { assert!(Q == 2 || Q == 4, "there is no folding for other q") };
    let qgram = qgram as u32;
    // The product gathers the two bits of each byte in its highest one; nothing below is carried into it.
    let index = if Q == 2 {
        qgram & 31 | qgram >> 3 & 31 << 5
    } else {
        (qgram >> 1 & 0x0303_0303).wrapping_mul(0x4010_0401) >> 24
    };
    index as usize
}

register!(algorithm HorspoolQ, q: [2, 4]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qgrams_over_the_four_letters_have_each_an_index_of_their_own() {
        let letters = b"acgt";
        let all = (0..256_usize).map(|i| [0, 2, 4, 6].map(|shift| letters[i >> shift & 3]));
        let mut indices: Vec<_> = all.map(|qgram| fold::<4>(number(&qgram))).collect();
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..256));
        assert_eq!([b"ab", b"AB", b"ba"].map(|qgram| fold::<2>(number(qgram))), [65, 65, 34]);
    }
}
