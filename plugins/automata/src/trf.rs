//! Turbo Reverse Factor (`trf`).
//!
//! Pays where [`rf`](super::rf) does, and stays linear on periodic patterns and texts.
//! Departures: transitions are tables, as in [`rf`](super::rf).

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::rf::noted;
use super::suffix_automaton::{MAX_PATTERN, SUFFIX, SuffixAutomaton};
use super::transitions::FAILED;

/// The searcher: the suffix automaton of the reversed pattern.
#[derive(Default)]
pub struct TurboReverseFactor {
    automaton: SuffixAutomaton,
    /// For each byte, the state after it, from the initial state.
    initial: ByteTable<u32>,
    /// For each state, the number of the pattern's last characters after the position at which its words
    /// begin last.
    ends: Table<u32>,
    /// For each prefix, its period.
    periods: Table<u32>,
}

impl Algorithm for TurboReverseFactor {
    const ABOUT: About = About {
        id: "trf",
        name: "Turbo Reverse Factor",
        reference: papers::SPEEDING_UP_TWO,
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; how the transitions are stored is \
                ours.",
        ),
        after: &["rf"],
        idea: "Reverse Factor that knows the prefix with which the window begins from the last one, and \
            reads little of it again.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            and 4 bytes, for each of at most 2m states; 4 (m + 1) bytes, and 1280 bytes",
        worst_case: "O(n)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.automaton.prepare(pattern, pattern.iter().rev());
        self.automaton.mark_suffixes();
        self.automaton.transitions.initial(&mut self.initial);
        self.ends.reset(self.automaton.states.len(), 0);
        for (end, state) in self.ends.iter_mut().zip(&self.automaton.states) {
            *end = state.end;
        }
        self.fill_periods(pattern);
        probe.table(&self.initial);
        self.automaton.transitions.declare(probe);
        probe.table(&self.ends);
        probe.table(&self.periods);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (initial, transitions) = (self.initial.view(probe), self.automaton.transitions.view(probe));
        let (ends, periods) = (self.ends.view(probe), self.periods.view(probe));
        // SAFETY: the preparation has filled `initial` and the transitions with states, and marks.
        let after = |state: u32, byte| unsafe { transitions.after(state & !SUFFIX, byte) };
        // The window begins with the pattern's first `known` characters.
        let (mut s, mut known) = (0, 0);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            let (mut i, mut shift) = (m - 1, m);
            let mut state = initial.at(text.at(s + i));
            probe.writes(3);
            while probe.branch(state != FAILED && i > known) {
                if probe.branch(state & SUFFIX != 0) {
                    shift = noted(i);
                    probe.writes(1);
                }
                i -= 1;
                state = after(state, text.at(s + i));
                probe.writes(2);
            }
            if probe.branch(state != FAILED) {
                // All after the known prefix is a factor. Is it a suffix?
                if probe.verify(ends.at(self.automaton.transitions.number(state)) as usize == m - known) {
                    found.at(s);
                    shift = periods.at(m) as usize;
                    probe.writes(1);
                } else {
                    let period = periods.at(known) as usize;
                    let periodic = period <= known / 2;
                    let again = if periodic { known - period } else { period };
                    if probe.branch(state & SUFFIX != 0) {
                        shift = i;
                        probe.writes(1);
                    }
                    while probe.branch(state != FAILED && i > again) {
                        i -= 1;
                        state = after(state, text.at(s + i));
                        probe.writes(2);
                        if probe.branch(state & SUFFIX != 0) {
                            shift = i;
                            probe.writes(1);
                        }
                    }
                    // A period of the prefix occurs in it at multiples of its length only: so the pattern
                    // can't begin before these characters are those of their last place.
                    if probe.branch(periodic && state != FAILED) {
                        shift = ends.at(self.automaton.transitions.number(state)) as usize - (m - i);
                        probe.writes(1);
                    }
                }
            }
            s += shift;
            known = m - shift;
            probe.writes(2);
            probe.jump();
        }
    }
}

impl TurboReverseFactor {
    fn fill_periods(&mut self, pattern: &[u8]) {
        // While it is being filled, the table holds borders.
        let borders = &mut self.periods;
        borders.reset(pattern.len() + 1, 0);
        let mut border = 0;
        for (length, &byte) in (1..).zip(pattern).skip(1) {
            while border > 0 && pattern[border] != byte {
                border = borders[border] as usize;
            }
            border += usize::from(pattern[border] == byte);
            borders[length] = border as u32;
        }
        for (period, length) in self.periods.iter_mut().zip(0..) {
            *period = length - *period;
        }
    }
}

register!(algorithm TurboReverseFactor);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_the_periods_of_prefixes() {
        let mut searcher = TurboReverseFactor::default();
        searcher.prepare(b"abaabab", Off);
        assert_eq!(*searcher.periods, [0, 1, 2, 2, 3, 3, 3, 5]);
    }
}
