//! Rust str::contains (`rust-contains`).
//!
//! Pays on short patterns with two characters that seldom occur at their distance: nothing else is prepared.
//! Departures: all occurrences are found, where the library stops at the first one; bytes need not be UTF-8.
//! A candidate is compared character by character, while the library compares four at a time.
//! Timed: where the two characters are searched for, four blocks of alignments share one test, because most
//! blocks have no candidate.

use assay_plugin_api::prelude::*;
use assay_shared::alignments::{self, Place};
use assay_shared::two_way::TwoWay;

/// The searcher: the two characters that are compared first, or what Two Way needs.
#[derive(Default)]
pub struct Contains {
    /// Empty if Two Way searches.
    places: Table<Place>,
    two_way: TwoWay,
}

/// Longest pattern that is searched with registers. In a text that is too short for one, each window is
/// compared, so that the library keeps long patterns away from it.
const SHORT: usize = 32;

/// Number of the pattern's last characters among which one is sought that differs from the first.
const LAST: usize = 4;

impl Algorithm for Contains {
    const ABOUT: About = About {
        id: "rust-contains",
        name: "Rust str::contains",
        reference: Reference {
            authors: &["The Rust project"],
            title: "x86_64 SSE2 fast-path for str.contains(&str) and short needles",
            howpublished: "Rust's standard library, pull request 103779",
            url: "https://github.com/rust-lang/rust/pull/103779",
            year: 2022,
            note: "after W. Muła, and Crochemore, Perrin",
            ..Reference::UNKNOWN
        },
        status: Status::FromAuthorsProgram(
            "The program was seen; all occurrences are found instead of the first.",
        ),
        after: &["mula-fl", "tw"],
        idea: "The first character and one of the last four that differs, 16 alignments at once; Two Way \
            beyond m = 32 and where none differs.",
        preparation_time: "O(m)",
        space: "O(1)",
        worst_case: "O(n): m is at most 32 where windows are compared again",
        average_case: "O(n/16), O(n) beyond m = 32",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs::LENGTHS_IN_U32;

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.places.reset(0, Place::default());
        for offset in pair(pattern) {
            self.places.push(Place { offset: offset as u32, byte: pattern[offset] });
        }
        self.two_way = TwoWay::new(pattern);
        probe.table(&self.places);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        if probe.branch(self.places.is_empty()) {
            self.two_way.search::<true, P>(0, pattern, text, found, probe);
        } else {
            // The first character is known to match.
            let rest = 1..pattern.len();
            alignments::search_but::<16, P>(&self.places, rest, pattern, text, found, probe);
        }
    }
}

/// Positions of the characters that are compared first; none of a pattern that Two Way searches for.
fn pair(pattern: &[u8]) -> Vec<usize> {
    let m = pattern.len();
    match m {
        1 => vec![0],
        2 => vec![0, 1],
        3..=SHORT => {
            let different = (m.saturating_sub(LAST)..m).rfind(|&i| pattern[i] != pattern[0]);
            different.map_or_else(Vec::new, |second| vec![0, second])
        }
        _ => Vec::new(),
    }
}

register!(algorithm Contains);

#[cfg(test)]
mod tests {
    use super::*;
    use assay_plugin_api::Field;
    use assay_plugin_api::probe::CountingReading;
    use assay_plugin_api::testing::{Candidate, Subject};

    #[test]
    fn the_second_character_is_the_last_of_four_that_differs_from_the_first() {
        assert_eq!(pair(b"abcda"), [0, 3]);
        assert_eq!(pair(b"abaaa"), [0, 1]);
        assert_eq!(pair(b"aa"), [0, 1]);
        assert_eq!(pair(b"aab"), [0, 2]);
        for two_way in [&b"abaaaa"[..], b"aaa", &[b'x'; 33], &[&[b'a'; 32][..], b"b"].concat()] {
            assert!(pair(two_way).is_empty(), "{}", two_way.escape_ascii());
        }
    }

    #[test]
    fn two_way_passes_windows_whose_last_character_does_not_occur() {
        let mut subject = Subject::<Contains, CountingReading>::default();
        let text = [b'z'; 400];
        subject.prepare(&[b'a'; 40], &text).unwrap().count(&text).unwrap();
        assert_eq!(subject.measurements().fields[Field::TextBytesRead as usize], Some(10));
    }
}
