//! Patterns longer than a machine word: their prefix is searched for, and the rest is verified where it occurs.

use assay_plugin_api::{Pattern, Probe, Text};

/// How many characters of a pattern find room in a word.
pub const WORD: usize = u64::BITS as usize;

/// The part of the pattern that the word holds.
pub fn prefix(pattern: &[u8]) -> &[u8] {
    &pattern[..pattern.len().min(WORD)]
}

/// Whether the pattern's characters from `i` on, those that the word doesn't hold, occur in the window at `s` as well.
/// True, without a test, where the word holds them all.
#[inline(always)]
pub fn rest_matches<P: Probe>(
    pattern: Pattern<'_, P>,
    text: Text<'_, P>,
    s: usize,
    mut i: usize,
    probe: P,
) -> bool {
    let m = pattern.len();
    if i == m {
        return true;
    }
    probe.writes(1);
    while probe.branch(i < m && pattern.at(i) == text.at(s + i)) {
        i += 1;
        probe.writes(1);
    }
    probe.verify(i == m)
}
