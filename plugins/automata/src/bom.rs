//! Backward Oracle Matching (`bom`).
//!
//! Pays on long patterns, over small alphabets too.
//! Departure: the transitions of the initial state, which most look-ups use, are a table with an entry for
//! each byte; those of the other states are lists, because the paper has O(m) memory, with the transition
//! along the pattern first.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

/// The searcher: the factor oracle of the reversed pattern. State `i` is reached by the first `i` characters.
#[derive(Default)]
pub struct BackwardOracle {
    /// For each byte, the state after it, from the initial state.
    initial: ByteTable<u32>,
    /// The transitions of the others. That of state `i` along the pattern is entry `i`; it heads a list.
    transitions: Table<Transition>,
    /// For each state, its supply state; used by the preparation alone.
    supply: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Transition {
    byte: u8,
    target: u32,
    /// The next transition of the same state; 0 ends the list.
    next: u32,
}

/// The initial state. No transition leads into it, so the same number can mean "no transition".
const FAILED: u32 = 0;

impl Algorithm for BackwardOracle {
    const ABOUT: About = About {
        id: "bom",
        name: "Backward Oracle Matching",
        reference: papers::FACTOR_ORACLE,
        status: Status::FromPaper("The paper's oracle and search; how the transitions are stored is ours."),
        after: &["rf"],
        idea: "Reads windows backward with the factor oracle, which accepts a few more words than the \
            factors.",
        preparation_time: "O(m)",
        space: "O(m+s): at most 24 m bytes and 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        yardstick: true,
        ..About::UNKNOWN
    };

    /// An oracle has fewer than twice as many transitions as the pattern has characters, all numbered by
    /// `u32`.
    const NEEDS: Needs = Needs { max_pattern: u32::MAX as usize / 2, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        self.initial.fill(FAILED);
        // The last state has no transition: its entry leads nowhere.
        self.transitions.reset(m + 1, Transition::default());
        self.supply.clear();
        self.supply.resize(m + 1, 0);
        for (state, &byte) in (0..).zip(pattern.iter().rev()) {
            self.append(state, byte);
        }
        probe.table(&self.initial);
        probe.table(&self.transitions);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (initial, transitions) = (self.initial.view(probe), self.transitions.view(probe));
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let mut i = m - 1;
            let mut state = initial.at(text.at(s + i));
            probe.writes(2);
            while probe.branch(state != FAILED && i > 0) {
                i -= 1;
                state = follow(transitions, state, || text.at(s + i), probe);
                probe.writes(2);
            }
            // The only word of m characters that the oracle accepts is the pattern.
            if probe.verify(state != FAILED) {
                found.at(s);
            }
            s += i + 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// The state after a byte, from a state other than the initial one. Each comparison reads the byte.
#[inline(always)]
fn follow<P: Probe>(
    transitions: TableView<Transition, P>,
    state: u32,
    byte: impl Fn() -> u8,
    probe: P,
) -> u32 {
    let mut place = state as usize;
    probe.writes(1);
    loop {
        if probe.branch(transitions.character_at(place).byte == byte()) {
            return transitions.at(place).target;
        }
        place = transitions.at(place).next as usize;
        probe.writes(1);
        if probe.branch(place == 0) {
            return FAILED;
        }
    }
}

impl BackwardOracle {
    /// Makes the oracle of one character more: a new state after `state`, the last one so far.
    fn append(&mut self, state: u32, byte: u8) {
        let target = state + 1;
        if state == 0 {
            self.initial[byte as usize] = target;
            return;
        }
        self.transitions[state as usize] = Transition { byte, target, next: 0 };
        // Adds the transition to each state on the supply path that does not have it.
        let mut supply = self.supply[state as usize];
        while supply != 0 {
            let known = self.target(supply, byte);
            if known != FAILED {
                self.supply[target as usize] = known;
                return;
            }
            self.add(supply, byte, target);
            supply = self.supply[supply as usize];
        }
        let known = &mut self.initial[byte as usize];
        self.supply[target as usize] = *known;
        if *known == FAILED {
            *known = target;
        }
    }

    /// Where a transition leads, from a state other than the initial one.
    fn target(&self, state: u32, byte: u8) -> u32 {
        follow(self.transitions.view(Off), state, || byte, Off)
    }

    /// Adds a transition after the first of a state's list.
    fn add(&mut self, state: u32, byte: u8, target: u32) {
        let place = self.transitions.len() as u32;
        let first = &mut self.transitions[state as usize];
        let next = std::mem::replace(&mut first.next, place);
        self.transitions.push(Transition { byte, target, next });
    }
}

register!(algorithm BackwardOracle);

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracle of abbbaab, an example of the paper.
    #[test]
    fn the_oracle_is_that_of_the_paper() {
        let mut oracle = BackwardOracle::default();
        oracle.prepare(b"baabbba", Off);
        assert_eq!(oracle.supply[1..], [0, 0, 2, 3, 1, 1, 2]);
        assert_eq!((oracle.initial[b'a' as usize], oracle.initial[b'b' as usize]), (1, 2));
        let external = [(1, b'a', 6), (2, b'a', 5), (3, b'a', 5)];
        for (state, byte, target) in external {
            assert_eq!(oracle.target(state, byte), target);
        }
        assert_eq!(oracle.transitions.len(), 8 + external.len());
    }
}
