//! A model of Backward Nondeterministic DAWG Matching. It is written from G. Navarro and M. Raffinot, A
//! bit-parallel approach to suffix automata: fast extended string matching, CPM, 1998.

use assay_bitparallel::bndm_like::bndm::BackwardNondeterministic;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{has_character_before, in_a_word, step, verify};

/// Reads each window backward as long as a bit is left: the pattern has what was read, with a character
/// before it that could come next. The longest prefix of the pattern that was read, but for the pattern
/// itself, begins the next window.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + pattern.len() <= text.len()) {
        let window = &text[s..s + word.len()];
        let (mut i, mut shift, mut matched) = (word.len(), word.len(), false);
        // The state, the place and the shift.
        tally.writes += 3;
        while tally.branch(i == word.len() || has_character_before(&window[i..], word)) {
            step(&mut tally);
            i -= 1;
            tally.writes += 1;
            if tally.branch(word.starts_with(&window[i..])) {
                matched = i == 0;
                if tally.branch(matched) {
                    break;
                }
                shift = i;
                tally.writes += 1;
            }
            // The state moves on to the next character.
            tally.writes += 1;
        }
        verify(&mut tally, pattern, text, s, matched);
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn backward_nondeterministic_dawg_matching_counts_as_its_model() {
    agrees::<BackwardNondeterministic>(model, &[]);
}
