//! Knuth-Morris-Pratt: D. E. Knuth, J. H. Morris and V. R. Pratt, Fast pattern matching in strings, 1977.

use assay_comparison::prefix::kmp::KnuthMorrisPratt;
use assay_plugin_api::testing::{Tally, agrees};

/// Morris-Pratt, but a border that is followed by the character that mismatched is not tried.
fn knuth_morris_pratt(pattern: &[u8], text: &[u8]) -> Tally {
    let border = |prefix: usize| {
        let is_border = |length: usize| pattern[..prefix].ends_with(&pattern[..length]);
        (0..prefix).rev().find(|&i| is_border(i) && Some(&pattern[i]) != pattern.get(prefix))
    };
    search_by_borders(border, pattern, text)
}

/// Reads each character of the text. While it does not follow the prefix that matched before it, the prefix
/// is replaced by one of its borders, or by none.
pub fn search_by_borders(border: impl Fn(usize) -> Option<usize>, pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    // The place in the text and the length of the prefix. The table has an entry for each prefix and a
    // state more.
    let mut tally = Tally { writes: 2, tables: vec![m as u64 + 2], ..Tally::default() };
    let mut prefix = Some(0);
    for (j, &character) in text.iter().enumerate() {
        tally.branches += 1;
        while let Some(length) = prefix {
            let mismatches = !tally.equal(character, pattern[length]);
            if !tally.branch(mismatches) {
                break;
            }
            prefix = border(length);
            tally.lookups += 1;
            tally.writes += 1;
        }
        // The same condition ends the loop if no border is left.
        tally.branches += u64::from(prefix.is_none());
        let matched = prefix.map_or(0, |length| length + 1);
        tally.writes += 1;
        tally.jump();
        tally.verify(matched == m, (j + 1).saturating_sub(m));
        prefix = Some(matched);
        if matched == m {
            prefix = border(m);
            tally.lookups += 1;
            tally.writes += 1;
        }
    }
    tally.branches += 1;
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<KnuthMorrisPratt>(knuth_morris_pratt, &[]);
}
