//! Packed pair (`pair`).
//!
//! Pays where one of the pattern's characters is rare in texts of its kind.
//! Departures: the table of frequencies is our own; patterns of one character are searched as well.
//! Timed: four blocks of alignments share one test, because most blocks have no candidate.

use assay_plugin_api::prelude::*;

use crate::alignments::{self, Place};
use crate::rarity::rarest_pair;

/// The searcher: the two characters that should be rarest, different ones if possible.
#[derive(Default)]
pub struct PackedPair {
    places: Table<Place>,
}

impl Algorithm for PackedPair {
    const ABOUT: About = About {
        id: "pair",
        name: "Packed pair",
        reference: Reference {
            authors: &["A. Gallant"],
            title: "Crate memchr, module arch::all::packedpair",
            year: 2021,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "Written from the crate memchr; the table of frequencies is ours.",
        ),
        after: &["mula-fl"],
        idea: "As `mula-fl`, with the two characters of the pattern that a table of frequencies calls \
            rarest.",
        preparation_time: "O(m), of 256 characters at most",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        rarest_pair(pattern, &mut self.places);
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        alignments::search::<0, false, P>(&self.places, pattern, text, found, probe);
    }
}

register!(algorithm PackedPair);
