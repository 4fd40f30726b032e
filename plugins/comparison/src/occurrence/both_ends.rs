//! The comparison of a window from both of its ends to the middle.

use assay_plugin_api::prelude::*;

/// Whether the pattern occurs at `s`. It is counted as a loop whose rounds compare two characters, one from
/// each end; the middle of an odd length is compared with itself.
#[inline(always)]
pub(super) fn occurs_from_both_ends<P: Probe>(
    pattern: Pattern<P>,
    text: Text<P>,
    s: usize,
    probe: P,
) -> bool {
    let m = pattern.len();
    let alike = |i| pattern.at(i) == text.at(s + i);
    let mut i = 0;
    probe.writes(1);
    while probe.branch(2 * i < m && alike(i) && alike(m - 1 - i)) {
        i += 1;
        probe.writes(1);
    }
    probe.verify(2 * i >= m)
}
