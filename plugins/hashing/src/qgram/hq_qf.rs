//! q-frame hash comparison (`hq-qf3`, `hq-qf5`, `hq-qf8`).
//!
//! Pays on DNA, for long patterns that nearly occur.
//! Departures: q is chosen by the id. That a frame has the four letters alone is tested too, so that any text
//! can be searched. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::dna::{Dna, Frames};

/// The searcher: the shifts, which have an entry for each q-gram over four letters, and the hashes of the
/// pattern's frames. The window moves `BY_PERIOD` after an occurrence, or as after any window whose last
/// q-gram fits.
#[derive(Default)]
pub struct FrameHash<const Q: usize, const BITS: u32, const BY_PERIOD: bool> {
    dna: Dna<Q, BITS>,
    frames: Frames<Q>,
}

impl<const Q: usize, const BITS: u32, const BY_PERIOD: bool> Algorithm for FrameHash<Q, BITS, BY_PERIOD> {
    const ABOUT: About = About {
        id: "hq-qf",
        name: "q-frame hash comparison",
        reference: Reference {
            authors: &["A. A. Karcıoğlu", "H. Bulut"],
            title: "q-frame hash comparison based exact string matching algorithms for DNA sequences",
            journal: "Concurr. Comput.",
            volume: "34",
            number: "9",
            eid: "e6505",
            year: 2022,
            doi: "10.1002/cpe.6505",
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract was seen; letters other than the four, and the choice of q by the id, are ours.",
        ),
        after: &["hash"],
        idea: "Hash-q without collisions for four letters; compares q letters at once by their hashes.",
        preparation_time: "O(mq + 4^q)",
        space: "O(m + 4^q): 2 bytes for each q-gram and each frame, 8 (m + 2) bytes for the borders",
        worst_case: "O(mn)",
        average_case: "O(n/(m-q+1)) while the pattern's q-grams are few beside 4^q",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], _: Hints, probe: P) -> Result<(), CannotSearch> {
        Self::NEEDS.assert_takes(pattern.len());
        self.dna.fill(pattern, probe)?;
        self.frames.fill(pattern, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let occurs = |s| self.frames.occur(&self.dna, pattern, text, s, probe);
        self.dna.search::<BY_PERIOD, P>(pattern.len(), text, found, occurs, probe);
    }
}

register!(algorithm
    FrameHash<3, 6, false>, id: "hq-qf3", name: "q-frame hash comparison (q=3)", parameters: "q=3";
    FrameHash<5, 10, false>, id: "hq-qf5", name: "q-frame hash comparison (q=5)", parameters: "q=5";
    FrameHash<8, 16, false>, id: "hq-qf8", name: "q-frame hash comparison (q=8)", parameters: "q=8"
);

#[cfg(test)]
mod tests {
    use super::super::dna::finds_all_in_texts_with_other_letters;
    use super::*;

    #[test]
    fn other_letters_in_the_text_are_no_occurrence() {
        finds_all_in_texts_with_other_letters::<FrameHash<3, 6, false>>();
        finds_all_in_texts_with_other_letters::<FrameHash<5, 10, false>>();
        finds_all_in_texts_with_other_letters::<FrameHash<8, 16, false>>();
    }
}
