//! A model of SBNDM with q-grams. It is written from B. Ďurian, J. Holub, H. Peltola and J. Tarhio, Tuning
//! BNDM with q-grams, ALENEX, 2009.

use assay_bitparallel::bndm_like::simplified::Simplified;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, starts, step, step_with, verify};

/// Reads the last q characters of each window at once. If they are a factor of the pattern, it reads on
/// backward as long as it has read a factor. The next window begins after the character that ended this, or
/// after an occurrence by the pattern's period, a shift that the algorithm declares its own.
fn model(q: usize, pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let m = word.len();
    let period = (1..=m).find(|&shift| word.starts_with(&word[shift..])).expect("nothing is a prefix");
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + pattern.len() <= text.len()) {
        let window = &text[s..s + m];
        let mut i = m - q;
        step_with(&mut tally, q);
        let mut is_factor = !starts(&window[i..], word).is_empty();
        let mut shift = i + 1;
        if tally.branch(is_factor) {
            tally.writes += 1;
            while tally.branch(is_factor && i > 0) {
                step(&mut tally);
                i -= 1;
                tally.writes += 1;
                is_factor = !starts(&window[i..], word).is_empty();
            }
            verify(&mut tally, pattern, text, s, is_factor);
            shift = if is_factor { period } else { i + 1 };
        }
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn simplified_bndm_with_q_grams_counts_as_its_model() {
    agrees::<Simplified<2, 0>>(|pattern, text| model(2, pattern, text), &[]);
    agrees::<Simplified<4, 0>>(|pattern, text| model(4, pattern, text), &[]);
    agrees::<Simplified<6, 0>>(|pattern, text| model(6, pattern, text), &[]);
    agrees::<Simplified<8, 0>>(|pattern, text| model(8, pattern, text), &[]);
}
