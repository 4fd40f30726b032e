//! A model of Horspool with BNDM test. It is written from J. Holub and B. Ďurian, Fast variants of bit
//! parallel approach to suffix automata, 2005.

use assay_hybrid::bmh_sbndm::HorspoolSbndm;
use assay_plugin_api::testing::{Tally, agrees};

/// Horspool's shift by the last character of the window.
fn horspool(pattern: &[u8], last: u8) -> usize {
    let m = pattern.len();
    (1..m).find(|back| pattern[m - 1 - back] == last).unwrap_or(m)
}

/// Horspool's shifts lead to a window whose last character matches. It is read on backward as long as the
/// pattern has what was read. The next window begins after the character that ended this, or after an
/// occurrence by the pattern's period.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let word = &pattern[..pattern.len().min(64)];
    let m = word.len();
    let is_factor = |read: &[u8]| word.windows(read.len()).any(|factor| factor == read);
    let period = (1..=m).find(|&shift| word.starts_with(&word[shift..])).expect("nothing is a prefix");
    let mut tally = Tally { writes: 1, tables: vec![256, 256], ..Tally::default() };
    let mut s = 0;
    while tally.branch(s + pattern.len() <= text.len()) {
        let window = &text[s..s + m];
        let last = window[m - 1];
        tally.text += 1;
        tally.lookups += 1;
        let shift = if tally.branch(last == word[m - 1]) {
            // The state and the place.
            let mut i = m - 1;
            tally.lookups += 1;
            tally.writes += 2;
            while tally.branch(i > 0 && is_factor(&window[i..])) {
                i -= 1;
                tally.text += 1;
                tally.lookups += 1;
                tally.computations += 1;
                tally.writes += 2;
            }
            let matched = i == 0 && is_factor(window);
            let rest = &pattern[m..];
            if rest.is_empty() {
                tally.verify(matched, s);
            } else if tally.branch(matched) {
                tally.extra[0] += 1;
                let equal = tally.equal_pairs(text[s + m..].iter().zip(rest));
                tally.verify(equal == rest.len(), s);
            }
            if matched { period } else { i + 1 }
        } else {
            horspool(word, last)
        };
        s += shift;
        tally.jump();
    }
    tally
}

#[test]
fn horspool_with_bndm_test_counts_as_its_model() {
    agrees::<HorspoolSbndm>(model, &[]);
}
