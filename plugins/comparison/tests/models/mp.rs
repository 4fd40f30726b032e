//! Morris-Pratt: J. H. Morris and V. R. Pratt, A linear pattern-matching algorithm, 1970.

use assay_comparison::prefix::mp::MorrisPratt;
use assay_plugin_api::testing::{Tally, agrees};

use crate::kmp::search_by_borders;

/// Reads each character of the text, and replaces the prefix that matched before it by shorter borders until
/// one is followed by that character.
fn morris_pratt(pattern: &[u8], text: &[u8]) -> Tally {
    let border =
        |prefix: usize| (0..prefix).rev().find(|&length| pattern[..prefix].ends_with(&pattern[..length]));
    search_by_borders(border, pattern, text)
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<MorrisPratt>(morris_pratt, &[]);
}
