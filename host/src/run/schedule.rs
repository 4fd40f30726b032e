//! Who measures what, and in which order: a list of blocks, made before anything runs.

use std::ops::Range;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::experiment::Order;

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
pub fn schedule(order: Order, algorithms: usize, sets: usize, runs: usize, seed: u64) -> Vec<Block> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let block = |algorithm, set, repetitions| Block { algorithm, set, repetitions };
    let size = (runs / ROUNDS).clamp(1, LARGEST_BLOCK);
    let rounds = || (0..runs).step_by(size).map(|start| start..(start + size).min(runs));
    let mut blocks = Vec::new();
    match order {
        Order::Sequential => {
            for algorithm in 0..algorithms {
                blocks.extend((0..sets).map(|set| block(algorithm, set, 0..runs)));
            }
        }
        Order::Interleaved => {
            let mut turns: Vec<usize> = (0..algorithms).collect();
            for set in 0..sets {
                for round in rounds() {
                    turns.shuffle(&mut rng);
                    blocks.extend(turns.iter().map(|&algorithm| block(algorithm, set, round.clone())));
                }
            }
        }
        Order::Shuffled => {
            for set in 0..sets {
                for round in rounds() {
                    blocks.extend((0..algorithms).map(|algorithm| block(algorithm, set, round.clone())));
                }
            }
            blocks.shuffle(&mut rng);
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_repetition_is_measured_once_in_every_order() {
        for order in [Order::Interleaved, Order::Sequential, Order::Shuffled] {
            let mut seen = vec![0; 3 * 2 * 507];
            for block in schedule(order, 3, 2, 507, 9) {
                for repetition in block.repetitions {
                    seen[(block.algorithm * 2 + block.set) * 507 + repetition] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{order:?}");
        }
    }

    #[test]
    fn interleaved_algorithms_take_turns_on_the_same_patterns() {
        let blocks = schedule(Order::Interleaved, 4, 1, 500, 1);
        for round in blocks.chunks(4) {
            let mut turns: Vec<usize> = round.iter().map(|block| block.algorithm).collect();
            turns.sort_unstable();
            assert_eq!(turns, [0, 1, 2, 3]);
            assert!(round.iter().all(|block| block.repetitions == round[0].repetitions));
        }
        assert!(blocks.len() / 4 >= ROUNDS);
        assert_eq!(blocks, schedule(Order::Interleaved, 4, 1, 500, 1), "the seed decides the order");
        assert_ne!(blocks, schedule(Order::Interleaved, 4, 1, 500, 2));
    }
}
