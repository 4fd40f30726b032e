//! What Shift-Or and Shift-And have in common beside their steps: where they end, and what they report.

use assay_plugin_api::prelude::*;

use crate::word::{WORD, prefix_occurs, rest_occurs};

/// Length up to which patterns occur so often over small alphabets that the processor cannot predict where:
/// they are reported without a branch.
pub(super) const OFTEN: usize = 4;

/// The bits of a word below those of a prefix of `width` characters.
pub(super) fn before(width: usize) -> u64 {
    !(!0 << (WORD - width))
}

/// Where the prefix of the last window ends, of `width` characters.
///
/// # Panics
/// If the pattern is shorter, or the text is shorter than the pattern.
#[inline(always)]
pub(super) fn end_of_prefixes<P: Probe>(width: usize, pattern: Pattern<P>, text: Text<P>) -> usize {
    let (m, n) = (pattern.len(), text.len());
    assert!(width <= m && m <= n, "prepared for another pattern");
    n - m + width
}

/// A step of the automaton: the loop's condition held, the state and `i` are new, and the prefix `ends`
/// before `i` or not. Reports the window if it is an occurrence. The pattern of a search that is `BRANCHLESS`
/// must fit the word. The text is borrowed, because a copy of it would be made in each step.
#[inline(always)]
pub(super) fn step_ends<const BRANCHLESS: bool, P: Probe>(
    ends: bool,
    i: usize,
    width: usize,
    pattern: Pattern<P>,
    text: &Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    probe.branch(true);
    probe.computes(1);
    probe.writes(2);
    probe.jump();
    let ends = prefix_occurs(ends, width == pattern.len(), probe);
    if BRANCHLESS {
        found.mask(i.wrapping_sub(width), u64::from(ends));
    } else if ends {
        verify(i - width, width, pattern, *text, found, probe);
    }
}

/// Reports the window at `s`, in which the prefix occurs, if the rest of the pattern does. This is a function
/// of its own, so that the loop keeps its registers.
#[cold]
#[inline(never)]
pub(super) fn verify<P: Probe>(
    s: usize,
    width: usize,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    if rest_occurs(pattern, text, s, width, probe) {
        found.at(s);
    }
}
