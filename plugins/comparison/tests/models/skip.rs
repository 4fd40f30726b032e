//! Skip Search: C. Charras, T. Lecroq and J. D. Pehoushek, A very fast string matching algorithm for small
//! alphabets and long patterns, 1998.

use assay_comparison::skip::skip::Skip;
use assay_plugin_api::testing::{Tally, agrees};

/// Looks at each m-th character of the text, and compares the windows in which the pattern has this character
/// there. The places are in a list for each character; a place has the next one.
fn skip_search(pattern: &[u8], text: &[u8]) -> Tally {
    let (m, n) = (pattern.len(), text.len());
    let mut tally = Tally { writes: 1, tables: vec![256, m as u64], ..Tally::default() };
    let mut looked_at = m - 1;
    while tally.branch(looked_at < n) {
        // The head of the list.
        tally.text += 1;
        tally.lookups += 1;
        tally.writes += 1;
        for i in (0..m).filter(|&i| pattern[i] == text[looked_at]) {
            tally.branches += 1;
            let s = looked_at - i;
            // A window that the text is too short for is not compared.
            if tally.branch(s + m <= n) {
                let matched = tally.equal_pairs(text[s..].iter().zip(pattern));
                tally.verify(matched == m, s);
            }
            tally.lookups += 1;
            tally.writes += 1;
        }
        tally.branches += 1;
        looked_at += m;
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    // How the lists of places are kept, the paper does not decide.
    agrees::<Skip<1, 8>>(skip_search, &["lookup_entries", "lookup_entries2"]);
}
