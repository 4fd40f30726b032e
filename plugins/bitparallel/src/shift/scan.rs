//! The search of automata whose states are the prefixes alive, as bits of a word: Shift-Or and Shift-And.

use assay_plugin_api::prelude::*;

use crate::word::{prefix_occurs, rest_occurs};

/// What tells such automata apart.
pub(crate) struct States<Step, TwoSteps, Ends> {
    pub initial: u64,
    /// The state after a character, of which the mask is given.
    pub step: Step,
    /// The state after two characters, in which the masks meet before the state is needed.
    pub two_steps: TwoSteps,
    /// Whether the prefix that the word holds ends in this state.
    pub ends: Ends,
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
    let (m, mask) = (pattern.len(), mask.view(probe));
    // Where the prefix of the last window ends.
    let end = text.len() - m + width;
    let mut verify = |i: usize| {
        if rest_occurs(pattern, text, i - width, width, probe) {
            found.at(i - width);
        }
    };
    // A step: the loop's condition held, the state and `i` are new, and perhaps the prefix ends before `i`.
    let ends = |state: u64| {
        probe.branch(true);
        probe.computes(1);
        probe.writes(2);
        probe.jump();
        prefix_occurs((states.ends)(state), width == m, probe)
    };
    let (mut state, mut i) = (states.initial, 0);
    probe.writes(2);
    // Two characters a round: the state after the first need not be known for that after the second.
    while i + 1 < end {
        let (first, second) = (mask.at(text.at(i)), mask.at(text.at(i + 1)));
        if ends((states.step)(state, first)) {
            verify(i + 1);
        }
        state = (states.two_steps)(state, first, second);
        i += 2;
        if ends(state) {
            verify(i);
        }
    }
    if i < end && ends((states.step)(state, mask.at(text.at(i)))) {
        verify(end);
    }
    probe.branch(false);
}
