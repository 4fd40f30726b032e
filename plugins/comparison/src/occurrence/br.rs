//! Berry-Ravindran (`br`).
//!
//! Pays on patterns of medium length over small alphabets, where two characters exclude many more windows
//! than one.
//! Departures: the last two windows are compared after the loop, because fewer than two characters follow
//! them. Shifts are of 16 bits: a longer one is made in several steps.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};
use crate::shifts::{PairShifts, fill_pair_shifts, pair};

/// The searcher: for each two bytes, the shift if they follow the window.
#[derive(Default)]
pub struct BerryRavindran {
    shift: PairShifts,
}

impl Algorithm for BerryRavindran {
    const ABOUT: About = About {
        id: "br",
        name: "Berry-Ravindran",
        reference: Reference {
            authors: &["T. Berry", "S. Ravindran"],
            title: "A fast string matching algorithm and experimental results",
            booktitle: "Prague Stringology Club Workshop 1999",
            pages: "16-28",
            year: 1999,
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the last two windows are compared \
                apart.",
        ),
        after: &["qs", "zt"],
        idea: "Shifts by the two characters right after the window, by up to m + 2.",
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
        let mut compare = |s| {
            // SAFETY: called only for windows that end in the text.
            unsafe { opening.report(s, 0..m, found) };
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

register!(algorithm BerryRavindran);
