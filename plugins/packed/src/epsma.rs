//! EPSM for AVX2.
//!
//! Pays where [`epsm`](super::epsm) does: on patterns up to 15 characters twice as many alignments are
//! compared at once.
//! Departures: those of `epsm`. From 16 characters on it is the same, since the checksum is of eight bytes.
//! Timed: as `epsm` is: of patterns of up to three characters, all are compared and the occurrences added up
//! without a test, because they come often.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::epsm::ExactPacked;

/// The searcher.
#[derive(Default)]
pub struct Epsma(ExactPacked<32>);

impl Algorithm for Epsma {
    const ABOUT: About = About {
        id: "epsma",
        name: "EPSM for AVX2",
        reference: papers::PACKED_ON_AVX2,
        status: Status::FromAbstract(
            "The first page of the paper was seen, and series and venue were not; that only patterns of up \
                to 15 characters differ from `epsm` is our reading.",
        ),
        idea: "EPSM with registers of 32 bytes: from 16 characters on the same, before that with blocks \
            twice as wide.",
        preparation_time: "O(m)",
        space: "O(m): 8 KiB and 4 bytes a character",
        worst_case: "O(mn)",
        average_case: "O(n/32) for m < 16, then O(n/m)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { cpu: &["avx2", "sse4.2", "popcnt"], ..Needs::LENGTHS_IN_U32 };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.prepare(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        self.0.search(pattern, text, found, probe);
    }
}

register!(algorithm Epsma);
