//! Shift-And.
//!
//! Pays on short patterns where every character must be read anyway: its time depends on neither text nor
//! pattern.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur (the paper takes several words). Two characters are read a round, and counted as the two
//! rounds that they are. One computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::scan::{States, before, scan};
use crate::word::{self, WORD, prefix};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, whose last character has the
/// highest bit, because the sign of a word is tested at once. The bits below are always alive.
#[derive(Default)]
pub struct ShiftAnd {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl Algorithm for ShiftAnd {
    const ABOUT: About = About {
        id: "sa",
        name: "Shift-And",
        reference: papers::NEW_APPROACH,
        status: Status::FromPaper(
            "The paper's search for patterns of a word; of longer ones, the first 64 bytes are searched for \
                and the rest is verified, where the paper takes several words.",
        ),
        idea: "Bits of one word are the pattern prefixes alive (1 = alive); shift, a new one, and and per \
            text byte.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(n) for m <= 64, else O(mn)",
        average_case: "O(n)",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        self.mask.fill(before(self.width));
        for (&byte, i) in prefix.iter().zip(WORD - self.width..) {
            self.mask[byte as usize] |= 1 << i;
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let width = self.width;
        let states = States {
            initial: before(width),
            step: |state: u64, mask: u64| (state << 1 | 1) & mask,
            two_steps: |state: u64, first: u64, second: u64| (state << 2 | 0b11) & (first << 1 | 1) & second,
            ends: |state: u64| state.cast_signed() < 0,
        };
        scan(states, &self.mask, width, pattern, text, found, probe);
    }
}

register!(algorithm ShiftAnd);
