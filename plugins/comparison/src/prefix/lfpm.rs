//! Least Frequency Pattern Matching (`lfpm`).
//!
//! Pays where some word of the pattern is rare in the text, and the text's beginning shows which.
//! Departures: the paper counts words of four letters of the human genome once, for all searches; here the
//! reference is the beginning of the text itself, which the paper allows, and counting it belongs to each
//! preparation. It is 4096 bytes long, so that each of the 256 words of a genome occurs some 16 times.
//! Characters are bytes, so a word's frequency is kept by a hash of 12 bits. A window is compared as soon as
//! the word is found; the paper lists these windows first. A word that is compared counts as four bytes of
//! the text and four of the pattern.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::words::pattern_word;
use crate::grams::spread_word;

/// Length of a word: that of the paper's measurements.
const WORD: usize = 4;

/// Bits of a word's hash.
const BITS: u32 = 12;

/// How many bytes of the text are counted.
const REFERENCE: usize = 4096;

/// The searcher.
#[derive(Default)]
pub struct LeastFrequency {
    /// For each hash, how many words of the reference have it.
    frequency: HashTable<u16, BITS>,
    /// Where the least frequent word of the pattern begins.
    rarest: usize,
}

impl Algorithm for LeastFrequency {
    const ABOUT: About = About {
        id: "lfpm",
        name: "Least Frequency Pattern Matching",
        reference: papers::BIOLOGICAL_SEQUENCES,
        status: Status::FromPaper(
            "The paper was seen; words are counted in the first 4096 bytes of the text instead of \
                the human genome.",
        ),
        parameters: "w=4; reference=4096 text bytes",
        idea: "Searches for the pattern's word that is least frequent in a reference, and compares the other \
            words around it.",
        preparation_time: "O(m), and the reference's words are counted",
        space: "O(1): 8 KiB",
        worst_case: "O(mn/w), w bytes to a word",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: WORD, sample: REFERENCE, ..Needs::NOTHING };

    /// Windows in which the least frequent word matches.
    const EXTRA: &'static [&'static str] = &["#windows"];

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, _: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.frequency.fill(0);
        for word in hints.sample.windows(WORD) {
            // A longer sample than was asked for could overflow the count.
            let count = self.frequency.at_mut(hash(word));
            *count = count.saturating_add(1);
        }
        let frequency = |i: &usize| self.frequency[hash(&pattern[*i..*i + WORD])];
        self.rarest = (0..=pattern.len() - WORD).min_by_key(frequency).expect("a word");
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, rarest) = (pattern.len(), text.len(), self.rarest);
        assert!(rarest + WORD <= m && m <= n, "prepared for another pattern");
        let alike = |s: usize, i: usize| {
            // SAFETY: windows begin at s <= n - m, and words at i <= m - WORD.
            unsafe { pattern_word::<WORD, P>(pattern, i) == text.gram_unchecked::<WORD>(s + i) }
        };
        let whole = m - m % WORD;
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            if probe.branch(alike(s, rarest)) {
                probe.extra(0, || 1);
                let mut i = 0;
                probe.writes(1);
                while probe.branch(i < whole && alike(s, i)) {
                    i += WORD;
                    probe.writes(1);
                }
                // The rest is shorter than a word, and compared at once as well.
                let rest = || (whole..m).fold(true, |all, k| (pattern.at(k) == text.at(s + k)) & all);
                if probe.verify(i == whole && rest()) {
                    found.at(s);
                }
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// The hash of a word.
fn hash(word: &[u8]) -> usize {
    spread_word(word.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)), BITS)
}

register!(algorithm LeastFrequency);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_the_one_that_the_reference_has_least_often() {
        let mut searcher = LeastFrequency::default();
        let mut rarest = |pattern: &[u8], sample: &[u8]| {
            searcher.prepare_with(pattern, Hints { sample, text_length: 0 }, Off).unwrap();
            searcher.rarest
        };
        // The paper's example: its words occur 785, 144, 146 and 67 times; here 4, 2, 3 and once.
        assert_eq!(rarest(b"AAGCGTA", b"AAGCGTA AAGCG AAGC AAGC GCGT GCGT"), 3);
        assert_eq!(rarest(b"AAGCGTA", b"AAGC GCGTA"), 1);
        assert_eq!(rarest(b"AAGCGTA", b""), 0);
    }
}
