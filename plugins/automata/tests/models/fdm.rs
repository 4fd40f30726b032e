//! A model of Forward DAWG Matching. It is written from M. Crochemore and W. Rytter, Text Algorithms, Oxford
//! University Press, 1994.

use assay_automata::fdm::ForwardDawg;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{SIZES, ends, is_factor};

/// The longest suffix of a factor that occurs at more places of the pattern: the suffix link of its state.
fn link<'a>(factor: &'a [u8], pattern: &[u8]) -> &'a [u8] {
    let places = ends(factor, pattern);
    let mut suffix = factor;
    while ends(suffix, pattern) == places {
        suffix = &suffix[1..];
    }
    suffix
}

/// Follows the longest factor of the pattern that ends at each character. If the character does not extend
/// it, the suffix links lead to a shorter one that it extends.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    // The factor is a state and a length; and the place.
    let mut tally = Tally { writes: 3, ..Tally::default() };
    let mut factor: &[u8] = &[];
    for end in 1..=text.len() {
        tally.branch(true);
        tally.text += 1;
        let extended = loop {
            let extended = &text[end - 1 - factor.len()..end];
            tally.lookups += 1;
            if !tally.branch(!is_factor(extended, pattern)) {
                break extended;
            }
            if factor.is_empty() {
                break &[];
            }
            tally.lookups += 1;
            tally.writes += 2;
            factor = link(factor, pattern);
        };
        factor = extended;
        tally.writes += 2;
        tally.verify(factor.len() == m, end.wrapping_sub(m));
        tally.jump();
    }
    tally.branch(false);
    tally
}

#[test]
fn forward_dawg_matching_counts_as_its_model() {
    agrees::<ForwardDawg>(model, &SIZES);
}
