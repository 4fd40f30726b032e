//! Two-way Nondeterministic DAWG Matching.
//!
//! Pays on short patterns, where many windows end in a character that is not the pattern's last.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where they occur. A window
//! that the reading forward has moved to lets the next begin no later than behind its first character read, since of prefixes that
//! begin further right nothing is known. One computation = one step of the state: the shift and the and.

use assay_plugin_api::prelude::*;

use super::factors::{PREFIX, fill_masks};
use crate::word::{self, prefix, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit down. `PAST` characters that the
/// pattern lacks it also skips.
#[derive(Default)]
pub struct TwoWayNondeterministic<const PAST: bool> {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

impl<const PAST: bool> Algorithm for TwoWayNondeterministic<PAST> {
    const ABOUT: About = About {
        id: "tndm",
        name: "Two-way Nondeterministic DAWG Matching",
        authors: "H. Peltola, J. Tarhio",
        year: 2003,
        reference: "Alternative Algorithms for Bit-Parallel String Matching. SPIRE 2003, LNCS 2857, pp. 80-94",
        idea: "BNDM that first reads forward from the window's end, until that is a suffix of the pattern or no factor of it.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        fill_masks(&mut self.mask, prefix);
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, width, mask) = (pattern.len(), self.width, self.mask.view(probe));
        // Set if what has been read is a suffix of the prefix that the word holds.
        let suffix = PREFIX >> (width - 1);
        // Where the prefix of the last window ends.
        let end = text.len() - (m - width);
        // Where the prefix of the window ends, as long as nothing is read forward.
        let mut last = width - 1;
        probe.writes(1);
        while probe.branch(last < end) {
            let (mut to, mut mask_to) = (last, mask.at(text.at(last)));
            let mut state = mask_to;
            probe.computes(1);
            probe.writes(2);
            probe.jump();
            while probe.branch(state != 0 && state & suffix == 0) {
                to += 1;
                if probe.branch(to == end) {
                    return;
                }
                mask_to = mask.at(text.at(to));
                state = state >> 1 & mask_to;
                probe.computes(1);
                probe.writes(2);
            }
            if probe.branch(state == 0) {
                // No window holds all that was read, or even the last of it.
                last = if PAST && probe.branch(mask_to == 0) { to } else { last } + width;
                probe.writes(1);
                continue;
            }
            let s = to + 1 - width;
            // Bits tell where factors begin, as in BNDM.
            let mut i = last - s;
            state <<= to - last;
            let mut shift = i + 1;
            probe.writes(3);
            while probe.branch(state != 0) {
                if probe.branch(state & PREFIX != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                }
                i -= 1;
                state = state << 1 & mask.at(text.at(s + i));
                probe.computes(1);
                probe.writes(2);
            }
            if prefix_occurs(state != 0, width == m, probe) && rest_occurs(pattern, text, s, width, probe) {
                found.at(s);
            }
            last = to + shift;
            probe.writes(1);
        }
    }
}

register!(algorithm
    TwoWayNondeterministic<false>, id: "tndm", name: "Two-way Nondeterministic DAWG Matching", parameters: "variant=plain";
    TwoWayNondeterministic<true>, id: "tndma", name: "Two-way Nondeterministic DAWG Matching (version 2)", parameters: "variant=a"
);
