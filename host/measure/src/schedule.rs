//! Who measures what, and in which order: rounds of blocks, decided by the seed alone.

use std::ops::Range;

use assay_experiment::definition::Order;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Some repetitions of one algorithm with patterns of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Number of the round, from 0.
    pub round: usize,
    /// Index of the algorithm.
    pub algorithm: usize,
    /// Index of the pattern set.
    pub set: usize,
    /// The repetitions.
    pub repetitions: Range<usize>,
}

/// Greatest number of repetitions in a block: large enough that what passes between host and worker is lost in it, and
/// small enough that algorithms take turns soon.
const LARGEST_BLOCK: usize = 100;

/// The repetitions that a pattern set has in a round.
pub(crate) type RoundPart = (usize, Range<usize>);

/// The blocks of a turn of a round. Every algorithm gets every repetition of these pattern sets exactly once.
pub(crate) fn schedule(
    order: Order,
    algorithms: usize,
    parts: Vec<RoundPart>,
    (round, turn): (usize, usize),
    seed: u64,
) -> Box<dyn Iterator<Item = Block>> {
    let mut rng = rng_of(seed, round, turn);
    match order {
        Order::Sequential => {
            let pairs = (0..algorithms)
                .flat_map(move |algorithm| parts.clone().into_iter().map(move |part| (algorithm, part)));
            Box::new(pairs.flat_map(move |(algorithm, (set, repetitions))| {
                pieces(repetitions).map(move |repetitions| Block { round, algorithm, set, repetitions })
            }))
        }
        Order::Interleaved => {
            let parts = shuffled(parts.len(), &mut rng).into_iter().map(move |place| parts[place].clone());
            let all = parts.flat_map(|(set, repetitions)| pieces(repetitions).map(move |piece| (set, piece)));
            Box::new(all.flat_map(move |(set, repetitions)| {
                let block =
                    move |algorithm| Block { round, algorithm, set, repetitions: repetitions.clone() };
                shuffled(algorithms, &mut rng).into_iter().map(block)
            }))
        }
        Order::Shuffled => {
            let cut = |(set, repetitions)| (set, pieces(repetitions).collect::<Vec<_>>());
            let parts: Vec<(usize, Vec<Range<usize>>)> = parts.into_iter().map(cut).collect();
            let most = parts.iter().map(|(_, pieces)| pieces.len()).max().unwrap_or(0);
            let mut blocks = Vec::new();
            for piece in 0..most {
                for algorithm in 0..algorithms {
                    let has = |(set, pieces): &(usize, Vec<Range<usize>>)| {
                        let repetitions = pieces.get(piece)?.clone();
                        Some(Block { round, algorithm, set: *set, repetitions })
                    };
                    blocks.extend(parts.iter().filter_map(has));
                }
            }
            blocks.shuffle(&mut rng);
            Box::new(blocks.into_iter())
        }
    }
}

/// In which order those that search different texts take turns in a round.
pub(crate) fn turns(order: Order, groups: usize, round: usize, seed: u64) -> Vec<usize> {
    match order {
        Order::Sequential => (0..groups).collect(),
        Order::Interleaved | Order::Shuffled => shuffled(groups, &mut rng_of(seed, round, TURNS)),
    }
}

/// The stream of the turns themselves: no run has a text of this number.
const TURNS: usize = (1 << 31) - 1;

/// A round's repetitions, cut into what one block may have.
fn pieces(repetitions: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = repetitions.end;
    repetitions.step_by(LARGEST_BLOCK).map(move |start| start..(start + LARGEST_BLOCK).min(end))
}

/// Nothing else that the seed decides shares these numbers: the patterns of a length are drawn with the seed itself.
fn rng_of(seed: u64, round: usize, turn: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x7363_6865_6475_6c65);
    rng.set_stream(round as u64 | (turn as u64) << 32);
    rng
}

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

    fn blocks(order: Order, algorithms: usize, sets: usize, runs: usize, seed: u64) -> Vec<Block> {
        let rounds = Rounds::new(runs, 10);
        let parts = |round| (0..sets).map(|set| (set, rounds.repetitions(round))).collect();
        let of_round = |round| schedule(order, algorithms, parts(round), (round, 0), seed);
        (0..rounds.count()).flat_map(of_round).collect()
    }

    #[test]
    fn every_repetition_is_measured_once_in_every_order() {
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            for runs in [7, 507, 2011] {
                let mut seen = vec![0; 3 * 2 * runs];
                for block in blocks(order, 3, 2, runs, 9) {
                    assert!(block.repetitions.len() <= LARGEST_BLOCK);
                    for repetition in block.repetitions {
                        seen[(block.algorithm * 2 + block.set) * runs + repetition] += 1;
                    }
                }
                assert!(seen.iter().all(|&times| times == 1), "{order:?} {runs}");
            }
        }
    }

    /// Who has few repetitions has them in the first rounds, or in each less than others.
    #[test]
    fn sets_may_have_different_numbers_of_repetitions() {
        let runs = [1, 7, 507, 2011];
        let of_set = runs.map(|runs| Rounds::new(runs, 10));
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            let mut seen = runs.map(|runs| vec![0; 3 * runs]);
            for round in 0..10 {
                let going = (0..runs.len()).filter(|set| round < of_set[*set].count());
                let parts: Vec<RoundPart> = going.map(|set| (set, of_set[set].repetitions(round))).collect();
                for Block { algorithm, set, repetitions, .. } in schedule(order, 3, parts, (round, 0), 9) {
                    assert!(!repetitions.is_empty() && repetitions.len() <= LARGEST_BLOCK);
                    repetitions.for_each(|repetition| seen[set][algorithm * runs[set] + repetition] += 1);
                }
            }
            assert!(seen.iter().flatten().all(|times| *times == 1), "{order:?}");
        }
    }

    #[test]
    fn every_seed_has_a_stream_of_its_own() {
        let first = |seed: u64| rng_of(seed, 0, 0).random::<u64>();
        let mut drawn: Vec<u64> = (0..256).map(first).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 256);
    }

    #[test]
    fn a_round_has_every_length_and_algorithm_before_the_next_begins() {
        for order in [Order::Interleaved, Order::Shuffled] {
            let blocks = blocks(order, 4, 3, 500, 1);
            assert!(blocks.is_sorted_by_key(|block| block.round));
            for round in blocks.chunk_by(|a, b| a.round == b.round) {
                let mut cells: Vec<_> = round.iter().map(|block| (block.set, block.algorithm)).collect();
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
                    .all(|block| (block.set, &block.repetitions) == (turn[0].set, &turn[0].repetitions))
            );
        }
        let lengths = |round| {
            let blocks = blocks(1).into_iter().filter(move |block| block.round == round);
            let mut sets: Vec<usize> = blocks.map(|block| block.set).collect();
            sets.dedup();
            sets
        };
        assert!((1..10).any(|round| lengths(round) != lengths(0)), "lengths are shuffled");
        assert_eq!(blocks(1), blocks(1), "the seed decides the order");
        assert_ne!(blocks(1), blocks(2));
    }

    #[test]
    fn a_round_shares_no_random_numbers_with_the_patterns_of_that_length() {
        let numbers = |mut rng: ChaCha8Rng| -> [u64; 4] { rng.random() };
        for number in 0..10 {
            assert_ne!(numbers(rng_of(1, number, 0)), numbers(patterns::rng_of(1, number)), "{number}");
        }
    }

    #[test]
    fn sequential_algorithms_take_turns_once() {
        let blocks = schedule(Order::Sequential, 3, vec![(0, 0..250), (1, 0..250)], (0, 0), 1);
        let turns: Vec<usize> = blocks.map(|block| block.algorithm).collect();
        assert_eq!(turns, [[0; 6], [1; 6], [2; 6]].concat());
    }

    #[test]
    fn lengths_may_sit_out_a_round() {
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            let blocks: Vec<Block> =
                schedule(order, 2, vec![(1, 300..500), (4, 300..500)], (3, 0), 1).collect();
            let mut cells: Vec<_> =
                blocks.iter().map(|block| (block.set, block.algorithm, block.repetitions.start)).collect();
            cells.sort_unstable();
            let expected =
                [1, 4].map(|set| [0, 1].map(|algorithm| [300, 400].map(|from| (set, algorithm, from))));
            assert_eq!(cells, expected.as_flattened().as_flattened(), "{order:?}");
        }
    }

    #[test]
    fn a_huge_schedule_is_not_made_in_advance() {
        for order in [Order::Interleaved, Order::Sequential] {
            let parts = (0..1 << 20).map(|set| (set, 0..1 << 27)).collect();
            assert!(schedule(order, 1000, parts, (0, 0), 1).next().is_some());
        }
    }
}
