//! A model of Linear DAWG Matching. It is written from L. He, B. Fang and J. Sui, The wide window string
//! matching algorithm, Theoretical Computer Science, 2005.

use assay_automata::ldm::LinearDawg;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{SIZES, is_factor};

/// From each m-th character, the centre of a window, it reads backward as long as it has read a factor of the
/// pattern, and notes the longest prefix of the pattern. Then it reads forward from there, as long as a
/// prefix of the pattern that reaches over the centre is alive.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let (m, n) = (pattern.len(), text.len());
    let mut tally = Tally { writes: 1, ..Tally::default() };
    let mut centre = m - 1;
    while tally.branch(centre < n) {
        let left = &text[centre + 1 - m..=centre];
        // The place and the length of the prefix.
        let (mut i, mut alive) = (m, 0);
        tally.writes += 2;
        loop {
            let goes_on = i > 0 && {
                tally.text += 1;
                tally.lookups += 1;
                // The state, and the place if it is not the first.
                tally.writes += 1 + u64::from(i < m);
                is_factor(&left[i - 1..], pattern)
            };
            if !tally.branch(goes_on) {
                break;
            }
            i -= 1;
            if tally.branch(pattern.starts_with(&left[i..])) {
                alive = m - i;
                tally.writes += 1;
            }
        }
        let mut right = 0;
        // The state and the place of the second scan.
        tally.writes += if alive > 0 { 2 } else { 0 };
        while tally.branch(alive > right) {
            let end = centre + right + 1;
            tally.verify(alive == m, end.wrapping_sub(m));
            right += 1;
            if right == m || end == n {
                // The loop's condition.
                tally.branch(false);
                break;
            }
            tally.text += 1;
            tally.lookups += 1;
            let seen = &text[end - alive..=end];
            alive = (0..=seen.len().min(m))
                .rev()
                .find(|&k| pattern.starts_with(&seen[seen.len() - k..]))
                .expect("nothing is a prefix");
            tally.writes += 2;
        }
        centre += m;
        tally.jump();
    }
    tally
}

#[test]
fn linear_dawg_matching_counts_as_its_model() {
    agrees::<LinearDawg>(model, &SIZES);
}
