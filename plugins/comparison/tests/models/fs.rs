//! Fast-Search: D. Cantone and S. Faro, Fast-Search: a new efficient variant of the Boyer-Moore string
//! matching algorithm, 2003.

use assay_comparison::suffix::fs::FastSearch;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::{good_suffix, occurrence};

/// A window whose last character mismatches moves by the bad character rule, any other by the good suffix
/// rule. One look-up of the last character says whether it matches, and how far the window moves if not.
fn fast_search(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let mut tally = Tally { writes: 1, tables: vec![256, m as u64 + 1], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        let last = text[s + m - 1];
        tally.text += 1;
        tally.lookups += 1;
        s += if tally.branch(last == pattern[m - 1]) {
            let before = m - 1;
            let matched = 1 + tally.equal_pairs(text[s..s + before].iter().zip(&pattern[..before]).rev());
            tally.verify(matched == m, s);
            tally.lookups += 1;
            good_suffix(pattern, matched)
        } else {
            occurrence(pattern, m - 1, &[last])
        };
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<FastSearch>(fast_search, &[]);
}
