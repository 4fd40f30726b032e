//! A model of Naive with SIMD. It is written from J. Tarhio, J. Holub and E. Giaquinta, Technology beats
//! algorithms (in exact string matching), Software: Practice and Experience, 2017.

use assay_packed::simdnaive::NaiveSimd;
use assay_plugin_api::testing::{Tally, agrees};
use assay_shared::rarity::frequency;

/// Bytes of a register.
const WIDTH: usize = 16;

/// Characters that are compared before the first test whether an alignment is left: the paper peels the loop.
const PEELED: usize = 2;

/// Compares a character of the pattern at all alignments of a block, then the next one, the rarest first by
/// the table of frequencies, until no alignment is left. The last block ends with the text. A text that is
/// too short for a block has its windows compared one by one.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let mut places: Vec<usize> = (0..m).collect();
    places.sort_by_key(|&i| frequency(pattern[i]));
    let mut tally = Tally { tables: vec![m as u64], ..Tally::default() };
    let alignments: Vec<usize> = (0..=text.len() - m).collect();
    if alignments.len() < WIDTH {
        for s in alignments {
            let equal = tally.equal_pairs(text[s..].iter().zip(pattern));
            tally.verify(equal == m, s);
            tally.jump();
        }
        return tally;
    }
    for block in alignments.chunks(WIDTH) {
        // Of the last block, alignments before these were searched already, but they are compared again.
        let first = block[0].min(text.len() + 1 - m - WIDTH);
        let mut left: Vec<usize> = (first..first + WIDTH).collect();
        for (compared, &i) in places.iter().enumerate() {
            if compared >= PEELED && left.is_empty() {
                break;
            }
            // The place is looked up.
            tally.lookups += 1;
            tally.text += WIDTH as u64;
            left.retain(|&s| text[s + i] == pattern[i]);
        }
        for s in left.into_iter().filter(|s| block.contains(s)) {
            tally.verify(true, s);
        }
        tally.jump();
    }
    tally
}

#[test]
fn naive_with_simd_counts_as_its_model() {
    // How the bits of the alignments that are left become positions is not decided.
    agrees::<NaiveSimd<WIDTH>>(model, &["branches", "writes"]);
}
