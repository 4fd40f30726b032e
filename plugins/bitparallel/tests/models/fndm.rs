//! A model of Forward Nondeterministic DAWG Matching. It is written from J. Holub and B. Ďurian, Fast
//! variants of bit parallel approach to suffix automata, 2005.

use assay_bitparallel::shift::forward::Forward;
use assay_plugin_api::testing::{Tally, agrees};

use crate::words::{in_a_word, step};

/// From each m-th character it reads forward as long as a window that has the characters read so far is
/// alive: one that agrees with the pattern there. Characters of a window before the first that was read are
/// compared when the window ends. After the last character no window is alive, so that the next ones begin
/// after it.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let word = in_a_word(pattern);
    let m = word.len();
    let end = text.len() - (pattern.len() - m);
    let mut tally = Tally { writes: 1, tables: vec![256], ..Tally::default() };
    let mut i = m - 1;
    while tally.branch(i < end) {
        let first = i;
        let alive = |s: usize, i: usize| {
            let from = s.max(first);
            text[from..=i] == word[from - s..=i - s]
        };
        step(&mut tally);
        while tally.branch((i + 1 - m..=i).any(|s| alive(s, i))) {
            let s = i + 1 - m;
            if tally.branch(alive(s, i)) {
                let equal = tally.equal_pairs(text[s..].iter().zip(pattern));
                tally.verify(equal == pattern.len(), s);
            }
            if tally.branch(i + 1 == end) {
                // The last advance leads out of the text, so that no place is set.
                tally.jumps += 1;
                return tally;
            }
            i += 1;
            tally.jump();
            step(&mut tally);
        }
        i += m;
        tally.jump();
    }
    tally
}

#[test]
fn forward_nondeterministic_dawg_matching_counts_as_its_model() {
    agrees::<Forward<1, false>>(model, &[]);
}
