//! Tests of [`Finder`] with an algorithm that has every need.

use super::*;
use crate::prelude::*;
use crate::testing::cases::{Plan, Size};
use crate::testing::{FinderSubject, conform, naive};

/// A naive search that checks its needs, and reports occurrences from right to left.
#[derive(Default)]
struct Demanding<const SLACK: usize, const WRITES: bool, const ALIGNMENT: usize, const MIN_TEXT: usize> {
    text_length: usize,
    sample: Vec<u8>,
}

impl<const SLACK: usize, const WRITES: bool, const ALIGNMENT: usize, const MIN_TEXT: usize> Algorithm
    for Demanding<SLACK, WRITES, ALIGNMENT, MIN_TEXT>
{
    const ABOUT: About = About::UNKNOWN;
    const NEEDS: Needs = Needs {
        min_pattern: 2,
        max_pattern: 1000,
        min_text: |_| MIN_TEXT,
        slack: |_| SLACK,
        writes_slack: WRITES,
        sample: 3,
        alignment: ALIGNMENT,
        ..Needs::NOTHING
    };

    fn prepare_with<P: Probe>(&mut self, pattern: &[u8], hints: Hints, _: P) -> Result<(), CannotSearch> {
        (self.text_length, self.sample) = (hints.text_length, hints.sample.to_vec());
        if pattern.is_ascii() { Ok(()) } else { Err(CannotSearch::because("the pattern is not ASCII")) }
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, _: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(n >= m.max(MIN_TEXT) && text.misalignment().is_multiple_of(ALIGNMENT));
        for i in n..n + SLACK {
            text.at(i);
            if WRITES {
                text.set_slack(i, b'a');
            }
        }
        (0..=n - m).rev().filter(|&s| pattern.occurs(text, s, 0..m)).for_each(|s| found.at(s));
    }
}

type Plain = Demanding<0, false, 1, 0>;

fn conforms<A: Algorithm>() {
    let plan = Plan { size: Size::Quick, ..Plan::default() };
    let searched = conform(&|| Box::new(FinderSubject::<A>::default()), &plan);
    assert!(searched.unwrap() > 100);
}

#[test]
fn every_need_is_met_in_parts_and_at_both_ends() {
    conforms::<Plain>();
    conforms::<Demanding<9, false, 1, 0>>();
    conforms::<Demanding<9, true, 1, 0>>();
    conforms::<Demanding<0, false, 32, 0>>();
    conforms::<Demanding<0, false, 1, 77>>();
    conforms::<Demanding<20, true, 64, 50>>();
}

#[test]
fn a_text_longer_than_the_longest_part_is_searched_whole() {
    let mut text = vec![b'a'; 300_000];
    for position in [0, 2047, 65_535, 65_537, 131_071, 299_998] {
        text[position..position + 2].copy_from_slice(b"bc");
    }
    let expected = naive(b"bc", &text);
    type Found = (u64, Vec<usize>, Option<usize>);
    let searches: [fn(&[u8]) -> Found; 2] = [
        |text| {
            let finder = Finder::<Plain>::new("bc").unwrap();
            (finder.count(text), finder.find_iter(text).collect(), finder.rfind(text))
        },
        |text| {
            let finder = Finder::<Demanding<3, true, 16, 0>>::new("bc").unwrap();
            (finder.count(text), finder.positions(text), finder.rfind(text))
        },
    ];
    for search in searches {
        assert_eq!(search(&text), (6, expected.clone(), Some(299_998)));
    }
}

#[test]
fn patterns_outside_the_range_are_refused_with_the_reason() {
    let refused = |pattern: &[u8]| Finder::<Plain>::new(pattern).unwrap_err().to_string();
    assert_eq!(
        refused(b"a"),
        "cannot search: the length of the pattern is 1, and this algorithm needs at least 2"
    );
    let long = refused(&[b'a'; 1001]);
    assert_eq!(
        long,
        "cannot search: the length of the pattern is 1001, and this algorithm needs at most 1000"
    );
    assert_eq!(refused("\u{e9}t".as_bytes()), "cannot search: the pattern is not ASCII");
}

#[test]
fn an_algorithm_is_refused_where_the_cpu_has_not_its_instructions() {
    #[derive(Default)]
    struct Foreign;
    impl Algorithm for Foreign {
        const ABOUT: About = About::UNKNOWN;
        const NEEDS: Needs = Needs { cpu: &["of-no-cpu"], ..Needs::NOTHING };
        fn search<P: Probe>(&mut self, _: Pattern<P>, _: Text<P>, _: &mut impl Found, _: P) {}
    }
    let reason = Finder::<Foreign>::new("a").unwrap_err().0;
    assert_eq!(reason, "this algorithm needs of-no-cpu, which this CPU does not have");
}

#[test]
fn the_preparation_sees_a_text_only_if_it_is_given() {
    let hints = |finder: Finder<Plain>| {
        let algorithm = finder.searcher.into_inner().into_algorithm();
        (algorithm.text_length, algorithm.sample)
    };
    assert_eq!(hints(Finder::new("ab").unwrap()), (0, Vec::new()));
    assert_eq!(hints(Finder::for_text("ab", b"banana").unwrap()), (6, b"ban".to_vec()));
    assert_eq!(hints(Finder::for_text("ab", b"b").unwrap()), (1, b"b".to_vec()));
}

#[test]
fn two_iterators_of_one_finder_do_not_disturb_each_other() {
    let finder = Finder::<Plain>::new("aa").unwrap();
    let (mut one, mut other) = (finder.find_iter(b"aaaa"), finder.find_iter(b"baaa"));
    assert_eq!([one.next(), other.next(), one.next(), other.next()], [Some(0), Some(1), Some(2), None]);
    assert_eq!((one.next(), finder.needle()), (None, &b"aa"[..]));
    assert_eq!(format!("{finder:?}"), "Finder { needle: \"aa\", .. }");
}
