//! q-frame hash comparison and Boyer-Moore shift (`hqbm-qf3`, `hqbm-qf5`, `hqbm-qf8`).
//!
//! Pays on DNA with many occurrences.
//! Departures: q is chosen by the id. That a frame has the four letters alone is tested too, so that any text
//! can be searched. After an occurrence the shift is the entry of good suffixes for a whole match, the
//! period: that of position m - 1, as the description has it for the kin `hqbm-ph`, would pass occurrences of
//! a^m. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::hq_qf::FrameHash;

const ABOUT: About = About {
    id: "hqbm-qf",
    name: "q-frame hash comparison and Boyer-Moore shift",
    status: Status::FromAbstract(
        "The abstract was seen, and a description of `hqbm-ph`; the shift after an occurrence, the pattern's \
            period, is ours, because that of the description would pass occurrences.",
    ),
    after: &["hq-qf", "bm"],
    idea: "Hash-q without collisions for four letters, which compares q letters at once, and shifts by the \
        pattern's period after an occurrence, as Boyer-Moore does.",
    ..FrameHash::<3, 6, true>::ABOUT
};

register!(algorithm
    FrameHash<3, 6, true>, id: "hqbm-qf3", name: "q-frame hash comparison and Boyer-Moore shift (q=3)",
        parameters: "q=3", about: ABOUT;
    FrameHash<5, 10, true>, id: "hqbm-qf5", name: "q-frame hash comparison and Boyer-Moore shift (q=5)",
        parameters: "q=5", about: ABOUT;
    FrameHash<8, 16, true>, id: "hqbm-qf8", name: "q-frame hash comparison and Boyer-Moore shift (q=8)",
        parameters: "q=8", about: ABOUT
);

#[cfg(test)]
mod tests {
    use super::super::dna::finds_all_in_texts_with_other_letters;
    use super::*;

    #[test]
    fn other_letters_in_the_text_are_no_occurrence() {
        finds_all_in_texts_with_other_letters::<FrameHash<3, 6, true>>();
        finds_all_in_texts_with_other_letters::<FrameHash<5, 10, true>>();
        finds_all_in_texts_with_other_letters::<FrameHash<8, 16, true>>();
    }
}
