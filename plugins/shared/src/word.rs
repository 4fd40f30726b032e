//! Patterns longer than a machine word: their prefix is searched for, and the rest is verified where it
//! occurs.

use assay_plugin_api::prelude::*;

/// Number of characters of a pattern that fit a word.
pub const WORD: usize = u64::BITS as usize;

/// Extra fields: occurrences of the prefix of a pattern longer than a word.
pub const EXTRA: &[&str] = &["#prefix"];
const PREFIX: usize = 0;

/// The part of the pattern that the word holds.
pub fn prefix(pattern: &[u8]) -> &[u8] {
    &pattern[..pattern.len().min(WORD)]
}

/// The least period of a pattern: the shift after it has occurred.
pub fn period(pattern: &[u8]) -> usize {
    let mut periods = 1..=pattern.len();
    periods.find(|&p| pattern[p..] == pattern[..pattern.len() - p]).expect("its length is one")
}

/// The test whether the prefix occurs: the verification of a pattern that the word holds, and of a longer one
/// a filter.
#[inline(always)]
pub fn prefix_occurs<P: Probe>(condition: bool, is_whole: bool, probe: P) -> bool {
    if is_whole { probe.verify(condition) } else { probe.branch(condition) }
}

/// Whether the pattern's characters from `width` on, those that the word doesn't hold, occur in the window at
/// `s` as well. True, without a test, where the word holds them all.
#[inline(always)]
pub fn rest_occurs<P: Probe>(pattern: Pattern<P>, text: Text<P>, s: usize, width: usize, probe: P) -> bool {
    if width == pattern.len() {
        return true;
    }
    probe.extra(PREFIX, || 1);
    pattern.occurs(text, s, width..pattern.len())
}
