//! A model of Average Optimal Shift-Or. It is written from K. Fredriksson and S. Grabowski, Practical and
//! optimal string matching, SPIRE, 2005.

use assay_bitparallel::shift::interleaved::Interleaved;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, step};

/// Reads each q-th character, and keeps which of the q subpatterns, of each q-th character of the pattern,
/// end there. Where one does, the window is compared.
fn model(q: usize, pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let length = word.len() / q;
    // The state and the place.
    let mut tally = Tally { writes: 2, tables: vec![256], ..Tally::default() };
    for i in (0..text.len()).step_by(q) {
        tally.branch(true);
        step(&mut tally);
        let first = (i + q).checked_sub(length * q);
        let ends = |first: usize, j: usize| (0..length).all(|k| text[first + k * q] == word[j + k * q]);
        let hits: Vec<usize> = (0..q).rev().filter(|&j| first.is_some_and(|first| ends(first, j))).collect();
        if tally.branch(!hits.is_empty()) {
            tally.writes += 1;
            for j in hits {
                tally.branch(true);
                tally.writes += 1;
                // The window is computed from the bit of the subpattern. It may reach beyond the text.
                tally.computations += 1;
                let s = first.and_then(|first| first.checked_sub(j));
                let s = s.filter(|s| s + pattern.len() <= text.len());
                tally.branch(s.is_some());
                if let Some(s) = s {
                    let equal = tally.equal_pairs(text[s..].iter().zip(pattern));
                    tally.verify(equal == pattern.len(), s);
                }
            }
            tally.branch(false);
        }
        tally.jump();
    }
    tally.branch(false);
    tally
}

#[test]
fn average_optimal_shift_or_counts_as_its_model() {
    agrees::<Interleaved<2, 1>>(|pattern, text| model(2, pattern, text), &[]);
    agrees::<Interleaved<4, 1>>(|pattern, text| model(4, pattern, text), &[]);
    agrees::<Interleaved<6, 1>>(|pattern, text| model(6, pattern, text), &[]);
}
