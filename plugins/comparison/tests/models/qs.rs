//! Quick Search: D. M. Sunday, A very fast substring search algorithm, 1990.

use assay_comparison::occurrence::qs::QuickSearch;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::occurrence;

/// Windows are compared from left to right, and move by the character after them. The last window of the text
/// has none, so it is compared after the loop and does not move; the paper has a character after each window.
fn quick_search(pattern: &[u8], text: &[u8]) -> Tally {
    let (m, n) = (pattern.len(), text.len());
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m < n) {
        window(&mut tally, pattern, text, s);
        tally.text += 1;
        tally.lookups += 1;
        s += occurrence(pattern, m, &[text[s + m]]);
        tally.jump();
    }
    if tally.branch(s + m == n) {
        window(&mut tally, pattern, text, s);
    }
    tally
}

/// Compares a window.
fn window(tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize) {
    let matched = tally.equal_pairs(text[s..].iter().zip(pattern));
    tally.verify(matched == pattern.len(), s);
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<QuickSearch>(quick_search, &[]);
}
