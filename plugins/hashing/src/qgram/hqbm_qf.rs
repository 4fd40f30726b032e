//! q-frame hash comparison and Boyer-Moore shift.
//!
//! Pays on DNA with many occurrences.
//! Departures: q is chosen by the id. That a frame has the four letters alone is tested too, so that any text
//! can be searched. After an occurrence the shift is the entry of good suffixes for a whole match, the
//! period: that of position m - 1, as the description has it for the kin `hqbm-ph`, would pass occurrences of
//! a^m. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::dna::AfterOccurrence;
use super::hq_qf::FrameHash;

/// The searcher: that of [`hq-qf`](super::hq_qf).
#[derive(Default)]
pub struct FrameHashPeriod<const Q: usize, const BITS: u32>(FrameHash<Q, BITS>);

impl<const Q: usize, const BITS: u32> Algorithm for FrameHashPeriod<Q, BITS> {
    const ABOUT: About = About {
        id: "hqbm-qf",
        name: "q-frame hash comparison and Boyer-Moore shift",
        status: Status::FromAbstract(
            "The abstract was seen; the shift after an occurrence is ours, because that of the description \
                would pass occurrences.",
        ),
        idea: "Hash-q without collisions for four letters; compares q letters at once, and shifts as \
            Boyer-Moore after an occurrence.",
        ..FrameHash::<Q, BITS>::ABOUT
    };

    const NEEDS: Needs = FrameHash::<Q, BITS>::NEEDS;

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare_with(pattern, hints, probe)
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search_with(AfterOccurrence::Period, pattern, text, found, probe);
    }
}

register!(algorithm
    FrameHashPeriod<3, 6>, id: "hqbm-qf3", name: "q-frame hash comparison and Boyer-Moore shift (q=3)",
        parameters: "q=3";
    FrameHashPeriod<5, 10>, id: "hqbm-qf5", name: "q-frame hash comparison and Boyer-Moore shift (q=5)",
        parameters: "q=5";
    FrameHashPeriod<8, 16>, id: "hqbm-qf8", name: "q-frame hash comparison and Boyer-Moore shift (q=8)",
        parameters: "q=8"
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
