//! A model of Bit-parallel Wide Window. It is written from L. He, B. Fang and J. Sui, The wide window string
//! matching algorithm, Theoretical Computer Science, 2005.

use assay_bitparallel::window::bww::BitParallelWideWindow;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, starts, step, verify};

/// From each m-th character, the centre, it reads forward as long as the pattern has what was read, with a
/// character after it that could come next, and notes the suffixes of the pattern. Then it reads backward as
/// long as one of them can still become the pattern. Before each character on this way, and before the first,
/// it tests whether the window there matched.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let m = word.len();
    let end = text.len() - (pattern.len() - m);
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut centre = m - 1;
    while tally.branch(centre < end) {
        let right = &text[centre..end.min(centre + m)];
        let goes_on = |read: usize| starts(&right[..read], word).into_iter().any(|start| start + read < m);
        let (mut read, mut suffixes) = (0, Vec::new());
        // The state, the place and the suffixes.
        tally.writes += 3;
        while tally.branch(read < right.len() && goes_on(read)) {
            step(&mut tally);
            read += 1;
            if tally.branch(word.ends_with(&right[..read])) {
                suffixes.push(read);
                tally.writes += 1;
            }
            // The place, and the state, which moves on to the next character.
            tally.writes += 2;
        }
        let mut left = 0;
        tally.writes += 1;
        while tally.branch(!suffixes.is_empty()) {
            let matched = suffixes.contains(&(m - left));
            verify(&mut tally, pattern, text, centre - left, matched);
            suffixes.retain(|&suffix| suffix + left < m);
            if matched {
                tally.writes += 1;
                if tally.branch(suffixes.is_empty()) {
                    break;
                }
            }
            left += 1;
            tally.writes += 1;
            step(&mut tally);
            suffixes.retain(|&suffix| word[m - suffix - left] == text[centre - left]);
        }
        centre += m;
        tally.jump();
    }
    tally
}

#[test]
fn bit_parallel_wide_window_counts_as_its_model() {
    agrees::<BitParallelWideWindow>(model, &[]);
}
