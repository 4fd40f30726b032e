//! Unique Factor Matcher.
//!
//! Pays on patterns from some hundred characters on, the longer the better; larger q suit smaller alphabets.
//! Departures: the hash of q-grams has from eight to sixteen times as many values as the pattern has
//! characters, and no more than 2^18. A factor is looked up by a hash of all its characters, and then
//! compared, so that none is taken for another. One computation = the hash of a q-gram, or of one more
//! character of a factor.

use assay_plugin_api::prelude::*;

use super::unique::{Gram, UniqueFactors, UniqueFactorsView, prepend, qgram_hash};

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
        idea: "Extends the last q-gram of a window until the pattern has it once at most: where it does, \
            tells the shift.",
        preparation_time: "O(m)",
        space: "O(m): 1 MiB and 16 m bytes at most",
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
    /// Answers where the next window begins.
    #[inline(never)]
    fn next<const Q: usize>(
        &self,
        gram: Gram,
        hash: u64,
        factors: UniqueFactorsView<P>,
        found: &mut impl Found,
    ) -> usize {
        let probe = self.probe;
        probe.extra(0, || 1);
        let mut begin = self.last + 1 - Q;
        let extension = match gram {
            Gram::Unique(place) => {
                probe.branch(true);
                return self.align(begin, place, found).unwrap_or(begin + 1);
            }
            Gram::Repeated(extension) => extension,
            Gram::Absent => return begin + 1,
        };
        probe.branch(false);
        probe.extra(1, || 1);
        let (first, mut before) = (begin - extension, 0);
        probe.writes(2);
        while probe.branch(begin > first) {
            begin -= 1;
            before = prepend(before, self.text.at(begin));
            probe.computes(1);
            probe.writes(2);
        }
        let mut slot = factors.slot(hash, before);
        probe.writes(1);
        while let Some((place, after)) = factors.extended(slot) {
            probe.branch(true);
            if let Some(next) = self.align(first, place, found) {
                return next;
            }
            slot = after;
            probe.writes(1);
        }
        probe.branch(false);
        first + 1
    }

    /// Compares the factor of the window, which begins at `begin`, and the characters before it with the
    /// pattern's factor at `place`, from right to left. Returns the beginning of the next window if the
    /// factors are equal.
    fn align(&self, begin: usize, place: usize, found: &mut impl Found) -> Option<usize> {
        let Window { pattern, text, last, probe } = *self;
        let prefix = place + last + 1 - begin;
        // Then it was the factor of another q-gram, with the same hash.
        if probe.branch(prefix > pattern.len()) {
            return None;
        }
        let (start, mut i) = (begin - place, prefix);
        probe.writes(1);
        while probe.branch(i > 0 && pattern.at(i - 1) == text.at(start + i - 1)) {
            i -= 1;
            probe.writes(1);
        }
        if probe.branch(i > place) {
            return None;
        }
        probe.extra(2, || 1);
        // The factor is nowhere else in the pattern: what else may come begins after its first character.
        if probe.branch(prefix < pattern.len()) {
            return Some(if probe.branch(i == 0) { start } else { begin + 1 });
        }
        if probe.verify(i == 0) {
            found.at(start);
        }
        Some(begin + 1)
    }
}

register!(algorithm UniqueFactorMatcher, q: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
