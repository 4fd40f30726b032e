//! A model of BNDM with q-grams. It is written from B. Ďurian, J. Holub, H. Peltola and J. Tarhio, Tuning
//! BNDM with q-grams, ALENEX, 2009.

use assay_bitparallel::bndm_like::bndmq::Bndmq;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, starts, step, step_with, verify};

/// Reads the last q characters of each window at once. If they are a factor of the pattern, it reads on as
/// BNDM does; the longest prefix of the pattern that was read, of at least q characters, begins the next
/// window.
fn model(q: usize, pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + pattern.len() <= text.len()) {
        let window = &text[s..s + word.len()];
        let mut i = word.len() - q;
        let mut shift = i + 1;
        step_with(&mut tally, q);
        let mut is_factor = !starts(&window[i..], word).is_empty();
        let mut matched = false;
        tally.writes += 2;
        while tally.branch(is_factor) {
            if tally.branch(word.starts_with(&window[i..])) {
                matched = i == 0;
                if tally.branch(matched) {
                    break;
                }
                shift = i;
                tally.writes += 1;
            }
            step(&mut tally);
            i -= 1;
            tally.writes += 1;
            is_factor = !starts(&window[i..], word).is_empty();
        }
        verify(&mut tally, pattern, text, s, matched);
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn bndm_with_q_grams_counts_as_its_model() {
    agrees::<Bndmq<2>>(|pattern, text| model(2, pattern, text), &[]);
    agrees::<Bndmq<4>>(|pattern, text| model(4, pattern, text), &[]);
    agrees::<Bndmq<6>>(|pattern, text| model(6, pattern, text), &[]);
}
