//! Tests of the test kit: it finds each fault of algorithms that are wrong on purpose.

use super::cases::{Around, Edge};
use super::*;
use crate::prelude::*;
use crate::{Field, Measurements};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Finds every occurrence, or whatever its type parameter spoils.
#[derive(Default)]
struct Spoilt<const FAULT: u8>(Left);

const NONE: u8 = 0;
const SKIPS_THE_LAST_WINDOW: u8 = 1;
const LOOKS_BEYOND_THE_TEXT: u8 = 2;
const WRONG_WHEN_COUNTING: u8 = 3;
const REFUSES: u8 = 4;
const WRITES_INTO_SLACK: u8 = 5;
const FORGETS_ITS_PREPARATION: u8 = 6;
const KNOWS_ONE_TEXT: u8 = 7;
const SHARES_WITH_OTHERS: u8 = 8;
const SHARES_WITH_ITS_THREAD: u8 = 9;
const NEVER_VERIFIES: u8 = 10;
const FAILS_ON_LONG_PATTERNS: u8 = 11;
const NEVER_JUMPS: u8 = 12;
const HIDES_A_TABLE: u8 = 13;

static SHARED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static OF_THE_THREAD: AtomicUsize = const { AtomicUsize::new(0) };
}

/// What the preparation leaves.
#[derive(Default)]
struct Left {
    n: usize,
    searches: usize,
    declared: ByteTable<u8>,
    hidden: ByteTable<u8>,
}

impl<const FAULT: u8> Algorithm for Spoilt<FAULT> {
    const ABOUT: About = About { id: "spoilt", ..About::UNKNOWN };
    const NEEDS: Needs = Needs { slack: |_| 1, writes_slack: true, alignment: 16, ..Needs::NOTHING };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, probe: P) -> Result<(), CannotSearch> {
        (self.0.n, self.0.searches) = (hints.text_length, 0);
        probe.table(&self.0.declared);
        SHARED.store(pattern.len(), Ordering::Relaxed);
        OF_THE_THREAD.with(|shared| shared.store(pattern.len(), Ordering::Relaxed));
        if FAULT == REFUSES { Err(CannotSearch::because("it never does")) } else { Ok(()) }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        self.0.searches += 1;
        let blind = match FAULT {
            FORGETS_ITS_PREPARATION => self.0.searches > 1,
            KNOWS_ONE_TEXT => self.0.n != n,
            SHARES_WITH_OTHERS => SHARED.load(Ordering::Relaxed) != m,
            SHARES_WITH_ITS_THREAD => OF_THE_THREAD.with(|shared| shared.load(Ordering::Relaxed)) != m,
            FAILS_ON_LONG_PATTERNS => m > 20,
            _ => false,
        };
        let end = match FAULT {
            _ if blind => 0,
            SKIPS_THE_LAST_WINDOW => n - m,
            LOOKS_BEYOND_THE_TEXT => n - m + 2,
            _ => n - m + 1,
        };
        self.0.declared.view(probe).at(0);
        if FAULT == HIDES_A_TABLE {
            self.0.hidden.view(probe).at(0);
        }
        for s in 0..end {
            if FAULT != NEVER_JUMPS {
                probe.jump();
            }
            let mut i = 0;
            while i < m && pattern.at(i) == text.at(s + i) {
                i += 1;
            }
            if i == m && (FAULT == NEVER_VERIFIES || probe.verify(true)) {
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

/// Writes where it has not declared to.
#[derive(Default)]
struct Undeclared;

impl Algorithm for Undeclared {
    const ABOUT: About = About { id: "undeclared", ..About::UNKNOWN };
    const NEEDS: Needs = Needs { slack: |_| 1, ..Needs::NOTHING };

    fn search<P: Probe>(&mut self, _: Pattern<P>, text: Text<P>, _: &mut impl Found, _: P) {
        text.set_slack(text.len(), b'!');
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
    assert!(
        missed.contains("reading checked: fixed:0: counted 0, expected 1 (pattern \"a\" in text \"a\")"),
        "{missed}"
    );
    // The slack is the first byte of what would complete an occurrence, so that looking there finds one.
    let beyond = message(check::<Spoilt<LOOKS_BEYOND_THE_TEXT>>);
    assert!(
        beyond.contains("counted 2, expected 1, because bytes around the text continue the pattern"),
        "{beyond}"
    );
    let counting = message(check::<Spoilt<WRONG_WHEN_COUNTING>>);
    assert!(counting.contains("reading checked: fixed:0: counted 2, expected 1 ("), "{counting}");
    assert!(message(check::<Spoilt<REFUSES>>).contains("refused every case"));
}

#[test]
fn what_outlives_a_search_or_is_shared_is_found() {
    let forgot = message(check::<Spoilt<FORGETS_ITS_PREPARATION>>);
    assert!(forgot.contains("in a second search, found [], expected [0]"), "{forgot}");
    let one_text = message(check::<Spoilt<KNOWS_ONE_TEXT>>);
    assert!(one_text.contains("with the same preparation, found []"), "{one_text}");
    let others = message(check::<Spoilt<SHARES_WITH_OTHERS>>);
    assert!(others.contains("expected"), "{others}");
    let thread = message(check::<Spoilt<SHARES_WITH_ITS_THREAD>>);
    assert!(thread.contains("beside another searcher: counted 0"), "{thread}");
}

#[test]
fn a_searcher_that_another_thread_disturbs_is_found() {
    /// Finds nothing once another thread has prepared.
    #[derive(Default)]
    struct Disturbed;
    static PREPARED_BY: std::sync::Mutex<Option<std::thread::ThreadId>> = std::sync::Mutex::new(None);
    impl Algorithm for Disturbed {
        const ABOUT: About = About { id: "disturbed", ..About::UNKNOWN };
        fn prepare<P: Probe>(&mut self, _: &[u8], _: P) {
            *PREPARED_BY.lock().unwrap() = Some(std::thread::current().id());
        }
        fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
            if *PREPARED_BY.lock().unwrap() == Some(std::thread::current().id()) {
                for s in 0..=text.len() - pattern.len() {
                    if pattern.occurs(text, s, 0..pattern.len()) {
                        found.at(s);
                    }
                }
            }
        }
    }
    let disturbed = message(check::<Disturbed>);
    assert!(disturbed.contains("beside a searcher in another thread: counted 0"), "{disturbed}");
}

#[test]
fn a_write_to_slack_that_was_not_declared_is_found() {
    let undeclared = message(check::<Undeclared>);
    assert!(undeclared.contains("writes_slack is not declared"), "{undeclared}");
}

#[test]
fn an_occurrence_that_was_not_verified_is_found() {
    let blind = message(check::<Spoilt<NEVER_VERIFIES>>);
    assert!(
        blind.contains("reading counting: fixed:0: counted 1 occurrences, but 0 verifications"),
        "{blind}"
    );
}

#[test]
fn a_search_that_never_moves_is_found() {
    let still = message(check::<Spoilt<NEVER_JUMPS>>);
    assert!(still.contains("counted 1 long texts, but 0 jumps"), "{still}");
}

#[test]
fn a_table_that_was_not_declared_is_found_beside_one_that_was() {
    let hidden = message(check::<Spoilt<HIDES_A_TABLE>>);
    assert!(
        hidden.contains("reading counting: fixed:0: looked 1 times into tables that were not declared"),
        "{hidden}"
    );
}

#[test]
fn a_case_that_fails_is_made_small() {
    let failed = message(check::<Spoilt<FAILS_ON_LONG_PATTERNS>>);
    let (_, case) = failed.split_once("(pattern ").unwrap();
    let (pattern, text) = case.split_once(" in text ").unwrap();
    assert_eq!((pattern.len(), text.len()), (2 + 21, 2 + 21 + 1), "{failed}");
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
    assert_eq!(counting.prepare(b"a", b"aba").unwrap().count(b"aba"), Ok(2));
    assert_eq!(counting.measurements().fields[Field::TextBytesRead as usize], Some(3));
    let mut off = Subject::<Spoilt<NONE>, Off>::default();
    assert_eq!(off.prepare(b"a", b"aba").unwrap().count(b"aba"), Ok(2));
    assert_eq!(off.measurements(), Measurements::default());
}

#[test]
fn an_algorithm_without_positions_that_refuses_late_is_tried_by_its_counts() {
    /// Finds nothing in a second text, if it is so spoilt, and never patterns of two bytes.
    struct Counter {
        spoilt: bool,
    }
    struct Prepared<'a> {
        pattern: &'a [u8],
        spoilt: bool,
        searches: usize,
    }
    impl Candidate for Counter {
        fn prepare<'a>(&'a mut self, pattern: &'a [u8], _: &[u8]) -> Result<Box<dyn Search + 'a>, Failure> {
            Ok(Box::new(Prepared { pattern, spoilt: self.spoilt, searches: 0 }))
        }
    }
    impl Search for Prepared<'_> {
        fn surround(&mut self, _: Around, _: Edge) {}
        fn count(&mut self, text: &[u8]) -> Result<u64, Failure> {
            self.searches += 1;
            match self.pattern.len() {
                2 => Err(Failure::CannotSearch("two are too many".to_owned())),
                _ if self.spoilt && self.searches > 1 => Ok(0),
                _ => Ok(naive(self.pattern, text).len() as u64),
            }
        }
        fn positions(&mut self, _: &[u8]) -> Result<Option<Vec<usize>>, Failure> {
            Ok(None)
        }
    }
    let judged = |spoilt, pattern: &[u8]| judge(&mut Counter { spoilt }, pattern, b"abab");
    assert_eq!((judged(false, b"a"), judged(false, b"ab")), (Ok(true), Ok(false)));
    let fault = judged(true, b"a").unwrap_err().message;
    assert!(fault.starts_with("in a second search, counted 0, expected "), "{fault}");
}

/// Needs patterns of two bytes to four, and says so to whoever asks; `CHECKS` is whether its preparation asks
/// itself.
#[derive(Default)]
struct NeedsTwo<const CHECKS: bool>;

impl<const CHECKS: bool> Algorithm for NeedsTwo<CHECKS> {
    const ABOUT: About = About { id: "needs-two", ..About::UNKNOWN };
    const NEEDS: Needs = Needs { min_pattern: 2, max_pattern: 4, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], _: P) {
        if CHECKS {
            Self::NEEDS.assert_takes(pattern.len());
        }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (m, n) = (pattern.len(), text.len());
        (0..=n - m).filter(|&s| pattern.occurs(text, s, 0..m)).for_each(|s| found.at(s));
    }
}

#[test]
fn a_preparation_refuses_patterns_of_other_lengths() {
    assert_eq!(refuses_other_lengths::<NeedsTwo<true>>(), Ok(()));
    let fault = refuses_other_lengths::<NeedsTwo<false>>().unwrap_err();
    assert!(fault.contains("a pattern of 1 bytes, where NEEDS says 2 to 4"), "{fault}");
}
