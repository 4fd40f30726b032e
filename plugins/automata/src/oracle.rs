//! The factor oracle of the reversed pattern, with all transitions in a table: what searches share that keep
//! it so.

use assay_plugin_api::prelude::*;

use super::transitions::{FAILED, MAX_STATES, Transitions, TransitionsView};

/// The oracle: its state of number `i` is that after the first `i` characters.
#[derive(Default)]
pub(crate) struct Oracle {
    /// Where there is none, [`FAILED`].
    pub transitions: Transitions,
    /// For each state, its supply state, both by their numbers.
    supply: Vec<usize>,
}

/// Longest pattern: the oracle has one state more than the pattern has characters.
pub(crate) const MAX_PATTERN: usize = MAX_STATES - 1;

impl Oracle {
    pub fn prepare(&mut self, pattern: &[u8]) {
        let (transitions, supply) = (&mut self.transitions, &mut self.supply);
        transitions.reset(pattern, pattern.len() + 1);
        supply.clear();
        supply.push(0);
        for (number, &byte) in pattern.iter().rev().enumerate() {
            let (mut state, target) = (number, transitions.state(number + 1));
            let mut transition = |number| {
                let entry = transitions.entry(transitions.state(number), byte);
                match transitions.targets[entry] {
                    FAILED => {
                        transitions.targets[entry] = target;
                        None
                    }
                    known => Some(transitions.number(known)),
                }
            };
            transition(state);
            // Adds the transition to each state on the supply path that does not have it.
            supply.push(loop {
                if state == 0 {
                    break 0;
                }
                state = supply[state];
                if let Some(known) = transition(state) {
                    break known;
                }
            });
        }
    }
}

/// Reads the rest of the window at `s` backward, its first `unread` characters, from the state after the
/// others. Reports an occurrence, and returns the beginning of the next window.
///
/// # Safety
/// The state must be one of these transitions.
#[inline(always)]
pub(crate) unsafe fn finish_window<P: Probe>(
    transitions: TransitionsView<P>,
    mut state: u32,
    s: usize,
    unread: usize,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) -> usize {
    let mut i = s + unread;
    probe.writes(1);
    while probe.branch(state != FAILED && i > s) {
        i -= 1;
        // SAFETY: the caller's promise, and each transition leads to a state.
        state = unsafe { transitions.after(state, text.at(i)) };
        probe.writes(2);
    }
    // The only word of m characters that the oracle accepts is the pattern.
    if probe.verify(state != FAILED) {
        found.at(s);
    }
    i + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracle of abbbaab, an example of the paper.
    #[test]
    fn the_oracle_is_that_of_the_paper() {
        let mut oracle = Oracle::default();
        oracle.prepare(b"baabbba");
        assert_eq!(oracle.supply[1..], [0, 0, 2, 3, 1, 1, 2]);
        let transitions = &oracle.transitions;
        let after = |number, byte| transitions.number(transitions.after(transitions.state(number), byte));
        assert_eq!([after(0, b'a'), after(0, b'b')], [1, 2]);
        assert_eq!([after(1, b'a'), after(2, b'a'), after(3, b'a')], [6, 5, 5]);
        // These five, and the seven along the pattern; the first of the seven is among the five.
        assert_eq!(transitions.targets.iter().filter(|&&target| target != FAILED).count(), 5 + 6);
    }
}
