//! Hash-q: T. Lecroq, Fast exact string matching algorithms, 2007.

use assay_hashing::qgram::hash::Hash;
use assay_plugin_api::testing::{Tally, agrees};

/// Looks up the hash of the window's last q characters, which gives the shift to where the pattern has this
/// hash last. Where it is 0, the window is compared, and moves to where the pattern has the hash before.
fn hash_q(q: usize, pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let least_shift = |from: usize, wanted: u8| {
        (from..=m - q).find(|shift| hash(&pattern[m - q - shift..m - shift]) == wanted).unwrap_or(m - q + 1)
    };
    let after_match = least_shift(1, hash(&pattern[m - q..]));
    let mut s = 0;
    while tally.branch(s + m <= text.len()) {
        let window = &text[s..s + m];
        tally.text += q as u64;
        tally.computations += 1;
        tally.lookups += 1;
        let mut shift = least_shift(0, hash(&window[m - q..]));
        if tally.branch(shift == 0) {
            let matched = tally.equal_pairs(window.iter().zip(pattern));
            tally.verify(matched == m, s);
            shift = after_match;
        }
        s += shift;
        tally.jump();
    }
    tally
}

/// The characters as digits to the base 2, modulo 256.
fn hash(gram: &[u8]) -> u8 {
    gram.iter().fold(0, |hash: u8, &character| (hash << 1).wrapping_add(character))
}

#[test]
fn the_twins_agree_with_the_model() {
    agrees::<Hash<3>>(|pattern, text| hash_q(3, pattern, text), &[]);
    agrees::<Hash<5>>(|pattern, text| hash_q(5, pattern, text), &[]);
    agrees::<Hash<8>>(|pattern, text| hash_q(8, pattern, text), &[]);
}
