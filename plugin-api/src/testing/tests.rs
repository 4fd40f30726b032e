use super::*;
use crate::{About, Field, Needs, Probe};

/// Finds every occurrence, or whatever its type parameter spoils.
#[derive(Default)]
struct Spoilt<const FAULT: u8>;

const NONE: u8 = 0;
const SKIPS_THE_LAST_WINDOW: u8 = 1;
const LOOKS_BEYOND_THE_TEXT: u8 = 2;
const WRONG_WHEN_COUNTING: u8 = 3;
const REFUSES: u8 = 4;
const WRITES_INTO_SLACK: u8 = 5;

impl<const FAULT: u8> Algorithm for Spoilt<FAULT> {
    const ABOUT: About = About { id: "spoilt", ..About::UNKNOWN };
    const NEEDS: Needs = Needs { slack: |_| 1, writes_slack: true, alignment: 16, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, _: &[u8], _: Hints<'_>, _: P) -> Result<(), CannotSearch> {
        if FAULT == REFUSES { Err(CannotSearch::because("it never does")) } else { Ok(()) }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<'_, P>, text: Text<'_, P>, found: &mut impl Found, _: P) {
        let (m, n) = (pattern.len(), text.len());
        let end = match FAULT {
            SKIPS_THE_LAST_WINDOW => n - m,
            LOOKS_BEYOND_THE_TEXT => n - m + 2,
            _ => n - m + 1,
        };
        for s in 0..end {
            if (0..m).all(|i| pattern.at(i) == text.at(s + i)) {
                found.at(s);
            }
        }
        if FAULT == WRONG_WHEN_COUNTING && P::CHECKS {
            found.at(0);
        }
        if FAULT == WRITES_INTO_SLACK {
            text.set_slack(n, b'!');
        }
    }
}

fn message(check: fn()) -> String {
    *std::panic::catch_unwind(check).unwrap_err().downcast::<String>().unwrap()
}

#[test]
fn the_reference_counts_overlaps() {
    assert_eq!(naive(b"aba", b"ababa"), [0, 2]);
    assert_eq!(naive(b"ab", b"a"), [] as [usize; 0]);
}

#[test]
fn a_right_algorithm_passes() {
    check::<Spoilt<NONE>>();
    check::<Spoilt<WRITES_INTO_SLACK>>();
}

#[test]
fn faults_are_found_and_their_case_is_named() {
    let missed = message(check::<Spoilt<SKIPS_THE_LAST_WINDOW>>);
    assert_eq!(missed, "spoilt, reading checked: found [], expected [0] (pattern \"a\" in text \"a\")");
    // The slack is the first byte of what would complete an occurrence, so that looking there finds one.
    assert!(message(check::<Spoilt<LOOKS_BEYOND_THE_TEXT>>).contains("found [0, 1], expected [0]"));
    assert!(message(check::<Spoilt<WRONG_WHEN_COUNTING>>).contains("reading checked: found [0, 0]"));
    assert!(message(check::<Spoilt<REFUSES>>).contains("refused every case"));
}

#[test]
fn a_single_search_answers_as_the_host_would() {
    assert_eq!(search::<Spoilt<NONE>, Off>(b"aa", b"aaa"), Ok(vec![0, 1]));
    assert_eq!(search::<Spoilt<NONE>, Checked>(b"aaaa", b"aaa"), Ok(vec![]));
    assert_eq!(search::<Spoilt<REFUSES>, Off>(b"a", b"a"), Err(CannotSearch::because("it never does")));
    assert_eq!(search::<Spoilt<REFUSES>, Off>(b"ab", b"a"), Ok(vec![]));
}

#[test]
fn only_the_counting_reading_measures() {
    let mut counting = Subject::<Spoilt<NONE>, CountingReading>::default();
    assert_eq!(counting.count(b"a", b"aba"), Ok(2));
    assert_eq!(counting.measurements().fields[Field::TextBytesRead as usize], Some(3));
    let mut off = Subject::<Spoilt<NONE>, Off>::default();
    assert_eq!(off.count(b"a", b"aba"), Ok(2));
    assert_eq!(off.measurements(), Measurements::default());
}
