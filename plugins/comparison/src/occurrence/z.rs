//! Adjacent Search Windows (`z2`, `z3`).
//!
//! Pays on short patterns over alphabets of some thirty letters, where several windows in a row often have no
//! letter of the pattern at their end.
//! Departures: the arrays that pointers lead to lie after each other in one table. The order of the
//! comparisons is free; the last character is compared first, then the others from left to right. The last
//! windows, after which too few others follow, shift as in Horspool's search. The ids are ours.

use assay_plugin_api::prelude::*;

use crate::shifts::fill_shifts;

/// How many entries an array has.
const ROW: usize = 256;

/// The searcher for `W` windows in a row.
#[derive(Default)]
pub struct AdjacentWindows<const W: usize> {
    /// Horspool's shifts, for the last windows.
    horspool: ByteTable<u32>,
    /// For the character that ends the first window, where the array begins that has the next character's
    /// entries, and so on; the last ones are shifts.
    arrays: Table<u32>,
}

impl<const W: usize> Algorithm for AdjacentWindows<W> {
    const ABOUT: About = About {
        id: "z",
        name: "Adjacent Search Windows",
        reference: Reference {
            authors: &["I. O. Zavadskyi"],
            title: "A Family of Exact Pattern Matching Algorithms with Multiple Adjacent Search Windows",
            booktitle: "PSC 2017",
            pages: "152-166",
            year: 2017,
            ..Reference::UNKNOWN
        },
        status: Status::FromAbstract(
            "The abstracts of two papers were seen; how the arrays lie in one table, the order of \
                comparisons and the ids are ours.",
        ),
        after: &["hor"],
        idea: "Horspool whose shift is looked up by the last characters of several windows in a row, so that \
            it may be that many m.",
        preparation_time: "O(m+s min(m,s))",
        space: "O(s min(m,s)): 1 KiB for each array, of which there are W + 1 at least for W windows in a \
            row, and (W - 1) s more at most",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/Wm windows at best",
        ..About::UNKNOWN
    };

    /// Shifts go up to three times m, or four by Horspool's.
    const NEEDS: Needs = Needs { max_pattern: u32::MAX as usize / 4, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        fill_shifts(&mut self.horspool, &pattern[..m - 1]);
        // The first window moves on; a later one may be at rest where the text has the pattern's last
        // character.
        let mut rest = self.horspool.clone();
        rest[pattern[m - 1] as usize] = 0;
        self.arrays.reset(W * ROW, 0);
        for window in 0..W {
            for byte in 0..=255 {
                let shift = if window == 0 { self.horspool[byte] } else { rest[byte] };
                self.arrays[window * ROW + byte] = if window + 1 == W {
                    (window * m) as u32 + shift
                } else if shift as usize == m {
                    ((window + 1) * ROW) as u32
                } else {
                    self.constant(W - 1 - window, (window * m) as u32 + shift)
                };
            }
        }
        probe.table(&self.horspool);
        probe.table(&self.arrays);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (horspool, arrays) = (self.horspool.view(probe), self.arrays.view(probe));
        let mut compare = |end, last| {
            if probe.branch(pattern.at(m - 1) == last) && pattern.occurs(text, end + 1 - m, 0..m - 1) {
                found.at(end + 1 - m);
            }
            probe.writes(1);
            probe.jump();
        };
        // Where the first window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end + (W - 1) * m < n) {
            let last = text.at(end);
            compare(end, last);
            let mut entry = arrays.at(last.into());
            for window in 1..W {
                entry = arrays.at(entry as usize + usize::from(text.at(end + window * m)));
            }
            end += entry as usize;
        }
        while probe.branch(end < n) {
            let last = text.at(end);
            compare(end, last);
            end += horspool.at(last) as usize;
        }
    }
}

impl<const W: usize> AdjacentWindows<W> {
    /// Index of arrays that lead to this shift whatever the characters of the next `windows` windows are.
    fn constant(&mut self, windows: usize, shift: u32) -> u32 {
        let array = self.arrays.len() as u32;
        for window in 1..=windows {
            let entry = if window == windows { shift } else { array + (window * ROW) as u32 };
            (0..ROW).for_each(|_| self.arrays.push(entry));
        }
        array
    }
}

register!(algorithm AdjacentWindows, w: [2, 3]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_the_first_that_brings_the_pattern_to_a_character_of_some_window() {
        let mut searcher = AdjacentWindows::<3>::default();
        searcher.prepare(b"abcab", Off);
        let shift = |text: &[u8; 3]| {
            text.iter().fold(0, |entry, &byte| searcher.arrays[entry as usize + usize::from(byte)])
        };
        // The last character moves on by 3 in the first window, and rests in another.
        assert_eq!([b"axx", b"bxx", b"cxx"].map(shift), [1, 3, 2]);
        assert_eq!([b"xax", b"xbx", b"xxc", b"xxb", b"xxx"].map(shift), [6, 5, 12, 10, 15]);
    }
}
