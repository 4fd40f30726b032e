//! bun indexOf: two rare anchors, then Two-Way (`bun-indexof`).
//!
//! Pays where two of the pattern's characters are rare in the pattern and in the text: one odd character in a
//! uniform pattern excludes almost all windows.
//! Departures: one search finds all occurrences, with one budget for failures, while the library has a new
//! one in each call. Only bytes are searched, and only forward. A candidate is compared character by
//! character, where the library compares words that overlap.
//! Timed: for patterns of one character, four blocks of alignments share one test, because most blocks have
//! no candidate.

use std::ops::ControlFlow::{Break, Continue};

use assay_plugin_api::prelude::*;
use assay_shared::alignments::{self, Place};
use assay_shared::candidates;
use assay_shared::two_way::TwoWay;
use assay_shared::vector::{Kernel, Vector, with_registers};

/// The searcher: the anchors, and what Two Way needs.
#[derive(Default)]
pub struct RareAnchors {
    /// The two characters that the pattern has least often, the left one first; one of a pattern of one.
    anchors: Table<Place>,
    two_way: TwoWay,
}

/// Longest pattern whose anchors are its first and last character: counting its characters would not pay.
const SHORT: usize = 16;

/// Least number of lanes of a register. With fewer alignments than that, they are compared one by one.
const NARROW: usize = 16;

impl Algorithm for RareAnchors {
    const ABOUT: About = About {
        id: "bun-indexof",
        name: "bun indexOf: two rare anchors, then Two-Way",
        reference: Reference {
            authors: &["The Bun project"],
            title: "Buffer#indexOf/lastIndexOf: rare-byte SIMD filter with a Two-Way O(n+m) fallback",
            howpublished: "bun, pull request 36420",
            url: "https://github.com/oven-sh/bun/pull/36420",
            year: 2026,
            note: "after Crochemore, Perrin",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "The program was seen; one budget for failures holds for the whole search.",
        ),
        after: &["tw"],
        idea: "Compares the two characters that are rarest in the pattern itself; Two Way after failures \
            that cost 2n comparisons.",
        preparation_time: "O(m+s)",
        space: "O(1)",
        worst_case: "O(n) to an occurrence, so O(mn) to all that overlap",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.anchors.reset(0, Place::default());
        for offset in anchors(pattern) {
            self.anchors.push(Place { offset: offset as u32, byte: pattern[offset] });
        }
        self.two_way = TwoWay::new(pattern);
        probe.table(&self.anchors);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        if probe.branch(pattern.len() == 1) {
            alignments::search::<0, false, P>(&self.anchors, pattern, text, found, probe);
        } else {
            with_registers::<0>(Anchored { searcher: self, pattern, text, found, probe });
        }
    }
}

/// Positions of the anchors, in ascending order.
fn anchors(pattern: &[u8]) -> Vec<usize> {
    let last = pattern.len() - 1;
    if last < SHORT {
        return if last == 0 { vec![0] } else { vec![0, last] };
    }
    let mut occurrences = [0_u32; 256];
    pattern.iter().for_each(|&byte| occurrences[usize::from(byte)] += 1);
    let often = |&i: &usize| occurrences[usize::from(pattern[i])];
    // The first of the rarest, and the last of them or of those next to them.
    let first = (0..=last).min_by_key(often).expect("a pattern");
    let second = (0..=last).rev().filter(|&i| i != first).min_by_key(often).expect("two characters");
    vec![first.min(second), first.max(second)]
}

struct Anchored<'a, 'f, P, F> {
    searcher: &'a RareAnchors,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<P: Probe, F: Found> Kernel for Anchored<'_, '_, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        let (m, n) = (self.pattern.len(), self.text.len());
        if V::LANES > NARROW && (NARROW..V::LANES).contains(&(n + 1 - m)) {
            return with_registers::<NARROW>(self);
        }
        let Anchored { searcher, pattern, text, found, probe } = self;
        // What failures may cost: a failure is charged the whole pattern.
        let mut budget = 2 * n + 32 * m;
        probe.writes(1);
        let verify = |s: usize| {
            if pattern.occurs(text, s, 0..m) {
                found.at(s);
                return Continue(());
            }
            if probe.branch(budget <= m) {
                return Break(s + 1);
            }
            budget -= m;
            probe.writes(1);
            Continue(())
        };
        // SAFETY: of the trait.
        let gave_up =
            unsafe { candidates::each::<V, 2, 1, P, _>(&searcher.anchors, pattern, text, probe, verify) };
        if let Break(from) = gave_up {
            searcher.two_way.search::<false, P>(from, pattern, text, found, probe);
        }
    }
}

register!(algorithm RareAnchors);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::probe::CountingReading;
    use assay_plugin_api::testing::{Candidate, Subject};
    use assay_plugin_api::{Checked, Field, testing::search};

    #[test]
    fn anchors_are_the_characters_that_the_pattern_has_least_often() {
        assert_eq!(anchors(b"a"), [0]);
        assert_eq!(anchors(b"abcdefgh"), [0, 7]);
        assert_eq!(anchors(b"aaaaaaaabaaaaaaaa"), [8, 16]);
        assert_eq!(anchors(b"aaaaaaaaaaaaaaaab"), [15, 16]);
        assert_eq!(anchors(b"aaxaaaaaayaaaaaazaa"), [2, 16]);
    }

    /// The anchors of a short pattern match everywhere in a uniform text, and its middle fails.
    #[test]
    fn two_way_takes_over_where_failures_are_many_and_work_stays_linear() {
        let pattern = b"aaaaaaabaaaaaaa";
        let text = [&pattern[..], &[b'a'; 20_000], pattern, b"aa", &pattern[..]].concat();
        let occurs = |s: &usize| text[*s..].starts_with(pattern);
        let expected: Vec<_> = (0..=text.len() - pattern.len()).filter(occurs).collect();
        assert_eq!(search::<RareAnchors, Checked>(pattern, &text), Ok(expected));

        let mut subject = Subject::<RareAnchors, CountingReading>::default();
        subject.prepare(pattern, &text).unwrap().count(&text).unwrap();
        // Seven comparisons of each window and the eighth that fails would be 160,000.
        let compared = subject.measurements().fields[Field::PatternBytesRead as usize].unwrap();
        assert!(compared < 80_000, "{compared} comparisons");
    }
}
