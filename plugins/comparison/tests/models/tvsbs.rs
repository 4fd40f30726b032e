//! TVSBS: R. Thathoo, A. Virmani, S. Sai Lakshmi, N. Balakrishnan and K. Sekar, TVSBS: a fast exact pattern
//! matching algorithm for biological sequences, 2006.

use assay_comparison::occurrence::tvsbs::Tvsbs;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::occurrence;

/// Compares the last character of a window, then the first, then the others, and moves windows as
/// Berry-Ravindran, by the two characters after the window. Windows that fewer follow move by one.
fn tvsbs(pattern: &[u8], text: &[u8]) -> Tally {
    let (m, n) = (pattern.len(), text.len());
    let mut tally = Tally { writes: 1, tables: vec![256 * 256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m + 2 <= n) {
        window(&mut tally, pattern, text, s);
        tally.text += 2;
        tally.lookups += 1;
        s += occurrence(pattern, m, &text[s + m..s + m + 2]);
        tally.jump();
    }
    while tally.branch(s + m <= n) {
        window(&mut tally, pattern, text, s);
        s += 1;
        tally.jump();
    }
    tally
}

/// Compares a window: the last and the first character in one condition, and then the others from left to
/// right, as our file says.
fn window(tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize) {
    let last = pattern.len() - 1;
    let both = tally.equal(text[s + last], pattern[last]) && tally.equal(text[s], pattern[0]);
    if tally.branch(both) {
        let others = 1..last.max(1);
        let matched = tally.equal_pairs(text[s..][others.clone()].iter().zip(&pattern[others.clone()]));
        tally.verify(matched == others.len(), s);
    }
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<Tvsbs>(tvsbs, &[]);
}
