//! Properties of every covering, and the sizes of some.

use proptest::prelude::*;

use super::anneal::Steps;
use super::bound::least;
use super::cover::Cover;
use super::designs::{Design, Designs};
use super::graph::{Graph, PairDemand};
use super::search::{fewer, fewest, fewest_from, fill, most};
use super::{Blocks, plane};
use crate::plan::ROUND;

/// Checks that blocks are sorted, no larger than allowed, hold points at most once, keep apart what must be,
/// and cover all pairs but this number.
fn check(graph: &Graph, slots: usize, blocks: &Blocks, missing: usize) {
    for block in blocks {
        assert!(block.len() <= slots, "{block:?}");
        assert!(block.windows(2).all(|pair| pair[0] < pair[1]), "{block:?}");
        assert!(block.iter().all(|point| *point < graph.points()), "{block:?}");
    }
    let meet = |a: usize, b: usize| blocks.iter().any(|block| block.contains(&a) && block.contains(&b));
    assert!(graph.asked(PairDemand::Apart).all(|(a, b)| !meet(a, b)), "{blocks:?}");
    assert_eq!(graph.asked(PairDemand::Wanted).filter(|(a, b)| !meet(*a, *b)).count(), missing, "{blocks:?}");
}

fn found(points: usize, slots: usize, steps: u64) -> usize {
    let graph = Graph::complete(points);
    let blocks = fewest(&graph, slots, 1, Steps(steps), &mut |_, _| {});
    check(&graph, slots, &blocks, 0);
    blocks.len()
}

/// The number of blocks after this number of rounds of a search with seed 1, or fewer rounds if no covering
/// can be smaller.
fn found_in_rounds(points: usize, slots: usize, rounds: u32) -> usize {
    let graph = Graph::complete(points);
    // Without the file of best known coverings, because the search is what is tested.
    let mut designs = Designs::unaided(1, Steps(ROUND / 3));
    let mut blocks = fewest_from(&mut designs, &graph, slots, 1, [Steps(ROUND / 3); 2], &mut |_, _| {});
    for round in 1..rounds {
        if blocks.len() > least(&graph, slots) {
            blocks = fewer(&graph, slots, &blocks, (1, round), Steps(ROUND), &mut |_, _| {});
        }
    }
    check(&graph, slots, &blocks, 0);
    blocks.len()
}

#[test]
fn quadruples_are_as_few_as_mills_has_proved() {
    // Those that need one round; others need some more.
    for points in [24, 28, 36, 42, 48, 54, 61, 73, 76, 85] {
        let (blocks, least) = (found_in_rounds(points, 4, 1), least(&Graph::complete(points), 4));
        assert_eq!(blocks, least, "{points} points");
    }
}

#[test]
fn blocks_of_five_points_are_as_few_as_a_group_makes_them() {
    assert_eq!(found_in_rounds(99, 5, 1), 495, "no covering has fewer");
    assert!(found_in_rounds(29, 5, 1) <= 44);
}

#[test]
fn a_further_round_keeps_what_was_found_and_depends_on_its_number_alone() {
    let graph = Graph::complete(22);
    let first = fewest(&graph, 5, 1, Steps(100_000), &mut |_, _| {});
    let next = |round| fewer(&graph, 5, &first, (1, round), Steps(200_000), &mut |_, _| {});
    check(&graph, 5, &next(1), 0);
    assert!(next(1).len() <= first.len());
    assert_eq!(next(1), next(1));
    // It also takes blocks that do not cover all pairs.
    check(&graph, 5, &fewer(&graph, 5, &vec![vec![0, 1, 2]], (1, 1), Steps(0), &mut |_, _| {}), 0);
}

#[test]
fn coverings_are_as_small_as_they_are_known_to_be() {
    // The first three and those of 50 points and 4 slots are proven to be the least.
    for (points, slots, known) in [
        (10, 4, 9),
        (16, 6, 10),
        (20, 4, 35),
        (50, 4, 213),
        (15, 5, 13),
        (30, 6, 31),
        (50, 6, 88),
        (50, 8, 50),
        (100, 6, 347),
        (100, 8, 192),
        (200, 8, 729),
    ] {
        let blocks = found(points, slots, 6_000_000);
        assert!(blocks <= known, "{points} points, {slots} slots: {blocks} blocks, not {known}");
    }
}

#[test]
fn small_coverings_meet_the_bound_or_almost_and_never_undercut_it() {
    for points in 2..=13 {
        for slots in 2..=7 {
            let (blocks, least) = (found(points, slots, 100_000), least(&Graph::complete(points), slots));
            assert!(blocks >= least, "{points} points, {slots} slots: {blocks} blocks undercut {least}");
            assert!(blocks <= least + 2, "{points} points, {slots} slots: {blocks} blocks, not {least}");
        }
    }
}

#[test]
fn planes_are_coverings_whatever_is_left_out() {
    for slots in [3, 4, 5, 6, 8, 9] {
        for points in slots + 1..=slots * (slots - 1) + 1 {
            if let Some(blocks) = plane::lines(points, slots) {
                check(&Graph::complete(points), slots, &blocks, 0);
            }
        }
    }
    assert_eq!(plane::lines(13, 4).map(|lines| lines.len()), Some(13));
    assert_eq!(plane::lines(9, 3).map(|lines| lines.len()), Some(12));
    let lines = |points, slots| plane::lines(points, slots).map(|lines| lines.len());
    assert_eq!(
        [lines(31, 6), lines(49, 7), lines(50, 7)],
        [Some(31), Some(56), None],
        "there is no plane of order 6"
    );
}

#[test]
fn designs_of_every_size_are_coverings() {
    let mut designs = Designs::new(3, Steps(2_000_000));
    for slots in 2..=8 {
        for points in (2..=60).step_by(7) {
            check(&Graph::complete(points), slots, &designs.best(points, slots).blocks, 0);
        }
    }
}

#[test]
fn the_better_of_what_is_known_and_of_what_is_found_is_taken() {
    let mut designs = Designs::new(1, Steps(0));
    designs.set(13, 4, Design::listed(Graph::complete(13).pairs().map(|(a, b)| vec![a, b]).collect()));
    assert_eq!((designs.best(13, 4).blocks.len(), designs.improved(13, 4).blocks.len()), (78, 13));
    let found = Designs::unaided(1, Steps(0)).best(29, 5).blocks.len();
    assert!(designs.improved(29, 5).blocks.len() < found, "the search without steps finds {found}");
}

#[test]
fn with_too_few_blocks_most_pairs_meet() {
    let graph = Graph::complete(16);
    let all = fewest(&graph, 6, 1, Steps(200_000), &mut |_, _| {});
    let some = most(&graph, 6, &all, 7, 1, Steps(200_000), &mut |_, _| {});
    assert_eq!(some.len(), 7);
    let missing = |blocks: &Blocks| Cover::from_blocks(&graph, 6, blocks).uncovered().len();
    let torn = missing(&most(&graph, 6, &all, 7, 1, Steps(0), &mut |_, _| {}));
    // Seven blocks hold 105 pairs, of 120.
    assert!(
        missing(&some) >= 15 && missing(&some) <= 25 && missing(&some) < torn,
        "{} of {torn}",
        missing(&some)
    );
    check(&graph, 6, &some, missing(&some));
}

#[test]
fn the_same_seed_finds_the_same() {
    let graph = Graph::complete(21);
    let once = |seed| {
        let mut designs = Designs::unaided(seed, Steps(25_000));
        fewest_from(&mut designs, &graph, 6, seed, [Steps(25_000); 2], &mut |_, _| {})
    };
    assert_eq!(once(1), once(1));
    assert_ne!(once(1), once(2));
}

#[test]
fn the_reported_steps_are_those_that_were_allowed() {
    let mut proved = 0;
    fewest(&Graph::complete(15), 5, 1, Steps(300_000), &mut |_, steps| proved += steps);
    assert!((200_000..=300_000).contains(&proved), "{proved}");
}

#[test]
fn empty_slots_go_to_points_without_a_block_and_to_rare_pairs() {
    let mut graph = Graph::new(5, PairDemand::Free);
    graph.set(0, 1, PairDemand::Wanted);
    graph.set(3, 4, PairDemand::Apart);
    assert_eq!(fill(&graph, 4, &vec![vec![0, 1]], true), [vec![0, 1, 2, 3], vec![4]]);
    assert_eq!(fill(&graph, 4, &vec![vec![0, 1]], false), [vec![0, 1, 2, 3]]);
    let graph = Graph::complete(4);
    let blocks = vec![vec![0, 1, 2], vec![0, 3], vec![0, 1, 3], vec![2, 3]];
    assert_eq!(fill(&graph, 3, &blocks, true)[1], [0, 2, 3], "1 and 3 meet already");
}

/// Changed pairs of a graph: two numbers and the demand.
fn graphs() -> impl Strategy<Value = Graph> {
    let asked = prop_oneof![Just(PairDemand::Wanted), Just(PairDemand::Free), Just(PairDemand::Apart)];
    let changes = prop::collection::vec((0..100_usize, 0..100_usize, asked.clone()), 0..20);
    (2..14_usize, asked, changes).prop_map(|(points, all, changes)| {
        let mut graph = Graph::new(points, all);
        for (a, b, pair) in changes {
            if a % points != b % points {
                graph.set(a % points, b % points, pair);
            }
        }
        graph
    })
}

proptest! {
    #[test]
    fn whatever_is_asked_is_kept(graph in graphs(), slots in 2..6_usize, seed in 0..9_u64) {
        let blocks = fewest(&graph, slots, seed, Steps(20_000), &mut |_, _| {});
        check(&graph, slots, &blocks, 0);
        let filled = fill(&graph, slots, &blocks, true);
        check(&graph, slots, &filled, 0);
        prop_assert!((0..graph.points()).all(|point| filled.iter().any(|block| block.contains(&point))));
        prop_assert!(filled.len() >= least(&graph, slots), "{} blocks, bound {}", filled.len(), least(&graph, slots));
    }

    #[test]
    fn counts_are_right_whatever_is_put_where(moves in prop::collection::vec((0..4_usize, 0..3_usize, 0..7_usize), 0..40)) {
        let mut graph = Graph::complete(6);
        graph.set(0, 1, PairDemand::Free);
        let mut cover = Cover::from_blocks(&graph, 3, &[vec![0, 1, 2], vec![], vec![3], vec![4, 5]]);
        for (block, slot, point) in moves {
            let before = cover.uncovered().len() as i32;
            if let Some(loss) = cover.loss(block, slot, point.min(5)) {
                cover.put(block, slot, point.min(5));
                prop_assert_eq!(cover.uncovered().len() as i32, before + loss);
            } else if point == 6 {
                cover.put(block, slot, cover.nobody());
            }
        }
        let blocks = cover.blocks();
        for (a, b) in graph.pairs() {
            let met = blocks.iter().filter(|block| block.contains(&a) && block.contains(&b)).count();
            prop_assert_eq!(cover.count(a, b), met);
            let listed = cover.uncovered().contains(&(a as u32, b as u32));
            prop_assert_eq!(listed, met == 0 && (a, b) != (0, 1));
        }
        cover.remove(1);
        prop_assert_eq!(cover.size(), 3);
        for point in 0..6 {
            prop_assert!(cover.at(point).iter().all(|block| cover.block(*block as usize).contains(&(point as u32))));
        }
    }
}
