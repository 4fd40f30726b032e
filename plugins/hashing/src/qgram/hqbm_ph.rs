//! Hash-q with perfect DNA hash and Boyer-Moore shift (`hqbm-ph3`, `hqbm-ph5`, `hqbm-ph8`).
//!
//! Pays on DNA with many occurrences.
//! Departures: q is chosen by the id. If the last q-gram fits, letters other than the four are distinguished
//! from them, so that any text can be searched. After an occurrence the shift is the entry of good suffixes
//! for a whole match, the period: that of position m - 1, as the description has it, would pass occurrences
//! of a^m. One computation = the index of a q-gram.

use assay_plugin_api::prelude::*;

use super::hq_ph::HashPerfect;

const ABOUT: About = About {
    id: "hqbm-ph",
    name: "Hash-q with perfect DNA hash and Boyer-Moore shift",
    status: Status::FromAbstract(
        "The abstract and a description were seen; the shift after an occurrence, the pattern's period, is \
            ours, because that of the description would pass occurrences.",
    ),
    after: &["hq-ph", "bm"],
    idea: "Hash-q without collisions for four letters, which shifts by the pattern's period after an \
        occurrence, as Boyer-Moore does.",
    ..HashPerfect::<3, 6, true>::ABOUT
};

register!(algorithm
    HashPerfect<3, 6, true>, id: "hqbm-ph3", name: "Hash-q with perfect DNA hash and Boyer-Moore shift (q=3)",
        parameters: "q=3", about: ABOUT;
    HashPerfect<5, 10, true>, id: "hqbm-ph5", name: "Hash-q with perfect DNA hash and Boyer-Moore shift (q=5)",
        parameters: "q=5", about: ABOUT;
    HashPerfect<8, 16, true>, id: "hqbm-ph8", name: "Hash-q with perfect DNA hash and Boyer-Moore shift (q=8)",
        parameters: "q=8", about: ABOUT
);

#[cfg(test)]
mod tests {
    use super::super::dna::finds_all_in_texts_with_other_letters;
    use super::*;

    #[test]
    fn other_letters_in_the_text_are_no_occurrence() {
        finds_all_in_texts_with_other_letters::<HashPerfect<3, 6, true>>();
        finds_all_in_texts_with_other_letters::<HashPerfect<5, 10, true>>();
        finds_all_in_texts_with_other_letters::<HashPerfect<8, 16, true>>();
    }
}
