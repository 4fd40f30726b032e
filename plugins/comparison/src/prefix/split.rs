//! Split-based search (`split`).
//!
//! Pays on texts whose words differ in their ends rather than in their beginnings, because the right half of
//! the pattern is searched for.
//! Departures: the left half is compared as soon as the right half occurs. Patterns of one character have no
//! left half. Reads are unchecked.

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct SplitBased;

impl Algorithm for SplitBased {
    const ABOUT: About = About {
        id: "split",
        name: "Split-based search",
        reference: Reference {
            authors: &["S. Hakak", "A. Kamsin", "P. Shivakumara", "M. Y. Idna Idris", "G. A. Gilkar"],
            title: "A new split based searching for exact pattern matching for natural texts",
            journal: "PLoS ONE",
            volume: "13",
            number: "7",
            eid: "e0200912",
            year: 2018,
            doi: "10.1371/journal.pone.0200912",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; the left half is compared as soon as the right half occurs.",
        ),
        after: &["bf"],
        idea: "Searches for the pattern's right half by brute force, and compares the left half before it.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        let half = m / 2;
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            // Most windows end at the first comparison, in a loop that is as short as can be.
            let mut i = half;
            probe.writes(1);
            if probe.branch(alike(s, i)) {
                i += 1;
                probe.writes(1);
                while probe.branch(i < m && alike(s, i)) {
                    i += 1;
                    probe.writes(1);
                }
            }
            if probe.branch(i == m) && pattern.occurs(text, s, 0..half) {
                found.at(s);
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm SplitBased);
