//! Naive with SIMD (`simdnaive16`, `simdnaive32`, `simdnaive64`).
//!
//! Pays on patterns up to about 50 characters, on small alphabets also on longer ones; quadratic on texts
//! such as a^n.
//! Departures: the order of the characters is by a fixed table of frequencies; the paper leaves open where
//! they come from.
//! Timed: for patterns of up to three characters, all characters are compared and the occurrences are counted
//! without a branch, because occurrences are frequent; of others, four blocks of alignments share one test,
//! and if something is left of one of them, the third character is compared in all four, because most blocks
//! have no candidate.

use assay_plugin_api::prelude::*;

use crate::alignments::{self, Place};
use crate::rarity::frequency;

/// The searcher: all characters of the pattern, those first that should be rare.
#[derive(Default)]
pub struct NaiveSimd<const WIDTH: usize> {
    places: Table<Place>,
}

impl<const WIDTH: usize> Algorithm for NaiveSimd<WIDTH> {
    const ABOUT: About = About {
        id: "simdnaive",
        name: "Naive with SIMD",
        reference: Reference {
            authors: &["J. Tarhio", "J. Holub", "E. Giaquinta"],
            title: "Technology beats algorithms (in exact string matching)",
            journal: "Softw. Pract. Exp.",
            volume: "47",
            number: "12",
            pages: "1877-1885",
            year: 2017,
            doi: "10.1002/spe.2511",
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; the table of frequencies, which the paper leaves open, is ours.",
        ),
        after: &["bf"],
        idea: "All alignments of a block at once, character after character, the rarest first, until none is \
            left.",
        preparation_time: "O(m log m)",
        space: "O(m): 8 bytes a character",
        worst_case: "O(mn/w), w bytes to a register",
        average_case: "O(n/w) for short patterns",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs {
        cpu: match WIDTH {
            64 => &["avx512bw", "popcnt"],
            32 => &["avx2", "popcnt"],
            _ => &[],
        },
        ..Needs::LENGTHS_IN_U32
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.places.reset(0, Place::default());
        for (offset, &byte) in (0..).zip(pattern) {
            self.places.push(Place { offset, byte });
        }
        // Neighbouring characters of a pattern depend on each other, so they exclude fewer windows than
        // distant ones. The order among characters of equal frequency is kept all the same.
        self.places.sort_by_key(|place| frequency(place.byte));
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        alignments::search::<WIDTH, true, P>(&self.places, pattern, text, found, probe);
    }
}

register!(algorithm NaiveSimd, w: [16, 32, 64]);
