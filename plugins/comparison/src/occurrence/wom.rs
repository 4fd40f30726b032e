//! Worst Occurrence Matcher (`wom`).
//!
//! Pays on small alphabets and long patterns, where the place that is looked at matters.
//! Departures: frequencies are those of the text's first hundred bytes, as in SMART; among places that are
//! equally good the rightmost is taken. The window is compared from left to right.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::sampled::{SAMPLE, frequencies};
use crate::opening::{Opening, SLACK};
use crate::shifts::fill_shifts;

/// The searcher: a place of the window, or the one after it, and the shifts by the character of the text
/// there.
#[derive(Default)]
pub struct WorstOccurrence {
    place: usize,
    shift: ByteTable<u32>,
}

impl Algorithm for WorstOccurrence {
    const ABOUT: About = About {
        id: "wom",
        name: "Worst Occurrence Matcher",
        reference: papers::OCCURRENCE_HEURISTICS,
        status: Status::FromPaper(
            "The paper's rule of the best place; the sample of a hundred bytes is as in SMART.",
        ),
        parameters: "frequency=sample of 100 text bytes",
        after: &["wc"],
        idea: "Shifts by the character at the place that shifts furthest on average, by the frequencies in a \
            sample of the text.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        let frequency = frequencies(hints.sample);
        self.prepare_for(&frequency, frequency.iter().sum(), pattern, probe);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let shift = self.shift.view(probe);
        scan(self.place, |at| shift.at(text.at(at)) as usize, pattern, text, found, probe);
    }
}

impl WorstOccurrence {
    /// Prepares for a text. `frequency` counts each byte among `all` characters of it.
    pub(super) fn prepare_for(
        &mut self,
        frequency: &[u32; 256],
        all: u32,
        pattern: &[u8],
        probe: impl Probe,
    ) {
        self.place = best_place(frequency, all, pattern);
        fill_shifts(&mut self.shift, &pattern[..self.place]);
        probe.table(&self.shift);
    }
}

/// The place from 0 to m that shifts furthest on average.
pub(super) fn best_place(frequency: &[u32; 256], all: u32, pattern: &[u8]) -> usize {
    // Where each byte occurs last, counted from 1; 0 where it does not.
    let mut last = [0; 256];
    // The sum of the shifts, each as often as its character occurs; and the greatest of these sums, with its
    // place.
    let mut sum = 0;
    let mut best = (0, 0);
    for (place, &byte) in (1..).zip(pattern) {
        // At the next position each shift is longer by one, except that of this byte, which is 1.
        let before = std::mem::replace(&mut last[byte as usize], place);
        sum += i64::from(all) - i64::from(frequency[byte as usize]) * (place - before);
        best = best.max((sum, place));
    }
    best.1 as usize
}

/// Compares the windows that are left when each shifts by the character at this position of it. Near the end
/// of the text, where that position is outside, it compares all windows.
#[inline(always)]
pub(super) fn scan<P: Probe>(
    place: usize,
    shift: impl Fn(usize) -> usize,
    pattern: Pattern<P>,
    text: Text<P>,
    found: &mut impl Found,
    probe: P,
) {
    let (m, n) = (pattern.len(), text.len());
    let opening = Opening::new(pattern, text);
    let mut compare = |s| {
        // SAFETY: called only for windows up to that at n - m.
        unsafe { opening.report(s, 0..m, found) };
    };
    // The place in the last window, if the text has it.
    let last = (n - m + place).min(n - 1);
    let mut at = place;
    probe.writes(1);
    while probe.branch(at <= last) {
        compare(at - place);
        at += shift(at);
        probe.writes(1);
        probe.jump();
    }
    let mut s = at - place;
    while probe.branch(s <= n - m) {
        compare(s);
        s += 1;
        probe.writes(1);
        probe.jump();
    }
}

register!(algorithm WorstOccurrence);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_the_one_with_the_greatest_sum_of_shifts() {
        let sum = |frequency: &[u32; 256], pattern: &[u8], place: usize| -> u32 {
            let mut shift = ByteTable::default();
            fill_shifts(&mut shift, &pattern[..place]);
            frequency.iter().zip(shift.iter()).map(|(frequency, shift)| frequency * shift).sum()
        };
        let frequency = frequencies(b"aabbbbaabcabd");
        for pattern in [&b"abcabcabc"[..], b"aaab", b"cabbbbbb", b"x", b"a", b"daaaaaaaabbbbbb"] {
            let best = best_place(&frequency, 13, pattern);
            let sums: Vec<u32> = (0..=pattern.len()).map(|place| sum(&frequency, pattern, place)).collect();
            let (greatest, right) = (sums[best], &sums[best + 1..]);
            assert!(sums.iter().all(|&sum| sum <= greatest), "{}", pattern.escape_ascii());
            assert!(right.iter().all(|&sum| sum < greatest), "{}", pattern.escape_ascii());
        }
    }
}
