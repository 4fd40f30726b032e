//! Brute Force with guard (`gbf2`, `gbf4`, `gbf8`).
//!
//! Pays on short patterns: most windows end with one comparison of numbers.
//! Departures: the guard is the beginning of the pattern; the paper leaves its position to the algorithm.
//! Reads are unchecked.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct GuardedBruteForce<const Q: usize>;

impl<const Q: usize> Algorithm for GuardedBruteForce<Q> {
    const ABOUT: About = About {
        id: "gbf",
        name: "Brute Force with guard",
        reference: papers::EXTENDED_GUARD,
        status: Status::FromAbstract(
            "The abstract was seen; that the guard is the beginning of the pattern is our choice.",
        ),
        after: &["bf"],
        idea: "Compares the first q characters of each window as one number, and the others only where these \
            match.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, ..Needs::NOTHING };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(Q <= m && m <= n, "a text shorter than the pattern, or a pattern than the guard");
        let guard = pattern.kept_gram::<Q>(0);
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            // SAFETY: the window begins at s <= n - m, and has Q characters at least.
            let passes = probe.branch(guard.equals(unsafe { text.gram_unchecked::<Q>(s) }));
            if passes && pattern.occurs(text, s, Q..m) {
                found.at(s);
            }
            s += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm GuardedBruteForce, q: [2, 4, 8]);
