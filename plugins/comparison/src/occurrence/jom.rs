//! Jumping Occurrence Matcher.
//!
//! Pays on small alphabets, where two characters tell much more than one, and neighbours less than two that are apart.
//! Departures: the right place is that of [`wom`](super::wom). The jump is the best of 1 to 16; the average shift that decides
//! is summed up until nine of ten pairs are known to have shifted. Frequencies are those of the text's first hundred bytes,
//! as in SMART. Shifts are of 16 bits: a longer one is made in several steps. Patterns of one byte need no care.

use assay_plugin_api::prelude::*;

use super::sampled::{SAMPLE, frequencies};
use super::wom::{best_place, scan};
use crate::shifts::{PairShifts, pair};

/// The greatest jump that is tried.
const MAX_JUMP: usize = 16;

/// The searcher: a place of the window, or the one behind it, and the shifts by two characters of the text: the one `jump`
/// before it, and the one there.
#[derive(Default)]
pub struct JumpingOccurrence {
    place: usize,
    jump: usize,
    shift: PairShifts,
}

impl Algorithm for JumpingOccurrence {
    const ABOUT: About = About {
        id: "jom",
        name: "Jumping Occurrence Matcher",
        authors: "D. Cantone, S. Faro",
        year: 2013,
        reference: "Improved and Self-Tuned Occurrence Heuristics. PSC 2013, pp. 92-106",
        parameters: "frequency=sample of 100 text bytes; bound=0.9",
        idea: "Shifts by two characters, at a place and a jump before it that shift furthest on average, as a sample of the text tells.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, ..Needs::NOTHING };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        let frequency = frequencies(hints.sample);
        self.place = best_place(&frequency, pattern);
        self.jump = self.best_jump(&frequency, pattern);
        self.fill(pattern);
        probe.table(&self.shift);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (place, jump, shift) = (self.place, self.jump, self.shift.view(probe));
        assert!(jump <= place, "a jump out of the window");
        let shift = |at| shift.at(pair([text.at(at - jump), text.at(at)])).into();
        scan(place, shift, pattern, text, found, probe);
    }
}

impl JumpingOccurrence {
    /// Fills in the least shift that brings equal characters to both places, or the pattern past them.
    fn fill(&mut self, pattern: &[u8]) {
        let entry = |shift: usize| u16::try_from(shift).unwrap_or(u16::MAX);
        let (place, jump, shifts) = (self.place, self.jump, &mut self.shift);
        shifts.fill(entry(place + 1));
        for shift in (1..=place).rev() {
            let second = pattern[place - shift];
            match (place - shift).checked_sub(jump) {
                Some(first) => shifts[pair([pattern[first], second])] = entry(shift),
                None => (0..=255).for_each(|first| shifts[pair([first, second])] = entry(shift)),
            }
        }
    }

    /// The jump that shifts furthest on average. The table is where pairs are marked that came before.
    fn best_jump(&mut self, frequency: &[u32; 256], pattern: &[u8]) -> usize {
        self.shift.fill(0);
        let all: u32 = frequency.iter().sum();
        let probability = |byte: u8| f64::from(frequency[byte as usize]) / f64::from(all.max(1));
        let (mut best, place) = ((0.0, 1), self.place);
        for jump in 1..=place.min(MAX_JUMP) {
            // The average shift, how probable a longer one is, and for each byte how probable a pair is that ends with it and
            // has shifted.
            let (mut average, mut longer, mut shifted) = (0.0, 1.0, [0.0; 256]);
            for shift in 1..=place {
                average += longer;
                let second = pattern[place - shift];
                let shifted = &mut shifted[second as usize];
                let new = match (place - shift).checked_sub(jump) {
                    Some(first) => {
                        let mark = &mut self.shift[pair([pattern[first], second])];
                        let known = std::mem::replace(mark, jump as u16) == jump as u16;
                        if known { 0.0 } else { probability(pattern[first]) * probability(second) }
                    }
                    None => probability(second) - *shifted,
                };
                *shifted += new;
                longer -= new;
                if longer < 0.1 {
                    break;
                }
            }
            if average > best.0 {
                best = (average, jump);
            }
        }
        best.1
    }
}

register!(algorithm JumpingOccurrence);

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(pattern: &[u8], sample: &[u8]) -> JumpingOccurrence {
        let mut searcher = JumpingOccurrence::default();
        searcher.prepare_with(pattern, Hints { sample, text_length: 0 }, Off).unwrap();
        searcher
    }

    #[test]
    fn the_jump_is_one_whose_pairs_differ_most() {
        // Pairs of neighbours are `ab` and `ba`; two apart there are four.
        let searcher = prepared(b"aabbaabbaabb", b"abababababababab");
        assert!(searcher.jump > 1);
        // All are equally good.
        assert_eq!(prepared(b"abcdef", b"").jump, 1);
    }

    #[test]
    fn shifts_bring_equal_characters_to_both_places() {
        let mut searcher = prepared(b"abcabd", b"");
        (searcher.place, searcher.jump) = (6, 2);
        searcher.fill(b"abcabd");
        let shift = |pair_of: &[u8; 2]| searcher.shift[pair(*pair_of)];
        assert_eq!([b"ad", b"cb", b"xd", b"xb", b"xa", b"xy"].map(shift), [1, 2, 7, 5, 6, 7]);
    }
}
