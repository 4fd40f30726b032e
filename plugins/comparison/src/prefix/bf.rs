//! Brute Force (`bf`).
//!
//! Pays as the baseline of all others, and on patterns of a byte or two.
//! Departures: none. Reads are unchecked, and the first comparison is outside the loop of the others, which
//! takes about 0.75 of the plain loop's time (1 MiB, m = 4 to 1024).

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct BruteForce;

impl Algorithm for BruteForce {
    const ABOUT: About = About {
        id: "bf",
        name: "Brute Force",
        reference: Reference::FOLKLORE,
        status: Status::FromPaper(
            "The search of Charras and Lecroq's handbook; it is common knowledge, and no paper is its \
                source.",
        ),
        idea: "Compares every window from left to right and remembers nothing.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn): mn comparisons",
        average_case: "O(n): n (1 + 1/(s - 1)) comparisons on uniform text",
        yardstick: true,
        ..About::UNKNOWN
    };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        // SAFETY: windows begin at s <= n - m, where m <= n, and i < m.
        let alike = |s: usize, i: usize| unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            // Most windows end at the first comparison, in a loop that is as short as can be.
            let mut i = 0;
            probe.writes(1);
            if probe.branch(alike(s, i)) {
                i += 1;
                probe.writes(1);
                while probe.branch(i < m && alike(s, i)) {
                    i += 1;
                    probe.writes(1);
                }
            }
            if probe.verify(i == m) {
                found.at(s);
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm BruteForce);
