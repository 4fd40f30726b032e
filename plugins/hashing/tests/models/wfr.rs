//! Weak Factor Recognition: D. Cantone, S. Faro and A. Pavone, Speeding up string matching by weak factor
//! recognition, 2017.

use std::collections::HashSet;

use assay_hashing::factor::wfr::WeakFactorRecognition;
use assay_plugin_api::testing::{Tally, agrees};

/// Reads a window from right to left as long as the hash of what was read is that of a factor of the pattern.
/// A window that was read to its beginning is compared and moves by one; another one moves beyond the
/// character that no factor begins with. The first window is compared without a look-up.
fn weak_factor_recognition(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let factors = (0..m).flat_map(|start| (start + 1..=m).map(move |end| start..end));
    let known: HashSet<u16> = factors.map(|factor| hash(&pattern[factor])).collect();
    let mut tally = Tally { tables: vec![1 << 16], ..Tally::default() };
    (tally.extra[1], tally.extra[2], tally.extra[3]) = (known.len() as u64, 1 << 16, known.len() as u64);
    compare(&mut tally, pattern, text, 0);
    let mut s = 1;
    tally.jump();
    while tally.branch(s + m <= text.len()) {
        // The hash, and the place in the window.
        tally.writes += 2;
        let mut start = m;
        loop {
            start -= 1;
            tally.text += 1;
            tally.computations += 1;
            tally.lookups += 1;
            let is_known = known.contains(&hash(&text[s + start..s + m]));
            tally.extra[0] += u64::from(is_known && start == m - 1);
            if !tally.branch(is_known) {
                break;
            }
            if tally.branch(start == 0) {
                compare(&mut tally, pattern, text, s);
                break;
            }
            tally.writes += 2;
        }
        s += start + 1;
        tally.jump();
    }
    tally
}

/// The characters as digits to the base 4, the first the least, modulo 2^16. The base is that of the program,
/// because it decides which words are taken for factors.
fn hash(factor: &[u8]) -> u16 {
    factor.iter().rev().fold(0, |hash: u16, &character| (hash << 2).wrapping_add(u16::from(character)))
}

/// Compares a window from left to right.
fn compare(tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize) {
    let matched = tally.equal_pairs(text[s..].iter().zip(pattern));
    tally.verify(matched == pattern.len(), s);
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<WeakFactorRecognition<1>>(weak_factor_recognition, &[]);
}
