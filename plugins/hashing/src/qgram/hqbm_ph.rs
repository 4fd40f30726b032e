//! Hash-q with perfect DNA hash and Boyer-Moore shift.
//!
//! Pays on DNA with many occurrences.
//! Departures: q is chosen by the id. If the last q-gram fits, letters other than the four are distinguished
//! from them, so that any text can be searched. After an occurrence the shift is the entry of good suffixes
//! for a whole match, the period: that of position m - 1, as the description has it, would pass occurrences
//! of a^m. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::dna::AfterOccurrence;
use super::hq_ph::HashPerfect;

/// The searcher: that of [`hq-ph`](super::hq_ph).
#[derive(Default)]
pub struct HashPerfectPeriod<const Q: usize, const BITS: u32>(HashPerfect<Q, BITS>);

impl<const Q: usize, const BITS: u32> Algorithm for HashPerfectPeriod<Q, BITS> {
    const ABOUT: About = About {
        id: "hqbm-ph",
        name: "Hash-q with perfect DNA hash and Boyer-Moore shift",
        status: Status::FromAbstract(
            "The abstract was seen, and a description whose shift after an occurrence would pass \
                occurrences; the right one is ours.",
        ),
        idea: "Hash-q without collisions for four letters, and Boyer-Moore's shift after an occurrence.",
        ..HashPerfect::<Q, BITS>::ABOUT
    };

    const NEEDS: Needs = HashPerfect::<Q, BITS>::NEEDS;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare_with(pattern, hints, probe)
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search_with(AfterOccurrence::Period, pattern, text, found, probe);
    }
}

register!(algorithm
    HashPerfectPeriod<3, 6>, id: "hqbm-ph3", name: "Hash-q with perfect DNA hash and Boyer-Moore shift (q=3)",
        parameters: "q=3";
    HashPerfectPeriod<5, 10>, id: "hqbm-ph5", name: "Hash-q with perfect DNA hash and Boyer-Moore shift (q=5)",
        parameters: "q=5";
    HashPerfectPeriod<8, 16>, id: "hqbm-ph8", name: "Hash-q with perfect DNA hash and Boyer-Moore shift (q=8)",
        parameters: "q=8"
);

#[cfg(test)]
mod tests {
    use super::super::dna::finds_all_in_texts_with_other_letters;
    use super::*;

    #[test]
    fn other_letters_in_the_text_are_no_occurrence() {
        finds_all_in_texts_with_other_letters::<HashPerfectPeriod<3, 6>>();
        finds_all_in_texts_with_other_letters::<HashPerfectPeriod<5, 10>>();
        finds_all_in_texts_with_other_letters::<HashPerfectPeriod<8, 16>>();
    }
}
