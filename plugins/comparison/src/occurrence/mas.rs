//! Maximal Average Shift (`mas`).
//!
//! Pays on patterns of medium length over small alphabets such as DNA, where an order of comparisons can be
//! chosen so that mismatches shift far.
//! Departures: we have seen the abstract of the paper and the notes of its program, so the choice is ours:
//! the next place is the one with the greatest expected shift, given that all before it match; the character
//! of the pattern counts with the shift if the search stopped there. Probabilities are those of the text's
//! first hundred bytes; the paper takes those of the human genome. Sixteen places are chosen, among the
//! pattern's last 64, and shifts are looked for up to 4096, because each choice takes time. The other places
//! are compared from left to right, and if one of them mismatches, the shift is the least that the chosen
//! ones allow.

use assay_plugin_api::prelude::*;

use super::sampled::{Place, SAMPLE, frequencies};
use crate::borders::{Step, borders};

/// How many places are chosen.
const CHOSEN: usize = 16;

/// Among how many, the pattern's last ones.
const CHOICE: usize = 64;

/// The greatest shift.
const GREATEST: usize = 4096;

/// The searcher.
#[derive(Default)]
pub struct MaximalAverageShift {
    /// The pattern's places: the chosen ones, and then all others from left to right.
    order: Table<Place>,
    /// For each chosen place and each byte, the shift if the text has it there and all before match.
    shift: Table<u32>,
    /// The shift if all chosen places match, and another one does not.
    rest: usize,
    /// The pattern's period.
    period: usize,
    /// The rest is used by the preparation alone: the pattern's borders,
    steps: Table<Step>,
    /// and the shifts that the chosen places allow.
    allowed: Vec<usize>,
}

impl Algorithm for MaximalAverageShift {
    const ABOUT: About = About {
        id: "mas",
        name: "Maximal Average Shift",
        reference: Reference {
            authors: &["C. Ryu", "T. Lecroq", "K. Park"],
            title: "Fast string matching for DNA sequences",
            journal: "Theor. Comput. Sci.",
            volume: "812",
            pages: "137-148",
            year: 2020,
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstract and the notes of the program were seen; how the order of comparisons is \
                found is ours.",
        ),
        parameters: "frequency=sample of 100 text bytes",
        idea: "Compares the pattern in the order that makes the average shift greatest; what matched before \
            bounds the shift too.",
        preparation_time: "O(m), and at most 4 million steps for the choice",
        space: "O(m+s): 8 bytes a character and 16 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/m) as long as some characters exclude most shifts",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        let (m, frequency) = (pattern.len(), frequencies(hints.sample));
        borders(pattern, &mut self.steps);
        self.period = m + 1 - self.steps[m + 1].border as usize;
        self.allowed.clear();
        self.allowed.extend(1..m.min(GREATEST));
        self.order.reset(0, Place::default());
        self.shift.reset(0, 0);
        let mut free: Vec<usize> = (m.saturating_sub(CHOICE)..m).collect();
        for _ in 0..CHOSEN.min(m) {
            let expected = |&(_, &place): &(usize, &usize)| self.expected(pattern, place, &frequency);
            let best = free.iter().enumerate().max_by_key(expected).map(|(i, _)| i).expect("a place is free");
            let place = free.remove(best);
            self.choose(pattern, place);
        }
        self.rest = self.least(m);
        let chosen: Vec<usize> = self.order.iter().map(|place| place.at as usize).collect();
        for at in (0..m).filter(|at| !chosen.contains(at)) {
            self.order.push(Place { byte: pattern[at], at: at as u32 });
        }
        probe.table(&self.order);
        probe.table(&self.shift);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (order, shift) = (self.order.view(probe), self.shift.view(probe));
        let chosen = CHOSEN.min(m);
        assert!(self.order.len() == m && self.shift.len() == chosen << 8, "prepared for another pattern");
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let (mut i, mut character) = (0, 0);
            probe.writes(1);
            while probe.branch(
                i < m && {
                    let place = order.character_at(i);
                    character = text.at(s + place.at as usize);
                    character == place.byte
                },
            ) {
                i += 1;
                probe.writes(1);
            }
            if probe.verify(i == m) {
                found.at(s);
                s += self.period;
            } else if probe.branch(i < chosen) {
                s += shift.at(i << 8 | usize::from(character)) as usize;
            } else {
                s += self.rest;
            }
            probe.writes(1);
            probe.jump();
        }
    }
}

impl MaximalAverageShift {
    /// The least shift that the chosen places allow.
    fn least(&self, m: usize) -> usize {
        self.allowed.first().copied().unwrap_or(m.min(GREATEST))
    }

    /// The least allowed shift beyond this place of the pattern.
    fn beyond(&self, m: usize, place: usize) -> usize {
        let first = self.allowed.partition_point(|&shift| shift <= place);
        self.allowed.get(first).copied().unwrap_or(m.min(GREATEST))
    }

    /// The sum of the shifts over the characters of the sample, if the text has them at this place.
    fn expected(&self, pattern: &[u8], place: usize, frequency: &[u32; 256]) -> u64 {
        let mut unseen = *frequency;
        let mut left: u64 = unseen.iter().map(|&count| u64::from(count)).sum();
        let mut sum = 0;
        for &shift in self.allowed.iter().take_while(|&&shift| shift <= place) {
            let count = u64::from(std::mem::take(&mut unseen[pattern[place - shift] as usize]));
            sum += count * shift as u64;
            left -= count;
            if left == 0 {
                return sum;
            }
        }
        sum + left * self.beyond(pattern.len(), place) as u64
    }

    /// Makes this place the next one of the order.
    fn choose(&mut self, pattern: &[u8], place: usize) {
        let (row, beyond) = (self.shift.len(), self.beyond(pattern.len(), place));
        self.shift.resize(row + 256, beyond as u32);
        for &shift in self.allowed.iter().rev().filter(|&&shift| shift <= place) {
            self.shift[row + usize::from(pattern[place - shift])] = shift as u32;
        }
        let byte = pattern[place];
        self.order.push(Place { byte, at: place as u32 });
        self.allowed.retain(|&shift| shift > place || pattern[place - shift] == byte);
    }
}

register!(algorithm MaximalAverageShift);

#[cfg(test)]
mod tests {
    use super::*;

    /// The pattern and the alphabet of the program's notes.
    const PATTERN: &[u8] = b"GCAGAGAG";

    #[test]
    fn the_first_place_has_the_greatest_average_shift() {
        let mut searcher = MaximalAverageShift::default();
        searcher.prepare_with(PATTERN, Hints { sample: b"ACGT", text_length: 0 }, Off).unwrap();
        // The last place: 1 for A, 6 for C, 2 for G and 8 for T.
        let shift = |byte: u8| searcher.shift[usize::from(byte)];
        assert_eq!(searcher.order[0], Place { byte: b'G', at: 7 });
        assert_eq!([b'A', b'C', b'G', b'T'].map(shift), [1, 6, 2, 8]);
        assert_eq!(searcher.period, 7);
    }

    #[test]
    fn every_shift_is_the_least_that_the_places_before_allow() {
        let mut searcher = MaximalAverageShift::default();
        searcher.prepare_with(PATTERN, Hints { sample: b"ACGT", text_length: 0 }, Off).unwrap();
        let order: Vec<usize> = searcher.order.iter().map(|place| place.at as usize).collect();
        for (i, &place) in order.iter().enumerate() {
            for byte in [b'A', b'C', b'G', b'T'] {
                let fits = |shift: usize, at: usize, byte: u8| at < shift || PATTERN[at - shift] == byte;
                let safe = |&shift: &usize| {
                    fits(shift, place, byte) && order[..i].iter().all(|&at| fits(shift, at, PATTERN[at]))
                };
                let least = (1..=8).find(safe).unwrap();
                assert_eq!(searcher.shift[i << 8 | usize::from(byte)] as usize, least, "{i} {byte}");
            }
        }
    }
}
