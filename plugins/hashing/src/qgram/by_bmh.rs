//! Horspool on k-grams (`by-bmh2`).
//!
//! Pays on small and middle alphabets, where Horspool's shifts are short.
//! Departures: k = 2, so that a k-gram is its own index; larger alphabets of k-grams need a folding that the
//! paper's time had no memory for (`hash`, `bmh`). Without the paper's hybrid for the worst case.

use assay_plugin_api::prelude::*;

use super::shifts::{Shifts, number};

/// The searcher: shifts by the two characters of the window's end.
#[derive(Default)]
pub struct HorspoolOnPairs {
    shifts: Shifts<16>,
}

impl Algorithm for HorspoolOnPairs {
    const ABOUT: About = About {
        id: "by-bmh",
        name: "Horspool on k-grams",
        reference: Reference {
            authors: &["R. A. Baeza-Yates"],
            title: "Improved string searching",
            journal: "Softw. Pract. Exp.",
            volume: "19",
            number: "3",
            pages: "257-271",
            year: 1989,
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The paper was not seen; pairs of characters, without its hybrid for the worst case, are our \
                choice.",
        ),
        family: "comparison-occurrence",
        after: &["hor"],
        idea: "Takes k successive characters as one of a larger alphabet, and shifts as Horspool does by \
            that one.",
        preparation_time: "O(m + s^2)",
        space: "O(s^2): 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2))",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.shifts.fill(pattern, 2, |pair| number(pair) as usize, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, after_match) = (pattern.len(), text.len(), self.shifts.after_match);
        assert!(m >= 2, "a pattern shorter than a pair");
        // SAFETY: 2 <= m <= end <= n.
        let index = |end: usize| unsafe { text.gram_unchecked::<2>(end - 2) } as usize;
        let fits = |s: usize| {
            // The last two characters have been compared by the table.
            if pattern.occurs(text, s, 0..m - 2) {
                found.at(s);
            }
            after_match
        };
        self.shifts.search(m, n, index, fits, probe);
    }
}

register!(algorithm HorspoolOnPairs, id: "by-bmh2", name: "Horspool on k-grams (k=2)", parameters: "k=2");
