//! First-Last Pattern Matching (`flpm`).
//!
//! Pays where the pattern's first and last character seldom stand m - 1 apart: on large alphabets, and on
//! short patterns, because nothing is prepared.
//! Departures: the paper first lists all windows that fit at both ends and then compares them; here each is
//! compared as soon as it is found, because a list of them could be as long as the text.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct FirstLast;

impl Algorithm for FirstLast {
    const ABOUT: About = About {
        id: "flpm",
        name: "First-Last Pattern Matching",
        reference: papers::BIOLOGICAL_SEQUENCES,
        status: Status::FromPaper("The paper was seen; windows are compared as soon as they are found."),
        idea: "Compares of each window the first and the last character, and the others where both match.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    /// Windows whose first and last character match.
    const EXTRA: &'static [&'static str] = &["#windows"];

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        let last = m - 1;
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            if probe.branch(alike(s, 0)) && probe.branch(alike(s, last)) {
                probe.extra(0, || 1);
                if pattern.occurs(text, s, 1..last) {
                    found.at(s);
                }
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm FirstLast);
