//! The search of Shift-Or and Shift-And, automata whose state has a bit for each prefix of the pattern.

use assay_plugin_api::prelude::*;

use crate::word::{WORD, prefix_occurs, rest_occurs};

/// The parts in which these automata differ.
pub(crate) struct States<Step, TwoSteps, Ends> {
    pub initial: u64,
    /// The state after a character with this mask.
    pub step: Step,
    /// The state after two characters, in which the masks meet before the state is needed.
    pub two_steps: TwoSteps,
    /// Whether the prefix that the word holds ends in this state.
    pub ends: Ends,
}

/// The bits of a word below those of a prefix of `width` characters.
pub(super) fn before(width: usize) -> u64 {
    !(!0 << (WORD - width))
}

/// Searches with the masks of the pattern's first `width` characters, and verifies the rest.
#[inline(always)]
pub(crate) fn scan<P: Probe>(
    states: States<impl Fn(u64, u64) -> u64, impl Fn(u64, u64, u64) -> u64, impl Fn(u64) -> bool>,
    mask: &ByteTable<u64>,
    width: usize,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    if pattern.len() <= OFTEN {
        rounds(true, states, mask, width, pattern, text, found, probe);
    } else {
        rounds(false, states, mask, width, pattern, text, found, probe);
    }
}

/// Length up to which patterns occur so often over small alphabets that the processor cannot predict where.
const OFTEN: usize = 4;

/// The search. If the pattern occurs `often`, where it does is added up without a branch.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "those of a search")]
fn rounds<P: Probe>(
    often: bool,
    states: States<impl Fn(u64, u64) -> u64, impl Fn(u64, u64, u64) -> u64, impl Fn(u64) -> bool>,
    mask: &ByteTable<u64>,
    width: usize,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n, mask) = (pattern.len(), text.len(), mask.view(probe));
    assert!(width <= m && m <= n, "prepared for another pattern");
    // Where the prefix of the last window ends.
    let end = n - m + width;
    // SAFETY: called only for characters before `end`, which is n at most.
    let mask_at = |i: usize| mask.at(unsafe { text.at_unchecked(i) });
    // A step: the loop's condition held, the state and `i` are new, and perhaps the prefix ends before `i`.
    let mut stepped = |state: u64, i: usize| {
        probe.branch(true);
        probe.computes(1);
        probe.writes(2);
        probe.jump();
        let ends = prefix_occurs((states.ends)(state), width == m, probe);
        if often {
            found.mask(i.wrapping_sub(width), u64::from(ends));
        } else if ends {
            verify(i - width, width, pattern, text, found, probe);
        }
    };
    let (mut state, mut i) = (states.initial, 0);
    probe.writes(2);
    // Two characters a round: the state after the first need not be known for that after the second.
    while i + 1 < end {
        let (first, second) = (mask_at(i), mask_at(i + 1));
        stepped((states.step)(state, first), i + 1);
        state = (states.two_steps)(state, first, second);
        i += 2;
        stepped(state, i);
    }
    if i < end {
        stepped((states.step)(state, mask_at(i)), end);
    }
    probe.branch(false);
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
