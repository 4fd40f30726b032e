//! Words of a pattern, as numbers that are compared with those of a text.

use assay_plugin_api::prelude::*;

/// The word of `W` characters at `i`, the first of them lowest, as the view of a text reads it.
///
/// # Safety
/// The word must lie within the pattern.
#[inline(always)]
pub(super) unsafe fn pattern_word<const W: usize, P: Probe>(pattern: Pattern<P>, i: usize) -> u64 {
    // SAFETY: the caller's promise.
    (0..W).fold(0, |word, k| word | u64::from(unsafe { pattern.at_unchecked(i + k) }) << (8 * k))
}
