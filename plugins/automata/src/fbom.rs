//! Forward Backward Oracle Matching (`fbom`).
//!
//! Pays where [`ebom`](super::ebom) does: the character after the window lets it move by one more.
//! Departures: where the window's last character is the pattern's, the one after it decides nothing, and the
//! oracle goes on from the last. The last window has no character after it, so it is read as in Backward
//! Oracle Matching.
//! Timed: for patterns of up to 31 characters, the pairs of two windows are looked up before one test,
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
pub struct ForwardBackwardOracle {
    oracle: Oracle,
    /// For a window's last byte and the one after it: the state after the last alone where it is the
    /// pattern's last, and elsewhere after both.
    pairs: HashTable<u32, 16>,
}

impl Algorithm for ForwardBackwardOracle {
    const ABOUT: About = About {
        id: "fbom",
        name: "Forward Backward Oracle Matching",
        reference: papers::VARIANTS_OF_BOM,
        status: Status::FromPaper(
            "The paper's search; how the transitions are stored, and what follows where the window ends with \
                the pattern's last character, is ours.",
        ),
        parameters: "table=2-dimensional",
        after: &["ebom", "qs"],
        idea: "Extended Backward Oracle Matching that begins with the character right after the window.",
        preparation_time: "O(m s+s^2)",
        space: "O(m s+s^2): 4 bytes for each letter of the pattern, their number rounded up to a power of \
            two, for each of m + 1 states, and 256 KiB and 256 bytes",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.oracle.prepare(pattern);
        self.pairs.fill(FAILED);
        let after = |state, byte| self.oracle.transitions.after(state, byte);
        for next in 0..=255 {
            let state = after(0, next);
            if state != FAILED {
                for last in 0..=255 {
                    self.pairs[pair([last, next])] = after(state, last);
                }
            }
            let last = pattern[pattern.len() - 1];
            self.pairs[pair([last, next])] = after(0, last);
        }
        self.oracle.transitions.declare(probe);
        probe.table(&self.pairs);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (transitions, pairs) = (self.oracle.transitions.view(probe), self.pairs.view(probe));
        // SAFETY: called only with ends that have a character after them.
        let look_up = |end: usize| pairs.at(pair(unsafe { text.block_unchecked(end) }));
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while let Some(state) = first_known(&mut end, m, n - 1, look_up, probe) {
            let s = end + 1 - m;
            // SAFETY: the preparation has filled `pairs` with states of the oracle.
            end = unsafe { finish_window(transitions, state, s, m - 1, text, found, probe) } + m - 1;
            probe.writes(1);
        }
        if probe.branch(end + 1 == n) {
            // SAFETY: it begins in the initial state, from where transitions lead to states.
            unsafe {
                let state = transitions.after(0, text.at(end));
                probe.writes(1);
                probe.jump();
                finish_window(transitions, state, n - m, m - 1, text, found, probe);
            }
        }
    }
}

register!(algorithm ForwardBackwardOracle);
