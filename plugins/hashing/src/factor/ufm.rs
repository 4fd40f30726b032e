//! Unique Factor Matcher (`ufm1` to `ufm10`).
//!
//! Pays on patterns from some hundred characters on, the longer the better; larger q suit smaller alphabets.
//! Departures: the hash of q-grams has from eight to sixteen times as many values as the pattern has
//! characters, 2^12 at least (256 for single characters) and 2^18 at most. An extended factor is looked up by
//! its last q-gram and its first characters (the authors' program has a list for each last q-gram), and then
//! compared from the first one on. One computation = the hash of a q-gram, or of those characters.

use std::ops::Range;

use assay_plugin_api::prelude::*;

use super::unique::{Gram, UniqueFactors, UniqueFactorsView, opening, qgram_hash};

/// The searcher: the factors that the pattern has once.
#[derive(Default)]
pub struct UniqueFactorMatcher<const Q: usize> {
    factors: UniqueFactors<Q>,
    /// Length of the pattern.
    length: usize,
}

impl<const Q: usize> Algorithm for UniqueFactorMatcher<Q> {
    const ABOUT: About = About {
        id: "ufm",
        name: "Unique Factor Matcher",
        reference: Reference {
            authors: &["S. Faro", "S. Scafiti"],
            title: "Efficient String Matching Based on a Two-Step Simulation of the Suffix Automaton",
            booktitle: "CIAA 2021",
            series: "LNCS",
            volume: "12803",
            year: 2021,
            doi: "10.1007/978-3-030-79121-6_14",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "Written from the authors' program and its paper; one hash table replaces its lists of extended \
                factors.",
        ),
        after: &["rf"],
        idea: "Extends the last q-gram of a window until the pattern has it once at most; its place in the \
            pattern decides the shift.",
        preparation_time: "O(m)",
        space: "O(m): 1 MiB and 32 m bytes at most",
        worst_case: "O(mn)",
        average_case: "sublinear while few factors are long",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: Q, max_pattern: i32::MAX as usize - 1, ..Needs::NOTHING };

    /// Windows whose last q-gram occurs in the pattern; windows with a longer factor that was looked up; and
    /// windows with a factor that occurs.
    const EXTRA: &'static [&'static str] = &["match 1st", "#extended", "#placed"];

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.length = pattern.len();
        self.factors.fill(pattern, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n, factors) = (pattern.len(), text.len(), self.factors.view(probe));
        assert!(Q <= m && m == self.length, "prepared for another pattern");
        // Where the window ends.
        let mut last = m - 1;
        probe.writes(1);
        while probe.branch(last < n) {
            let begin = last + 1 - Q;
            // SAFETY: Q <= m <= last + 1 <= n.
            let hash = unsafe { qgram_hash::<Q, P>(text, begin) };
            probe.computes(1);
            let gram = factors.gram(hash);
            last = if probe.branch(gram == Gram::Absent) {
                begin + m
            } else {
                Window { pattern, text, last, probe }.next::<Q>(gram, hash, factors, found) + m - 1
            };
            probe.writes(1);
            probe.jump();
        }
    }
}

/// A window that ends with a q-gram of the pattern.
struct Window<'a, P> {
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    last: usize,
    probe: P,
}

impl<P: Probe> Window<'_, P> {
    /// Answers where the next window begins. If the table does not have the factor, which is usual, the
    /// processor waits for this answer, so only the comparisons are in functions of their own.
    #[inline(always)]
    fn next<const Q: usize>(
        &self,
        gram: Gram,
        hash: u64,
        factors: UniqueFactorsView<P>,
        found: &mut impl Found,
    ) -> usize {
        let probe = self.probe;
        probe.extra(0, || 1);
        let begin = self.last + 1 - Q;
        let extension = match gram {
            Gram::Unique(place) => {
                probe.branch(true);
                return self.align(begin..begin + Q, place, found).unwrap_or(begin + 1);
            }
            Gram::Repeated(extension) => extension,
            Gram::Absent => return begin + 1,
        };
        probe.branch(false);
        probe.extra(1, || 1);
        let first = begin - extension;
        probe.computes(1);
        probe.writes(2);
        let slot = factors.slot(hash, opening::<Q, P>(self.text, first, extension));
        match factors.extended(slot) {
            Some(place) => self.try_places(first..begin + Q, place, factors, found),
            None => {
                probe.branch(false);
                first + 1
            }
        }
    }

    /// Answers where the next window begins, given a place at which the pattern may have the factor, and
    /// where to look for the next place.
    #[inline(never)]
    fn try_places(
        &self,
        factor: Range<usize>,
        (mut place, mut slot): (usize, usize),
        factors: UniqueFactorsView<P>,
        found: &mut impl Found,
    ) -> usize {
        let probe = self.probe;
        loop {
            probe.branch(true);
            if let Some(next) = self.align(factor.clone(), place, found) {
                return next;
            }
            probe.writes(1);
            let Some(next) = factors.extended(slot) else { break };
            (place, slot) = next;
        }
        probe.branch(false);
        factor.start + 1
    }

    /// Compares the factor of the text with that of the pattern at `place`, from left to right, because
    /// factors with the same last q-gram differ before it; then the characters before both, from right to
    /// left. Returns the beginning of the next window if the factors are equal.
    #[inline(never)]
    fn align(&self, factor: Range<usize>, place: usize, found: &mut impl Found) -> Option<usize> {
        let Window { pattern, text, probe, .. } = *self;
        let Range { start: begin, end } = factor;
        let prefix = place + end - begin;
        // Then it was the factor of another q-gram, with the same hash.
        if probe.branch(prefix > pattern.len()) {
            return None;
        }
        let mut i = place;
        probe.writes(1);
        while probe.branch(i < prefix && pattern.at(i) == text.at(begin - place + i)) {
            i += 1;
            probe.writes(1);
        }
        if probe.branch(i < prefix) {
            return None;
        }
        probe.extra(2, || 1);
        let mut before = place;
        probe.writes(1);
        while probe.branch(before > 0 && pattern.at(before - 1) == text.at(begin - place + before - 1)) {
            before -= 1;
            probe.writes(1);
        }
        // The factor is nowhere else in the pattern: what else may come begins after its first character.
        let start = begin - place;
        if probe.branch(prefix < pattern.len()) {
            return Some(if probe.branch(before == 0) { start } else { begin + 1 });
        }
        if probe.verify(before == 0) {
            found.at(start);
        }
        Some(begin + 1)
    }
}

register!(algorithm UniqueFactorMatcher, q: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
