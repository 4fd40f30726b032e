//! Searches for the worst inputs of algorithms whose worst case is known.

use assay_plugin_api::{FIELDS, Field};

use super::*;
use crate::child::TwinCounts;
use crate::claim::WorstCaseClaim;
use crate::verdict::{GrowthVerdict, judge};

fn plan(searches: usize, seed: u64) -> AdversaryPlan {
    let sizes = [8, 16, 32].map(|m| InputSize { pattern: m, text: 32 * m }).into();
    AdversaryPlan {
        sizes,
        alphabet: 4,
        seed,
        budget: WorkBudget::Steps(searches),
        measure: WorkMeasure::by_names(&["text_bytes_read".to_owned()]).unwrap(),
    }
}

/// The outcome of a search that read this many characters.
fn counted(input: &SearchInput, read: u64) -> CountOutcome {
    let mut fields = vec![None; FIELDS];
    fields[Field::TextBytesRead as usize] = Some(read);
    let occurrences = naive(&input.pattern, &input.text()).len() as u64;
    CountOutcome::Counted(TwinCounts { occurrences, fields })
}

/// Compares each window from left to right.
fn naive_search(input: &SearchInput) -> CountOutcome {
    let (pattern, text) = (&input.pattern, input.text());
    let equal = |window: &[u8]| window.iter().zip(pattern).take_while(|(one, other)| one == other).count();
    let read = |window| (equal(window) + 1).min(pattern.len()) as u64;
    counted(input, text.windows(pattern.len()).map(read).sum())
}

/// Works much where a text has many `cad`, if the pattern ends with as much as it can of `cadcad`: no seed
/// does.
fn trapped_search(input: &SearchInput) -> CountOutcome {
    let (pattern, text) = (&input.pattern, input.text());
    let depth = pattern.iter().rev().zip(b"dacdac").take_while(|(one, other)| one == other).count();
    let hits = text.windows(3).filter(|window| *window == b"cad").count();
    counted(input, (text.len() + depth * hits * pattern.len()) as u64)
}

fn searched(
    plan: &AdversaryPlan,
    mut algorithm: impl FnMut(&SearchInput) -> CountOutcome,
) -> AdversaryResult {
    let mut count = |inputs: &[SearchInput]| Ok(inputs.iter().map(&mut algorithm).collect());
    search(plan, &mut count, &mut |_, _| ()).unwrap()
}

fn series(result: &AdversaryResult) -> Vec<(usize, f64)> {
    result.worst.iter().map(|worst| (worst.input.pattern.len(), worst.per_character())).collect()
}

#[test]
fn the_worst_case_of_a_naive_search_is_found() {
    let result = searched(&plan(900, 0), naive_search);
    assert_eq!((result.end.clone(), result.worst.len()), (SearchEnd::Complete, 3));
    for worst in &result.worst {
        let (m, n) = (worst.input.pattern.len(), worst.input.text_length);
        // Each window is compared to its end.
        assert_eq!((worst.work, worst.searches), (((n - m + 1) * m) as u64, 300));
        let windows = LONG_TEXT - m + 1;
        assert_eq!(worst.work_in_long_text, Some((windows * m) as u64));
    }
    assert_eq!(judge(&WorstCaseClaim::read("O(n)"), &series(&result)), GrowthVerdict::Contradicted);
    assert_eq!(judge(&WorstCaseClaim::read("O(mn)"), &series(&result)), GrowthVerdict::NotRefuted);
}

#[test]
fn a_trap_that_no_seed_holds_is_found_and_found_again_at_longer_patterns() {
    let result = searched(&plan(6000, 3), trapped_search);
    for worst in &result.worst {
        assert!(worst.input.pattern.ends_with(b"cadcad"), "{worst:?}");
        assert!(worst.per_character() > 1.5 * worst.input.pattern.len() as f64, "{worst:?}");
    }
}

#[test]
fn a_seed_gives_the_same_result_and_another_one_may_differ() {
    let [first, again, other] = [3, 3, 4].map(|seed| searched(&plan(3000, seed), trapped_search));
    assert_eq!(first, again);
    assert_ne!(first, other);
}

#[test]
fn a_failure_and_an_interruption_keep_what_was_found() {
    let fails = |input: &SearchInput| match input.pattern.len() {
        16 if input.pattern.starts_with(b"baaaaaaaaaaaaaaa") => CountOutcome::Failed("crashes".to_owned()),
        _ => naive_search(input),
    };
    let result = searched(&plan(900, 0), fails);
    assert!(matches!(&result.end, SearchEnd::Failed(message, input)
        if message == "crashes" && input.pattern.starts_with(b"b")));
    assert!(result.worst[0].work_in_long_text.is_some() && result.worst.len() == 2);
    let mut calls = 0;
    let mut count = |inputs: &[SearchInput]| {
        calls += 1;
        if calls > 5 {
            Err(Error::interruption("interrupted"))
        } else {
            Ok(inputs.iter().map(naive_search).collect())
        }
    };
    let result = search(&plan(900, 0), &mut count, &mut |_, _| ()).unwrap();
    assert_eq!((result.end, result.worst.len()), (SearchEnd::Interrupted, 1));
}

#[test]
fn a_twin_that_counts_otherwise_the_second_time_has_no_worst_input() {
    let mut calls = 0;
    let drifts = |input: &SearchInput| {
        calls += 1;
        counted(input, calls)
    };
    let result = searched(&plan(90, 0), drifts);
    assert!(result.worst.is_empty(), "{result:?}");
    assert!(
        matches!(&result.end, SearchEnd::Failed(message, _) if message.contains("counts otherwise")),
        "{:?}",
        result.end
    );
}

#[test]
fn a_wrong_count_a_refusal_and_a_missing_count_are_reported() {
    let wrong = |input: &SearchInput| match naive_search(input) {
        CountOutcome::Counted(counts) => {
            CountOutcome::Counted(TwinCounts { occurrences: counts.occurrences + 1, ..counts })
        }
        other => other,
    };
    let end = searched(&plan(90, 0), wrong).end;
    assert!(
        matches!(&end, SearchEnd::Failed(message, _) if message.contains("a naive search finds")),
        "{end:?}"
    );
    let refuses = |input: &SearchInput| match input.pattern.len() {
        8 => CountOutcome::CannotSearch("too short".to_owned()),
        _ => naive_search(input),
    };
    let result = searched(&plan(90, 0), refuses);
    assert_eq!((result.worst.len(), result.refusal.as_deref()), (2, Some("too short")));
    let plan = AdversaryPlan { measure: WorkMeasure::default(), ..plan(90, 0) };
    let mut count = |inputs: &[SearchInput]| Ok(inputs.iter().map(naive_search).collect());
    let error = search(&plan, &mut count, &mut |_, _| ()).unwrap_err();
    assert!(error.to_string().contains("does not count all of text_bytes_read, lookups"), "{error}");
}
