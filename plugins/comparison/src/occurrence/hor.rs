//! Horspool (`hor`).
//!
//! Pays on large alphabets and patterns of medium length.
//! Departures: the window is compared from left to right, as in SMART; the paper compares the last character
//! first.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};
use crate::shifts::fill_shifts;

/// The searcher: for each byte, the distance from its last occurrence in the pattern's first m - 1 bytes to
/// the end.
#[derive(Default)]
pub struct Horspool {
    shift: ByteTable<u32>,
}

impl Algorithm for Horspool {
    const ABOUT: About = About {
        id: "hor",
        name: "Horspool",
        reference: Reference {
            authors: &["R. N. Horspool"],
            title: "Practical fast searching in strings",
            journal: "Softw. Pract. Exp.",
            volume: "10",
            number: "6",
            pages: "501-506",
            year: 1980,
            doi: "10.1002/spe.4380100608",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's shifts; the window is compared from left to right, as in SMART, where the paper \
                compares its last character first.",
        ),
        after: &["bm"],
        idea: "Boyer-Moore with one shift table, indexed by the text character under the window's last \
            position.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/m windows at best, n/s to 2n/(s + 1) for long patterns over uniform \
            text",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    /// Table entries smaller than m.
    const EXTRA: &'static [&'static str] = &["#small"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        fill_shifts(&mut self.shift, &pattern[..m - 1]);
        probe.table(&self.shift);
        probe.extra(0, || self.shift.iter().filter(|&&shift| (shift as usize) < m).count() as u64);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift.view(probe));
        let opening = Opening::new(pattern, text);
        // Where the window ends; were it where it begins, each shift would wait for one addition more.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let s = end + 1 - m;
            // SAFETY: the window ends before n.
            unsafe { opening.report(s, 0..m, found) };
            // SAFETY: end < n, still.
            end += shift.at(unsafe { text.at_unchecked(end) }) as usize;
            probe.writes(1);
            probe.jump();
        }
    }
}

register!(algorithm Horspool);
