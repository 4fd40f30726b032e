//! q-frame hash comparison and Boyer-Moore shift.
//!
//! Pays on DNA with many occurrences.
//! Departures: q is chosen by the id. That a frame has the four letters alone is tested too, so that any text can be searched.
//! After an occurrence the shift is the entry of good suffixes for a whole match, the period: that of position m - 1, as our source
//! has it for the kin `hqbm-ph`, would pass occurrences of a^m. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::dna::{AfterOccurrence, Dna, Frames};

/// The searcher: the shifts, which have an entry for each q-gram over four letters, and the hashes of the pattern's frames.
#[derive(Default)]
pub struct FrameHashPeriod<const Q: usize, const BITS: u32> {
    dna: Dna<Q, BITS>,
    frames: Frames<Q>,
}

impl<const Q: usize, const BITS: u32> Algorithm for FrameHashPeriod<Q, BITS> {
    const ABOUT: About = About {
        id: "hqbm-qf",
        name: "q-frame hash comparison and Boyer-Moore shift",
        authors: "A. A. Karcıoğlu, H. Bulut",
        year: 2022,
        reference: "q-frame hash comparison based exact string matching algorithms for DNA sequences. Concurr. Comput. 34(9):e6505, 2022",
        doi: "10.1002/cpe.6505",
        idea: "Hash-q without collisions for four letters; compares q letters at once, and shifts as Boyer-Moore after an occurrence.",
        preparation_time: "O(mq + 4^q)",
        space: "O(m + 4^q): 2 bytes for each q-gram",
        worst_case: "O(mn)",
        average_case: "O(n/(m-q+1)) while the pattern's q-grams are few beside 4^q",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, probe: P) -> Result<(), CannotSearch> {
        self.dna.fill(pattern, probe)?;
        self.frames.fill(pattern, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let occurs = |s| self.frames.occur(&self.dna, pattern, text, s, probe);
        self.dna.search(pattern.len(), text, found, occurs, AfterOccurrence::Period, probe);
    }
}

register!(algorithm
    FrameHashPeriod<3, 6>, id: "hqbm-qf3", name: "q-frame hash comparison and Boyer-Moore shift (q=3)", parameters: "q=3";
    FrameHashPeriod<5, 10>, id: "hqbm-qf5", name: "q-frame hash comparison and Boyer-Moore shift (q=5)", parameters: "q=5";
    FrameHashPeriod<8, 16>, id: "hqbm-qf8", name: "q-frame hash comparison and Boyer-Moore shift (q=8)", parameters: "q=8"
);

#[cfg(test)]
mod tests {
    use super::super::dna::finds_all_in_texts_with_other_letters;
    use super::*;

    #[test]
    fn other_letters_in_the_text_are_no_occurrence() {
        finds_all_in_texts_with_other_letters::<FrameHashPeriod<3, 6>>();
        finds_all_in_texts_with_other_letters::<FrameHashPeriod<5, 10>>();
        finds_all_in_texts_with_other_letters::<FrameHashPeriod<8, 16>>();
    }
}
