//! SSE4.1 sums of absolute differences (`mula-sad`).
//!
//! Pays on short patterns whose first four characters are seldom found together.
//! Departures: each round takes two sums, for 16 alignments; the rest at the end of the text is compared
//! place by place.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::sums::{self, PREFIX};

/// The searcher; there is nothing to prepare.
#[derive(Default)]
pub struct SumsOfDifferences;

impl Algorithm for SumsOfDifferences {
    const ABOUT: About = About {
        id: "mula-sad",
        name: "SSE4.1 sums of absolute differences",
        reference: papers::SIMD_FRIENDLY,
        status: Status::FromPaper(
            "The article's search; the rest at the end of the text is compared place by place.",
        ),
        after: &["kr"],
        idea: "One instruction compares the first four characters with eight groups of the text; hits are \
            verified.",
        preparation_time: "O(1)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n/8)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: PREFIX, cpu: &["sse4.1", "popcnt"], ..Needs::NOTHING };

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        sums::search::<16, P>(pattern, text, found, probe);
    }
}

register!(algorithm SumsOfDifferences);
