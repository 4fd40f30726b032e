//! Reverse Factor.
//!
//! Pays on long patterns, over small alphabets too: it knows when what it has read is a prefix, and shifts to the longest.
//! Departures: transitions stand in a table, with an entry for each state and byte.

use assay_plugin_api::prelude::*;

/// The searcher: the suffix automaton of the reversed pattern.
#[derive(Default)]
pub struct ReverseFactor {
    /// For each state and byte, the state after it: where its transitions begin, and [`PREFIX`].
    transitions: Table<u32>,
    /// By the number of each state, its suffix link and the length of its longest word; used by the preparation alone.
    states: Vec<State>,
}

#[derive(Clone, Copy)]
struct State {
    link: Option<u32>,
    length: u32,
}

/// The initial state, into which no transition leads, so that it can stand for "no transition".
const FAILED: u32 = 0;
/// Set in a state whose words are prefixes of the pattern.
const PREFIX: u32 = 1;

impl Algorithm for ReverseFactor {
    const ABOUT: About = About {
        id: "rf",
        name: "Reverse Factor",
        authors: "T. Lecroq",
        year: 1992,
        reference: "A variation on the Boyer-Moore algorithm. Theor. Comput. Sci. 92(1):119-144, 1992",
        idea: "Reads windows backward with the suffix automaton of the reversed pattern; the longest prefix seen gives the shift.",
        preparation_time: "O(m s)",
        space: "O(m s): 1 KiB for each of at most 2m states",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    /// There are fewer than 2m states (but two, where m is 1), which are told in 24 bits.
    const NEEDS: Needs = Needs { max_pattern: (u32::MAX >> 9) as usize, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.states.clear();
        self.transitions.reset(0, FAILED);
        let mut last = self.add(State { link: None, length: 0 }, None);
        for &byte in pattern.iter().rev() {
            last = self.append(last, byte);
        }
        self.mark_prefixes(last);
        probe.table(&self.transitions);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, transitions) = (pattern.len(), text.len(), self.transitions.view(probe));
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let (mut state, mut i, mut shift) = (FAILED, m, m);
            probe.writes(3);
            while probe.branch(i > 0) {
                i -= 1;
                state = transitions.at((state & !PREFIX | u32::from(text.at(s + i))) as usize);
                probe.writes(2);
                if probe.branch(state == FAILED) {
                    break;
                }
                // The longest prefix that is shorter than the window.
                if probe.branch(state & PREFIX != 0 && i > 0) {
                    shift = i;
                    probe.writes(1);
                }
            }
            // A factor of m characters is the pattern.
            if probe.verify(state != FAILED) {
                found.at(s);
            }
            s += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

impl ReverseFactor {
    /// Adds a state, with the transitions of another one if it is a copy.
    fn add(&mut self, state: State, copied: Option<u32>) -> u32 {
        let number = self.states.len();
        self.states.push(state);
        for byte in 0..256 {
            let target = copied.map_or(FAILED, |copied| self.transitions[(copied << 8) as usize + byte]);
            self.transitions.push(target);
        }
        number as u32
    }

    fn transition(&mut self, state: u32, byte: u8) -> &mut u32 {
        &mut self.transitions[(state << 8 | u32::from(byte)) as usize]
    }

    /// Makes the automaton of one character more, and returns the state of the whole word. `last` is that of the word so far.
    fn append(&mut self, last: u32, byte: u8) -> u32 {
        let length = self.states[last as usize].length + 1;
        let whole = self.add(State { link: Some(0), length }, None);
        let mut state = Some(last);
        while let Some(lacking) = state.filter(|&state| *self.transition(state, byte) == FAILED) {
            *self.transition(lacking, byte) = whole << 8;
            state = self.states[lacking as usize].link;
        }
        let Some(origin) = state else { return whole };
        let known = *self.transition(origin, byte) >> 8;
        let length = self.states[origin as usize].length + 1;
        if self.states[known as usize].length == length {
            self.states[whole as usize].link = Some(known);
            return whole;
        }
        // The words of `known` that are longer than this stay there; the others get a state of their own.
        let link = self.states[known as usize].link;
        let shorter = self.add(State { link, length }, Some(known));
        while let Some(leading) = state.filter(|&state| *self.transition(state, byte) == known << 8) {
            *self.transition(leading, byte) = shorter << 8;
            state = self.states[leading as usize].link;
        }
        self.states[known as usize].link = Some(shorter);
        self.states[whole as usize].link = Some(shorter);
        whole
    }

    /// Marks the states of the whole word's suffixes, which read backward are the pattern's prefixes.
    fn mark_prefixes(&mut self, whole: u32) {
        let mut marked = vec![false; self.states.len()];
        let mut state = Some(whole);
        while let Some(number) = state {
            marked[number as usize] = true;
            state = self.states[number as usize].link;
        }
        for target in self.transitions.iter_mut() {
            if *target != FAILED && marked[(*target >> 8) as usize] {
                *target |= PREFIX;
            }
        }
    }
}

register!(algorithm ReverseFactor);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_automaton_are_factors_and_prefixes_are_marked() {
        let pattern = b"abbab";
        let mut searcher = ReverseFactor::default();
        searcher.prepare(pattern, Off);
        let after = |word: &[u8]| {
            word.iter().rev().try_fold(0, |state: u32, &byte| {
                let state = searcher.transitions[(state & !PREFIX | u32::from(byte)) as usize];
                (state != FAILED).then_some(state)
            })
        };
        for length in 1..=pattern.len() + 1 {
            for bits in 0..1 << length {
                let word: Vec<u8> = (0..length).map(|i| b'a' + (bits >> i & 1) as u8).collect();
                let is_factor = pattern.windows(length).any(|factor| factor == word);
                assert_eq!(after(&word).is_some(), is_factor, "{word:?}");
                let is_marked = after(&word).is_some_and(|state| state & PREFIX != 0);
                assert_eq!(is_marked, pattern.starts_with(&word), "{word:?}");
            }
        }
    }
}
