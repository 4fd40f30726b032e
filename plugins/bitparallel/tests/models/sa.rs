//! A model of Shift-And. It is written from R. Baeza-Yates and G. H. Gonnet, A new approach to text
//! searching, Communications of the ACM, 1992.

use assay_bitparallel::shift::sa::ShiftAnd;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, step, verify};

/// Keeps which prefixes of the pattern end at each character, as bits of a word: one step and one test for
/// each character at which the prefix in the word may end.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let rest = pattern.len() - word.len();
    // The state and the place.
    let mut tally = Tally { writes: 2, tables: vec![256], ..Tally::default() };
    for end in 1..=text.len() - rest {
        tally.branch(true);
        step(&mut tally);
        let matched = text[..end].ends_with(word);
        verify(&mut tally, pattern, text, end.wrapping_sub(word.len()), matched);
        tally.jump();
    }
    tally.branch(false);
    tally
}

#[test]
fn shift_and_counts_as_its_model() {
    agrees::<ShiftAnd>(model, &[]);
}
