//! Raita (`raita`).
//!
//! Pays on natural language, where neighbouring characters depend on each other, so that distant ones exclude
//! more windows.
//! Departures: patterns of one byte, which the paper leaves out, are not a special case here, because all
//! three characters are the same one.
//! Timed: the three characters are compared without a branch between them, because the processor cannot
//! predict which of them differs.

use std::hint::black_box;

use assay_plugin_api::prelude::*;

use crate::opening::number;
use crate::shifts::fill_shifts;

/// The searcher: for each byte, the distance from its last occurrence in the pattern's first m - 1 bytes to
/// the end.
#[derive(Default)]
pub struct Raita {
    shift: ByteTable<u32>,
}

impl Algorithm for Raita {
    const ABOUT: About = About {
        id: "raita",
        name: "Raita",
        reference: Reference {
            authors: &["T. Raita"],
            title: "Tuning the Boyer-Moore-Horspool string searching algorithm",
            journal: "Softw. Pract. Exp.",
            volume: "22",
            number: "10",
            pages: "879-884",
            year: 1992,
            doi: "10.1002/spe.4380221006",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper("The search of the paper and of Charras and Lecroq's handbook."),
        after: &["hor"],
        idea: "Horspool that compares last, first and middle character before the rest.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): as many windows as Horspool",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    /// Windows in which all three characters matched.
    const EXTRA: &'static [&'static str] = &["#three"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.shift, &pattern[..pattern.len() - 1]);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        let alike = |s, i| pattern.at(i) == text.at(s + i);
        let three = black_box(if P::COUNTS { 0 } else { number([m - 1, 0, m / 2].map(|i| pattern.at(i))) });
        // SAFETY: called only for windows that end before n, and the positions are less than m.
        let number_at = |s: usize| unsafe { number([m - 1, 0, m / 2].map(|i| text.at_unchecked(s + i))) };
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let (s, last) = (end + 1 - m, text.at(end));
            let matched = if P::COUNTS {
                pattern.at(m - 1) == last && alike(s, 0) && alike(s, m / 2)
            } else {
                number_at(s) == three
            };
            if probe.branch(matched) {
                probe.extra(0, || 1);
                if pattern.occurs(text, s, 1..m - 1) {
                    found.at(s);
                }
            }
            end += shift.at(last) as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Raita);
