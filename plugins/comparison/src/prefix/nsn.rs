//! Not So Naive (`nsn`).
//!
//! Pays where Brute Force does: its shifts of two characters come without any table.
//! Departures: patterns of one character, which the thesis does not treat, have no second one to ask and are
//! compared everywhere. Reads are unchecked.
//! Timed: where the second character matches, the first eight are compared at once, because the processor
//! cannot predict where a comparison ends. The twin compares those after the second, and then the first.

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};

/// The searcher: nothing but two shifts.
#[derive(Default)]
pub struct NotSoNaive {
    /// How far the window moves where the second character mismatches.
    after_mismatch: usize,
    /// And where it matches.
    after_match: usize,
}

impl Algorithm for NotSoNaive {
    const ABOUT: About = About {
        id: "nsn",
        name: "Not So Naive",
        reference: Reference {
            authors: &["C. Hancart"],
            title: "Analyse exacte et en moyenne d'algorithmes de recherche d'un motif dans un texte",
            school: "Université Paris 7",
            year: 1993,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the thesis and of Charras and Lecroq's handbook; patterns of one character are \
                ours.",
        ),
        after: &["bf"],
        idea: "Compares the second character first; whether it equals the first says which answer shifts by \
            two.",
        preparation_time: "O(1)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n): slightly fewer comparisons than Brute Force",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        // If the pattern's first two characters are equal, a mismatch of the second means that the next
        // window does not begin with the first. If they differ, a match of the second means this.
        (self.after_mismatch, self.after_match) = match pattern {
            [_] => (1, 1),
            [first, second, ..] if first == second => (2, 1),
            _ => (1, 2),
        };
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let NotSoNaive { after_mismatch, after_match } = *self;
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        // Where the first comparison is made: at the second character, if there is one.
        let second = usize::from(m > 1);
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        let opening = Opening::new(pattern, text);
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            if probe.branch(!alike(s, second)) {
                s += after_mismatch;
                probe.writes(1);
                probe.jump();
                continue;
            }
            if P::COUNTS {
                let mut i = second + 1;
                probe.writes(1);
                while probe.branch(i < m && alike(s, i)) {
                    i += 1;
                    probe.writes(1);
                }
                if probe.verify(i == m && (second == 0 || alike(s, 0))) {
                    found.at(s);
                }
            // SAFETY: the window begins at s <= n - m.
            } else if unsafe { opening.occurs(s, 0..m) } {
                found.at(s);
            }
            s += after_match;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm NotSoNaive);
