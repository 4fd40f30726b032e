//! Brute Force.
//!
//! Pays as the reference for what the others save, and on patterns of a byte or two.
//! Departures: the first eight characters of a window are compared at once.

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};

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

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::NOTHING };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(m <= n, "a text shorter than the pattern");
        let opening = Opening::new(pattern, text);
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            // SAFETY: the window ends in the text, since m <= n.
            if unsafe { opening.occurs(s, 0..m) } {
                found.at(s);
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm BruteForce);
