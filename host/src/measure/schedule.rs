//! Who measures what, and in which order: blocks, decided by the seed alone.

use std::ops::Range;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::experiment::definition::Order;

/// Some repetitions of one algorithm with patterns of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the algorithm.
    pub algorithm: usize,
    /// Index of the pattern set.
    pub set: usize,
    /// The repetitions.
    pub repetitions: Range<usize>,
}

/// Greatest number of repetitions in a block: large enough that what passes between host and worker is lost in it.
const LARGEST_BLOCK: usize = 100;
/// Algorithms take turns at least so often, where there are enough repetitions.
const ROUNDS: usize = 5;

/// The blocks of an experiment. Every algorithm gets every repetition of every pattern set exactly once.
pub fn schedule(
    order: Order,
    algorithms: usize,
    sets: usize,
    runs: usize,
    seed: u64,
) -> Box<dyn Iterator<Item = Block>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = match order {
        Order::Sequential => LARGEST_BLOCK,
        Order::Interleaved | Order::Shuffled => (runs / ROUNDS).clamp(1, LARGEST_BLOCK),
    };
    let rounds = runs.div_ceil(size);
    let block = move |algorithm, set, round| {
        let start = round * size;
        Block { algorithm, set, repetitions: start..(start + size).min(runs) }
    };
    let turns = move || (0..sets).flat_map(move |set| (0..rounds).map(move |round| (set, round)));
    match order {
        Order::Sequential => Box::new(
            (0..algorithms)
                .flat_map(move |algorithm| turns().map(move |(set, round)| block(algorithm, set, round))),
        ),
        Order::Interleaved => Box::new(turns().flat_map(move |(set, round)| {
            let mut order: Vec<usize> = (0..algorithms).collect();
            order.shuffle(&mut rng);
            order.into_iter().map(move |algorithm| block(algorithm, set, round))
        })),
        Order::Shuffled => {
            let mut places: Vec<usize> = (0..algorithms * sets * rounds).collect();
            places.shuffle(&mut rng);
            Box::new(places.into_iter().map(move |place| {
                let (turn, algorithm) = (place / algorithms, place % algorithms);
                block(algorithm, turn / rounds, turn % rounds)
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_repetition_is_measured_once_in_every_order() {
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            let mut seen = vec![0; 3 * 2 * 507];
            for block in schedule(order, 3, 2, 507, 9) {
                assert!(block.repetitions.len() <= LARGEST_BLOCK);
                for repetition in block.repetitions {
                    seen[(block.algorithm * 2 + block.set) * 507 + repetition] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{order:?}");
        }
    }

    #[test]
    fn interleaved_algorithms_take_turns_on_the_same_patterns() {
        let blocks = |seed| schedule(Order::Interleaved, 4, 1, 500, seed).collect::<Vec<Block>>();
        for round in blocks(1).chunks(4) {
            let mut turns: Vec<usize> = round.iter().map(|block| block.algorithm).collect();
            turns.sort_unstable();
            assert_eq!(turns, [0, 1, 2, 3]);
            assert!(round.iter().all(|block| block.repetitions == round[0].repetitions));
        }
        assert!(blocks(1).len() / 4 >= ROUNDS);
        assert_eq!(blocks(1), blocks(1), "the seed decides the order");
        assert_ne!(blocks(1), blocks(2));
    }

    #[test]
    fn sequential_algorithms_take_turns_once() {
        let turns: Vec<usize> =
            schedule(Order::Sequential, 3, 2, 250, 1).map(|block| block.algorithm).collect();
        assert_eq!(turns, [[0; 6], [1; 6], [2; 6]].concat());
    }

    #[test]
    fn a_huge_schedule_is_not_made_in_advance() {
        for order in [Order::Interleaved, Order::Sequential] {
            assert!(schedule(order, 1000, 1 << 20, 1 << 30, 1).next().is_some());
        }
    }
}
