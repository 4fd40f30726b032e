//! AMD libmem strstr for AVX2 (`libmem-strstr`).
//!
//! Pays where the pattern's first character is rare: most blocks are read once, and only the others a second
//! and a third time.
//! Departures: the text ends where it ends, not at a zero byte, which the library looks for in each block. It
//! also leaves out comparisons that would read across the end of a page. A candidate is compared character by
//! character instead of by registers, and the registers are the widest of the CPU.
//! Timed: for patterns of one character, four blocks of alignments share one test, because most blocks have
//! no candidate.

use std::convert::Infallible;
use std::ops::ControlFlow::{self, Continue};

use assay_plugin_api::prelude::*;
use assay_shared::candidates;

use crate::alignments::{self, Place};
use crate::vector::{Kernel, Vector, with_registers};

/// The searcher: the first and the second character, and the last one of patterns that are not too long.
#[derive(Default)]
pub struct LibmemStrstr {
    places: Table<Place>,
}

/// Longest pattern whose last character is compared, too. The value is the library's: further away it would
/// often lie in another page.
const LONGEST: usize = 512;

impl Algorithm for LibmemStrstr {
    const ABOUT: About = About {
        id: "libmem-strstr",
        name: "AMD libmem strstr for AVX2",
        reference: Reference {
            authors: &["AMD"],
            title: "AOCL-LibMem, function strstr",
            howpublished: "AOCL-LibMem, 2024, 2025",
            url: "https://github.com/amd/aocl-libmem/blob/main/src/isa/avx2/optimized/strstr_avx2.c",
            year: 2024,
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "The program for AVX2 was seen; the text ends by its length, not at a zero byte.",
        ),
        idea: "The first character at all alignments of a block; where it occurs, the second and the last \
            one before the whole pattern.",
        preparation_time: "O(1)",
        space: "O(1)",
        worst_case: "O(mn)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        let offsets = match m {
            1 => vec![0],
            2..=LONGEST => vec![0, 1, m - 1],
            _ => vec![0, 1],
        };
        self.places.reset(0, Place::default());
        for offset in offsets {
            self.places.push(Place { offset: offset as u32, byte: pattern[offset] });
        }
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        if probe.branch(pattern.len() == 1) {
            alignments::search::<0, false, P>(&self.places, pattern, text, found, probe);
        } else {
            with_registers::<0>(FirstThenOthers { places: &self.places, pattern, text, found, probe });
        }
    }
}

struct FirstThenOthers<'a, 'f, P, F> {
    places: &'a Table<Place>,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<P: Probe, F: Found> Kernel for FirstThenOthers<'_, '_, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        let FirstThenOthers { places, pattern, text, found, probe } = self;
        let verify = |s: usize| -> ControlFlow<Infallible> {
            if pattern.occurs(text, s, 0..pattern.len()) {
                found.at(s);
            }
            Continue(())
        };
        // SAFETY: of the trait.
        let Continue(()) = unsafe {
            if probe.branch(places.len() == 3) {
                candidates::each::<V, 3, 1, P, _>(places, pattern, text, probe, verify)
            } else {
                candidates::each::<V, 2, 1, P, _>(places, pattern, text, probe, verify)
            }
        };
    }
}

register!(algorithm LibmemStrstr);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::Field;
    use assay_plugin_api::probe::CountingReading;
    use assay_plugin_api::testing::{Candidate, Subject};

    #[test]
    fn a_block_without_the_first_character_is_read_once() {
        let mut subject = Subject::<LibmemStrstr, CountingReading>::default();
        let mut counted = |pattern: &[u8], text: &[u8]| {
            subject.prepare(pattern, text).unwrap().count(text).unwrap();
            let field = |field| subject.measurements().fields[field as usize].unwrap();
            [Field::TextBytesRead, Field::Lookups, Field::Verifications].map(field)
        };
        // 640 alignments: blocks of 16, 32 or 64 do not overlap.
        let text = |m: usize| b"b".repeat(640 + m - 1);
        let [read, lookups, _] = counted(b"abbb", &text(4));
        assert_eq!((read, lookups * read / 640), (640, lookups));
        let [read, _, verifications] = counted(b"babb", &text(4));
        assert_eq!((read, verifications), (3 * 640, 0));
        let long = [&[b'b'; 512][..], b"a"].concat();
        let [read, _, verifications] = counted(&long, &text(513));
        assert_eq!((read, verifications), (2 * 640 + 640 * 513, 640));
    }
}
