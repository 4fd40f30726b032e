//! Average Optimal Shift-Or.
//!
//! Pays on patterns of several times q characters, over alphabets that are not too small.
//! Departures: of patterns that a word does not hold, the first 64 bytes less a remainder are searched for;
//! each window that may hold an occurrence is compared as a whole. One computation = one step of the state,
//! or one window that is worked out.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::interleaved::Interleaved;

/// The searcher.
#[derive(Default)]
pub struct AverageOptimalShiftOr<const Q: usize>(Interleaved<Q, 1>);

impl<const Q: usize> Algorithm for AverageOptimalShiftOr<Q> {
    const ABOUT: About = About {
        id: "aoso",
        name: "Average Optimal Shift-Or",
        idea: "Shift-Or over q interleaved subpatterns in one word, reading only each q-th text byte; then \
            verifies.",
        reference: papers::PRACTICAL_AND_OPTIMAL,
        status: Status::FromAbstract(
            "The paper was not seen; its interleaved state is generally described, and the filter for \
                patterns longer than a word is ours.",
        ),
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/q), as long as few windows are verified",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Interleaved::<Q, 1>::NEEDS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm AverageOptimalShiftOr, q: [2, 4, 6]);
