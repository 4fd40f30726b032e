//! TVSBS (`tvsbs`).
//!
//! Pays on small alphabets, like [`br`](super::br), if the last and the first character exclude most windows.
//! Departures: the last two windows are compared after the loop, because fewer than two characters follow
//! them. Shifts are of 16 bits: a longer one is made in several steps. Patterns of one byte are not a special
//! case, because first and last character are the same one. After these two, the others are compared from
//! left to right.
//! Timed: first and last character are compared without a branch between them, and then the first eight
//! characters at once, because the processor cannot predict where a comparison ends.

use std::hint::black_box;

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK, number};
use crate::shifts::{PairShifts, fill_pair_shifts, pair};

/// The searcher: for each two bytes, the shift if they follow the window.
#[derive(Default)]
pub struct Tvsbs {
    shift: PairShifts,
}

impl Algorithm for Tvsbs {
    const ABOUT: About = About {
        id: "tvsbs",
        name: "TVSBS",
        reference: Reference {
            authors: &["R. Thathoo", "A. Virmani", "S. Sai Lakshmi", "N. Balakrishnan", "K. Sekar"],
            title: "TVSBS: A Fast Exact Pattern Matching Algorithm for Biological Sequences",
            journal: "Current Science",
            volume: "91",
            number: "1",
            pages: "47-53",
            year: 2006,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's shifts; after the last and the first character, the others are compared from left to right. The \
             last two windows are compared apart.",
        ),
        after: &["ssabs", "br"],
        idea: "Compares last and first character before the rest, and shifts as Berry-Ravindran.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 128 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 2) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_pair_shifts(&mut self.shift, pattern, pattern.len());
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        let opening = Opening::new(pattern, text);
        let alike = |s, i| pattern.at(i) == text.at(s + i);
        let both = black_box(if P::COUNTS { 0 } else { number([m - 1, 0].map(|i| pattern.at(i))) });
        // SAFETY: called only for windows that end in the text.
        let number_at = |s: usize| unsafe { number([m - 1, 0].map(|i| text.at_unchecked(s + i))) };
        let mut compare = |s| {
            let ends_match = if P::COUNTS { alike(s, m - 1) && alike(s, 0) } else { number_at(s) == both };
            // SAFETY: as above.
            if probe.branch(ends_match) && unsafe { opening.occurs(s, 1..m - 1) } {
                found.at(s);
            }
            probe.writes(1);
            probe.jump();
        };
        let mut s = 0;
        probe.writes(1);
        while probe.branch(s + m + 1 < n) {
            compare(s);
            // SAFETY: the loop's condition.
            s += usize::from(shift.at(pair(unsafe { text.block_unchecked(s + m) })));
        }
        while probe.branch(s + m <= n) {
            compare(s);
            s += 1;
        }
    }
}

register!(algorithm Tvsbs);
