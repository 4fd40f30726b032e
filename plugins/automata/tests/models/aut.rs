//! A model of the Deterministic Automaton matcher. It is written from A. V. Aho, J. E. Hopcroft and J. D.
//! Ullman, The Design and Analysis of Computer Algorithms, Addison-Wesley, 1974.

use assay_automata::aut::Automaton;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::SIZES;

/// Its state is the longest prefix of the pattern that ends at a character: one step and one test for each.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    // The state and the place.
    let mut tally = Tally { writes: 2, ..Tally::default() };
    for end in 1..=text.len() {
        tally.branch(true);
        tally.text += 1;
        tally.lookups += 1;
        tally.writes += 1;
        tally.verify(text[..end].ends_with(pattern), end.wrapping_sub(pattern.len()));
        tally.jump();
    }
    tally.branch(false);
    tally
}

#[test]
fn a_deterministic_automaton_counts_as_its_model() {
    agrees::<Automaton>(model, &SIZES);
}
