//! A model of Small Alphabet Bit-Parallel. It is written from G. Zhang, E. Zhu, L. Mao and M. Yin, A
//! bit-parallel exact string matching algorithm for small alphabet, Frontiers in Algorithmics, 2009.

use assay_bitparallel::window::sabp::SmallAlphabet;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, step, verify};

/// Reads the characters of each window that were not read before, the last one first, until the window is
/// known not to match. The next window is the first that agrees with all that was read.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let m = word.len();
    // The place, the alignments that are alive, and the characters that are read.
    let mut tally = Tally { writes: 3, tables: vec![256 * m as u64], ..Tally::default() };
    let (mut s, mut read) = (0, vec![false; text.len()]);
    while tally.branch(s + pattern.len() <= text.len()) {
        let alive = |s: usize, read: &[bool]| {
            (s..(s + m).min(text.len())).all(|i| !read[i] || text[i] == word[i - s])
        };
        while let Some(i) = (s..s + m).rev().find(|&i| !read[i]).filter(|_| alive(s, &read)) {
            tally.branch(true);
            step(&mut tally);
            read[i] = true;
            tally.writes += 1;
        }
        tally.branch(false);
        let matched = alive(s, &read);
        verify(&mut tally, pattern, text, s, matched);
        // The alignment that matched is dead, and the shift moves all three.
        tally.writes += u64::from(matched) + 2;
        s = (s + 1..).find(|&s| alive(s, &read)).expect("nothing is known after the window");
        tally.jump();
    }
    tally
}

#[test]
fn small_alphabet_bit_parallel_counts_as_its_model() {
    agrees::<SmallAlphabet>(model, &[]);
}
