//! Horspool: R. N. Horspool, Practical fast searching in strings, 1980.

use assay_comparison::occurrence::hor::Horspool;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::occurrence;

/// Windows are compared from left to right, as in SMART, where the paper compares the last character first.
/// They move by their last character.
fn horspool(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let shift = |last: u8| occurrence(pattern, m - 1, &[last]);
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    tally.extra[0] = (0..=255).filter(|&last| shift(last) < m).count() as u64;
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        let matched = tally.equal_pairs(text[s..s + m].iter().zip(pattern));
        tally.verify(matched == m, s);
        tally.text += 1;
        tally.lookups += 1;
        s += shift(text[s + m - 1]);
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<Horspool>(horspool, &[]);
}
