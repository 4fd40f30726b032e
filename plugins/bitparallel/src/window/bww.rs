//! Bit-parallel Wide Window (`bww`).
//!
//! Pays on patterns up to a word's length: a window of nearly twice that is settled by a few characters in
//! its middle.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. One computation = one step of a state.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::wide::around;
use crate::word::{self, WORD, prefix};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit of its last
/// character down.
#[derive(Default)]
pub struct BitParallelWideWindow {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl Algorithm for BitParallelWideWindow {
    const ABOUT: About = About {
        id: "bww",
        name: "Bit-parallel Wide Window",
        reference: papers::WIDE_WINDOW,
        status: Status::FromPaper(
            "The paper's search; of patterns longer than a word, the first 64 bytes are searched for and the \
                rest is verified.",
        ),
        after: &["ww"],
        idea: "Wide Window with both automata simulated in words.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(n) for m <= 64, else O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        self.mask.fill(0);
        for (i, &byte) in prefix.iter().enumerate() {
            self.mask[byte as usize] |= 1 << (WORD - self.width + i);
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, width, mask) = (pattern.len(), self.width, self.mask.view(probe));
        // Where the prefix of the last window ends.
        let end = text.len() - m + width;
        let mut centre = width - 1;
        probe.writes(1);
        while probe.branch(centre < end) {
            around(centre..end, width, |byte| mask.at(byte), pattern, text, found, probe);
            centre += width;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm BitParallelWideWindow);
