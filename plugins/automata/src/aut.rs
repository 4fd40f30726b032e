//! Deterministic Automaton matcher.
//!
//! Pays where every character must be read anyway, and the automaton of a short pattern stays in the cache.
//! Departures: a state is told by where its transitions begin, so that a look-up needs no multiplication.

use assay_plugin_api::prelude::*;

/// The searcher: the automaton. The state after the first `i` characters is `256 i`.
#[derive(Default)]
pub struct Automaton {
    /// For each state and byte, the state after it.
    transitions: Table<u32>,
}

impl Algorithm for Automaton {
    const ABOUT: About = About {
        id: "aut",
        name: "Deterministic Automaton matcher",
        authors: "A. V. Aho, J. E. Hopcroft, J. D. Ullman",
        year: 1974,
        reference: "The Design and Analysis of Computer Algorithms. Addison-Wesley, 1974 (textbook DFA)",
        idea: "Runs the minimal deterministic automaton of the texts that the pattern ends: one look-up for each byte.",
        preparation_time: "O(m s)",
        space: "O(m s): 1 KiB for each of m + 1 states",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    /// States are numbered in 32 bits.
    const NEEDS: Needs = Needs { max_pattern: (u32::MAX >> 8) as usize, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        self.transitions.reset((m + 1) << 8, 0);
        // Where the longest border of what has been read leads: a state differs from it in one transition.
        let mut border = 0;
        for (state, &byte) in pattern.iter().enumerate() {
            let row = state << 8;
            self.transitions.copy_within(border..border + 256, row);
            let forward = &mut self.transitions[row + usize::from(byte)];
            let next = std::mem::replace(forward, (row + 256) as u32);
            // The initial state has no border.
            border = if state == 0 { 0 } else { next as usize };
        }
        self.transitions.copy_within(border..border + 256, m << 8);
        probe.table(&self.transitions);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, transitions) = (pattern.len(), text.len(), self.transitions.view(probe));
        let accepting = (m << 8) as u32;
        let (mut state, mut i) = (0, 0);
        probe.writes(2);
        while probe.branch(i < n) {
            state = transitions.at((state | u32::from(text.at(i))) as usize);
            i += 1;
            probe.writes(2);
            probe.jump();
            if probe.verify(state == accepting) {
                found.at(i - m);
            }
        }
    }
}

register!(algorithm Automaton);
