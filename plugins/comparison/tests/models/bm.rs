//! Boyer-Moore: R. S. Boyer and J S. Moore, A fast string searching algorithm, 1977; with the tables of C.
//! Charras and T. Lecroq, Handbook of Exact String Matching Algorithms, 2004.

use assay_comparison::suffix::bm::BoyerMoore;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::{good_suffix, occurrence};

/// Windows are compared from right to left. A whole window moves by the good suffix rule, another one by the
/// greater of both rules, of which that of the bad character is calculated.
fn boyer_moore(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    // The table of good suffixes has an entry for each number of characters that matched.
    let mut tally = Tally { writes: 1, tables: vec![256, m as u64 + 1], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        let matched = tally.equal_pairs(text[s..s + m].iter().zip(pattern).rev());
        tally.verify(matched == m, s);
        let mut shift = good_suffix(pattern, matched);
        tally.lookups += 1;
        if matched < m {
            let mismatched = text[s + m - 1 - matched];
            let bad = occurrence(pattern, m - 1, &[mismatched]).saturating_sub(matched);
            tally.lookups += 1;
            tally.computations += 1;
            tally.extra[usize::from(bad <= shift)] += 1;
            shift = shift.max(bad);
        }
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<BoyerMoore>(boyer_moore, &[]);
}
