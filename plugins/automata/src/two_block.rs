//! 2BLOCK (`2block`).
//!
//! Pays on patterns of medium length over small alphabets: no character that was read is forgotten, and none
//! is read again.
//! Departures: the report was not at hand, and this is its idea. All states that a search can come to are
//! tabulated by the preparation, not one by one by the search, which leaves no trace in the searcher here.

use std::collections::HashMap;

use assay_plugin_api::prelude::*;
use assay_shared::letters::Letters;

/// The searcher.
#[derive(Default)]
pub struct TwoBlock {
    /// The columns.
    letters: Letters,
    /// For each state and column, the next move. A state is the index at which its row begins.
    moves: Table<Move>,
}

/// What is done when a character has been read.
#[derive(Clone, Copy, Default)]
struct Move {
    state: u32,
    /// How far the next character to be read is from this one.
    step: i16,
    /// If the window is the pattern, how far this character is after its beginning, counted from 1.
    occurs: u16,
}

/// What is known of a window: its first `prefix` characters and those from `start` to `end` are the
/// pattern's. The second block is empty at the window's end, or neither empty nor beside the first one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Known {
    prefix: usize,
    start: usize,
    end: usize,
}

impl Algorithm for TwoBlock {
    const ABOUT: About = About {
        id: "2block",
        name: "2BLOCK",
        reference: Reference {
            authors: &["M. A. Sustik", "J. S. Moore"],
            title: "String Searching over Small Alphabets",
            number: "TR-07-62",
            institution: "Univ. of Texas at Austin",
            year: 2007,
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The report was not seen; the states were written from what others say of its idea, and all of \
                them are tabulated before the search.",
        ),
        after: &["bm"],
        idea: "Remembers of each window a prefix and one block more that match; what to read and how to \
            shift stand in a table.",
        preparation_time: "O(m^3+m^2 s) for most patterns",
        space: "O(m^2 s) for most patterns: 8 bytes for each letter of the pattern, their number rounded up, \
            for each state",
        worst_case: "O(n): no character is read twice",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    /// The table of a longer pattern would leave the cache.
    const NEEDS: Needs = Needs { max_pattern: 128, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.letters.prepare(pattern);
        let (letters, row_len) = (self.letters.view(), self.letters.width().next_power_of_two());
        let column = |place: usize| usize::from(letters.of(pattern[place]));
        let m = pattern.len();
        let agreements = Agreements::new(pattern);
        let nothing = Known { prefix: 0, start: m, end: m };
        let (mut states, mut numbers) = (vec![nothing], HashMap::from([(nothing, 0)]));
        self.moves.reset(0, Move::default());
        // For each column, the least shift that agrees with all that is known and with the character.
        let mut shifts = vec![None; row_len];
        let mut number = 0;
        while let Some(&known) = states.get(number) {
            let (place, complete) = (known.place(m), known.prefix + known.end - known.start == m - 1);
            shifts.fill(None);
            if !complete {
                shifts[column(place)] = Some(0);
            }
            let mut agreeing = (1..m).filter(|&shift| agreements.hold(shift, known));
            let others = loop {
                match agreeing.next() {
                    Some(shift) if shift <= place => _ = shifts[column(place - shift)].get_or_insert(shift),
                    beyond => break beyond.unwrap_or(m),
                }
            };
            let mut after = |shift| {
                let next = known.read_and_shifted(m, shift);
                let state = *numbers.entry(next).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                let step = (shift + next.place(m)) as i16 - place as i16;
                Move { state: (state * row_len) as u32, step, occurs: 0 }
            };
            let row = self.moves.len();
            let other = after(others);
            for shift in &shifts {
                self.moves.push(shift.map_or(other, &mut after));
            }
            if complete {
                let matching = row + column(place);
                self.moves[matching].occurs = place as u16 + 1;
            }
            number += 1;
        }
        self.letters.declare(probe);
        probe.table(&self.moves);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (letters, moves) = (self.letters.view(), self.moves.view(probe));
        let (mut state, mut i) = (0, pattern.len() - 1);
        probe.writes(2);
        while probe.branch(i < text.len()) {
            let next = moves.at((state | u32::from(letters.of(text.at(i)))) as usize);
            if probe.verify(next.occurs > 0) {
                found.at(i + 1 - usize::from(next.occurs));
            }
            state = next.state;
            i = i.wrapping_add_signed(next.step.into());
            probe.writes(2);
            probe.jump();
        }
    }
}

impl Known {
    /// The place that is read next: it makes the block longer to the right, or else to the left, or begins
    /// one at the window's end.
    fn place(self, m: usize) -> usize {
        if self.start < self.end && self.end < m { self.end } else { self.start - 1 }
    }

    /// What is known after that place was read, and the window shifted to agree with all that is known.
    fn read_and_shifted(self, m: usize, shift: usize) -> Known {
        let place = self.place(m);
        let (start, end) = if place == self.end { (self.start, place + 1) } else { (place, self.end) };
        let next = Known {
            prefix: self.prefix.saturating_sub(shift),
            start: start.saturating_sub(shift),
            end: end.saturating_sub(shift),
        };
        // What touches the prefix belongs to it.
        if next.start <= next.prefix {
            return Known { prefix: next.prefix.max(next.end), start: m, end: m };
        }
        next
    }
}

/// For each shift of the pattern and each place of it, how many characters from there on agree with those of
/// the shifted one.
struct Agreements {
    m: usize,
    /// A row for each shift.
    runs: Vec<u8>,
}

impl Agreements {
    fn new(pattern: &[u8]) -> Self {
        let m = pattern.len();
        let mut runs = vec![0; m * (m + 1)];
        for shift in 0..m {
            let row = shift * (m + 1);
            for place in (shift..m).rev() {
                if pattern[place] == pattern[place - shift] {
                    runs[row + place] = runs[row + place + 1] + 1;
                }
            }
        }
        Agreements { m, runs }
    }

    /// Whether a shifted pattern, where it overlaps what is known, agrees with it.
    fn hold(&self, shift: usize, known: Known) -> bool {
        [(0, known.prefix), (known.start, known.end)].into_iter().all(|(start, end)| {
            let start = start.max(shift);
            start >= end || usize::from(self.runs[shift * (self.m + 1) + start]) >= end - start
        })
    }
}

register!(algorithm TwoBlock);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_remembered() {
        let mut searcher = TwoBlock::default();
        searcher.prepare(b"abcab", Off);
        let after = |state: u32, byte: u8| {
            let Move { state, step, occurs } =
                searcher.moves[(state | u32::from(searcher.letters.view().of(byte))) as usize];
            (state, step, occurs)
        };
        let (b, ..) = after(0, b'b');
        assert_eq!(after(0, b'b'), (b, -1, 0));
        // No shift agrees with "xb" but one by the whole window, which forgets both.
        assert_eq!(after(b, b'x'), (0, 6, 0));
        // A window that may end with "ab" ends after the character that was read.
        let (a, step, _) = after(0, b'a');
        assert_eq!((step, after(a, b'b').1), (1, -2));
    }

    /// As a table is made for each pattern, its size is what limits it.
    #[test]
    fn the_states_of_long_patterns_over_small_alphabets_are_few() {
        let mut searcher = TwoBlock::default();
        for period in 1..=40 {
            let pattern: Vec<u8> = (0..128).map(|i| b'a' + u8::from(i % period == 0)).collect();
            searcher.prepare(&pattern, Off);
            assert!(searcher.moves.len() <= 4 * 128 * 128, "{period}: {}", searcher.moves.len());
        }
    }
}
