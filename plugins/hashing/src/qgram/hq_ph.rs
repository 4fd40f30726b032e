//! Hash-q with perfect DNA hash (`hq-ph3`, `hq-ph5`, `hq-ph8`).
//!
//! Pays on DNA, where Hash-q's 256 entries mix up q-grams.
//! Departures: q is chosen by the id. If the last q-gram fits, letters other than the four are distinguished
//! from them, so that any text can be searched. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::dna::Dna;

/// The searcher: the shifts, which have an entry for each q-gram over four letters. The window moves
/// `BY_PERIOD` after an occurrence, or as after any window whose last q-gram fits.
#[derive(Default)]
pub struct HashPerfect<const Q: usize, const BITS: u32, const BY_PERIOD: bool> {
    dna: Dna<Q, BITS>,
}

impl<const Q: usize, const BITS: u32, const BY_PERIOD: bool> Algorithm for HashPerfect<Q, BITS, BY_PERIOD> {
    const ABOUT: About = About {
        id: "hq-ph",
        name: "Hash-q with perfect DNA hash",
        reference: Reference {
            authors: &["A. A. Karcıoğlu", "H. Bulut"],
            title: "Improving hash-q exact string matching algorithm with perfect hashing for DNA sequences",
            journal: "Comput. Biol. Med.",
            volume: "131",
            eid: "104292",
            year: 2021,
            doi: "10.1016/j.compbiomed.2021.104292",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract was seen; letters other than the four, and the choice of q by the id, are ours.",
        ),
        after: &["hash"],
        idea: "Hash-q with two bits a letter, so that no q-grams collide and the last q letters need no \
            comparison.",
        preparation_time: "O(mq + 4^q)",
        space: "O(m + 4^q): 2 bytes for each q-gram, 8 (m + 2) bytes for the borders",
        worst_case: "O(mn)",
        average_case: "O(n/(m-q+1)) while the pattern's q-grams are few beside 4^q",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.dna.fill(pattern, probe)
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let m = pattern.len();
        // The last q letters are known to match.
        let occurs = |s| pattern.occurs(text, s, 0..m - Q);
        self.dna.search::<BY_PERIOD, P>(m, text, found, occurs, probe);
    }
}

register!(algorithm
    HashPerfect<3, 6, false>, id: "hq-ph3", name: "Hash-q with perfect DNA hash (q=3)", parameters: "q=3";
    HashPerfect<5, 10, false>, id: "hq-ph5", name: "Hash-q with perfect DNA hash (q=5)", parameters: "q=5";
    HashPerfect<8, 16, false>, id: "hq-ph8", name: "Hash-q with perfect DNA hash (q=8)", parameters: "q=8"
);

#[cfg(test)]
mod tests {
    use super::super::dna::finds_all_in_texts_with_other_letters;
    use super::*;

    #[test]
    fn other_letters_in_the_text_are_no_occurrence() {
        finds_all_in_texts_with_other_letters::<HashPerfect<3, 6, false>>();
        finds_all_in_texts_with_other_letters::<HashPerfect<5, 10, false>>();
        finds_all_in_texts_with_other_letters::<HashPerfect<8, 16, false>>();
    }
}
