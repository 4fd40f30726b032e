//! Four Sliding Windows.
//!
//! Pays where [`tsw`](super::tsw) does, on processors that have work for four windows at once.
//! Departures: once two windows have met, those of the other half go on alone; where two are less than two
//! apart, the rest is compared window by window. Shifts are of 16 bits: a longer one is made in several
//! steps. The characters at both ends are compared in turn, from the ends to the middle.

use assay_plugin_api::prelude::*;

use super::approach::Approach;
use super::both_ends::occurs_from_both_ends;

/// The searcher: the shifts of Berry and Ravindran in both directions.
#[derive(Default)]
pub struct FourSlidingWindows {
    shifts: Approach,
}

impl Algorithm for FourSlidingWindows {
    const ABOUT: About = About {
        id: "fsw",
        name: "Four Sliding Windows",
        reference: Reference {
            authors: &["A. Hudaib", "R. Al-Khalid", "A. Al-Anani", "M. Itriq", "D. Suleiman"],
            title: "Four Sliding Windows Pattern Matching Algorithm (FSW)",
            journal: "J. Softw. Eng. Appl.",
            volume: "8",
            number: "3",
            pages: "154-165",
            year: 2015,
            doi: "10.4236/jsea.2015.83016",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's four windows; what is searched after two of them have met is ours.",
        ),
        idea: "Two Sliding Windows in both halves of the text at once, compared from both ends of the \
            pattern.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 256 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 2) windows at best",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.shifts.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let compare = |s| {
            if occurs_from_both_ends(pattern, text, s, probe) {
                found.at(s);
            }
        };
        self.shifts.scan::<2, P>(pattern.len(), text, compare, probe);
    }
}

register!(algorithm FourSlidingWindows);
