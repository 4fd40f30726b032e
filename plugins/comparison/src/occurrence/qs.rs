//! Quick Search (`qs`).
//!
//! Pays on short patterns over large alphabets.
//! Departure: the last window has no character after it (the paper reads the string's terminator there), so
//! it is compared apart. The order of the comparisons is free; here it is from left to right.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::shifts::fill_shifts;

/// The searcher: for each byte, the distance from its last occurrence in the pattern to the character after
/// the window.
#[derive(Default)]
pub struct QuickSearch {
    shift: ByteTable<u32>,
}

impl Algorithm for QuickSearch {
    const ABOUT: About = About {
        id: "qs",
        name: "Quick Search",
        reference: papers::VERY_FAST_SUBSTRING,
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook; the last window is compared \
                apart.",
        ),
        after: &["bm"],
        idea: "Shifts by the character right after the window, so that the shift can be m + 1.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        yardstick: true,
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.shift, pattern);
        probe.table(&self.shift);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        // The place after the window.
        let mut after = m;
        probe.writes(1);
        while probe.branch(after < n) {
            if pattern.occurs(text, after - m, 0..m) {
                found.at(after - m);
            }
            after += shift.at(text.at(after)) as usize;
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(after == n) && pattern.occurs(text, n - m, 0..m) {
            found.at(n - m);
        }
    }
}

register!(algorithm QuickSearch);
