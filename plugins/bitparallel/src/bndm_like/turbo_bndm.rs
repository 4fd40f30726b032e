//! Turbo-BNDM (`turbo-bndm`).
//!
//! Pays where shifts leave long prefixes in the next window: on patterns with borders, and on small
//! alphabets.
//! Departures: we have not seen the paper's section, only a description of a program for it. After an
//! occurrence the window moves by the period and knows the rest, which is ours. If the window moves to
//! another place of what it has read, nothing is remembered, because the characters before that place are
//! unknown. Of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified where
//! they occur. One computation = one step: the and and the shift.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::factors::{PREFIX, fill_masks};
use crate::word::{self, period, prefix, prefix_occurs, rest_occurs};

/// The searcher: for each byte, a 1 where it occurs in the pattern's prefix, from the highest bit down.
#[derive(Default)]
pub struct TurboBndm {
    mask: ByteTable<u64>,
    /// Length of the prefix.
    width: usize,
    /// Period of the prefix.
    period: usize,
}

impl Algorithm for TurboBndm {
    const ABOUT: About = About {
        id: "turbo-bndm",
        name: "Turbo-BNDM",
        reference: papers::FAST_AND_FLEXIBLE,
        status: Status::FromAnotherImplementation(
            "Only a description of a program for it was at hand, and not the section of the paper.",
        ),
        after: &["bndm", "trf"],
        idea: "BNDM that remembers the prefix with which a window begins, and reads only what follows it.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    /// Occurrences of the prefix of a pattern longer than a word, and windows of which all but the remembered
    /// prefix was read.
    const EXTRA: &'static [&'static str] = &[word::EXTRA[0], "#memory"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let prefix = prefix(pattern);
        self.width = prefix.len();
        self.period = period(prefix);
        fill_masks(&mut self.mask, prefix);
        probe.table(&self.mask);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, width, mask) = (pattern.len(), text.len(), self.width, self.mask.view(probe));
        let period = self.period;
        assert!((1..=m).contains(&width) && (1..=width).contains(&period) && m <= n, "prepared for another");
        // The window's first `known` characters match.
        let (mut s, mut known) = (0, 0);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            // A bit is set where what has been read begins in the pattern.
            let (mut i, mut state, mut shift) = (width, !0, width);
            probe.writes(3);
            loop {
                i -= 1;
                state &= mask.at(text.at(s + i));
                probe.writes(2);
                probe.computes(1);
                if probe.branch(state & PREFIX != 0 && i > 0) {
                    shift = i;
                    probe.writes(1);
                }
                if !probe.branch(state != 0 && i > known) {
                    break;
                }
                state <<= 1;
                probe.writes(1);
            }
            // Where the pattern has what was read, further left than in this window. The state is that of
            // the characters from `known` on only if all of them were read.
            let read_all = state != 0;
            let places = if read_all && known > 0 { state & !(!0 >> known) } else { 0 };
            probe.extra(1, || u64::from(read_all && known > 0));
            if prefix_occurs(read_all && state & PREFIX >> known != 0, width == m, probe) {
                if rest_occurs(pattern, text, s, width, probe) {
                    found.at(s);
                }
                shift = period;
                known = width - period;
            } else if probe.branch(places != 0) {
                // The lowest bit is the place furthest right.
                let place = 63 - places.trailing_zeros() as usize;
                shift = known - place;
                // A place at the beginning is a prefix.
                known = if place == 0 { width - shift } else { 0 };
            } else {
                known = width - shift;
            }
            s += shift;
            probe.writes(3);
            probe.jump();
        }
    }
}

register!(algorithm TurboBndm);

#[cfg(test)]
mod tests {
    use assay_plugin_api::{Counters, Counting, Field};

    use super::*;

    #[test]
    fn a_prefix_that_is_known_is_not_read_again() {
        let mut searcher = TurboBndm::default();
        searcher.prepare(b"abab", Off);
        let counters = Counters::default();
        let probe = Counting::new(&counters);
        let mut found = Vec::new();
        searcher.search(Pattern::new(b"abab", probe), Text::new(b"abababab", probe), &mut found, probe);
        assert_eq!(found, [0, 2, 4]);
        // Each character is read once.
        assert_eq!(counters.get(Field::TextBytesRead), 8);
    }
}
