//! The comparison of a window from right to left.

use std::ops::Range;

use assay_plugin_api::prelude::*;

/// Whether the pattern's characters in `part` are those of the window at `s`. It is counted as
/// [`Pattern::occurs`] is, but goes from right to left.
///
/// # Panics
/// If the part or the window reaches beyond pattern or text.
#[inline(always)]
pub(crate) fn occurs_backward<P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    s: usize,
    part: Range<usize>,
    probe: P,
) -> bool {
    let (start, mut i) = (part.start, part.end);
    assert!(i <= pattern.len() && i <= text.len() && s <= text.len() - i, "a window outside of the text");
    probe.writes(1);
    // SAFETY: start < i <= end, and the window's first `end` bytes and those of the pattern were found to be
    // there.
    while probe.branch(i > start && unsafe { pattern.at_unchecked(i - 1) == text.at_unchecked(s + i - 1) }) {
        i -= 1;
        probe.writes(1);
    }
    probe.verify(i <= start)
}
