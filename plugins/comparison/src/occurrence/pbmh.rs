//! Boyer-Moore-Horspool using Probabilities (`pbmh`).
//!
//! Pays where some characters of the pattern are much rarer than its last one.
//! Departures: probabilities are those of the text's first hundred bytes, as in SMART; where characters are
//! equally rare, the right one is compared first.
//! Timed: the first four comparisons of a window have no branch between them, because the processor cannot
//! predict which of them fails.

use std::hint::black_box;

use assay_plugin_api::prelude::*;

use super::sampled::{Place, SAMPLE, alike, rarest_first};
use crate::opening::number;
use crate::shifts::fill_shifts;

/// Number of characters that are compared first, without a branch between them.
const FIRST: usize = 4;

/// The searcher: Horspool's shifts, and the order of the comparisons.
#[derive(Default)]
pub struct Probabilities {
    shift: ByteTable<u32>,
    order: Table<Place>,
}

impl Algorithm for Probabilities {
    const ABOUT: About = About {
        id: "pbmh",
        name: "Boyer-Moore-Horspool using Probabilities",
        reference: Reference {
            authors: &["M. E. Nebel"],
            title: "Fast string matching by using probabilities: on an optimal mismatch variant of \
                Horspool's algorithm",
            journal: "Theor. Comput. Sci.",
            volume: "359",
            number: "1-3",
            pages: "329-343",
            year: 2006,
            doi: "10.1016/j.tcs.2006.05.028",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's order of comparisons by probability; probabilities are those of the text's first \
                hundred bytes, as in SMART.",
        ),
        parameters: "sample=first 100 text bytes",
        after: &["hor", "om"],
        idea: "Horspool that compares rare characters first, by their frequencies in a sample of the \
            text.",
        preparation_time: "O(m+s)",
        space: "O(m+s): 8m bytes and 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): as many windows as Horspool",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { sample: SAMPLE, ..Needs::LENGTHS_IN_U32 };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        fill_shifts(&mut self.shift, &pattern[..pattern.len() - 1]);
        rarest_first(pattern, hints.sample, &mut self.order);
        probe.table(&self.shift);
        probe.table(&self.order);
        Ok(())
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (shift, order) = (self.shift.view(probe), self.order.view(probe));
        assert_eq!(self.order.len(), m, "prepared for another pattern");
        let rarest: [Place; FIRST] = std::array::from_fn(|i| self.order[i.min(m - 1)]);
        let first = black_box(number(rarest.map(|place| place.byte)));
        // SAFETY: called only for windows that end before n, and positions are less than m.
        let number_at =
            |s: usize| unsafe { number(rarest.map(|place| text.at_unchecked(s + place.at as usize))) };
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let s = end + 1 - m;
            // SAFETY: the window ends before n, and the order is that of the places of its pattern.
            let occurs = || unsafe { alike(order, m, text, s, probe) } == m;
            if (P::COUNTS || number_at(s) == first) && probe.verify(occurs()) {
                found.at(s);
            }
            // SAFETY: end < n, still.
            end += shift.at(unsafe { text.at_unchecked(end) }) as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Probabilities);
