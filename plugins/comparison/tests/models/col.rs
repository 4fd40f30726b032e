//! Colussi: L. Colussi, Correctness and efficiency of pattern matching algorithms, 1991; with the tables of
//! C. Charras and T. Lecroq, Handbook of Exact String Matching Algorithms, 2004.

use assay_comparison::prefix::col::Colussi;
use assay_plugin_api::testing::{Tally, agrees};

/// Compares first the places where a mismatch lets a border of what is before them go on (the *noholes*),
/// from left to right, then the other places (the *holes*), from right to left. Each window knows of the one
/// before it how many noholes match, and up to where the text is known to match.
fn colussi(pattern: &[u8], text: &[u8]) -> Tally {
    let m = pattern.len();
    let noholes: Vec<usize> = (0..m).filter(|&i| shift_at_nohole(pattern, i).is_some()).collect();
    let holes: Vec<usize> = (0..m).rev().filter(|i| !noholes.contains(i)).collect();
    let before = |place: usize| noholes.iter().filter(|&&nohole| nohole < place).count();
    // The place of the window, the number of noholes that match, and the end of what is known.
    let mut tally = Tally { writes: 3, ..Tally::default() };
    let (mut s, mut next, mut known) = (0, 0, 0);
    while tally.branch(s + m <= text.len()) {
        let matched = next + pairs(&mut tally, pattern, &text[s..], &noholes[next..]);
        let shift;
        if tally.branch(matched == noholes.len()) {
            let unknown: Vec<usize> = holes.iter().copied().filter(|hole| s + hole >= known).collect();
            let matched = pairs(&mut tally, pattern, &text[s..], &unknown);
            tally.verify(matched == unknown.len(), s);
            // An occurrence moves the index to the pattern's end, past the holes that are known.
            tally.writes += u64::from(matched == unknown.len());
            known = s + m;
            tally.writes += 1;
            shift = period_beyond(pattern, unknown.get(matched).copied());
            next = before(m - shift);
        } else {
            let nohole = noholes[matched];
            shift = shift_at_nohole(pattern, nohole).expect("it is one");
            next = before(nohole - shift);
        }
        tally.lookups += 1;
        tally.writes += 1;
        s += shift;
        tally.jump();
    }
    tally
}

/// Compares the characters at these places until two differ, and returns how many match. The index exists
/// before the comparison, so the write before the loop does not count.
fn pairs(tally: &mut Tally, pattern: &[u8], window: &[u8], places: &[usize]) -> usize {
    let matched = tally.equal_pairs(places.iter().map(|&place| (&window[place], &pattern[place])));
    tally.writes -= 1;
    matched
}

/// The least shift after a mismatch at a place for which what is before it fits and the character there is
/// another one.
fn shift_at_nohole(pattern: &[u8], place: usize) -> Option<usize> {
    (1..=place).find(|shift| {
        pattern[..place - shift] == pattern[*shift..place] && pattern[place - shift] != pattern[place]
    })
}

/// The least period of the pattern that is greater than this place, or any without a place.
fn period_beyond(pattern: &[u8], place: Option<usize>) -> usize {
    let m = pattern.len();
    let least = place.map_or(1, |place| place + 1);
    (least..m).find(|shift| pattern[*shift..] == pattern[..m - shift]).unwrap_or(m)
}

#[test]
fn the_twin_agrees_with_the_model() {
    // The paper does not decide which tables there are: of noholes, of holes, or of the pattern's places.
    agrees::<Colussi>(colussi, &["lookup_entries"]);
}
