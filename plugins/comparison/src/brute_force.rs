//! Brute force: every window is compared from left to right, and nothing is remembered.
//!
//! The reference for what the others save. No preparation, no memory; m n comparisons in the worst case, about
//! n (1 + 1/(s - 1)) on uniform text over s letters.
//!
//! Source: folklore.

use assay_plugin_api::{About, Algorithm, CannotSearch, Found, Hints, Pattern, Probe, Text, register};

/// The searcher: nothing to prepare.
#[derive(Default)]
pub struct BruteForce;

impl Algorithm for BruteForce {
    const ABOUT: About = About {
        id: "bf",
        name: "Brute Force",
        authors: "folklore",
        reference: "folklore",
        family: "comparison-prefix",
        idea: "Compares every window from left to right and remembers nothing.",
        preparation_time: "none",
        space: "none",
        worst_case: "O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, _: &[u8], _: Hints<'_>, _: P) -> Result<(), CannotSearch> {
        Ok(())
    }

    fn search<P: Probe>(
        &mut self,
        pattern: Pattern<'_, P>,
        text: Text<'_, P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        let mut s = 0;
        while probe.branch(s <= n - m) {
            let mut i = 0;
            while probe.branch(i < m && pattern.at(i) == text.at(s + i)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::testing;

    #[test]
    fn finds_what_a_naive_search_finds() {
        testing::check::<BruteForce>();
    }
}
