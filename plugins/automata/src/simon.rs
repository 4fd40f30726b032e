//! Simon (`simon`).
//!
//! Pays if every character must be read anyway, and the memory may not depend on the alphabet.
//! Departures: after an occurrence the search goes on from the pattern's longest border, whose transitions
//! are the same.

use assay_plugin_api::prelude::*;

/// The searcher: the deterministic automaton, without the transitions into the initial state.
#[derive(Default)]
pub struct Simon {
    /// State `i` is that after the first `i` characters. The last one has no transition of its own.
    states: Table<State>,
    /// The transitions that lead back, those of each state together.
    edges: Table<Edge>,
    /// The state of the pattern's longest border.
    border: usize,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// The character that leads to the next state.
    byte: u8,
    /// Where its transitions that lead back begin; they end where those of the next state begin.
    edges: u32,
}

#[derive(Clone, Copy, Default)]
struct Edge {
    byte: u8,
    target: u32,
}

impl Algorithm for Simon {
    const ABOUT: About = About {
        id: "simon",
        name: "Simon",
        reference: Reference {
            authors: &["I. Simon"],
            title: "String matching algorithms and automata",
            booktitle: "Results and Trends in Theoretical Computer Science",
            series: "LNCS",
            volume: "812",
            pages: "386-395",
            year: 1994,
            doi: "10.1007/3-540-58131-6_61",
            note: "first at the First American Workshop on String Processing, 1993",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; it goes on from the longest \
                border after an occurrence.",
        ),
        after: &["aut"],
        idea: "The deterministic automaton in little memory: of the transitions that lead back, at most m do \
            not lead to its beginning.",
        preparation_time: "O(m)",
        space: "O(m): at most 16 (m + 1) bytes",
        worst_case: "O(n)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.states.reset(pattern.len() + 1, State::default());
        self.edges.reset(0, Edge::default());
        self.border = 0;
        for (state, &byte) in pattern.iter().enumerate() {
            self.states[state] = State { byte, edges: self.edges.len() as u32 };
            if state == 0 {
                continue;
            }
            // The state has the same transitions back as its longest border, except the one by this
            // character.
            let border = self.border;
            self.border = self.after(border, byte);
            let next = self.states[border].byte;
            if next != byte {
                self.edges.push(Edge { byte: next, target: border as u32 + 1 });
            }
            for edge in self.states[border].edges..self.states[border + 1].edges {
                let edge = self.edges[edge as usize];
                if edge.byte != byte {
                    self.edges.push(edge);
                }
            }
        }
        self.states[pattern.len()].edges = self.edges.len() as u32;
        probe.table(&self.states);
        probe.table(&self.edges);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (states, edges) = (self.states.view(probe), self.edges.view(probe));
        let (mut state, mut i) = (0, 0);
        probe.writes(2);
        while probe.branch(i < n) {
            if probe.branch(states.placed_character_at(state, state).byte == text.at(i)) {
                state += 1;
            } else {
                let end = states.at(state + 1).edges;
                let mut edge = states.at(state).edges;
                probe.writes(1);
                while probe.branch(edge < end && edges.character_at(edge as usize).byte != text.at(i)) {
                    edge += 1;
                    probe.writes(1);
                }
                state = if probe.branch(edge < end) { edges.at(edge as usize).target as usize } else { 0 };
            }
            i += 1;
            probe.writes(2);
            probe.jump();
            if probe.verify(state == m) {
                found.at(i - m);
                state = self.border;
                probe.writes(1);
            }
        }
    }
}

impl Simon {
    /// The state after a byte, from a state before the last one so far.
    fn after(&self, state: usize, byte: u8) -> usize {
        if self.states[state].byte == byte {
            return state + 1;
        }
        let edges = self.states[state].edges as usize..self.states[state + 1].edges as usize;
        self.edges[edges].iter().find(|edge| edge.byte == byte).map_or(0, |edge| edge.target as usize)
    }
}

register!(algorithm Simon);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pattern_has_more_transitions_back_than_characters() {
        for length in 1..=9 {
            for bits in 0..1 << (2 * length) {
                let pattern: Vec<u8> = (0..length).map(|i| b'a' + (bits >> (2 * i) & 3) as u8).collect();
                let mut searcher = Simon::default();
                searcher.prepare(&pattern, Off);
                assert!(searcher.edges.len() <= length, "{pattern:?}");
            }
        }
    }
}
