//! Search of assay (`own`).
//!
//! Pays everywhere but in texts so short that the choice of a method takes longer than the search.
//! Departures: none, because this is the source.
//! Timed: what the extra fields show of a decision is worked out for the twin alone.

use assay_plugin_api::prelude::*;

use crate::reading::{DECISIONS, OURS, OwnSearch};

/// The searcher.
#[derive(Default)]
pub struct Own(OwnSearch);

impl Algorithm for Own {
    const ABOUT: About = About {
        id: "own",
        name: "Search of assay",
        after: &["own-all", "own-packed", "own-planes", "own-some", "own-windows", "tw"],
        idea: "Chooses for each search, by the lengths of pattern and text, the CPU and a sample of \
            the text, among the other algorithms of this family.",
        preparation_time: "O(m)",
        space: "O(m), and a table of at most 32 KiB",
        worst_case: "O(n + m)",
        average_case: "O(n/w), w bytes to a register; O(n/m) for long patterns (from 40 to 75 on, by CPU and \
            text)",
        ..OURS
    };

    const EXTRA: &'static [&'static str] = DECISIONS;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern);
    }

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(None, text, found, probe);
    }
}

register!(algorithm Own);
