//! Brute Force.
//!
//! The reference for what the others save.
//! The comparison is written out, and its loop variable counts as one write a window, as in SMART.

use assay_plugin_api::prelude::*;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct BruteForce;

impl Algorithm for BruteForce {
    const ABOUT: About = About {
        id: "bf",
        name: "Brute Force",
        authors: "folklore",
        reference: "folklore",
        idea: "Compares every window from left to right and remembers nothing.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn): mn comparisons",
        average_case: "O(n): n (1 + 1/(s - 1)) comparisons on uniform text",
        ..About::UNKNOWN
    };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        let mut s = 0;
        while probe.branch(s <= n - m) {
            let mut i = 0;
            // SAFETY: i < m, and s <= n - m, where m <= n.
            while probe.branch(i < m && unsafe { pattern.at_unchecked(i) == text.at_unchecked(s + i) }) {
                i += 1;
            }
            probe.writes(1);
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
