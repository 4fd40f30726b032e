//! Words as sets of places, and the prefix of a pattern that fits into a machine word.

use assay_plugin_api::testing::Tally;

/// The longest prefix of the pattern that has a bit of a machine word for each character.
pub fn in_a_word(pattern: &[u8]) -> &[u8] {
    &pattern[..pattern.len().min(64)]
}

/// Counts the test whether the window at `s` matched, if it is known whether the prefix of the pattern in a
/// word did. If the pattern is longer, that is a filter before the comparison of what comes after the prefix.
pub fn verify(tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize, matched: bool) {
    verify_after(in_a_word(pattern), tally, pattern, text, s, matched);
}

/// The same for a prefix of another length.
pub fn verify_after(prefix: &[u8], tally: &mut Tally, pattern: &[u8], text: &[u8], s: usize, matched: bool) {
    let rest = &pattern[prefix.len()..];
    if rest.is_empty() {
        tally.verify(matched, s);
    } else if tally.branch(matched) {
        tally.extra[0] += 1;
        let after = &text[s + pattern.len() - rest.len()..];
        let equal = tally.equal_pairs(after.iter().zip(rest));
        tally.verify(equal == rest.len(), s);
    }
}

/// Where a word begins in another, each time that it occurs there.
pub fn starts(word: &[u8], whole: &[u8]) -> Vec<usize> {
    (0..=whole.len() - word.len().min(whole.len()))
        .filter(|&start| whole[start..].starts_with(word))
        .collect()
}

/// Whether a word is a factor of another, and something comes before it there.
pub fn has_character_before(word: &[u8], whole: &[u8]) -> bool {
    starts(word, whole).into_iter().any(|start| start > 0)
}

/// Counts a step of a state with a character of the text: its read, the lookup of its mask, and the new
/// state.
pub fn step(tally: &mut Tally) {
    step_with(tally, 1);
}

/// Counts a step of a state with several characters of the text at once.
pub fn step_with(tally: &mut Tally, characters: usize) {
    tally.text += characters as u64;
    tally.lookups += characters as u64;
    tally.computations += characters as u64;
    tally.writes += 1;
}
