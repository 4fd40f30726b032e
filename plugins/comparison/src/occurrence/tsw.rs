//! Two Sliding Windows (`tsw`).
//!
//! Pays where [`br`](super::br) does: with one window the processor waits for each shift, with two it
//! searches one while it waits for the other.
//! Departures: when the windows are less than two apart, the rest is compared window by window, because there
//! may not be two characters beyond each. Shifts are of 16 bits: a longer one is made in several steps.
//! Timed: the first eight characters of a window are compared at once, because the processor cannot predict
//! where a comparison ends.

use assay_plugin_api::prelude::*;

use super::approach::Approach;
use crate::opening::{Opening, SLACK};

/// The searcher: the shifts of Berry and Ravindran in both directions.
#[derive(Default)]
pub struct TwoSlidingWindows {
    shifts: Approach,
}

impl Algorithm for TwoSlidingWindows {
    const ABOUT: About = About {
        id: "tsw",
        name: "Two Sliding Windows",
        reference: Reference {
            authors: &["A. Hudaib", "R. Al-Khalid", "D. Suleiman", "M. Itriq", "A. Al-Anani"],
            title: "A Fast Pattern Matching Algorithm with Two Sliding Windows (TSW)",
            journal: "J. Comput. Sci.",
            volume: "4",
            number: "5",
            pages: "393-401",
            year: 2008,
            doi: "10.3844/jcssp.2008.393.401",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's two windows; where they are less than two apart, the rest is compared window by \
                window.",
        ),
        after: &["br"],
        idea: "Berry-Ravindran from both ends of the text at once, until the two windows meet.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 256 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 2) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { slack: SLACK, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.shifts.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let m = pattern.len();
        let opening = Opening::new(pattern, text);
        let compare = |s| {
            // SAFETY: the windows that come across each other lie in the text.
            unsafe { opening.report(s, 0..m, found) };
        };
        self.shifts.scan::<1, P>(m, text, compare, probe);
    }
}

register!(algorithm TwoSlidingWindows);
