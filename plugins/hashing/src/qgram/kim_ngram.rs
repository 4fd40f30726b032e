//! n-gram search (`kim-ngram`).
//!
//! Pays on small alphabets and long patterns, where an n-gram is still its own index.
//! Departures: of the paper its abstract was seen, which says what it was tried on, and not how it works. The
//! pattern's letters have codes from 1 on, all others 0; n is the least for which there are more n-grams than
//! four times the pattern's, as far as an index of 16 bits goes. One computation = the index of an n-gram.

use assay_plugin_api::prelude::*;

use super::shifts::Shifts;

/// The searcher: shifts by n-grams of codes.
#[derive(Default)]
pub struct NgramSearch {
    code: ByteTable<u8>,
    /// Bits of a code.
    bits: u32,
    n: usize,
    shifts: Shifts<INDEX>,
}

/// Bits of an index.
const INDEX: u32 = 16;

impl Algorithm for NgramSearch {
    const ABOUT: About = About {
        id: "kim-ngram",
        name: "n-gram search",
        reference: Reference {
            authors: &["J. Y. Kim", "J. Shawe-Taylor"],
            title: "Fast string matching using an n-gram algorithm",
            journal: "Softw. Pract. Exp.",
            volume: "24",
            number: "1",
            pages: "79-88",
            year: 1994,
            doi: "10.1002/spe.4380240105",
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The abstract was seen, which does not say how it works; the codes of letters and the choice of n are ours.",
        ),
        idea: "Horspool by n-grams of letters mapped to few codes; n is chosen from the pattern's length and \
            letters.",
        preparation_time: "O(mn)",
        space: "O(1): 128 KiB",
        worst_case: "O(mN), N the text's length",
        average_case: "O(N log(m)/m), N the text's length, logarithm to the base of the alphabet's size",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.code.fill(0);
        let mut letters = 0;
        for &byte in pattern {
            let code = &mut self.code[byte as usize];
            if *code == 0 && letters < 256 {
                // All 256 letters have codes of their own, too: that of the last one is 0.
                letters += 1;
                *code = letters as u8;
            }
        }
        self.bits = usize::BITS - usize::leading_zeros(letters.min(255));
        let enough = usize::BITS - usize::leading_zeros(4 * pattern.len());
        let most = (INDEX / self.bits).min(pattern.len().min(INDEX as usize) as u32);
        self.n = enough.div_ceil(self.bits).min(most) as usize;
        let (code, bits) = (&self.code, self.bits);
        let index = |ngram: &[u8]| {
            ngram.iter().fold(0, |index, &byte| index << bits | usize::from(code[byte as usize]))
        };
        self.shifts.fill(pattern, self.n, index, probe);
        probe.table(&self.code);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, length, n, bits) = (pattern.len(), text.len(), self.n, self.bits);
        assert!(n <= m, "a pattern shorter than an n-gram");
        let (code, after_match) = (self.code.view(probe), self.shifts.after_match);
        let index = |end: usize| {
            // SAFETY: n <= m <= end <= length.
            (end - n..end)
                .fold(0, |index, i| index << bits | usize::from(code.at(unsafe { text.at_unchecked(i) })))
        };
        let fits = |s: usize| {
            // The table has compared the last n letters: those that do not occur in the pattern have a code
            // of their own.
            if pattern.occurs(text, s, 0..m - n) {
                found.at(s);
            }
            after_match
        };
        self.shifts.search(m, length, index, fits, probe);
    }
}

register!(algorithm NgramSearch);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::testing::search;

    #[test]
    fn n_grows_with_the_length_and_falls_with_the_letters() {
        let chosen = |pattern: &[u8]| {
            let mut searcher = NgramSearch::default();
            searcher.prepare(pattern, Off);
            (searcher.bits, searcher.n)
        };
        assert_eq!(chosen(b"a"), (1, 1));
        assert_eq!(chosen(&[b'a'; 20]), (1, 7));
        assert_eq!(chosen(b"acgtacgtacgtacgt"), (3, 3));
        assert_eq!(chosen(&b"acgt".repeat(250)), (3, 4));
        assert_eq!(chosen(&(0..=255).collect::<Vec<u8>>()), (8, 2));
    }

    #[test]
    fn a_pattern_of_all_letters_is_found() {
        // The last letter's code is 0, also where it occurs again.
        let pattern: Vec<u8> = (0..=255).chain([255, 255, 255]).collect();
        let mut text = [&pattern[1..], &pattern].concat();
        let close = text.len() + 257;
        text.extend_from_slice(&pattern);
        text[close] = 0;
        assert_eq!(search::<NgramSearch, Off>(&pattern, &text), Ok(vec![258]));
    }
}
