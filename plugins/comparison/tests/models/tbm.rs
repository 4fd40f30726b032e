//! Turbo Boyer-Moore: M. Crochemore, A. Czumaj, L. Gasieniec, S. Jarominek, T. Lecroq, W. Plandowski and W.
//! Rytter, Speeding up two string-matching algorithms, 1994.

use assay_comparison::suffix::tbm::TurboBoyerMoore;
use assay_plugin_api::testing::{Tally, agrees};

use crate::shifts::{good_suffix, occurrence};

/// Boyer-Moore that remembers a factor of the text: the part of the window that matched before the last shift
/// by the good suffix rule. The comparison jumps over it, and a shorter suffix that matched now lets the
/// window move by the difference.
fn turbo_boyer_moore(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    // The place of the window, the last shift and the length of what is remembered.
    let mut tally = Tally { writes: 3, tables: vec![256, m as u64 + 1], ..Tally::default() };
    let (mut s, mut shift, mut memory) = (0, m, 0);
    while tally.branch(s + m <= text.len()) {
        let mut left = m;
        tally.writes += 1;
        loop {
            let equal = left > 0 && tally.equal(text[s + left - 1], pattern[left - 1]);
            if !tally.branch(equal) {
                break;
            }
            left -= 1;
            tally.writes += 1;
            if tally.branch(memory > 0 && left == m - shift) {
                left -= memory;
                tally.writes += 1;
                tally.extra[0] += 1;
            }
        }
        tally.verify(left == 0, s);
        let matched = m - left;
        let good = good_suffix(pattern, matched);
        tally.lookups += 1;
        if left == 0 {
            (shift, memory) = (good, m - good);
        } else {
            // Neither of the two may be positive.
            let turbo = memory.saturating_sub(matched);
            let bad = occurrence(pattern, m - 1, &[text[s + left - 1]]).saturating_sub(matched);
            tally.lookups += 1;
            tally.computations += 2;
            shift = good.max(bad).max(turbo);
            if tally.branch(shift == good) {
                memory = matched.min(m - shift);
            } else {
                // The suffix that matched and the one before it end at different distances: the shift must be
                // longer than what is remembered.
                if tally.branch(turbo < bad) {
                    shift = shift.max(memory + 1);
                }
                memory = 0;
            }
            tally.extra[1] += u64::from(shift > good.max(bad));
        }
        tally.writes += 2;
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<TurboBoyerMoore>(turbo_boyer_moore, &[]);
}
