//! Extended Backward Oracle Matching (`ebom`).
//!
//! Pays on patterns of medium length over larger alphabets, where two characters that do not occur in the
//! pattern are frequent.
//! Departures: bytes that do not occur in the pattern share an entry in the oracle.
//! Timed: for patterns of up to 32 characters, the pairs of two windows are looked up before one test,
//! because most pairs do not occur in the pattern and two windows then often share a cache line; if the first
//! pair occurs, the second look-up is wasted.

use assay_plugin_api::prelude::*;
use assay_shared::papers;
use assay_shared::shifts::pair;

use super::fast_loop::first_known;
use super::oracle::{MAX_PATTERN, Oracle, finish_window};
use super::transitions::FAILED;

/// The searcher: the factor oracle of the reversed pattern.
#[derive(Default)]
pub struct ExtendedBackwardOracle {
    oracle: Oracle,
    /// For each two bytes, the state after the second and then the first.
    pairs: HashTable<u32, 16>,
}

impl Algorithm for ExtendedBackwardOracle {
    const ABOUT: About = About {
        id: "ebom",
        name: "Extended Backward Oracle Matching",
        reference: papers::VARIANTS_OF_BOM,
        status: Status::FromPaper("The paper's search; how the transitions are stored is ours."),
        parameters: "table=2-dimensional",
        after: &["bom"],
        idea: "Backward Oracle Matching whose first two steps are one look-up, in a fast loop.",
        preparation_time: "O(m s+s^2)",
        space: "O(m s+s^2): 4 bytes for each letter of the pattern, their number rounded up to a power of \
            two, for each of m + 1 states, and 256 KiB and 256 bytes",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: 2, max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.oracle.prepare(pattern);
        self.pairs.fill(FAILED);
        for last in 0..=255 {
            let state = self.oracle.transitions.after(0, last);
            if state != FAILED {
                for previous in 0..=255 {
                    self.pairs[pair([previous, last])] = self.oracle.transitions.after(state, previous);
                }
            }
        }
        self.oracle.transitions.declare(probe);
        probe.table(&self.pairs);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (transitions, pairs) = (self.oracle.transitions.view(probe), self.pairs.view(probe));
        assert!(m > 1, "a pattern of one byte");
        // SAFETY: called only with ends that are at least 1 and less than n.
        let look_up = |end: usize| pairs.at(pair(unsafe { text.block_unchecked(end - 1) }));
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while let Some(state) = first_known(&mut end, m - 1, n, look_up, probe) {
            let s = end + 1 - m;
            // SAFETY: the preparation has filled `pairs` with states of the oracle.
            end = unsafe { finish_window(transitions, state, s, m - 2, text, found, probe) } + m - 1;
            probe.writes(1);
        }
    }
}

register!(algorithm ExtendedBackwardOracle);
