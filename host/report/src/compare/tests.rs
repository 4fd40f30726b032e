//! Comparisons of simulated runs, whose differences are known.

use super::super::tests::with_columns;
use super::*;

/// A run of five rounds of `a` and `b` at two lengths, `a` slower by this factor, with a seed.
fn report(slower: f64, seed: u64, failed: &str) -> Report {
    let mut rows = String::new();
    for round in 0..5u32 {
        for (algorithm, length, time) in
            [("a", 4, 10_000.0 * slower), ("a", 8, 20_000.0 * slower), ("b", 4, 5000.0), ("b", 8, 9000.0)]
        {
            if failed != format!("{algorithm}{length}") {
                // Rounds differ by 1 %, patterns by nothing.
                let time = time * (1.0 + 0.01 * f64::from((round * 7 + length) % 3));
                rows += &format!("{algorithm},{length},{round},ok,3,10,{time},0,{round}\n");
            } else if round == 0 {
                rows += &format!("{algorithm},{length},0,crashed,,,,,0\n");
            }
        }
    }
    let mut report = with_columns(",round", &rows).unwrap();
    report.facts.seed = seed;
    report
}

fn words(lines: &[ComparedTimes]) -> Vec<String> {
    let word = |line: &ComparedTimes| {
        let (id, value) = (line.algorithm.as_deref().unwrap_or("all"), line.value.unwrap_or_default());
        format!("{id} {value} {}", line.comparison.map_or("-", |comparison| comparison.word()))
    };
    lines.iter().map(word).collect()
}

#[test]
fn runs_of_the_same_patterns_are_paired_and_others_are_not() {
    let first = report(1.0, 1, "");
    for (seed, paired) in [(1, true), (2, false)] {
        let RunComparison { runs, comparisons, floor } =
            compare_runs(&first, &[report(1.5, seed, "")], Some(Call::Search), None).unwrap();
        let ComparedRun { by_pattern, cells, overall, rounds, common, not_compared, .. } = &runs[0];
        let sides = if paired { 1 } else { 2 };
        assert_eq!(*common, vec![CommonRounds { rounds: 5, most: 5 }; sides]);
        assert_eq!(*rounds, vec![(5, 5); sides]);
        assert_eq!((*by_pattern, comparisons, floor, not_compared.len()), (paired, 7, 0.02, 0));
        assert_eq!(words(cells), ["a 4 slower", "a 8 slower", "b 4 same", "b 8 same"]);
        assert_eq!(words(overall), ["a 0 slower", "b 0 same", "all 0 slower"]);
        let ratio = overall[2].comparison.unwrap().ratio.ratio;
        assert!((ratio - 1.5f64.sqrt()).abs() < 0.01, "{ratio}");
    }
}

#[test]
fn too_slow_is_what_is_slower_than_the_limit_beyond_noise() {
    let slow = |slower, limit| {
        let found = compare_runs(&report(1.0, 1, ""), &[report(slower, 2, "")], None, Some(limit)).unwrap();
        found.runs[0].cells.iter().filter(|line| line.too_slow).count()
    };
    assert_eq!(slow(1.5, 0.05), 2);
    assert_eq!(slow(1.5, 0.6), 0, "slower, but not by so much");
    assert_eq!(slow(1.055, 0.05), 0, "the interval reaches below the limit");
    assert_eq!(slow(0.5, 0.05), 0);
}

#[test]
fn a_machine_that_is_slower_explains_slower_times_and_no_faster_ones() {
    let judged = |slower: f64, reference_ns: u64| {
        let (mut first, mut later) = (report(1.0, 1, ""), report(slower, 1, ""));
        first.facts.noise.reference_fast_ns = Some(10_000);
        first.facts.noise.reference_slow_ns = Some(10_500);
        later.facts.noise.reference_fast_ns = Some(reference_ns);
        later.facts.noise.reference_slow_ns = Some(10_500);
        let found = compare_runs(&first, &[later], Some(Call::Search), Some(0.05)).unwrap();
        (words(&found.runs[0].cells)[0].clone(), found.runs[0].cells[0].too_slow)
    };
    let word = |slower, reference_ns| judged(slower, reference_ns).0;
    assert_eq!(word(1.06, 10_000), "a 4 slower");
    assert_eq!(judged(1.06, 10_600), ("a 4 unclear".to_owned(), false), "the machine explains it");
    assert_eq!(judged(1.3, 10_600), ("a 4 slower".to_owned(), true), "it does not explain so much");
    assert_eq!(word(0.95, 10_600), "a 4 faster", "a slower machine makes nothing faster");
    assert_eq!(word(0.95, 9_500), "a 4 unclear");
    assert_eq!(word(1.015, 10_000), "a 4 same", "the floor between runs is 2 %");
}

#[test]
fn what_only_one_run_has_is_told() {
    let reasons = |first: &Report, later: Report| -> Vec<(String, u64, NotComparable)> {
        let found = compare_runs(first, &[later], Some(Call::Search), None).unwrap();
        found.runs[0]
            .not_compared
            .iter()
            .map(|lack| (lack.algorithm.clone(), lack.value, lack.reason))
            .collect()
    };
    let (all, less) = (report(1.0, 1, ""), report(1.0, 1, "b8"));
    assert_eq!(reasons(&all, less.clone()), [("b".to_owned(), 8, NotComparable::FailsNow)]);
    assert_eq!(reasons(&less, all.clone()), [("b".to_owned(), 8, NotComparable::FailedBefore)]);
    let only = with_columns(",round", "a,4,0,ok,3,10,9999,0,0\nc,4,0,ok,3,10,9999,0,0\n").unwrap();
    let found = reasons(&all, only);
    assert!(found.contains(&("b".to_owned(), 4, NotComparable::NotMeasuredNow)), "{found:?}");
    assert!(found.contains(&("c".to_owned(), 4, NotComparable::NotMeasuredBefore)), "{found:?}");
    let mut slow_clock = all.clone();
    slow_clock.facts.noise.floor_ns = Some(700.0);
    let found = reasons(&all, slow_clock);
    assert_eq!(found, [("b".to_owned(), 4, NotComparable::TooShort)]);
}

#[test]
fn one_round_tells_nothing() {
    let one = with_columns(",round", "a,4,0,ok,3,10,9999,0,0\n").unwrap();
    let found = compare_runs(&one, std::slice::from_ref(&one), Some(Call::Search), Some(0.05)).unwrap();
    assert_eq!((words(&found.runs[0].cells), found.comparisons), (vec!["a 4 -".to_owned()], 0));
}
