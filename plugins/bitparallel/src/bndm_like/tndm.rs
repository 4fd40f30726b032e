//! Two-way Nondeterministic DAWG Matching (`tndm`, `tndma`).
//!
//! Pays on short patterns, where many windows end in a character that is not the pattern's last.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After a window that was found by reading forward, the next window begins at most one
//! after the first character read, because nothing is known of prefixes that begin further right. One
//! computation = one step of the state: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::word::{self, prefix, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, whose last character has the
/// highest bit. With `PAST`, characters that do not occur in the pattern are skipped, too.
#[derive(Default)]
pub struct TwoWayNondeterministic<const PAST: bool> {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
}

/// Set if what has been read is a suffix of the prefix that the word holds.
const SUFFIX: u64 = 1 << 63;

impl<const PAST: bool> Algorithm for TwoWayNondeterministic<PAST> {
    const ABOUT: About = About {
        id: "tndm",
        name: "Two-way Nondeterministic DAWG Matching",
        reference: papers::ALTERNATIVE_ALGORITHMS,
        status: Status::FromPaper(
            "The paper's search in both versions; that the shift is limited after a window that was read \
                forward, and the filter for patterns longer than a word, are ours.",
        ),
        after: &["bndm"],
        idea: "BNDM that first reads forward from the window's end, until that is a suffix of the pattern or \
            no factor of it.",
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
        self.mask.fill(0);
        for (i, &byte) in prefix.iter().rev().enumerate() {
            self.mask[byte as usize] |= SUFFIX >> i;
        }
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        assert!((1..=m).contains(&width) && m <= n, "prepared for another pattern");
        // Set if what has been read is the beginning of that prefix.
        let prefix = SUFFIX >> (width - 1);
        // Where the prefix of the last window ends.
        let end = n - (m - width);
        // Where the prefix of the window ends, as long as nothing is read forward.
        let mut last = width - 1;
        let read = |last: usize| {
            probe.computes(1);
            probe.writes(2);
            probe.jump();
            // SAFETY: it is before the end.
            mask.at(unsafe { text.at_unchecked(last) })
        };
        // If the last character of a window does not occur in the prefix, no more of the window is read.
        let skipped = |last: usize| {
            probe.branch(false);
            probe.branch(true);
            if PAST {
                probe.branch(true);
            }
            probe.writes(1);
            last + width
        };
        probe.writes(1);
        while probe.branch(last < end) {
            let mut mask_to = read(last);
            // Two windows a round, which needs no test between them.
            while mask_to == 0 && last + 2 * width < end {
                last = skipped(last);
                probe.branch(true);
                mask_to = read(last);
                if mask_to != 0 {
                    break;
                }
                last = skipped(last);
                probe.branch(true);
                mask_to = read(last);
            }
            if mask_to == 0 {
                last = skipped(last);
                continue;
            }
            let (mut to, mut state) = (last, mask_to);
            while probe.branch(state != 0 && state & SUFFIX == 0) {
                to += 1;
                if probe.branch(to == end) {
                    return;
                }
                // SAFETY: it is not the end.
                mask_to = mask.at(unsafe { text.at_unchecked(to) });
                state = state << 1 & mask_to;
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
            // Each bit is a position at which the factor begins, as in BNDM.
            let mut i = last - s;
            state >>= to - last;
            let mut shift = i + 1;
            probe.writes(3);
            while probe.branch(state != 0) {
                if probe.branch(state & prefix != 0) {
                    if probe.branch(i == 0) {
                        break;
                    }
                    shift = i;
                    probe.writes(1);
                }
                i -= 1;
                // SAFETY: after as many characters as the prefix has, only the state of the prefix is left,
                // and the loop has ended. All characters read are therefore between the window's start and
                // its end.
                state = state >> 1 & mask.at(unsafe { text.at_unchecked(s + i) });
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
    TwoWayNondeterministic<false>, id: "tndm", name: "Two-way Nondeterministic DAWG Matching",
        parameters: "variant=plain";
    TwoWayNondeterministic<true>, id: "tndma", name: "Two-way Nondeterministic DAWG Matching (version 2)",
        parameters: "variant=a"
);
