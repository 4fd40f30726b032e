//! ERS-A (`ersa`).
//!
//! Pays on long patterns over small alphabets, where four characters distinguish more positions than the two
//! of [`tsw`](super::tsw).
//! Departures: we have seen the abstract of a paper that enhances it, and what a bibliography says of it. How
//! a shift is looked up is ours: the shift is the least with which the four characters fit the pattern, and
//! where the pattern has all four is kept by their hash. When the windows are less than four apart, the rest
//! is compared window by window. Shifts from the table are of 16 bits: a longer one is made in several steps.
//! Windows are compared from left to right. Patterns have four characters at least. One computation = the
//! hash of four characters.

use assay_plugin_api::prelude::*;

use super::both_ends::occurs_from_both_ends;
use super::four::{FOUR, FourApproach};

/// The searcher: where the pattern has four characters, in both directions. Windows are compared from
/// `BOTH_ENDS`, or from left to right.
#[derive(Default)]
pub struct ErsA<const BOTH_ENDS: bool>(FourApproach);

impl<const BOTH_ENDS: bool> Algorithm for ErsA<BOTH_ENDS> {
    const ABOUT: About = About {
        id: "ersa",
        name: "ERS-A",
        reference: Reference {
            authors: &["D. Suleiman", "A. Hudaib", "A. Al-Anani", "R. Al-Khalid", "M. Itriq"],
            title: "ERS-A Algorithm for Pattern Matching",
            journal: "Middle East J. Sci. Res.",
            volume: "15",
            pages: "1067-1075",
            year: 2013,
            ..Reference::UNKNOWN
        },
        status: Status::Reconstructed(
            "The paper was not seen, only the abstract of one that enhances it and a \
                bibliography; how a shift is looked up is ours.",
        ),
        after: &["rsa", "tsw"],
        idea: "Windows from both ends of the text shift by the four characters beyond them.",
        preparation_time: "O(m)",
        space: "O(1): 256 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 4) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: FOUR, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let m = pattern.len();
        let compare = |s| {
            let occurs = if BOTH_ENDS {
                occurs_from_both_ends(pattern, text, s, probe)
            } else {
                pattern.occurs(text, s, 0..m)
            };
            if occurs {
                found.at(s);
            }
        };
        self.0.scan(pattern, text, compare, probe);
    }
}

register!(algorithm ErsA<false>);
