//! Backward Oracle Matching 2 (`bom2`).
//!
//! Pays on long patterns, where a look-up is worth its memory: see [`bom`](super::bom) for the other way.
//! Departures: bytes that do not occur in the pattern share an entry, except in the initial state, which most
//! look-ups use.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::oracle::{MAX_PATTERN, Oracle, finish_window};

/// The searcher: the factor oracle of the reversed pattern.
#[derive(Default)]
pub struct BackwardOracleTable {
    oracle: Oracle,
    /// For each byte, the state after it, from the initial state.
    initial: ByteTable<u32>,
}

impl Algorithm for BackwardOracleTable {
    const ABOUT: About = About {
        id: "bom2",
        name: "Backward Oracle Matching 2 (transition table)",
        reference: papers::FACTOR_ORACLE,
        status: Status::FromPaper(
            "The paper's oracle and search, with its transitions in a table; the table's columns are ours.",
        ),
        after: &["bom"],
        idea: "Backward Oracle Matching with an entry for each state and byte in place of lists.",
        preparation_time: "O(m s)",
        space: "O(m s): 4 bytes for each letter of the pattern, their number rounded up to a power of two, \
            for each of m + 1 states, and 1280 bytes",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m), logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { max_pattern: MAX_PATTERN, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.oracle.prepare(pattern);
        self.oracle.transitions.initial(&mut self.initial);
        probe.table(&self.initial);
        self.oracle.transitions.declare(probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (initial, transitions) = (self.initial.view(probe), self.oracle.transitions.view(probe));
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let state = initial.at(text.at(s + m - 1));
            probe.writes(2);
            // SAFETY: the preparation has filled `initial` with states of the oracle.
            s = unsafe { finish_window(transitions, state, s, m - 1, text, found, probe) };
            probe.jump();
        }
    }
}

register!(algorithm BackwardOracleTable);
