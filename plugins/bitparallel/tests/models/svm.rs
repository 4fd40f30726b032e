//! A model of Shift Vector Matching. It is written from H. Peltola and J. Tarhio, Alternative algorithms for
//! bit-parallel string matching, SPIRE, 2003.

use assay_bitparallel::window::svm::ShiftVector;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{step, verify_after};

/// Reads each window backward until it is known not to match. Of each window that overlaps what was read, in
/// this window or in earlier ones, it is known whether it agrees with the pattern there; the next one that
/// does is the next window.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    // One bit of a word is for the shift by the whole prefix.
    let word = &pattern[..pattern.len().min(63)];
    let m = word.len();
    // The place, and the shifts that are possible.
    let mut tally = Tally { writes: 2, tables: vec![256], ..Tally::default() };
    let (mut s, mut read) = (0, vec![false; text.len()]);
    while tally.branch(s + pattern.len() <= text.len()) {
        let alive = |s: usize, read: &[bool]| {
            (s..(s + m).min(text.len())).all(|i| !read[i] || text[i] == word[i - s])
        };
        let mut i = m;
        tally.writes += 1;
        while tally.branch(i > 0 && (i == m || alive(s, &read))) {
            i -= 1;
            tally.writes += 1;
            step(&mut tally);
            read[s + i] = true;
        }
        let matched = i == 0 && alive(s, &read);
        verify_after(word, &mut tally, pattern, text, s, matched);
        // No shift at all is impossible after a match, and the shift moves the others.
        tally.writes += u64::from(matched) + 1;
        s = (s + 1..).find(|&s| alive(s, &read)).expect("nothing is known after the window");
        tally.jump();
    }
    tally
}

#[test]
fn shift_vector_matching_counts_as_its_model() {
    agrees::<ShiftVector<0>>(model, &[]);
}
