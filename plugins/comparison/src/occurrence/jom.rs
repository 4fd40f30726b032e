//! Jumping Occurrence Matcher (`jom`).
//!
//! Pays on small alphabets, where two characters exclude many more windows than one, and distant ones more
//! than neighbours.
//! Departures: the left place is that of [`wom`](super::wom), and the right one may lie after the window. The
//! jump is the best of 1 to 16; the average shift that decides is summed up until nine of ten pairs are known
//! to have shifted. Frequencies are those of the text's first hundred bytes, as in SMART. Shifts are of 16
//! bits: a longer one is made in several steps. Patterns of one byte are not a special case.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::sampled::{SAMPLE, frequencies};
use super::wom::{best_place, scan};
use crate::opening::SLACK;
use crate::shifts::{PairShifts, pair};

/// The greatest jump that is tried.
const MAX_JUMP: usize = 16;

/// The searcher: a place of the window or after it, and the shifts by two characters of the text: the one
/// there, and the one `jump` after it.
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
        reference: papers::OCCURRENCE_HEURISTICS,
        status: Status::FromPaper(
            "The paper's rule of the best jump; the sample of a hundred bytes, the bound of nine tenths and \
                the longest jump of 16 are as in SMART.",
        ),
        parameters: "frequency=sample of 100 text bytes; bound=0.9",
        after: &["wom", "br"],
        idea: "Shifts by two characters, at a place and a jump after it that shift furthest on average, by \
            the frequencies in a sample of the text.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 17) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, slack: SLACK, ..Needs::NOTHING };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        let frequency = frequencies(hints.sample);
        self.place = best_place(&frequency, frequency.iter().sum(), pattern);
        self.jump = self.best_jump(&frequency, pattern);
        self.fill(pattern);
        probe.table(&self.shift);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (place, jump, shift) = (self.place, self.jump, self.shift.view(probe));
        let shift = |at: usize| shift.at(pair([text.at(at - jump), text.at(at)])).into();
        scan(place + jump, shift, pattern, text, found, probe);
    }
}

impl JumpingOccurrence {
    /// The characters of the pattern that come to the window's two old positions by this shift; `None` if the
    /// pattern does not reach a position.
    fn after(&self, pattern: &[u8], jump: usize, shift: usize) -> (Option<u8>, Option<u8>) {
        let at = |place: usize| place.checked_sub(shift).and_then(|i| pattern.get(i)).copied();
        (at(self.place), at(self.place + jump))
    }

    /// Fills in the least shift that brings equal characters to both places, or the pattern past them.
    fn fill(&mut self, pattern: &[u8]) {
        let entry = |shift: usize| u16::try_from(shift).unwrap_or(u16::MAX);
        let furthest = self.place + self.jump;
        self.shift.fill(entry(furthest + 1));
        for shift in (1..=furthest).rev() {
            let (first, second) = self.after(pattern, self.jump, shift);
            let range = |byte: Option<u8>| byte.map_or(0..=255, |byte| byte..=byte);
            for first in range(first) {
                for second in range(second) {
                    self.shift[pair([first, second])] = entry(shift);
                }
            }
        }
    }

    /// The jump that shifts furthest on average. Probabilities are whole numbers: how many pairs of the
    /// sample's characters there are. A sum of them is exact, and known sooner than one of fractions.
    fn best_jump(&self, frequency: &[u32; 256], pattern: &[u8]) -> usize {
        let m = pattern.len();
        let all = frequency.iter().map(|&count| u64::from(count)).sum::<u64>().max(1);
        // The pattern's letters have numbers, because a table of their pairs is small.
        let (mut number, mut counts) = ([None; 256], Vec::new());
        let mut letter = |&byte: &u8| {
            *number[usize::from(byte)].get_or_insert_with(|| {
                counts.push(u64::from(frequency[usize::from(byte)]));
                counts.len() - 1
            })
        };
        let letters: Vec<usize> = pattern.iter().map(&mut letter).collect();
        // The jump at which each pair came last, and where the pairs of each character of the pattern begin.
        let mut came = vec![0; counts.len() * counts.len()];
        let rows: Vec<usize> = letters.iter().map(|letter| letter * counts.len()).collect();
        let mut best = (0, 1);
        for jump in 1..=m.min(MAX_JUMP) {
            let sum = self.shift_sum(jump, &letters, &rows, &counts, &mut came, all);
            if sum > best.0 {
                best = (sum, jump);
            }
        }
        best.1
    }

    /// The sum of the shifts with this jump over all pairs of the sample's characters.
    fn shift_sum(
        &self,
        jump: usize,
        letters: &[usize],
        rows: &[usize],
        counts: &[u64],
        came: &mut [usize],
        all: u64,
    ) -> u64 {
        // The sum so far, and how many pairs shift further.
        let (mut sum, mut longer) = (0, all * all);
        let are_few = |longer: u64| longer * 10 < all * all;
        // First come shifts that only the first character decides: it is done with, whatever the second one
        // is.
        let beyond = (self.place + jump).saturating_sub(letters.len());
        let mut any = all;
        for place in (self.place - beyond..self.place).rev() {
            sum += longer;
            let row = &mut came[rows[place]..][..counts.len()];
            if row[0] != jump {
                row.fill(jump);
                any -= counts[letters[place]];
                longer -= counts[letters[place]] * all;
                if are_few(longer) {
                    return sum + longer;
                }
            }
        }
        // Most pairs of a long pattern came before. Nothing is done for them; their shifts are added later.
        let (firsts, seconds) = (&letters[..self.place - beyond], &letters[jump..]);
        let mut shifted = vec![0; counts.len()];
        let mut added = firsts.len();
        for (i, (&row, &second)) in rows[..firsts.len()].iter().zip(seconds).enumerate().rev() {
            if came[row + second] != jump {
                came[row + second] = jump;
                sum += longer * (added - i) as u64;
                added = i;
                let new = counts[firsts[i]] * counts[second];
                shifted[second] += new;
                longer -= new;
                if are_few(longer) {
                    return sum + longer;
                }
            }
        }
        sum += longer * added as u64;
        // Last come shifts that only the second one decides.
        for &second in letters[..jump].iter().rev() {
            sum += longer;
            let rest = any * counts[second];
            longer -= rest - std::mem::replace(&mut shifted[second], rest);
            if are_few(longer) {
                break;
            }
        }
        sum + longer
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
    fn the_jump_is_the_one_that_shifts_furthest_on_average() {
        // No pair becomes so improbable here that the sum would end early.
        for (pattern, sample) in
            [(&b"abba"[..], &b"abcdefgh"[..]), (b"aabb", b"abcd"), (b"abcdabab", b"abcdabcdxyz")]
        {
            let frequency = frequencies(sample);
            let mut searcher = prepared(pattern, sample);
            let average = |shifts: &PairShifts| -> f64 {
                let pairs = (0..=255).flat_map(|first| (0..=255).map(move |second| [first, second]));
                pairs
                    .map(|[a, b]| {
                        f64::from(
                            frequency[usize::from(a)]
                                * frequency[usize::from(b)]
                                * u32::from(shifts[pair([a, b])]),
                        )
                    })
                    .sum()
            };
            let chosen = (searcher.jump, average(&searcher.shift));
            for jump in 1..=pattern.len() {
                searcher.jump = jump;
                searcher.fill(pattern);
                assert!(average(&searcher.shift) <= chosen.1 + 1e-6, "{jump}, not {}", chosen.0);
            }
        }
    }

    #[test]
    fn shifts_bring_equal_characters_to_both_places() {
        let mut searcher = prepared(b"abcabd", b"");
        let mut shift = |place, jump, pairs: [&[u8; 2]; 6]| {
            (searcher.place, searcher.jump) = (place, jump);
            searcher.fill(b"abcabd");
            pairs.map(|bytes| searcher.shift[pair(*bytes)])
        };
        assert_eq!(shift(4, 2, [b"ad", b"cb", b"xd", b"xb", b"xa", b"xy"]), [1, 2, 7, 5, 6, 7]);
        assert_eq!(shift(6, 1, [b"dx", b"bd", b"xd", b"xa", b"xx", b"ab"]), [1, 2, 8, 7, 8, 3]);
    }
}
