//! Shift-And (`sa`).
//!
//! Pays on short patterns where every character must be read anyway: its time depends on neither text nor
//! pattern.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur (the paper takes several words). Two characters are read a round, and counted as the two
//! rounds that they are. One computation = one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::scan::{OFTEN, before, end_of_prefixes, step_ends};
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
        idea: "A bit for each prefix of the pattern is 1 if the prefix ends at the current character. For each \
            character of the text: shift the bits, set the first one, and AND with the character's mask.",
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
        if pattern.len() <= OFTEN {
            self.read_all::<true, P>(pattern, text, found, probe);
        } else {
            self.read_all::<false, P>(pattern, text, found, probe);
        }
    }
}

impl ShiftAnd {
    /// The search of the paper, two steps a round: the state after both need not wait for that after the
    /// first.
    #[inline(always)]
    fn read_all<const BRANCHLESS: bool, P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (width, mask) = (self.width, self.mask.view(probe));
        let end = end_of_prefixes(width, pattern, text);
        // SAFETY: called only for characters before `end`, which is n at most.
        let mask_at = |i: usize| mask.at(unsafe { text.at_unchecked(i) });
        let mut step_to = |state: u64, i: usize| {
            let ends = state.cast_signed() < 0;
            step_ends::<BRANCHLESS, P>(ends, i, width, pattern, &text, found, probe);
        };
        let (mut state, mut i) = (before(width), 0);
        probe.writes(2);
        while i + 1 < end {
            let (first, second) = (mask_at(i), mask_at(i + 1));
            step_to((state << 1 | 1) & first, i + 1);
            state = (state << 2 | 0b11) & (first << 1 | 1) & second;
            i += 2;
            step_to(state, i);
        }
        if i < end {
            step_to((state << 1 | 1) & mask_at(i), end);
        }
        probe.branch(false);
    }
}

register!(algorithm ShiftAnd);
