//! Runs with known times on several machines and texts.

use super::*;
use crate::tests::with_columns;

/// A run on a machine, of algorithms with these times at one pattern length, over six rounds.
fn run(cpu: &str, times: &[(&str, u32)]) -> Report {
    let mut rows = String::new();
    for round in 0..6 {
        for (algorithm, time) in times {
            let time = time + round % 3;
            rows += &format!("{algorithm},4,{round},ok,3,1,{time},{},{round}\n", time + 1);
        }
    }
    let mut report = with_columns(",round", &rows).unwrap();
    report.facts.machine.cpu = Some(cpu.to_owned());
    report
}

fn groups(reports: &[Report]) -> Vec<RunsOfText> {
    agreement(reports, Some(Call::Search)).unwrap().groups
}

/// Why no runs are compared.
fn refusal(reports: &[Report], call: Call) -> String {
    let refused = agreement(reports, Some(call)).unwrap().checked(reports);
    refused.unwrap_err().message().to_owned()
}

#[test]
fn machines_that_rank_alike_agree_and_one_that_does_not_is_named() {
    let alike = [("a", 1000), ("b", 2000), ("c", 3000)];
    let reports =
        [run("one", &alike), run("two", &alike), run("three", &[("a", 2000), ("b", 1000), ("c", 3000)])];
    let [group] = groups(&reports).try_into().unwrap();
    assert_eq!(group.names, ["one", "two", "three"]);
    let [cell] = <[_; 1]>::try_from(group.values).unwrap();
    assert_eq!((cell.value, &cell.ranking, &cell.agreeing), (4, &vec![0, 1, 2], &vec![0, 1]));
    assert!(!cell.is_agreed() && cell.best_everywhere().is_empty());
    let pairs: Vec<_> = cell.reversed.iter().map(|pair| (&*pair.one, &*pair.other, pair.runs)).collect();
    assert_eq!(pairs, [("a", "b", [0, 2]), ("a", "b", [1, 2])]);
    // Two of three pairs of machines have one of three pairs of algorithms the other way round.
    let tau = cell.concordance.unwrap().tau;
    assert!((tau - (1.0 + 1.0 / 3.0 + 1.0 / 3.0) / 3.0).abs() < 1e-9, "{tau}");
    let [group] = groups(&reports[..2]).try_into().unwrap();
    assert!(group.values[0].is_agreed());
    assert_eq!(group.values[0].best_everywhere(), ["a"]);
    assert_eq!(group.values[0].concordance.unwrap().tau, 1.0);
}

#[test]
fn times_that_differ_by_less_than_the_noise_floor_are_no_disagreement() {
    let reports =
        [run("one", &[("a", 100_000), ("b", 100_300)]), run("two", &[("a", 100_300), ("b", 100_000)])];
    let [group] = groups(&reports).try_into().unwrap();
    assert!(group.values[0].is_agreed(), "{group:?}");
    assert_eq!(group.values[0].best_everywhere(), ["a", "b"]);
    // The order may be either one, so nothing is known about tau.
    let Concordance { tau, low, high } = group.values[0].concordance.unwrap();
    assert_eq!((tau, low, high), (-1.0, -1.0, 1.0));
}

#[test]
fn what_one_machine_alone_has_measured_is_not_compared() {
    let both = [("a", 1000), ("b", 2000)];
    let reports =
        [run("one", &[("a", 1000), ("b", 2000), ("x", 3000)]), run("two", &both), run("three", &both)];
    let [group] = groups(&reports).try_into().unwrap();
    let cell = &group.values[0];
    assert_eq!((cell.ranked_by_all(), cell.ranked_by_one()), (vec!["a", "b"], vec!["x"]));
    assert_eq!(cell.ranked_by_several(), ["a", "b"]);
    let reports =
        [run("four", &both), run("two", &[("a", 1000), ("b", 2000), ("x", 3000)]), reports[0].clone()];
    let [group] = groups(&reports).try_into().unwrap();
    let cell = &group.values[0];
    assert_eq!((cell.ranked_by_all(), cell.ranked_by_several()), (vec!["a", "b"], vec!["a", "b", "x"]));
    assert_eq!(cell.ranked_by_one(), [] as [&str; 0]);
}

#[test]
fn a_reversed_pair_has_its_ratios_and_its_significance() {
    let reports = [run("one", &[("a", 1000), ("b", 2000)]), run("two", &[("a", 3000), ("b", 1000)])];
    let [group] = groups(&reports).try_into().unwrap();
    let [pair] = <[_; 1]>::try_from(group.values[0].reversed.clone()).unwrap();
    assert_eq!((&*pair.one, &*pair.other, pair.runs), ("a", "b", [0, 1]));
    assert!((pair.ratios[0] - 2.0).abs() < 0.01 && (pair.ratios[1] - 3.0).abs() < 0.01, "{pair:?}");
    assert!(pair.p < 0.05, "{pair:?}");
}

#[test]
fn runs_of_one_machine_have_their_ids_and_runs_of_several_texts_are_compared_as_texts() {
    let same = [("a", 1000), ("b", 2000)];
    let mut reports = [run("one", &same), run("one", &same)];
    let refused = agreement(&reports, None).unwrap_err();
    assert!(refused.message().contains("both contain the measurements of run"), "{refused}");
    let id = reports[0].facts.id.clone();
    reports[1].facts.id = "second".to_owned();
    assert_eq!(groups(&reports)[0].names, [format!("one ({id})"), "one (second)".to_owned()]);
    reports[1].facts.text.sha256 = "other".to_owned();
    reports[1].facts.text.sources = vec!["tale".to_owned()];
    let [group] = groups(&reports).try_into().unwrap();
    assert_eq!((group.text, group.names[1].as_str()), (None, "tale"));
    // Of three runs, two are on one text: the third has nothing to be compared with.
    let [one, other] = reports;
    let mut third = one.clone();
    third.facts.id = "third".to_owned();
    let found = agreement(&[one, other, third], None).unwrap();
    assert_eq!(found.groups[0].runs, [0, 2]);
    assert_eq!(found.not_compared, [UnrankedRun { run: 1, reason: NoAgreement::NoOtherText }]);
}

#[test]
fn runs_without_a_common_value_are_refused() {
    let reports = [run("one", &[("a", 1000), ("b", 2000)]), run("two", &[("c", 1000)])];
    assert!(refusal(&reports, Call::Search).contains("no other run ranks two of the same algorithms"));
    let mut instrumented = reports[1].clone();
    instrumented.facts.stats = assay_experiment::definition::Stats::Algo;
    assert!(agreement(&[reports[0].clone(), instrumented], None).is_err());
}

#[test]
fn the_reason_for_which_no_runs_are_compared_is_named() {
    let mut reports = [run("one", &[("a", 1000), ("b", 2000)]), run("two", &[("a", 1000), ("b", 2000)])];
    for report in &mut reports {
        report.facts.noise.floor_ns = Some(5000.0);
    }
    assert!(refusal(&reports, Call::Search).ends_with("the times are too short to compare"));
    // Groups of algorithms that one CPU has measured.
    for (group, report) in (1..).zip(&mut reports) {
        let group = Some([group, 2]);
        report.facts.gathered = Some(assay_store::gathered::GatheredFacts { group, ..Default::default() });
    }
    assert!(refusal(&reports, Call::Search).contains("the same text and the same algorithm group"));
}

#[test]
fn a_noisy_algorithm_hides_no_disagreement() {
    // It shares rank 1 with all others, because its ratio to each is not significant.
    let with_noise = |cpu: &str, b: u32, c: u32| {
        let mut rows = String::new();
        for round in 0..8u32 {
            let z = if round % 2 == 0 { 500 } else { 2500 };
            for (algorithm, time) in [("z", z), ("b", b), ("c", c)] {
                let time = time + round % 3;
                rows += &format!("{algorithm},4,{round},ok,3,1,{time},{},{round}\n", time + 1);
            }
        }
        let mut report = with_columns(",round", &rows).unwrap();
        report.facts.machine.cpu = Some(cpu.to_owned());
        report
    };
    let [group] = groups(&[with_noise("one", 1000, 1200), with_noise("two", 1200, 1000)]).try_into().unwrap();
    let value = &group.values[0];
    assert_eq!(value.agreeing, [0], "{value:?}");
    assert!(value.reversed.iter().any(|pair| (&*pair.one, &*pair.other) == ("b", "c")), "{value:?}");
}

#[test]
fn values_that_one_run_has_are_not_compared() {
    let mut rows = String::new();
    for round in 0..4 {
        for (algorithm, time) in [("a", 1000 + round), ("b", 2000 - round)] {
            rows += &format!("{algorithm},8,{round},ok,3,1,{time},{},{round}\n", time + 1);
        }
    }
    let mut other = with_columns(",round", &rows).unwrap();
    other.facts.machine.cpu = Some("three".to_owned());
    let reports = [run("one", &[("a", 1000), ("b", 2000)]), run("two", &[("a", 1000), ("b", 2000)]), other];
    let [group] = groups(&reports).try_into().unwrap();
    assert_eq!((group.values.len(), group.values[0].ranking.as_slice()), (1, &[0, 1][..]));
    assert_eq!(group.not_compared, [8]);
    let unranked = agreement(&reports, None).unwrap().not_compared;
    assert_eq!(unranked, [UnrankedRun { run: 2, reason: NoAgreement::NothingInCommon }]);
}

#[test]
fn the_largest_set_that_agrees_is_found_whichever_run_comes_first() {
    let pair = |one, other| {
        let (ids, runs, ratios) = (["a", "b"].map(str::to_owned), [one, other], [1.1, 1.2]);
        let [one, other] = ids;
        ReversedPair { one, other, runs, ratios, p: 0.01 }
    };
    let all: Vec<usize> = (0..40).collect();
    assert_eq!(largest_agreeing(&all, &[]), all);
    // The first differs from all others.
    let odd: Vec<ReversedPair> = (1..40).map(|other| pair(0, other)).collect();
    assert_eq!(largest_agreeing(&all, &odd), all[1..]);
    // Two camps, of 15 and of 25.
    let camps = (0..15).flat_map(|one| (15..40).map(move |other| (one, other)));
    let camps: Vec<ReversedPair> = camps.map(|(one, other)| pair(one, other)).collect();
    assert_eq!(largest_agreeing(&all, &camps), all[15..]);
    assert_eq!(largest_agreeing(&[3, 5], &[pair(3, 5)]), [3]);
}
