//! Smith: P. D. Smith, Experiments with a very fast substring search algorithm, 1991.

use assay_comparison::occurrence::smith::Smith;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::occurrence;

/// Windows move by the greater of Horspool's shift and that of Quick Search, so the last window, which no
/// character follows, does not move.
fn smith(pattern: &[u8], text: &[u8]) -> Tally {
    let (m, n) = (pattern.len(), text.len());
    let mut tally = Tally { writes: 1, tables: vec![256, 256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m < n) {
        window(&mut tally, pattern, text, s);
        tally.text += 2;
        tally.lookups += 2;
        s += occurrence(pattern, m - 1, &[text[s + m - 1]]).max(occurrence(pattern, m, &[text[s + m]]));
        tally.jump();
    }
    if tally.branch(s + m == n) {
        window(&mut tally, pattern, text, s);
    }
    tally
}

/// Compares a window from left to right.
fn window(tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize) {
    let matched = tally.equal_pairs(text[s..].iter().zip(pattern));
    tally.verify(matched == pattern.len(), s);
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<Smith>(smith, &[]);
}
