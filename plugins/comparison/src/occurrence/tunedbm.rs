//! Tuned Boyer-Moore (`tunedbm`).
//!
//! Pays where the pattern's last character is rare in the text.
//! Departures: there is no copy of the last character after the text that stops the fast loop; the loop ends
//! where three shifts could leave the text, and the rest is searched window by window. No guard character is
//! tested before the comparison.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};
use crate::shifts::fill_shifts;

/// The searcher: Horspool's shifts, but none for the pattern's last character.
#[derive(Default)]
pub struct TunedBoyerMoore {
    skip: ByteTable<u32>,
    /// The shift after a comparison: how far the last character is from where it occurs before.
    shift: usize,
}

impl Algorithm for TunedBoyerMoore {
    const ABOUT: About = About {
        id: "tunedbm",
        name: "Tuned Boyer-Moore",
        reference: Reference {
            authors: &["A. Hume", "D. M. Sunday"],
            title: "Fast string searching",
            journal: "Softw. Pract. Exp.",
            volume: "21",
            number: "11",
            pages: "1221-1248",
            year: 1991,
            doi: "10.1002/spe.4380211105",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of Charras and Lecroq's handbook, which has the paper's fast loop and no guard; a bound \
                ends the loop instead of a copy of the last character after the text.",
        ),
        after: &["bm", "hor"],
        idea: "Horspool that shifts three times between two tests, without a comparison, until the window's \
            last character matches.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): as many windows as Horspool",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    /// Windows that were passed without being compared.
    const EXTRA: &'static [&'static str] = &["#blind"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        fill_shifts(&mut self.skip, &pattern[..m - 1]);
        let last = &mut self.skip[pattern[m - 1] as usize];
        self.shift = *last as usize;
        *last = 0;
        probe.table(&self.skip);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, shift) = (pattern.len(), text.len(), self.shift);
        let table = self.skip.view(probe);
        let opening = Opening::new(pattern, text);
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end < n) {
            let mut skip = table.at(text.at(end)) as usize;
            probe.writes(1);
            while probe.branch(skip > 0 && n - end > 3 * m) {
                for _ in 0..3 {
                    end += skip;
                    blind(skip, probe);
                    skip = table.at(text.at(end)) as usize;
                    probe.writes(2);
                }
            }
            if probe.branch(skip > 0) {
                end += skip;
                probe.writes(1);
                blind(skip, probe);
                continue;
            }
            let s = end + 1 - m;
            // SAFETY: it ends before n.
            unsafe { opening.report(s, 0..m - 1, found) };
            end += shift;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// A blind shift is a move of the window unless it has come to rest.
#[inline(always)]
fn blind(skip: usize, probe: impl Probe) {
    if skip > 0 {
        probe.jump();
        probe.extra(0, || 1);
    }
}

register!(algorithm TunedBoyerMoore);
