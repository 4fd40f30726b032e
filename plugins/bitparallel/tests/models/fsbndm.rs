//! A model of Forward SBNDM. It is written from S. Faro and T. Lecroq, Efficient variants of the
//! Backward-Oracle-Matching algorithm, Prague Stringology Conference, 2008.

use assay_bitparallel::bndm_like::simplified::Simplified;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{starts, step, step_with, verify_after};

/// Reads the last character of each window and the one after it, then on backward as long as it has read a
/// factor of the pattern with any character after it. The next window begins after the character that ended
/// this, or after an occurrence by the pattern's period: the paper moves by one, but the algorithm declares
/// this shift its own.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    // One bit of a word is for the character after the prefix.
    let word = &pattern[..pattern.len().min(63)];
    let m = word.len();
    let period = (1..=m).find(|&shift| word.starts_with(&word[shift..])).expect("nothing is a prefix");
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + pattern.len().max(m + 1) <= text.len()) {
        let (window, after) = (&text[s..s + m], &text[s + m]);
        // Whether what was read is a factor of the pattern with any character after it.
        let is_factor = |i: usize| {
            let places = starts(&window[i..], word);
            places.into_iter().any(|start| word.get(start + m - i).is_none_or(|next| next == after))
        };
        let mut i = m - 1;
        step_with(&mut tally, 2);
        let mut shift = m;
        if tally.branch(is_factor(i)) {
            tally.writes += 1;
            while tally.branch(is_factor(i) && i > 0) {
                step(&mut tally);
                i -= 1;
                tally.writes += 1;
            }
            let matched = is_factor(i);
            verify_after(word, &mut tally, pattern, text, s, matched);
            shift = if matched { period } else { i + 1 };
        }
        s += shift;
        tally.jump();
    }
    // The last window may have no character after it. It is compared.
    tally.writes += 1;
    while tally.branch(s + pattern.len() <= text.len()) {
        let equal = tally.equal_pairs(text[s..].iter().zip(pattern));
        tally.verify(equal == pattern.len(), s);
        s += 1;
        tally.jump();
    }
    tally
}

#[test]
fn forward_sbndm_counts_as_its_model() {
    agrees::<Simplified<2, 1>>(model, &[]);
}
