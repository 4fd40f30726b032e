//! WebKit adaptive string search (`webkit-find`).
//!
//! Pays where the pattern's first and last characters are seldom at their distance in the text, as registers
//! pass more than any shift does; other texts cost 16 failures more than with Horspool.
//! Departures: all tables are prepared before the search; one search finds all occurrences, with one count of
//! failures, while the library begins a new count in each call. Characters of two bytes are left out.
//! Timed: for patterns of up to six characters, four blocks of alignments share one test, because most
//! blocks have no candidate.

use std::ops::ControlFlow::{Break, Continue};

use assay_plugin_api::prelude::*;
use assay_shared::alignments::{self, Place};
use assay_shared::candidates;
use assay_shared::vector::{Kernel, Vector, with_registers};

use crate::escalation::Escalation;
use crate::v8_find::STAGED;

/// The searcher: the pair, and what the later stages need.
#[derive(Default)]
pub struct WebKitFind {
    /// The first and the last character; of patterns that have no later stage, the first alone.
    places: Table<Place>,
    stages: Escalation,
}

/// Failures of the pair after which Horspool takes over. The value is WebKit's.
const FAILURES: usize = 16;

impl Algorithm for WebKitFind {
    const ABOUT: About = About {
        id: "webkit-find",
        name: "WebKit adaptive string search",
        reference: Reference {
            authors: &["Y. Suzuki"],
            title: "[WTF] Use simple SIMD pair search",
            howpublished: "WebKit, pull request 59884",
            url: "https://github.com/WebKit/WebKit/pull/59884",
            year: 2026,
            note: "after V8's string search",
            ..Reference::UNKNOWN
        },
        status: Status::FromAnotherImplementation(
            "The file of 2024 and the description of the change of 2026 were seen; whether short \
                patterns still have a search of their own is unknown.",
        ),
        after: &["v8-find"],
        idea: "First and last character at 16 alignments at once; Horspool after 16 failures, Boyer-Moore \
            where that compares too much.",
        preparation_time: "O(m+s)",
        space: "O(s): 1 KiB and tables of at most 250 characters",
        worst_case: "O(mn)",
        average_case: "O(n/16), O(n/m) after 16 failures",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let last = pattern.len() - 1;
        self.places.reset(0, Place::default());
        self.places.push(Place { offset: 0, byte: pattern[0] });
        if pattern.len() >= STAGED {
            self.places.push(Place { offset: last as u32, byte: pattern[last] });
            self.stages.prepare(pattern, probe);
        }
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        if probe.branch(pattern.len() < STAGED) {
            alignments::search::<16, false, P>(&self.places, pattern, text, found, probe);
        } else {
            with_registers::<16>(FirstStage { searcher: self, pattern, text, found, probe });
        }
    }
}

/// The search by the pair.
struct FirstStage<'a, 'f, P, F> {
    searcher: &'a WebKitFind,
    pattern: Pattern<'a, P>,
    text: Text<'a, P>,
    found: &'f mut F,
    probe: P,
}

impl<P: Probe, F: Found> Kernel for FirstStage<'_, '_, P, F> {
    #[inline(always)]
    unsafe fn call<V: Vector>(self) {
        let FirstStage { searcher, pattern, text, found, probe } = self;
        let mut failures = 0;
        probe.writes(1);
        let verify = |s: usize| {
            if pattern.occurs(text, s, 0..pattern.len()) {
                found.at(s);
                return Continue(());
            }
            failures += 1;
            probe.writes(1);
            if probe.branch(failures == FAILURES) { Break(s + 1) } else { Continue(()) }
        };
        // SAFETY: of the trait.
        let gave_up =
            unsafe { candidates::each::<V, 2, 2, P, _>(&searcher.places, pattern, text, probe, verify) };
        if let Break(from) = gave_up {
            searcher.stages.search(from, pattern, text, found, probe);
        }
    }
}

register!(algorithm WebKitFind);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::probe::CountingReading;
    use assay_plugin_api::testing::{Candidate, Subject};
    use assay_plugin_api::{Checked, Field, testing::search};

    #[test]
    fn horspool_takes_over_after_sixteen_failures() {
        let (pattern, near) = (b"abcdefgh", &b"abcdxfgh"[..]);
        let skips = |failures: usize| {
            let text = [&near.repeat(failures)[..], pattern, &[b'z'; 800]].concat();
            let mut subject = Subject::<WebKitFind, CountingReading>::default();
            let occurrences = subject.prepare(pattern, &text).unwrap().count(&text).unwrap();
            assert_eq!(occurrences, 1);
            // The pair reads each character of the text, and twice.
            let read = subject.measurements().fields[Field::TextBytesRead as usize].unwrap();
            (read as usize) < text.len()
        };
        assert!(!skips(15) && skips(16));
    }

    #[test]
    fn later_stages_find_what_the_pair_has_left() {
        for m in [7, 250, 300] {
            let mut pattern = vec![b'a'; m];
            pattern[m / 2] = b'b';
            let text = [&pattern[..], &[b'a'; 2000], &pattern, &[b'a'; 900], &pattern[..]].concat();
            let expected: Vec<_> =
                (0..=text.len() - m).filter(|&s| text[s..].starts_with(&pattern)).collect();
            assert_eq!(search::<WebKitFind, Checked>(&pattern, &text), Ok(expected), "{m}");
        }
    }
}
