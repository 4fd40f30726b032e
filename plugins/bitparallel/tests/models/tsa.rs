//! A model of Two-way Shift-And. It is written from B. Ďurian, T. Chhabra, S. S. Ghuman, T. Hirvola, H.
//! Peltola and J. Tarhio, Improved two-way bit-parallel search, Prague Stringology Conference, 2014.

use assay_bitparallel::shift::tsa::TwoWayShiftAnd;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, step, verify};

/// From each m-th character it reads outwards, a character on each side in a step, as long as one of the
/// windows that have the character in the middle agrees with the pattern where it was read.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let m = word.len();
    let end = text.len() - (pattern.len() - m);
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut centre = m - 1;
    while tally.branch(centre < end) {
        let (first, last) = (centre + 1 - m, (end - m).min(centre));
        let alive = |s: usize, aside: usize| {
            let (from, to) = (s.max(centre - aside), (s + m).min(centre + aside + 1));
            text[from..to] == word[from - s..to - s]
        };
        step(&mut tally);
        let mut aside = 0;
        tally.writes += 1;
        // Whether there is a character on the right is not tested where a whole window comes after the
        // centre.
        let is_near = centre + m > end;
        while tally.branch(aside + 1 < m && (first..=last).any(|s| alive(s, aside))) {
            aside += 1;
            tally.writes += 1;
            step(&mut tally);
            if !is_near || tally.branch(centre + aside < end) {
                step(&mut tally);
            }
        }
        for s in (first..=last).filter(|s| alive(*s, aside)) {
            // Each alignment that is left is taken out and tested, and then none is left.
            tally.writes += 1;
            verify(&mut tally, pattern, text, s, true);
        }
        tally.branch(false);
        centre += m;
        tally.jump();
    }
    tally
}

#[test]
fn two_way_shift_and_counts_as_its_model() {
    // `tsa` reads one more character on each side before its first test; this form of its code does not.
    agrees::<TwoWayShiftAnd<1, 8, 0>>(model, &[]);
}
