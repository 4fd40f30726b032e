//! Enhanced Two Sliding Windows (`etsw`).
//!
//! Pays where [`tsw`](super::tsw) does, if mismatches are as likely at both ends of the pattern.
//! Departures: we have not seen the paper, but the abstract of [`fsw`](super::fsw), which compares with it,
//! and what a bibliography says of it. When the windows are less than two apart, the rest is compared window
//! by window. Shifts are of 16 bits: a longer one is made in several steps. The characters at both ends are
//! compared in turn, from the ends to the middle.

use assay_plugin_api::prelude::*;

use super::approach::Approach;
use super::both_ends::occurs_from_both_ends;

/// The searcher, with `PAIRS` pairs of windows: the shifts of Berry and Ravindran in both directions.
#[derive(Default)]
pub struct EnhancedSlidingWindows<const PAIRS: usize>(Approach);

impl<const PAIRS: usize> Algorithm for EnhancedSlidingWindows<PAIRS> {
    const ABOUT: About = About {
        id: "etsw",
        name: "Enhanced Two Sliding Windows",
        reference: Reference {
            authors: &["M. Itriq", "A. Hudaib", "A. Al-Anani", "R. Al-Khalid", "D. Suleiman"],
            title: "Enhanced Two Sliding Windows Algorithm for Pattern Matching (ETSW)",
            journal: "J. Am. Sci.",
            volume: "8",
            year: 2012,
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The paper was not seen, only the abstract of a paper that compares with it and a \
                bibliography; the order of comparisons is ours.",
        ),
        after: &["tsw"],
        idea: "Two Sliding Windows, compared from both ends of the pattern.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 256 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s^2)): n/(m + 2) windows at best",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let compare = |s| {
            if occurs_from_both_ends(pattern, text, s, probe) {
                found.at(s);
            }
        };
        self.0.scan::<PAIRS, P>(pattern.len(), text, compare, probe);
    }
}

register!(algorithm EnhancedSlidingWindows<1>);
