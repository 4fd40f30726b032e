//! The factor oracle of the reversed pattern, with all transitions in a table: what searches share that keep it so.

use assay_plugin_api::prelude::*;

/// The oracle. A state is told by where its transitions begin, so that a look-up needs no multiplication: the state after the
/// first `i` characters is `256 i`.
#[derive(Default)]
pub(crate) struct Oracle {
    /// For each state and byte, the state after it.
    pub transitions: Table<u32>,
    /// For each state, by its number, its supply state.
    supply: Vec<u32>,
}

/// The initial state, into which no transition leads, so that it can stand for "no transition".
pub(crate) const FAILED: u32 = 0;

/// States of a pattern up to this length fit into 32 bits.
pub(crate) const MAX_PATTERN: usize = (u32::MAX >> 8) as usize;

/// Where the transition of a state by a byte stands.
#[inline(always)]
pub(crate) fn entry(state: u32, byte: u8) -> usize {
    (state | u32::from(byte)) as usize
}

impl Oracle {
    pub fn prepare(&mut self, pattern: &[u8]) {
        let (transitions, supply) = (&mut self.transitions, &mut self.supply);
        transitions.reset((pattern.len() + 1) << 8, FAILED);
        supply.clear();
        supply.push(0);
        for (number, &byte) in pattern.iter().rev().enumerate() {
            let (mut state, target) = ((number as u32) << 8, (number as u32 + 1) << 8);
            transitions[entry(state, byte)] = target;
            // All states on the supply path that lack the transition get it.
            supply.push(loop {
                if state == 0 {
                    break 0;
                }
                state = supply[(state >> 8) as usize];
                let known = &mut transitions[entry(state, byte)];
                if *known != FAILED {
                    break *known;
                }
                *known = target;
            });
        }
    }
}

/// Reads the rest of the window at `s` backward, its first `unread` characters, from the state after the others. Tells of an
/// occurrence, and returns where the next window begins.
#[inline(always)]
pub(crate) fn finish_window<P: Probe>(
    transitions: TableView<u32, P>,
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
        state = transitions.at(entry(state, text.at(i)));
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
        assert_eq!(
            oracle.supply[1..].iter().map(|state| state >> 8).collect::<Vec<_>>(),
            [0, 0, 2, 3, 1, 1, 2]
        );
        let after = |state: u32, byte| oracle.transitions[entry(state << 8, byte)] >> 8;
        assert_eq!([after(0, b'a'), after(0, b'b')], [1, 2]);
        assert_eq!([after(1, b'a'), after(2, b'a'), after(3, b'a')], [6, 5, 5]);
        // Those, and the seven along the pattern, of which the first is told above.
        assert_eq!(oracle.transitions.iter().filter(|&&target| target != FAILED).count(), 5 + 6);
    }
}
