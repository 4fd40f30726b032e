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
    // The place in the text.
    let mut tally = Tally { writes: 1, tables: vec![m as u64], ..Tally::default() };
    let alignments: Vec<usize> = (0..=text.len() - m).collect();
    if tally.branch(alignments.len() < WIDTH) {
        for s in alignments {
            tally.branch(true);
            let equal = tally.equal_pairs(text[s..].iter().zip(pattern));
            tally.verify(equal == m, s);
            tally.jump();
        }
        tally.branch(false);
        return tally;
    }
    let blocks = alignments.chunks_exact(WIDTH);
    let rest = blocks.remainder();
    for block in blocks {
        tally.branch(true);
        let left = compare(&mut tally, pattern, &places, text, block[0]);
        verify(&mut tally, left);
        tally.jump();
    }
    tally.branch(false);
    if tally.branch(!rest.is_empty()) {
        // Alignments before the rest were searched already, but they are compared again.
        let mut left = compare(&mut tally, pattern, &places, text, text.len() + 1 - m - WIDTH);
        left.retain(|s| rest.contains(s));
        verify(&mut tally, left);
        tally.jumps += 1;
    }
    tally
}

/// The alignments of a block that are left after all comparisons.
fn compare(tally: &mut Tally, pattern: &[u8], places: &[usize], text: &[u8], first: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (first..first + WIDTH).collect();
    // The index of the characters.
    tally.writes += 1;
    for (compared, &i) in places.iter().enumerate() {
        if compared >= PEELED {
            if left.is_empty() {
                break;
            }
            tally.branch(true);
            tally.writes += 1;
        }
        // The place is looked up, and it is kept which alignments are left.
        tally.lookups += 1;
        tally.writes += 1;
        tally.text += WIDTH as u64;
        left.retain(|&s| text[s + i] == pattern[i]);
    }
    tally.branch(false);
    left
}

/// Takes out the alignments that are left, which all match.
fn verify(tally: &mut Tally, left: Vec<usize>) {
    if tally.branch(!left.is_empty()) {
        tally.writes += 1;
        for s in left {
            tally.branch(true);
            tally.writes += 1;
            tally.verify(true, s);
        }
        tally.branch(false);
    }
}

#[test]
fn naive_with_simd_counts_as_its_model() {
    agrees::<NaiveSimd<WIDTH>>(model, &[]);
}
