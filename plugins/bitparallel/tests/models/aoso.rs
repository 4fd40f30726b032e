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
    let mut tally = Tally { tables: vec![256], ..Tally::default() };
    for i in (0..text.len()).step_by(q) {
        step(&mut tally);
        let Some(first) = (i + q).checked_sub(length * q) else {
            tally.jump();
            continue;
        };
        for j in (0..q).rev() {
            if (0..length).any(|k| text[first + k * q] != word[j + k * q]) {
                continue;
            }
            // The window is computed from the bit of the subpattern. It may reach beyond the text.
            tally.computations += 1;
            if let Some(s) = first.checked_sub(j).filter(|s| s + pattern.len() <= text.len()) {
                let equal = tally.equal_pairs(text[s..].iter().zip(pattern));
                tally.verify(equal == pattern.len(), s);
            }
        }
        tally.jump();
    }
    tally
}

#[test]
fn average_optimal_shift_or_counts_as_its_model() {
    // How the bits are tested, and how many variables there are, is the program's choice.
    let unknown = ["branches", "writes"];
    agrees::<Interleaved<2, 1>>(|pattern, text| model(2, pattern, text), &unknown);
    agrees::<Interleaved<4, 1>>(|pattern, text| model(4, pattern, text), &unknown);
    agrees::<Interleaved<6, 1>>(|pattern, text| model(6, pattern, text), &unknown);
}
