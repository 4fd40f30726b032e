//! A model of Franek-Jennings-Smyth. It is written from F. Franek, C. G. Jennings and W. F. Smyth, A simple
//! fast hybrid pattern-matching algorithm, Journal of Discrete Algorithms, 2007, and from what its authors'
//! program does.

use assay_hybrid::fjs::FranekJenningsSmyth;
use assay_plugin_api::testing::{Tally, agrees};

/// Quick Search's shift by the character after the window.
fn sunday(pattern: &[u8], after: u8) -> usize {
    (1..=pattern.len()).find(|back| pattern[pattern.len() - back] == after).unwrap_or(pattern.len() + 1)
}

/// The shift by which Knuth, Morris and Pratt go on after `matched` characters: the least that agrees with
/// these, and puts another character where the next one differed.
fn shift(pattern: &[u8], matched: usize) -> usize {
    let goes_on = |shift: &usize| {
        let border = matched - shift;
        pattern[..border] == pattern[*shift..matched] && pattern.get(border) != pattern.get(matched)
    };
    (1..=matched).find(goes_on).unwrap_or(matched + 1)
}

/// Quick Search's shifts lead to a window whose last character matches. The others are compared from left to
/// right, and as long as Knuth-Morris-Pratt's shift leaves a part known to match, its windows are next.
fn model(pattern: &[u8], text: &[u8]) -> Tally {
    let (m, n) = (pattern.len(), text.len());
    // The place and the number of characters that match. The borders have an entry for each prefix and a
    // state more, as those of Knuth-Morris-Pratt.
    let mut tally = Tally { writes: 2, tables: vec![256, m as u64 + 2], ..Tally::default() };
    let (mut s, mut known) = (0, 0);
    while tally.branch(s + m <= n) {
        let mut matched = known;
        if tally.branch(known == 0) {
            // The last character of the window, by which it moves.
            tally.writes += 1;
            loop {
                let differs = !tally.equal(text[s + m - 1], pattern[m - 1]);
                if !tally.branch(differs) {
                    break;
                }
                if tally.branch(s + m == n) {
                    return tally;
                }
                tally.text += 1;
                tally.lookups += 1;
                s += sunday(pattern, text[s + m]);
                tally.jump();
                if tally.branch(s + m > n) {
                    return tally;
                }
            }
            // The place, which is the index of the comparison.
            matched = tally.equal_pairs(text[s..].iter().zip(&pattern[..m - 1]));
            // The last character was compared first. To pass it moves the place.
            tally.writes += u64::from(matched == m - 1);
            matched += usize::from(matched == m - 1);
        } else {
            matched += tally.equal_pairs(text[s + known..].iter().zip(&pattern[known..]));
            // The place is where the last comparison left it.
            tally.writes -= 1;
        }
        // With the place moves the number of characters that match.
        tally.writes += (matched - known) as u64;
        tally.verify(matched == m, s);
        let next = shift(pattern, matched);
        if tally.branch(matched > 0) {
            tally.lookups += 1;
            tally.writes += 1;
        }
        // Without a border the place moves past the character that differs.
        tally.writes += u64::from(next > matched);
        s += next;
        known = matched.saturating_sub(next);
        tally.jumps += 1;
    }
    tally
}

#[test]
fn franek_jennings_smyth_counts_as_its_model() {
    agrees::<FranekJenningsSmyth>(model, &[]);
}
