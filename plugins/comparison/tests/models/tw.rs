//! Two Way: M. Crochemore and D. Perrin, Two-way string-matching, 1991.

use assay_comparison::prefix::tw::TwoWay;
use assay_plugin_api::testing::{Tally, agrees};

/// Compares the right part of the window from left to right, then the left part from right to left. A
/// mismatch in the right part moves the window by what was compared there. If the period of the right part is
/// that of the pattern, other windows move by it, and what still matches then is remembered.
fn two_way(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let cut = critical_position(pattern);
    let right = &pattern[cut..];
    let period = (1..=right.len()).find(|&shift| right[shift..] == right[..right.len() - shift]);
    let period = period.expect("a word has its length as a period");
    let is_short = pattern[..cut] == pattern[period..period + cut];
    let mut tally = Tally { writes: 1, ..Tally::default() };
    // What is remembered, which only the search for a pattern with a short period writes.
    let (mut s, mut memory) = (0, 0);
    if tally.branch(is_short) {
        tally.writes += 1;
    }
    while tally.branch(s + m <= text.len()) {
        let window = &text[s..s + m];
        let start = cut.max(memory);
        let matched = tally.equal_pairs(window[start..].iter().zip(&pattern[start..]));
        if tally.branch(start + matched == m) {
            tally.extra[1] += 1;
            let left = memory.min(cut)..cut;
            let matched = tally.equal_pairs(window[left.clone()].iter().zip(&pattern[left.clone()]).rev());
            tally.verify(matched == left.len(), s);
            if is_short {
                s += period;
                memory = m - period;
            } else {
                s += cut.max(m - cut) + 1;
            }
            tally.extra[2] += u64::from(memory > 0);
        } else {
            tally.extra[0] += 1;
            s += start + matched - cut + 1;
            memory = 0;
        }
        tally.writes += u64::from(is_short);
        tally.jump();
    }
    tally
}

/// The later of the beginnings of the greatest suffixes by the order of the letters and by its reverse.
fn critical_position(pattern: &[u8]) -> usize {
    let suffixes = || (0..pattern.len()).map(|start| &pattern[start..]);
    let greatest = suffixes().max().expect("a pattern is not empty");
    let reversed = |suffix: &&[u8]| suffix.iter().map(|letter| !letter).collect::<Vec<u8>>();
    let other = suffixes().max_by_key(reversed).expect("a pattern is not empty");
    pattern.len() - greatest.len().min(other.len())
}

#[test]
fn the_twin_agrees_with_the_model() {
    agrees::<TwoWay>(two_way, &[]);
}
