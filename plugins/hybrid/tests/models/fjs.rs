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
    let mut tally = Tally::default();
    let (mut s, mut known) = (0, 0);
    while tally.branch(s + m <= n) {
        let mut matched = known;
        if tally.branch(known == 0) {
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
            matched = tally.equal_pairs(text[s..].iter().zip(&pattern[..m - 1]));
            // The last character was compared first.
            matched += usize::from(matched == m - 1);
        } else {
            matched += tally.equal_pairs(text[s + known..].iter().zip(&pattern[known..]));
        }
        tally.verify(matched == m, s);
        tally.branch(matched > 0);
        let next = shift(pattern, matched);
        s += next;
        known = matched.saturating_sub(next);
        tally.jump();
    }
    tally
}

#[test]
fn franek_jennings_smyth_counts_as_its_model() {
    // The paper's listing was not seen. In the authors' program, the borders have an entry less, and none is
    // looked up where nothing matched. How many variables there are is the program's choice.
    agrees::<FranekJenningsSmyth>(model, &["lookups", "lookup_entries", "lookup_entries2", "writes"]);
}
