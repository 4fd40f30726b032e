//! Three anomalous bytes (`sz3`).
//!
//! Pays on patterns whose characters are alike at many places: the third comparison spares most
//! verifications.
//! Departures: the last block overlaps the one before it, where the source masks loads; patterns of one
//! character are searched as well.
//! Timed: four blocks of alignments share one test, and if something is left of one of them, the third
//! character is compared in all four, because most blocks have no candidate.

use assay_plugin_api::prelude::*;

use crate::alignments::{self, Place};

/// The searcher: the first, the middle and the last character, or neighbours of them that differ from the
/// others.
#[derive(Default)]
pub struct ThreeBytes {
    places: Table<Place>,
}

impl Algorithm for ThreeBytes {
    const ABOUT: About = About {
        id: "sz3",
        name: "Three anomalous bytes",
        reference: Reference {
            authors: &["A. Vardanian"],
            title: "StringZilla, substring search by three bytes",
            year: 2023,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "Written from StringZilla's description of its search; the last block overlaps the one before \
                it, where theirs masks loads.",
        ),
        after: &["raita"],
        idea: "Compares three characters at all alignments of a block; they differ if the pattern has three \
            different ones.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let last = pattern.len() - 1;
        let (mut middle, mut end) = (last / 2, last);
        let repeats = |i: usize, others: &[usize]| others.iter().any(|&other| pattern[other] == pattern[i]);
        // Each moves while it repeats another: the middle one forward, the last one back.
        while middle + 1 < last && repeats(middle, &[0, last]) {
            middle += 1;
        }
        while end > middle + 1 && repeats(end, &[0, middle]) {
            end -= 1;
        }
        let mut offsets = vec![end, 0, middle];
        offsets.truncate(pattern.len());
        self.places.reset(0, Place::default());
        for offset in offsets {
            self.places.push(Place { offset: offset as u32, byte: pattern[offset] });
        }
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        alignments::search::<0, false, P>(&self.places, pattern, text, found, probe);
    }
}

register!(algorithm ThreeBytes);
