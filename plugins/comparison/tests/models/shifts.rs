//! Shifts by their definitions, found by trying one after the other.

/// The good suffix rule in its strong form: the least shift for which the `matched` last characters of the
/// window fit again, and the character before them is not the one that mismatched.
pub fn good_suffix(pattern: &[u8], matched: usize) -> usize {
    let m = pattern.len();
    let suffix = m - matched;
    let fits = |shift: &usize| {
        let fits_again = (suffix..m).all(|i| i < *shift || pattern[i - shift] == pattern[i]);
        let is_other = |i: usize| i < *shift || pattern[i - shift] != pattern[i];
        fits_again && (suffix == 0 || is_other(suffix - 1))
    };
    (1..=m).find(fits).expect("nothing contradicts a shift by the whole pattern")
}

/// The least shift for which these characters of the text fit, the first of which is at `offset` in the
/// window or after it. Characters that the pattern does not reach after the shift, on either side, fit.
pub fn occurrence(pattern: &[u8], offset: usize, characters: &[u8]) -> usize {
    let fits = |shift: &usize| {
        let mut there = characters
            .iter()
            .zip(offset..)
            .filter_map(|(character, place)| Some((character, pattern.get(place.checked_sub(*shift)?)?)));
        there.all(|(character, own)| character == own)
    };
    (1..).find(fits).expect("a shift beyond all characters fits")
}
