//! The comparison of a window by a critical factorisation, after Crochemore and Perrin: the right part first.

pub use assay_finder::factorisation::Factorisation;
use assay_plugin_api::prelude::*;

/// Compares the window at `s` with the pattern, the right part first; its first `memory` characters are
/// known to match. Answers by how much to shift, and leaves in `memory` what is then known: nothing where
/// the pattern is not periodic.
///
/// # Safety
/// The factorisation [`fits`](Factorisation::fits) the pattern, and the window lies within the text.
#[inline(always)]
pub unsafe fn compare<P: Probe>(
    parts: &Factorisation,
    s: usize,
    memory: &mut usize,
    (pattern, text): (Pattern<P>, Text<P>),
    found: &mut impl Found,
    probe: P,
) -> usize {
    let (m, cut) = (pattern.len(), parts.cut);
    let mut i = if parts.periodic { cut.max(*memory) } else { cut };
    probe.writes(1);
    // SAFETY: the caller's promise, and called only with i < m: `cut` is less.
    let alike = |i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
    while probe.branch(i < m && alike(i)) {
        i += 1;
        probe.writes(1);
    }
    if probe.branch(i < m) {
        *memory = 0;
        return i - cut + 1;
    }
    let mut j = cut;
    probe.writes(1);
    while probe.branch(j > *memory && alike(j - 1)) {
        j -= 1;
        probe.writes(1);
    }
    if probe.verify(j <= *memory) {
        found.at(s);
    }
    *memory = if parts.periodic { m - parts.period } else { 0 };
    parts.period
}
