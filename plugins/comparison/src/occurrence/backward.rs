//! The comparison of a window from right to left.

use std::ops::Range;

use assay_plugin_api::prelude::*;

/// Whether the pattern's characters in `part` are those of the window at `s`. It is counted as [`Pattern::occurs`] is, but
/// goes from right to left.
#[inline(always)]
pub(crate) fn occurs_backward<P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    s: usize,
    part: Range<usize>,
    probe: P,
) -> bool {
    let (start, mut i) = (part.start, part.end);
    probe.writes(1);
    while probe.branch(i > start && pattern.at(i - 1) == text.at(s + i - 1)) {
        i -= 1;
        probe.writes(1);
    }
    probe.verify(i <= start)
}
