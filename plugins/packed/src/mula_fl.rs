//! Generic SIMD (`mula-fl`).
//!
//! Pays if the pattern's first and last characters seldom occur in the text at this distance, as with most
//! short patterns.
//! Departures: the last block overlaps the one before it; patterns of one character are searched as well.
//! Timed: four blocks of alignments share one test, because most blocks have no candidate.

use assay_plugin_api::prelude::*;
use assay_shared::papers;

use crate::alignments::{self, Place};

/// The searcher: the pattern's first and last character.
#[derive(Default)]
pub struct FirstAndLast {
    places: Table<Place>,
}

impl Algorithm for FirstAndLast {
    const ABOUT: About = About {
        id: "mula-fl",
        name: "Generic SIMD (first and last character)",
        reference: papers::SIMD_FRIENDLY,
        status: Status::FromPaper("The article's search; the last block overlaps the one before it."),
        after: &["kr"],
        idea: "Compares the first and the last character at all alignments of a block, and verifies those \
            between where both match.",
        preparation_time: "O(1)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let last = pattern.len() - 1;
        self.places.reset(0, Place::default());
        self.places.push(Place { offset: last as u32, byte: pattern[last] });
        if last > 0 {
            self.places.push(Place { offset: 0, byte: pattern[0] });
        }
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        // Both characters are known to match.
        let between = 1..(pattern.len() - 1).max(1);
        alignments::search_but::<0, P>(&self.places, between, pattern, text, found, probe);
    }
}

register!(algorithm FirstAndLast);
