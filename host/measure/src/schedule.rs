//! The schedule: which algorithm measures which repetitions, in which order. The seed alone decides it.

use std::ops::Range;

use assay_experiment::definition::Order;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Consecutive repetitions of one algorithm at one point, measured without a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Number of the round, from 0.
    pub round: usize,
    /// Index of the algorithm.
    pub algorithm: usize,
    /// Index of the point.
    pub point: usize,
    /// Numbers of the repetitions.
    pub repetitions: Range<usize>,
}

/// Greatest number of repetitions in a block. It is large enough that the messages between host and worker
/// take a small share of the time, and small enough that algorithms take turns within seconds, so that a
/// change of the machine's speed affects all of them.
pub const LARGEST_BLOCK: usize = 100;

/// Index of a point, and its repetitions in a round.
pub(crate) type PointRepetitions = (usize, Range<usize>);

/// Returns the blocks of a turn of a round. Every algorithm gets every repetition of these points exactly
/// once. Blocks are made as they are needed where that is possible, because a long run has millions of them.
pub(crate) fn schedule(
    order: Order,
    algorithms: usize,
    parts: Vec<PointRepetitions>,
    (round, turn): (usize, usize),
    seed: u64,
) -> Box<dyn Iterator<Item = Block>> {
    let mut rng = round_rng(seed, round, turn);
    match order {
        Order::Sequential => {
            let pairs = (0..algorithms)
                .flat_map(move |algorithm| parts.clone().into_iter().map(move |part| (algorithm, part)));
            Box::new(pairs.flat_map(move |(algorithm, (point, repetitions))| {
                pieces(repetitions).map(move |repetitions| Block { round, algorithm, point, repetitions })
            }))
        }
        Order::Interleaved => {
            let parts = shuffled(parts.len(), &mut rng).into_iter().map(move |place| parts[place].clone());
            let all =
                parts.flat_map(|(point, repetitions)| pieces(repetitions).map(move |piece| (point, piece)));
            Box::new(all.flat_map(move |(point, repetitions)| {
                // Each piece has its own order of algorithms, so that none of them always runs after the same
                // one.
                shuffled(algorithms, &mut rng).into_iter().map(move |algorithm| Block {
                    round,
                    algorithm,
                    point,
                    repetitions: repetitions.clone(),
                })
            }))
        }
        Order::Shuffled => {
            let parts: Vec<(usize, Vec<Range<usize>>)> = parts
                .into_iter()
                .map(|(point, repetitions)| (point, pieces(repetitions).collect()))
                .collect();
            let most = parts.iter().map(|(_, pieces)| pieces.len()).max().unwrap_or(0);
            let mut blocks = Vec::new();
            for number in 0..most {
                for algorithm in 0..algorithms {
                    blocks.extend(parts.iter().filter_map(|(point, pieces)| {
                        let repetitions = pieces.get(number)?.clone();
                        Some(Block { round, algorithm, point: *point, repetitions })
                    }));
                }
            }
            blocks.shuffle(&mut rng);
            Box::new(blocks.into_iter())
        }
    }
}

/// Returns the order in which groups of points that search different texts take turns in a round.
pub(crate) fn turns(order: Order, groups: usize, round: usize, seed: u64) -> Vec<usize> {
    match order {
        Order::Sequential => (0..groups).collect(),
        Order::Interleaved | Order::Shuffled => {
            shuffled(groups, &mut round_rng(seed, round, TURN_ORDER_STREAM))
        }
    }
}

/// Number of the random stream for the order of turns. It stands where the number of a turn does, and is
/// greater than any of them, because no run has that many groups of texts.
const TURN_ORDER_STREAM: usize = (1 << 31) - 1;

/// Cuts the repetitions of a round into pieces of at most [`LARGEST_BLOCK`].
fn pieces(repetitions: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = repetitions.end;
    repetitions.step_by(LARGEST_BLOCK).map(move |start| start..(start + LARGEST_BLOCK).min(end))
}

/// Returns the random numbers of a turn of a round. The constant (`schedule` in ASCII) keeps them apart from
/// everything else that is drawn, because patterns are drawn with the seed itself.
fn round_rng(seed: u64, round: usize, turn: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x7363_6865_6475_6c65);
    rng.set_stream(round as u64 | (turn as u64) << 32);
    rng
}

/// The numbers below `length` in random order.
fn shuffled(length: usize, rng: &mut impl Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..length).collect();
    all.shuffle(rng);
    all
}

#[cfg(test)]
mod tests {
    use assay_experiment::patterns;
    use assay_experiment::rounds::Rounds;
    use rand::RngExt;

    use super::*;

    fn blocks(order: Order, algorithms: usize, points: usize, runs: usize, seed: u64) -> Vec<Block> {
        let rounds = Rounds::new(runs, 10);
        let parts = |round| (0..points).map(|point| (point, rounds.repetitions(round))).collect();
        let for_round = |round| schedule(order, algorithms, parts(round), (round, 0), seed);
        (0..rounds.count()).flat_map(for_round).collect()
    }

    #[test]
    fn every_repetition_is_measured_once_in_every_order() {
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            for runs in [7, 507, 2011] {
                let mut seen = vec![0; 3 * 2 * runs];
                for block in blocks(order, 3, 2, runs, 9) {
                    assert!(block.repetitions.len() <= LARGEST_BLOCK);
                    for repetition in block.repetitions {
                        seen[(block.algorithm * 2 + block.point) * runs + repetition] += 1;
                    }
                }
                assert!(seen.iter().all(|&times| times == 1), "{order:?} {runs}");
            }
        }
    }

    /// A point with few repetitions has them in the first rounds, or fewer of them in each round.
    #[test]
    fn points_may_have_different_numbers_of_repetitions() {
        let runs = [1, 7, 507, 2011];
        let rounds_of_points = runs.map(|runs| Rounds::new(runs, 10));
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            let mut seen = runs.map(|runs| vec![0; 3 * runs]);
            for round in 0..10 {
                let going = (0..runs.len()).filter(|point| round < rounds_of_points[*point].count());
                let parts: Vec<PointRepetitions> =
                    going.map(|point| (point, rounds_of_points[point].repetitions(round))).collect();
                for Block { algorithm, point, repetitions, .. } in schedule(order, 3, parts, (round, 0), 9) {
                    assert!(!repetitions.is_empty() && repetitions.len() <= LARGEST_BLOCK);
                    repetitions.for_each(|repetition| seen[point][algorithm * runs[point] + repetition] += 1);
                }
            }
            assert!(seen.iter().flatten().all(|times| *times == 1), "{order:?}");
        }
    }

    #[test]
    fn every_seed_has_a_stream_of_its_own() {
        let first = |seed: u64| round_rng(seed, 0, 0).random::<u64>();
        let mut drawn: Vec<u64> = (0..256).map(first).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 256);
    }

    #[test]
    fn a_round_has_every_point_and_algorithm_before_the_next_begins() {
        for order in [Order::Interleaved, Order::Shuffled] {
            let blocks = blocks(order, 4, 3, 500, 1);
            assert!(blocks.is_sorted_by_key(|block| block.round));
            for round in blocks.chunk_by(|a, b| a.round == b.round) {
                let mut cells: Vec<_> = round.iter().map(|block| (block.point, block.algorithm)).collect();
                cells.sort_unstable();
                assert_eq!(cells, (0..12).map(|i| (i / 4, i % 4)).collect::<Vec<_>>(), "{order:?}");
                assert!(round.iter().all(|block| block.repetitions == round[0].repetitions));
            }
        }
    }

    #[test]
    fn interleaved_algorithms_take_turns_on_the_same_patterns_in_another_order_each_round() {
        let blocks = |seed| blocks(Order::Interleaved, 4, 3, 5000, seed);
        for turn in blocks(1).chunks(4) {
            let mut algorithms: Vec<usize> = turn.iter().map(|block| block.algorithm).collect();
            algorithms.sort_unstable();
            assert_eq!(algorithms, [0, 1, 2, 3]);
            assert!(
                turn.iter()
                    .all(|block| (block.point, &block.repetitions) == (turn[0].point, &turn[0].repetitions))
            );
        }
        let points = |round| {
            let blocks = blocks(1).into_iter().filter(move |block| block.round == round);
            let mut points: Vec<usize> = blocks.map(|block| block.point).collect();
            points.dedup();
            points
        };
        assert!((1..10).any(|round| points(round) != points(0)), "points are shuffled");
        assert_eq!(blocks(1), blocks(1), "the seed decides the order");
        assert_ne!(blocks(1), blocks(2));
    }

    #[test]
    fn a_round_shares_no_random_numbers_with_the_patterns_of_that_length() {
        let numbers = |mut rng: ChaCha8Rng| -> [u64; 4] { rng.random() };
        for number in 0..10 {
            assert_ne!(numbers(round_rng(1, number, 0)), numbers(patterns::rng_of(1, number)), "{number}");
        }
    }

    #[test]
    fn sequential_algorithms_take_turns_once() {
        let blocks = schedule(Order::Sequential, 3, vec![(0, 0..250), (1, 0..250)], (0, 0), 1);
        let turns: Vec<usize> = blocks.map(|block| block.algorithm).collect();
        assert_eq!(turns, [[0; 6], [1; 6], [2; 6]].concat());
    }

    #[test]
    fn points_may_sit_out_a_round() {
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            let blocks: Vec<Block> =
                schedule(order, 2, vec![(1, 300..500), (4, 300..500)], (3, 0), 1).collect();
            let mut cells: Vec<_> =
                blocks.iter().map(|block| (block.point, block.algorithm, block.repetitions.start)).collect();
            cells.sort_unstable();
            let expected =
                [1, 4].map(|point| [0, 1].map(|algorithm| [300, 400].map(|from| (point, algorithm, from))));
            assert_eq!(cells, expected.as_flattened().as_flattened(), "{order:?}");
        }
    }

    #[test]
    fn a_huge_schedule_is_not_made_in_advance() {
        for order in [Order::Interleaved, Order::Sequential] {
            let parts = (0..1 << 20).map(|point| (point, 0..1 << 27)).collect();
            assert!(schedule(order, 1000, parts, (0, 0), 1).next().is_some());
        }
    }
}
