//! Exact Packed String Matching (`epsm`).
//!
//! Pays on short patterns, and on long ones in texts that hardly repeat themselves: then each window is one
//! look-up.
//! Departures: the characters of patterns of up to three are compared with a load each, instead of one that
//! is shifted. Of patterns from 16 characters on the text is read at the greatest multiple of eight that
//! misses none. One computation = one fingerprint.
//! Timed: for patterns of up to three characters, all characters are compared and the occurrences are counted
//! without a branch, because occurrences are frequent.

use assay_plugin_api::prelude::*;

use crate::alignments::{self, Place};
use crate::crc::Checksums;
use crate::sums::{self, PREFIX};

/// The later version of the paper.
const FLEXIBLE: Reference = Reference {
    authors: &["S. Faro", "M. O. Külekci"],
    title: "Fast and flexible packed string matching",
    journal: "J. Discrete Algorithms",
    volume: "28",
    pages: "61-72",
    year: 2014,
    doi: "10.1016/j.jda.2014.07.003",
    ..Reference::UNKNOWN
};

/// The searcher, with registers of `WIDTH` bytes.
#[derive(Default)]
pub struct ExactPacked<const WIDTH: usize> {
    /// All characters of a pattern shorter than what sums are taken of.
    places: Table<Place>,
    blocks: Checksums,
}

impl<const WIDTH: usize> Algorithm for ExactPacked<WIDTH> {
    const ABOUT: About = About {
        id: "epsm",
        name: "Exact Packed String Matching",
        reference: Reference {
            authors: &["S. Faro", "M. O. Külekci"],
            title: "Fast Packed String Matching for Short Patterns",
            booktitle: "ALENEX 2013",
            pages: "113-121",
            year: 2013,
            doi: "10.1137/1.9781611972931.10",
            related: Some(("extended in", &FLEXIBLE)),
            ..Reference::UNKNOWN
        },
        status: Status::FromPaper(
            "The paper's search; short patterns are compared with a load for each character.",
        ),
        after: &["ssef"],
        idea: "SIMD: byte compares (m < 4), sum of absolute differences (4 to 15), CRC fingerprint of 8-byte \
            blocks (16 and more).",
        preparation_time: "O(m)",
        space: "O(m): 8 KiB and 4 bytes a character",
        worst_case: "O(mn)",
        average_case: "O(n/16) for m < 16, then O(n/m)",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs {
        cpu: match WIDTH {
            32 => &["avx2", "sse4.2", "popcnt"],
            _ => &["sse4.1", "sse4.2", "popcnt"],
        },
        ..Needs::LENGTHS_IN_U32
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        match pattern.len() {
            ..PREFIX => {
                self.places.reset(0, Place::default());
                for (offset, &byte) in (0..).zip(pattern) {
                    self.places.push(Place { offset, byte });
                }
                probe.table(&self.places);
            }
            PREFIX..16 => {}
            _ => self.blocks.prepare(pattern, probe),
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        match pattern.len() {
            ..PREFIX => alignments::search::<WIDTH, true, P>(&self.places, pattern, text, found, probe),
            PREFIX..16 => sums::search::<WIDTH, P>(pattern, text, found, probe),
            _ => self.blocks.search(pattern, text, found, probe),
        }
    }
}

register!(algorithm ExactPacked<16>);
