//! SBNDM2 with 2-byte reads.
//!
//! Pays where [`sbndm2`](super::sbndm2) does, on patterns searched for in much text: its table is large.
//! Departures: of a pattern longer than 64 bytes the first 64 are searched for, and the rest is verified
//! where they occur. After an occurrence the shift is the period of what the word holds. One computation =
//! one step: the shift and the and.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use super::paired::Paired;
use super::simplified::Simplified;
use crate::word;

/// The searcher.
#[derive(Default)]
pub struct SimplifiedBndm2Pairs(Paired<2, 0>);

impl Algorithm for SimplifiedBndm2Pairs {
    const ABOUT: About = About {
        id: "sbndm2b",
        name: "SBNDM2 with 2-byte reads",
        reference: papers::LOOKAHEAD,
        status: Status::FromAbstract(
            "The abstract was seen; reading two bytes at once is its idea, and all else is that of `sbndm2`.",
        ),
        idea: "SBNDM2 that looks up the mask of two characters by one read of both.",
        preparation_time: "O(m+s^2)",
        space: "O(s^2): 514 KiB",
        worst_case: "O(mn)",
        average_case: "O(n log(m)/m) for m <= 64, logarithm to the base s",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Simplified::<2, 0>::NEEDS;

    const EXTRA: &'static [&'static str] = word::EXTRA;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm SimplifiedBndm2Pairs);
