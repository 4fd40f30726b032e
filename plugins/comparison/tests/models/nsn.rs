//! Not So Naive: C. Hancart, Analyse exacte et en moyenne d'algorithmes de recherche d'un motif dans un
//! texte, 1993.

use assay_comparison::prefix::nsn::NotSoNaive;
use assay_plugin_api::testing::{Tally, agrees_from};

/// Compares the second character of the window, then those after it, then the first. If the pattern begins
/// with two equal characters, a window whose second character mismatches moves by two, otherwise a window
/// whose second character matches.
fn not_so_naive(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let mut tally = Tally { writes: 1, ..Tally::default() };
    let begins_with_two = pattern[0] == pattern[1];
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        let second_matches = tally.equal(text[s + 1], pattern[1]);
        if tally.branch(second_matches) {
            let matched = tally.equal_pairs(text[s + 2..s + m].iter().zip(&pattern[2..]));
            let occurs = matched == m - 2 && tally.equal(text[s], pattern[0]);
            tally.verify(occurs, s);
        }
        s += if second_matches == begins_with_two { 1 } else { 2 };
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees_from::<NotSoNaive>(2, not_so_naive, &[]);
}
