//! A model of Reverse Factor. It is written from T. Lecroq, A variation on the Boyer-Moore algorithm,
//! Theoretical Computer Science, 1992.

use assay_automata::rf::ReverseFactor;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{SIZES, is_factor};

/// Reads each window backward as long as it has read a factor of the pattern. The longest prefix of the
/// pattern among these factors, but for the pattern itself, begins the next window.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let (m, mut s) = (pattern.len(), 0);
    let mut tally = Tally { writes: 1, ..Tally::default() };
    while tally.branch(s + m <= text.len()) {
        let window = &text[s..s + m];
        let (mut i, mut shift) = (m, m);
        tally.writes += 1;
        let matched = loop {
            i -= 1;
            tally.text += 1;
            tally.lookups += 1;
            // The state and the place.
            tally.writes += 2;
            let is_alive = is_factor(&window[i..], pattern);
            if !tally.branch(is_alive && i > 0) {
                break is_alive;
            }
            if tally.branch(pattern.starts_with(&window[i..])) {
                shift = i;
                tally.writes += 1;
            }
        };
        tally.verify(matched, s);
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn reverse_factor_counts_as_its_model() {
    agrees::<ReverseFactor>(model, &SIZES);
}
