//! Reverse Colussi (`rcolussi`).
//!
//! Pays on small alphabets: few characters of each window are read, and each of them gives new information.
//! Departures: the table of the shifts by the last character has columns for the pattern's own letters alone,
//! and one for all others; it is filled from where a letter occurs, most often in a time that is linear in
//! its size.

use assay_plugin_api::prelude::*;

use super::good_suffixes::suffix_lengths;
use crate::letters::Letters;

/// The searcher: an order of the comparisons, and the shifts.
#[derive(Default)]
pub struct ReverseColussi {
    letters: Letters,
    /// For each last shift, and each letter at the window's end that is not the pattern's last, the shift.
    bad: Table<u32>,
    /// The comparisons in their order, and after them the shift after an occurrence.
    steps: Table<Step>,
    /// For each place of the pattern, the length of the longest suffix that ends there; used by the
    /// preparation alone.
    suffix: Table<u32>,
}

/// A comparison of the window.
#[derive(Clone, Copy, Default)]
struct Step {
    /// The place of the pattern that is compared.
    place: u32,
    /// How far the window moves if it does not match.
    shift: u32,
}

impl Algorithm for ReverseColussi {
    const ABOUT: About = About {
        id: "rcolussi",
        name: "Reverse Colussi",
        reference: Reference {
            authors: &["L. Colussi"],
            title: "Fastest pattern matching in strings",
            journal: "J. Algorithms",
            volume: "16",
            number: "2",
            pages: "163-189",
            year: 1994,
            doi: "10.1006/jagm.1994.1008",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the columns of its table are \
                ours.",
        ),
        after: &["bm", "col"],
        idea: "Boyer-Moore with the comparisons in another order, and shifts by the last character and the \
            shift before.",
        preparation_time: "O(m s) most often, O(m^2) at worst",
        space: "O(m s): 4 bytes for each of m + 1 shifts and letter of the pattern, and 12 m bytes",
        worst_case: "O(mn); 2n comparisons where the pattern does not occur",
        average_case: "O(n/min(m,s))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.letters.prepare(pattern);
        suffix_lengths(pattern, &mut self.suffix);
        self.fill_bad(pattern);
        self.fill_steps(pattern.len());
        self.letters.declare(probe);
        probe.table(&self.bad);
        probe.table(&self.steps);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.letters.width());
        let (letters, bad, steps) = (self.letters.view(), self.bad.view(probe), self.steps.view(probe));
        // Where the window ends, and how far it has moved.
        let (mut end, mut shift) = (m - 1, m);
        probe.writes(2);
        while probe.branch(end < n) {
            let last = text.at(end);
            if probe.branch(pattern.at(m - 1) != last) {
                shift = bad.at(shift * width + usize::from(letters.of(last))) as usize;
                probe.computes(1);
            } else {
                let mut i = 1;
                probe.writes(1);
                let mut step = steps.at(i);
                while probe.branch(i < m) {
                    let place = step.place as usize;
                    if probe.branch(pattern.at(place) != text.at(end + 1 + place - m)) {
                        break;
                    }
                    i += 1;
                    probe.writes(1);
                    step = steps.at(i);
                }
                if probe.verify(i >= m) {
                    found.at(end + 1 - m);
                }
                shift = step.shift as usize;
            }
            end += shift;
            probe.writes(2);
            probe.jump();
        }
    }
}

impl ReverseColussi {
    /// The least shift that aligns both the letter at the window's end and the character at the end of the
    /// window before, which is known, with equal letters of the pattern, if there is such a shift.
    fn fill_bad(&mut self, pattern: &[u8]) {
        let (m, width) = (pattern.len(), self.letters.width());
        let numbers = self.letters.view();
        let column = |place: usize| usize::from(numbers.of(pattern[place]));
        self.bad.reset((m + 1) * width, m as u32);
        // For each place, the one before it with the same letter, and for each letter its last one; counted
        // from 1.
        let (mut previous, mut last) = (vec![0; m], vec![0; width]);
        for place in 0..m {
            previous[place] = std::mem::replace(&mut last[column(place)], place + 1);
        }
        // Shifts that move that character out of the window: the letter is found among the first.
        for shift in 1..=m {
            let row = shift * width;
            if shift > 1 {
                self.bad.copy_within(row - width..row, row);
            }
            if shift < m {
                self.bad[row + column(shift - 1)] = (m - shift) as u32;
            }
        }
        // Shorter ones.
        let mut filled = vec![0; width];
        for shift in 1..m {
            let (known, mut letters) = (m - 1 - shift, 0);
            let mut place = previous[known];
            while place > 0 && letters < self.letters.count() {
                let column = column(place - 1 + shift);
                if filled[column] != shift {
                    filled[column] = shift;
                    letters += 1;
                    self.bad[shift * width + column] = (known + 1 - place) as u32;
                }
                place = previous[place - 1];
            }
        }
    }

    /// Places that rule out the most shifts come first.
    fn fill_steps(&mut self, m: usize) {
        // Where the pattern, moved by a shift, differs from itself furthest right; just before its beginning
        // where it does not.
        let differs = |shift: usize| m - 1 - if shift < m { self.suffix[m - 1 - shift] as usize } else { 0 };
        self.steps.reset(m + 1, Step::default());
        // For each place, the least shift that it rules out. Those that rule out one come in the order of
        // these shifts.
        let mut least = vec![0; m];
        (1..=m).rev().for_each(|shift| least[differs(shift)] = shift);
        let mut i = 1;
        for shift in 1..=m {
            let place = differs(shift);
            if place != m - 1 && least[place] == shift && shift <= place {
                self.steps[i] = Step { place: place as u32, shift: shift as u32 };
                i += 1;
            }
        }
        // Then only the shifts to a border are left. The other places come from left to right: each rules out
        // those that do not move the window past it.
        let mut past = vec![m; m];
        for place in (0..m - 1).rev() {
            past[place] = if differs(place + 1) == place { place + 1 } else { past[place + 1] };
        }
        for place in (0..m - 1).filter(|&place| least[place] == 0 || least[place] > place) {
            self.steps[i] = Step { place: place as u32, shift: past[place] as u32 };
            i += 1;
        }
        self.steps[m].shift = past[0] as u32;
    }
}

register!(algorithm ReverseColussi);
