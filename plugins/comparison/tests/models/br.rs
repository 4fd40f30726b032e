//! Berry-Ravindran: T. Berry and S. Ravindran, A fast string matching algorithm and experimental results,
//! 1999.

use assay_comparison::occurrence::br::BerryRavindran;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::occurrence;

/// Windows are compared from left to right, and move by the two characters after them. The paper has two
/// characters after each window; here, windows that fewer follow move by one.
fn berry_ravindran(pattern: &[u8], text: &[u8]) -> Tally {
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

/// Compares a window from left to right.
fn window(tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize) {
    let matched = tally.equal_pairs(text[s..].iter().zip(pattern));
    tally.verify(matched == pattern.len(), s);
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<BerryRavindran>(berry_ravindran, &[]);
}
