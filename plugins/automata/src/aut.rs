//! Deterministic Automaton matcher (`aut`).
//!
//! Pays where every character must be read anyway, and the automaton of a short pattern stays in the cache.
//! Departures: bytes that do not occur in the pattern share an entry.

use assay_plugin_api::prelude::*;

use super::dfa;
use super::transitions::Transitions;

/// The searcher: the automaton.
#[derive(Default)]
pub struct Automaton {
    transitions: Transitions,
}

impl Algorithm for Automaton {
    const ABOUT: About = About {
        id: "aut",
        name: "Deterministic Automaton matcher",
        reference: Reference {
            authors: &["A. V. Aho", "J. E. Hopcroft", "J. D. Ullman"],
            title: "The Design and Analysis of Computer Algorithms",
            publisher: "Addison-Wesley",
            year: 1974,
            note: "textbook DFA",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of Charras and Lecroq's handbook; that characters which the pattern does not have \
                share a column is ours.",
        ),
        idea: "Runs the minimal deterministic automaton of the texts that the pattern ends: one step for \
            each byte.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            for each of m + 1 states, and 256 bytes",
        worst_case: "O(n)",
        average_case: "O(n)",
        yardstick: true,
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: dfa::MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        dfa::prepare(&mut self.transitions, pattern, pattern.iter());
        self.transitions.declare(probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, transitions) = (pattern.len(), text.len(), self.transitions.view(probe));
        let accepting = self.transitions.state(m);
        let (mut state, mut i) = (0, 0);
        probe.writes(2);
        while probe.branch(i < n) {
            // SAFETY: from the initial state, transitions lead to states.
            state = unsafe { transitions.after(state, text.at(i)) };
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
