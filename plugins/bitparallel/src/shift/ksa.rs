//! Factorised Shift-And (`ksa`).
//!
//! Pays where Shift-And does, on longer patterns over large alphabets, whose factors of distinct characters
//! are long.
//! Departures: of a pattern with more than 64 factors the first characters are searched for, those that 64
//! factors hold, and the rest is verified where they occur. One computation = one step: two ands, a sum and
//! an or.

use assay_plugin_api::prelude::*;
use assay_shared::{papers, shifts::pair};

use super::scan::verify;
use crate::factorised::{self, Factorised, LAST};
use crate::word::{self, prefix_occurs};

/// The searcher.
#[derive(Default)]
pub struct FactorisedShiftAnd {
    factors: Factorised,
    /// For each byte, the bit of the first factor where the pattern begins with it.
    starts: ByteTable<u64>,
    /// For each byte, the bit of the last factor where the prefix ends with it.
    ends: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl Algorithm for FactorisedShiftAnd {
    const ABOUT: About = About {
        id: "ksa",
        name: "Factorised Shift-And",
        reference: papers::COMPACT_REPRESENTATION,
        status: Status::FromPaper(
            "The paper's search; of patterns with more than 64 factors, a prefix is searched for and the \
                rest is verified.",
        ),
        after: &["sa"],
        idea: "Shift-And with a bit for each factor of distinct characters, so that longer patterns fit a \
            word.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 518 KiB",
        worst_case: "O(n) as long as 64 factors hold the pattern, else O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.width = factorised::width(pattern);
        let prefix = &pattern[..self.width];
        self.factors.prepare(prefix.iter().copied(), probe);
        self.starts.fill(0);
        self.starts[prefix[0] as usize] = self.factors.first;
        self.ends.fill(0);
        self.ends[prefix[self.width - 1] as usize] = LAST;
        probe.table(&self.starts);
        probe.table(&self.ends);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width) = (pattern.len(), text.len(), self.width);
        let (pairs, lasts) = (self.factors.pairs.view(probe), self.factors.lasts.view(probe));
        let (starts, ends) = (self.starts.view(probe), self.ends.view(probe));
        assert!(width <= m && m <= n, "prepared for another pattern");
        // Where the prefix of the last window ends.
        let end = n - m + width;
        let (mut state, mut before, mut i) = (0, 0, 0);
        probe.writes(3);
        while probe.branch(i < end) {
            // SAFETY: i < end <= n.
            let byte = unsafe { text.at_unchecked(i) };
            state =
                factorised::step(state, pairs.at(pair([byte, before])), lasts.at(before)) | starts.at(byte);
            before = byte;
            i += 1;
            probe.computes(1);
            probe.writes(3);
            probe.jump();
            if prefix_occurs(state & ends.at(byte) != 0, width == m, probe) {
                verify(i - width, width, pattern, text, found, probe);
            }
        }
    }
}

register!(algorithm FactorisedShiftAnd);
