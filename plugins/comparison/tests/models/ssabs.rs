//! SSABS: S. S. Sheik, S. K. Aggarwal, A. Poddar, N. Balakrishnan and K. Sekar, A fast pattern matching
//! algorithm, 2004.

use assay_comparison::occurrence::ssabs::Ssabs;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::occurrence;

/// Quick Search that compares the last character of the window, then the first, then the others from right to
/// left. The last window of the text, which no character follows, does not move.
fn ssabs(pattern: &[u8], text: &[u8]) -> Tally {
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

/// Compares a window. The test of the last and the first character is one condition; it is not the test of
/// the whole window.
fn window(tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize) {
    let last = pattern.len() - 1;
    let both = tally.equal(text[s + last], pattern[last]) && tally.equal(text[s], pattern[0]);
    if tally.branch(both) {
        let others = 1..last.max(1);
        let matched = tally.equal_pairs(text[s..][others.clone()].iter().zip(&pattern[others.clone()]).rev());
        tally.verify(matched == others.len(), s);
    }
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<Ssabs>(ssabs, &[]);
}
