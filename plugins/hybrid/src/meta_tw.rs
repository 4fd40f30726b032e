//! Two-Way with SIMD prefilter (`meta-tw`).
//!
//! Pays for any pattern in texts with structure: what one search does badly is left to another, and all of it
//! is linear.
//! Departures: the pair's table of frequencies is our own; patterns of one character are searched for as
//! pairs are, and texts shorter than 16 characters window by window instead of by a hash. Two Way is that of
//! `tw`, with the set of characters.
//! Timed: for patterns of up to 32 characters, four blocks of alignments share one test, because most
//! blocks have no candidate.

use assay_plugin_api::prelude::*;
use assay_shared::alignments::{self, Place};
use assay_shared::naive::one_by_one;
use assay_shared::rarity::rarest_pair;
use assay_shared::two_way::TwoWay;
use assay_shared::vector::{Kernel, Vector, with_registers};

/// The searcher: the pair of the prefilter, and what Two Way needs.
#[derive(Default)]
pub struct MetaTwoWay {
    places: Table<Place>,
    two_way: TwoWay,
}

/// Longest pattern that the packed pair searches alone. This and the other limits are those of the crate
/// memchr.
const SHORT: usize = 32;
/// Shortest text for which a preparation pays; in a shorter one each window is compared.
const TEXT: usize = 16;
/// Calls of the prefilter before it is judged, because fewer do not show what it is worth.
const CALLS: usize = 50;

/// Characters that a call of the prefilter must pass on average to stay in use.
const GAIN: usize = 8;

impl Algorithm for MetaTwoWay {
    const ABOUT: About = About {
        id: "meta-tw",
        name: "Two-Way with SIMD prefilter",
        reference: Reference {
            authors: &["A. Gallant"],
            title: "Crate memchr, modules memmem::searcher and arch::all::twoway",
            year: 2021,
            note: "after Crochemore, Perrin",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "Written from the crate memchr; the table of frequencies and the search of short texts are ours.",
        ),
        after: &["tw", "pair"],
        idea: "A packed pair for short patterns, and Two Way for others, with that pair as a filter as long \
            as it gains enough.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n)",
        average_case: "O(n/w), w bytes to a register",
        ..About::UNKNOWN
    };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        rarest_pair(pattern, &mut self.places);
        self.two_way = TwoWay::new(pattern);
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        if probe.branch(text.len() < TEXT) {
            one_by_one(0, pattern, text, found, probe);
        } else if probe.branch(pattern.len() <= SHORT) {
            alignments::search::<0, false, P>(&self.places, pattern, text, found, probe);
        } else if probe.branch(self.two_way.is_periodic()) {
            with_registers::<0>(Filtered::<true, _, _> { searcher: self, pattern, text, found, probe });
        } else {
            with_registers::<0>(Filtered::<false, _, _> { searcher: self, pattern, text, found, probe });
        }
    }
}

/// Two Way after the prefilter.
struct Filtered<'a, 'f, const PERIODIC: bool, P, F> {
    searcher: &'a MetaTwoWay,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<const PERIODIC: bool, P: Probe, F: Found> Kernel for Filtered<'_, '_, PERIODIC, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        let Filtered { searcher, pattern, text, found, probe } = self;
        let (m, n, two_way) = (pattern.len(), text.len(), searcher.two_way);
        assert!(two_way.fits(m) && m <= n, "prepared for another pattern");
        // The window's first `memory` characters are known to match: none of a pattern without a period.
        let (mut s, mut memory) = (0, 0);
        // Number of calls of the prefilter, and by how much they moved the window in all.
        let (mut calls, mut gain) = (0, 0);
        let moves = || probe.writes(if PERIODIC { 2 } else { 1 });
        moves();
        probe.writes(2);
        let mut filters = true;
        while probe.branch(s <= n - m) {
            if probe.branch(filters) {
                // SAFETY: of the trait.
                let candidate = unsafe { searcher.candidate::<V, P>(s, m, text, probe) };
                calls += 1;
                gain += candidate - s;
                filters = calls < CALLS || gain >= GAIN * calls;
                probe.writes(3);
                if probe.branch(candidate > s) {
                    s = candidate;
                    memory = 0;
                    moves();
                    probe.jump();
                    if probe.branch(s > n - m) {
                        break;
                    }
                }
            }
            // SAFETY: it fits, and s <= n - m.
            s += unsafe {
                two_way.compare::<true, PERIODIC, P>(s, &mut memory, (pattern, text), found, probe)
            };
            moves();
            probe.jump();
        }
    }
}

impl MetaTwoWay {
    /// The first window from `s` on that has both characters of the pair, or the first that the text has no
    /// block for.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn candidate<V: Vector, P: Probe>(
        &self,
        mut s: usize,
        m: usize,
        text: Text<P>,
        probe: P,
    ) -> usize {
        let places = self.places.view(probe);
        let pair = [places.at(0), places.at(1)];
        assert!(pair.iter().all(|place| (place.offset as usize) < m), "a place outside of the pattern");
        while probe.branch(s + m - 1 + V::LANES <= text.len()) {
            // SAFETY: of the trait, and the condition: each offset is less than m.
            let [first, second] = pair
                .map(|Place { offset, byte }| unsafe { V::splat(byte).equals(text, s + offset as usize) });
            let both = first & second;
            if probe.branch(both != 0) {
                return s + both.trailing_zeros() as usize;
            }
            s += V::LANES;
            probe.writes(1);
        }
        s
    }
}

register!(algorithm MetaTwoWay);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::{Checked, testing::search};

    /// Long patterns in texts where the pair is everywhere, and where it is rare.
    #[test]
    fn long_patterns_are_found_with_the_filter_and_after_it() {
        for unit in [&b"a"[..], b"ab", b"aab", b"abcabcabd"] {
            for broken in [33, 20, 32, 0] {
                let mut pattern: Vec<u8> = unit.iter().copied().cycle().take(33).collect();
                let mut text: Vec<u8> = unit.iter().copied().cycle().take(900).collect();
                if broken < 33 {
                    pattern[broken] = b'c';
                }
                (0..3).for_each(|i| text[300 * i + 250] = b'x');
                text.extend_from_slice(&[b'z'; 300]);
                text.extend_from_slice(&pattern);
                let expected: Vec<_> =
                    (0..=text.len() - 33).filter(|&s| text[s..].starts_with(&pattern)).collect();
                assert_eq!(
                    search::<MetaTwoWay, Checked>(&pattern, &text),
                    Ok(expected),
                    "broken at {broken}"
                );
            }
        }
    }
}
