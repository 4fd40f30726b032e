//! Fast Average Optimal Shift-Or.
//!
//! Pays where [`aoso`](super::aoso) does; it tests its state half as often.
//! Departures: of patterns that a word does not hold, the first bytes are searched for; each window that may
//! hold an occurrence is compared as a whole. The last windows, where two characters can't be read, are
//! compared apart. One computation = one step of the state, or one window that is worked out.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::interleaved::Interleaved;

/// The searcher.
#[derive(Default)]
pub struct FastAverageOptimalShiftOr<const Q: usize>(Interleaved<Q, 2>);

impl<const Q: usize> Algorithm for FastAverageOptimalShiftOr<Q> {
    const ABOUT: About = About {
        id: "faoso",
        name: "Fast Average Optimal Shift-Or",
        parameters: "u=2",
        idea: "Average-optimal Shift-Or with one test of the state for u characters that are read.",
        reference: papers::PRACTICAL_AND_OPTIMAL,
        status: Status::FromAbstract(
            "The paper was not seen; its unrolled, interleaved state is generally described, and the filter \
                for patterns longer than a word is ours.",
        ),
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/q), as long as few windows are verified",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Interleaved::<Q, 2>::NEEDS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm
    FastAverageOptimalShiftOr<2>, id: "faoso2", name: "Fast Average Optimal Shift-Or (q=2, u=2)",
        parameters: "q=2";
    FastAverageOptimalShiftOr<4>, id: "faoso4", name: "Fast Average Optimal Shift-Or (q=4, u=2)",
        parameters: "q=4";
    FastAverageOptimalShiftOr<6>, id: "faoso6", name: "Fast Average Optimal Shift-Or (q=6, u=2)",
        parameters: "q=6"
);
