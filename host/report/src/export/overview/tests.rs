//! The marks of the tables, and their legend.

use assay_stats::Summary;
use assay_store::rank::Ranks;
use assay_store::testing;
use assay_store::{CellResult, Figures};

use super::*;

/// A run of cells: algorithm, rank, whether it is below the floor, and the count of a counter.
fn text(cells: &[(&str, Option<usize>, bool, Option<f64>)], grain_ns: u64) -> String {
    let mut run = testing::run();
    run.experiment.noise.floor_ns = Some(43.0);
    run.experiment.counters[0].grain_ns = grain_ns;
    for &(algorithm, rank, below_floor, count) in cells {
        let mut result: CellResult = testing::cell();
        let summary = Summary::of_rounds(
            [0, 1, 2, 3, 4, 5].map(|round| (round, if round == 1 { 2100.0 } else { 2000.0 })).to_vec(),
        );
        (result.algorithm, result.search_ns) = (algorithm.to_owned(), summary);
        let mut standing = result.ranks.search_ns.standing.expect("the example has one");
        standing.rank = rank.unwrap_or_default();
        result.ranks.search_ns.standing = rank.map(|_| standing);
        result.ranks.search_ns.below_floor = below_floor;
        let count = count.and_then(|count| Summary::new(&[count]));
        result.counters = [("mem:level".to_owned(), count)].into_iter().collect::<Figures>();
        run.results.push(result);
    }
    render(&run, TableOptions::default())
}

#[test]
fn the_best_are_marked_together_and_the_mark_is_explained() {
    let text =
        text(&[("a", Some(1), false, None), ("b", Some(1), false, None), ("c", Some(3), false, None)], 0);
    assert_eq!(text.matches("2.00+").count(), 2, "{text}");
    assert!(text.contains("c          2.00   2.4\n"), "{text}");
    assert!(
        text.contains(
            "+ best, or not known to be slower than the best (paired by pattern; differences up to 1 %"
        ),
        "{text}"
    );
    assert!(!text.contains('~'), "{text}");
}

#[test]
fn what_an_algorithm_is_not_made_for_is_a_dash_with_a_legend_and_a_failure_a_word() {
    let mut run = testing::run();
    for (algorithm, status) in [("a", Status::Ok), ("b", Status::CannotSearch), ("c", Status::TimedOut)] {
        run.results.push(CellResult { algorithm: algorithm.to_owned(), status, ..testing::cell() });
    }
    let text = render(&run, TableOptions::default());
    let row = |id: &str| text.lines().find(|line| line.starts_with(&format!("{id} "))).unwrap().to_owned();
    assert!(row("b").split_whitespace().nth(1) == Some("-") && row("c").contains("timed out"), "{text}");
    assert!(text.contains("\n- the algorithm is not made for this pattern length\n"), "{text}");
    run.results.remove(1);
    assert!(!render(&run, TableOptions::default()).contains("not made for"));
}

#[test]
fn a_lone_algorithm_is_not_the_best() {
    assert!(!text(&[("a", Some(1), false, None)], 0).contains('+'));
}

#[test]
fn without_rounds_no_best_is_marked_and_the_reason_is_shown() {
    let text = text(&[("a", None, false, None), ("b", None, false, None)], 0);
    assert!(text.contains("no best is marked: too few rounds to detect a difference"), "{text}");
}

#[test]
fn where_all_searches_failed_this_is_the_reason_why_no_best_is_marked() {
    let mut run = testing::run();
    for algorithm in ["a", "b"] {
        let (algorithm, status) = (algorithm.to_owned(), Status::Wrong);
        let failed =
            CellResult { algorithm, status, search_ns: None, ranks: Ranks::default(), ..testing::cell() };
        run.results.push(failed);
    }
    let text = render(&run, TableOptions::default());
    assert!(text.contains("no best is marked: there are no times to compare"), "{text}");
}

#[test]
fn what_is_below_the_floor_is_marked() {
    let text = text(&[("a", None, true, None), ("b", None, false, None)], 0);
    assert!(text.contains("2.00~") && !text.contains('+'), "{text}");
    assert!(text.contains("~ less than ten empty calls (of 43 ns each): too short to compare"), "{text}");
}

#[test]
fn times_that_are_too_short_to_compare_have_no_width() {
    let one = text(&[("a", None, true, None), ("b", None, false, None)], 0);
    assert!(one.contains("a          2.00~    -\n") && one.contains("b          2.00   2.4\n"), "{one}");
    let all = text(&[("a", None, true, None), ("b", None, true, None)], 0);
    assert!(!all.contains('±'), "{all}");
}

#[test]
fn counts_print_as_counts_and_a_counter_without_counts_is_named_once() {
    let counted = |count| text(&[("a", None, false, count), ("b", None, false, Some(2_716_082.0))], 0);
    assert!(counted(Some(7.0)).contains("2716082 \n") || counted(Some(7.0)).contains("2716082\n"));
    assert!(counted(Some(7.5)).contains("7.5") && counted(Some(7.5)).contains("2716082.0"));
    let nothing = text(&[("a", None, false, None), ("b", None, false, None)], 0);
    assert_eq!(nothing.matches("mem:level").count(), 1, "{nothing}");
    assert!(nothing.contains("mem:level could not be counted."), "{nothing}");
}

#[test]
fn a_count_below_ten_grains_is_marked() {
    let coarse = text(&[("a", None, false, Some(0.0))], 4_000_000);
    assert!(coarse.contains("0~") && coarse.contains("~ mem:level moves every 4 ms"), "{coarse}");
    assert!(!text(&[("a", None, false, Some(0.0))], 100).contains('~'));
    assert!(coarse.contains("\nmem:level of the search, median in bytes:\n"), "{coarse}");
}

#[test]
fn one_pattern_is_no_plural() {
    for (runs, words) in [(1, "Patterns: 1 pattern of each length"), (2, "2 patterns of")] {
        let mut run = testing::run();
        run.experiment.definition.as_mut().expect("the example has one").runs = runs;
        assert!(heading(&run).contains(words), "{words}");
    }
}
