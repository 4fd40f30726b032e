//! Patterns longer than a machine word: their prefix is searched for, and the rest is verified where it occurs.

use assay_plugin_api::prelude::*;

/// How many characters of a pattern find room in a word.
pub const WORD: usize = u64::BITS as usize;

/// The part of the pattern that the word holds.
pub fn prefix(pattern: &[u8]) -> &[u8] {
    &pattern[..pattern.len().min(WORD)]
}

/// Whether the pattern's characters from `width` on, those that the word doesn't hold, occur in the window at `s` as well.
/// True, without a test, where the word holds them all.
#[inline(always)]
pub fn rest_occurs<P: Probe>(pattern: Pattern<P>, text: Text<P>, s: usize, width: usize) -> bool {
    width == pattern.len() || pattern.occurs(text, s, width..pattern.len())
}
