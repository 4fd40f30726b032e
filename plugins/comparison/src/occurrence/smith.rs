//! Smith (`smith`).
//!
//! Pays where the alphabet is small, and one of two shifts is more often a long one.
//! Departures: the characters of the pattern are not ordered by how rare they are, but compared from left to
//! right. The last window has no character after it, so it is compared apart.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;

use crate::opening::{Opening, SLACK};
use crate::shifts::fill_shifts;

/// The searcher: the shifts of Horspool and those of Quick Search.
#[derive(Default)]
pub struct Smith {
    /// By the window's last character.
    last: ByteTable<u32>,
    /// By the character after the window.
    after: ByteTable<u32>,
}

impl Algorithm for Smith {
    const ABOUT: About = About {
        id: "smith",
        name: "Smith",
        reference: Reference {
            authors: &["P. D. Smith"],
            title: "Experiments with a very fast substring search algorithm",
            journal: "Softw. Pract. Exp.",
            volume: "21",
            number: "10",
            pages: "1065-1074",
            year: 1991,
            doi: "10.1002/spe.4380211006",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The search of the paper and of Charras and Lecroq's handbook, without an order of the pattern's \
                characters by how rare they are.",
        ),
        after: &["qs", "hor"],
        idea: "Takes the greater of Horspool's and Quick Search's shift.",
        preparation_time: "O(m+s)",
        space: "O(s): 2 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 1) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        fill_shifts(&mut self.last, &pattern[..pattern.len() - 1]);
        fill_shifts(&mut self.after, pattern);
        probe.table(&self.last);
        probe.table(&self.after);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        let (last, after) = (self.last.view(probe), self.after.view(probe));
        let opening = Opening::new(pattern, text);
        let mut compare = |s| {
            // SAFETY: called only for windows that end before n.
            unsafe { opening.report(s, 0..m, found) };
        };
        // SAFETY: called only while end + 1 < n.
        let shift = |end: usize| unsafe {
            last.at(text.at_unchecked(end)).max(after.at(text.at_unchecked(end + 1))) as usize
        };
        // Where the window ends.
        let mut end = m - 1;
        probe.writes(1);
        while probe.branch(end + 1 < n) {
            compare(end + 1 - m);
            end += shift(end);
            probe.writes(1);
            probe.jump();
        }
        if probe.branch(end + 1 == n) {
            compare(n - m);
        }
    }
}

register!(algorithm Smith);
