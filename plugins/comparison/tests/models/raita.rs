//! Raita: T. Raita, Tuning the Boyer-Moore-Horspool string searching algorithm, 1992.

use assay_comparison::occurrence::raita::Raita;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::occurrence;

/// Compares the last character of the window, the first and the middle one, which is one condition; then
/// those between the first and the last from left to right. The window moves by its last character, which is
/// kept for this.
fn raita(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let (last, middle) = (m - 1, m / 2);
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        let window = &text[s..s + m];
        let three = [last, 0, middle].iter().all(|&i| tally.equal(window[i], pattern[i]));
        if tally.branch(three) {
            tally.extra[0] += 1;
            let others = 1..last.max(1);
            let matched = tally.equal_pairs(window[others.clone()].iter().zip(&pattern[others.clone()]));
            tally.verify(matched == others.len(), s);
        }
        tally.lookups += 1;
        s += occurrence(pattern, last, &[window[last]]);
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<Raita>(raita, &[]);
}
