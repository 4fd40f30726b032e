//! AMD libmem strstr for AVX-512 (`libmem-transition`).
//!
//! Pays on patterns that begin with a run of one character, which two neighbours that differ exclude from a
//! longer run of the text.
//! Departures: the text ends where it ends, not at a zero byte, which the library looks for in each block.
//! The library compares the second character of the pair one by one in the first block; here the last block
//! overlaps the one before it. A candidate is compared character by character instead of by registers, and
//! the registers are the widest of the CPU.
//! Timed: four blocks of alignments share one test, because most blocks have no candidate.

use assay_plugin_api::prelude::*;

use crate::alignments::{self, Place};

/// The searcher: the first two neighbours that differ.
#[derive(Default)]
pub struct LibmemTransition {
    places: Table<Place>,
}

impl Algorithm for LibmemTransition {
    const ABOUT: About = About {
        id: "libmem-transition",
        name: "AMD libmem strstr for AVX-512",
        reference: Reference {
            authors: &["AMD"],
            title: "AOCL-LibMem, function strstr for AVX-512",
            howpublished: "AOCL-LibMem, 2024, 2025",
            url: "https://github.com/amd/aocl-libmem/blob/main/src/isa/avx512/optimized/strstr_avx512.c",
            year: 2024,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "The program for AVX-512 was seen; the text ends by its length, not at a zero byte.",
        ),
        idea: "The first two neighbours of the pattern that differ, at all alignments of a block, before the \
            whole pattern.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        // In a pattern of one character only, the first two.
        let transition = pattern.windows(2).position(|pair| pair[0] != pair[1]).unwrap_or(0);
        self.places.reset(0, Place::default());
        for (offset, &byte) in pattern.iter().enumerate().skip(transition).take(2) {
            self.places.push(Place { offset: offset as u32, byte });
        }
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        alignments::search::<0, false, P>(&self.places, pattern, text, found, probe);
    }
}

register!(algorithm LibmemTransition);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pair_is_where_the_first_run_ends() {
        let mut searcher = LibmemTransition::default();
        let mut pair = |pattern: &[u8]| {
            searcher.prepare(pattern, Off);
            searcher.places.iter().map(|place| (place.offset, place.byte)).collect::<Vec<_>>()
        };
        assert_eq!(pair(b"aaabaab"), [(2, b'a'), (3, b'b')]);
        assert_eq!(pair(b"ba"), [(0, b'b'), (1, b'a')]);
        assert_eq!(pair(b"aaa"), [(0, b'a'), (1, b'a')]);
        assert_eq!(pair(b"a"), [(0, b'a')]);
    }
}
