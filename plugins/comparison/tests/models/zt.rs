//! Zhu-Takaoka: R. F. Zhu and T. Takaoka, On improving the average case of the Boyer-Moore string matching
//! algorithm, 1987.

use assay_comparison::suffix::zt::ZhuTakaoka;
use assay_plugin_api::testing::{Tally, agrees_from};

use crate::shifts::{good_suffix, occurrence};

/// Boyer-Moore whose bad character rule looks at the last two characters of the window, whatever mismatched.
fn zhu_takaoka(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let mut tally = Tally { writes: 1, tables: vec![256 * 256, m as u64 + 1], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        let matched = tally.equal_pairs(text[s..s + m].iter().zip(pattern).rev());
        tally.verify(matched == m, s);
        let mut shift = good_suffix(pattern, matched);
        tally.lookups += 1;
        if matched < m {
            tally.text += 2;
            tally.lookups += 1;
            shift = shift.max(occurrence(pattern, m - 2, &text[s + m - 2..s + m]));
        }
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees_from::<ZhuTakaoka>(2, zhu_takaoka, &[]);
}
