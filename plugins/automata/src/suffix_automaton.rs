//! The suffix automaton of the pattern or of its reverse: what searches share that know factors of the
//! pattern.

use super::transitions::{FAILED, MAX_STATES, Transitions};

/// The automaton. Words that lead to the same state end at the same places of the word that it is made of.
#[derive(Default)]
pub(crate) struct SuffixAutomaton {
    /// Where there is none, [`FAILED`].
    pub transitions: Transitions,
    /// By the number of each state.
    pub states: Vec<State>,
}

#[derive(Clone, Copy)]
pub(crate) struct State {
    /// The number of the state of its words' longest suffix that is in another one; the initial state has
    /// none.
    pub link: Option<u32>,
    /// Length of its longest word.
    pub length: u32,
    /// Position at which its words end first: the number of characters before it.
    pub end: u32,
}

/// Set in a transition into a state whose words are suffixes, if [asked for](SuffixAutomaton::mark_suffixes).
pub(crate) const SUFFIX: u32 = 1;

/// Longest pattern. The automaton of m characters has fewer than 2m states (two for one character).
pub(crate) const MAX_PATTERN: usize = MAX_STATES / 2;

impl SuffixAutomaton {
    /// Makes the automaton of a word, which is the pattern or its reverse.
    pub fn prepare<'a>(&mut self, pattern: &[u8], word: impl Iterator<Item = &'a u8>) {
        self.transitions.reset(pattern, 0);
        self.states.clear();
        let mut last = self.add(State { link: None, length: 0, end: 0 }, None);
        for &byte in word {
            last = self.append(last, byte);
        }
    }

    /// Marks transitions into states of the whole word's suffixes.
    pub fn mark_suffixes(&mut self) {
        let mut marked = vec![false; self.states.len()];
        // Nothing but the whole word is as long.
        let whole =
            self.states.iter().zip(0..).max_by_key(|(state, _)| state.length).map(|(_, number)| number);
        let mut state = whole;
        while let Some(number) = state {
            marked[number as usize] = true;
            state = self.states[number as usize].link;
        }
        let width = self.transitions.width;
        // Most entries are empty, and where several are, they are passed together.
        for targets in self.transitions.targets.chunks_mut(16) {
            if targets.iter().fold(0, |any, target| any | target) == FAILED {
                continue;
            }
            for target in targets {
                if *target != FAILED && marked[(*target >> width) as usize] {
                    *target |= SUFFIX;
                }
            }
        }
    }

    /// Adds a state, with the transitions of another one if it is a copy.
    fn add(&mut self, state: State, copied: Option<u32>) -> u32 {
        let (number, row_len) = (self.states.len() as u32, self.transitions.row_len());
        self.states.push(state);
        let targets = &mut self.transitions.targets;
        let begin = targets.len();
        targets.resize(begin + row_len, FAILED);
        if let Some(copied) = copied {
            let row = copied as usize * row_len;
            targets.copy_within(row..row + row_len, begin);
        }
        number
    }

    fn transition(&mut self, number: u32, byte: u8) -> &mut u32 {
        let state = self.transitions.state(number as usize);
        let entry = self.transitions.entry(state, byte);
        &mut self.transitions.targets[entry]
    }

    /// Makes the automaton of one character more, and returns the state of the whole word. `last` is that of
    /// the word so far.
    fn append(&mut self, last: u32, byte: u8) -> u32 {
        let end = self.states[last as usize].length + 1;
        let whole = self.add(State { link: Some(0), length: end, end }, None);
        let target = self.transitions.state(whole as usize);
        let mut state = Some(last);
        while let Some(lacking) = state.filter(|&state| *self.transition(state, byte) == FAILED) {
            *self.transition(lacking, byte) = target;
            state = self.states[lacking as usize].link;
        }
        let Some(origin) = state else { return whole };
        let target = *self.transition(origin, byte);
        let known = self.transitions.number(target);
        let length = self.states[origin as usize].length + 1;
        if self.states[known].length == length {
            self.states[whole as usize].link = Some(known as u32);
            return whole;
        }
        // The words of `known` that are longer than this stay there; the others get a state of their own.
        let shorter = self.add(State { length, ..self.states[known] }, Some(known as u32));
        let replacement = self.transitions.state(shorter as usize);
        while let Some(leading) = state.filter(|&state| *self.transition(state, byte) == target) {
            *self.transition(leading, byte) = replacement;
            state = self.states[leading as usize].link;
        }
        self.states[known].link = Some(shorter);
        self.states[whole as usize].link = Some(shorter);
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_automaton_are_factors_that_end_where_it_says() {
        let pattern = b"babba";
        let mut automaton = SuffixAutomaton::default();
        automaton.prepare(pattern, pattern.iter());
        automaton.mark_suffixes();
        for length in 1..=pattern.len() + 1 {
            for bits in 0..1 << length {
                let word: Vec<u8> = (0..length).map(|i| b'a' + (bits >> i & 1) as u8).collect();
                let state = word.iter().try_fold(0, |state: u32, &byte| {
                    let state = automaton.transitions.after(state & !SUFFIX, byte);
                    (state != FAILED).then_some(state)
                });
                let first = pattern.windows(length).position(|factor| factor == word);
                let number = state.map(|state| automaton.transitions.number(state));
                assert_eq!(
                    number.map(|number| automaton.states[number].end as usize),
                    first.map(|s| s + length)
                );
                let is_marked = state.is_some_and(|state| state & SUFFIX != 0);
                assert_eq!(is_marked, pattern.ends_with(&word), "{word:?}");
            }
        }
    }

    #[test]
    fn links_lead_to_the_longest_suffix_with_other_ends() {
        let mut automaton = SuffixAutomaton::default();
        automaton.prepare(b"abb", b"abb".iter());
        let states = automaton.states.iter().map(|state| (state.link, state.length));
        // The empty word, a, ab, abb and bb, b.
        assert_eq!(
            states.collect::<Vec<_>>(),
            [(None, 0), (Some(0), 1), (Some(4), 2), (Some(4), 3), (Some(0), 1)]
        );
    }
}
