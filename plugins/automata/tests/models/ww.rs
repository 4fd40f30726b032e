//! A model of Wide Window. It is written from L. He, B. Fang and J. Sui, The wide window string matching
//! algorithm, Theoretical Computer Science, 2005.

use assay_automata::ww::WideWindow;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{SIZES, is_factor};

/// From each m-th character, the centre of a window, it reads forward as long as it has read a factor of the
/// pattern, and notes the longest suffix of the pattern. Then it reads backward from there, as long as a
/// suffix of the pattern that reaches over the centre is alive.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let mut tally = Tally { writes: 1, ..Tally::default() };
    let mut centre = m - 1;
    while tally.branch(centre < text.len()) {
        let right = &text[centre..text.len().min(centre + m)];
        // The place and the length of the suffix.
        let (mut read, mut alive) = (0, 0);
        tally.writes += 2;
        loop {
            let goes_on = read < right.len() && {
                tally.text += 1;
                tally.lookups += 1;
                tally.writes += 1;
                is_factor(&right[..read + 1], pattern)
            };
            if !tally.branch(goes_on) {
                break;
            }
            read += 1;
            tally.writes += 1;
            if tally.branch(pattern.ends_with(&right[..read])) {
                alive = read;
                tally.writes += 1;
            }
        }
        let mut left = 0;
        // The state and the place of the second scan.
        tally.writes += if alive > 0 { 2 } else { 0 };
        while tally.branch(alive > left) {
            tally.verify(alive == m, centre - left);
            left += 1;
            if left == m {
                // The loop's condition.
                tally.branch(false);
                break;
            }
            tally.text += 1;
            tally.lookups += 1;
            let seen = &text[centre - left..centre - left + alive + 1];
            alive =
                (0..=seen.len()).rev().find(|&k| pattern.ends_with(&seen[..k])).expect("nothing is a suffix");
            tally.writes += 2;
        }
        centre += m;
        tally.jump();
    }
    tally
}

#[test]
fn wide_window_counts_as_its_model() {
    agrees::<WideWindow>(model, &SIZES);
}
