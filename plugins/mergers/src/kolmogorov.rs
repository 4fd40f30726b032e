//! The test of Kolmogorov and Smirnov, whether an event has the same distribution in every sub-experiment.

use crate::tagged::Sorted;

/// Greatest number of rows of a sub-experiment that are tested. If there are more, rows at equal steps are
/// taken.
const MOST_ROWS: usize = 1 << 17;

/// The greatest distance of the distribution of an event in one block from that in all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mismatch {
    /// Index of the block with this distance.
    pub block: usize,
    /// Greatest difference of the two distribution functions, from 0 to 1.
    pub distance: f64,
    /// Probability of such a distance if all blocks have the same distribution. It is multiplied by the
    /// number of blocks, because the greatest distance was chosen.
    pub p: f64,
}

impl Mismatch {
    /// The mismatch of an event, from its values in each block that holds it; `None` for fewer than two
    /// blocks.
    pub fn new(holders: &[(usize, &[f64])]) -> Option<Self> {
        if holders.len() < 2 {
            return None;
        }
        let sizes: Vec<usize> = holders.iter().map(|(_, values)| values.len().min(MOST_ROWS)).collect();
        let seen = holders.iter().zip(&sizes).zip(0..).flat_map(|((&(_, values), &seen), place)| {
            (0..seen).map(move |i| (values[i * values.len() / seen], place))
        });
        let pool = Sorted::new(seen);
        let distances = distances(pool, &sizes);
        let furthest = |a: &usize, b: &usize| distances[*a].total_cmp(&distances[*b]).then(b.cmp(a));
        let place = (0..holders.len()).max_by(furthest)?;
        let all: usize = sizes.iter().sum();
        let (size, others) = (sizes[place] as f64, (all - sizes[place]) as f64);
        let p = exceeded(distances[place], size * others / (size + others));
        let p = (p * holders.len() as f64).min(1.0);
        Some(Mismatch { block: holders[place].0, distance: distances[place], p })
    }
}

/// For each block, its distance from all others. The values are sorted, each with its block.
fn distances(pool: Sorted, sizes: &[usize]) -> Vec<f64> {
    let all: usize = sizes.iter().sum();
    let mut distances = vec![0f64; sizes.len()];
    let mut below = vec![0usize; sizes.len()];
    // Between two values of a block its distribution function is constant and that of the others rises. So
    // the distance is greatest at one of its values, or just before it.
    let mut look = |block: usize, below: usize, rank: usize| {
        let (own, others) = (sizes[block], all - sizes[block]);
        let apart = below as f64 / own as f64 - (rank - below) as f64 / others as f64;
        distances[block] = distances[block].max(apart.abs());
    };
    // The blocks of the values that are equal to the previous one.
    let (mut equal, mut value, mut rank) = (Vec::new(), f64::NAN, 0);
    let mut pass = |equal: &mut Vec<usize>| {
        equal.iter().for_each(|&block| look(block, below[block], rank));
        equal.iter().for_each(|&block| below[block] += 1);
        rank += equal.len();
        equal.drain(..).for_each(|block| look(block, below[block], rank));
    };
    for (next, block) in pool.iter() {
        if next != value {
            pass(&mut equal);
            value = next;
        }
        equal.push(block as usize);
    }
    pass(&mut equal);
    distances
}

/// Probability of a greater distance of two samples from one distribution: Kolmogorov's series, with
/// Stephens's correction for small samples (1970). `size` is the product of the sizes by their sum.
fn exceeded(distance: f64, size: f64) -> f64 {
    let root = size.sqrt();
    let x = (root + 0.12 + 0.11 / root) * distance;
    if x < 0.3 {
        // Here the series needs many terms, and the probability differs from 1 by less than 1e-4.
        return 1.0;
    }
    let term = |k: i32| (-2.0 * f64::from(k * k) * x * x).exp() * if k % 2 == 1 { 2.0 } else { -2.0 };
    (1..=20).map(term).sum::<f64>().clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The distances by definition: at every value of every block.
    fn naive(holders: &[(usize, &[f64])], block: usize) -> f64 {
        let share = |values: &[f64], at: f64| {
            values.iter().filter(|value| **value <= at).count() as f64 / values.len() as f64
        };
        let others: Vec<f64> = (holders.iter().enumerate().filter(|(other, _)| *other != block))
            .flat_map(|(_, (_, values))| values.iter().copied())
            .collect();
        let all = holders.iter().flat_map(|(_, values)| values.iter());
        all.map(|&at| (share(holders[block].1, at) - share(&others, at)).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn probabilities_are_those_of_the_tables() {
        // Kolmogorov's distribution is exceeded at 1.3581 with 5 %, at 1.6276 with 1 %, at 1.9495 with 0.1 %.
        for (x, expected) in [(1.3581, 0.05), (1.6276, 0.01), (1.9495, 0.001)] {
            let size: f64 = 1e12;
            assert!((exceeded(x / size.sqrt(), size) / expected - 1.0).abs() < 1e-3, "{x}");
        }
        assert_eq!((exceeded(0.0, 100.0), exceeded(0.2, 1.0)), (1.0, 1.0));
    }

    #[test]
    fn one_block_has_none_to_differ_from_and_a_moved_one_is_found() {
        let values: Vec<f64> = (0..200).map(f64::from).collect();
        let moved: Vec<f64> = values.iter().map(|value| value + 60.0).collect();
        assert_eq!(Mismatch::new(&[(0, &values)]), None);
        let found = Mismatch::new(&[(2, &values), (5, &values), (7, &moved), (9, &values)]).unwrap();
        assert_eq!(found.block, 7);
        assert!((found.distance - 0.3).abs() < 1e-12, "{found:?}");
        assert!(found.p < 1e-6, "{found:?}");
        let alike = Mismatch::new(&[(0, &values), (1, &values)]).unwrap();
        assert_eq!((alike.block, alike.distance, alike.p), (0, 0.0, 1.0));
    }

    #[test]
    fn of_a_long_column_rows_at_equal_steps_are_enough() {
        let long: Vec<f64> = (0..3 * MOST_ROWS).map(|i| (i % 1000) as f64).collect();
        let found = Mismatch::new(&[(0, &long), (1, &long[..MOST_ROWS])]).unwrap();
        assert!(found.distance < 0.01, "{found:?}");
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_definition(
            blocks in prop::collection::vec(prop::collection::vec(0u8..12, 1..30), 2..5),
        ) {
            let blocks: Vec<Vec<f64>> =
                blocks.iter().map(|block| block.iter().map(|value| f64::from(*value)).collect()).collect();
            let holders: Vec<(usize, &[f64])> =
                blocks.iter().enumerate().map(|(number, values)| (number, values.as_slice())).collect();
            let found = Mismatch::new(&holders).unwrap();
            let expected: Vec<f64> = (0..holders.len()).map(|block| naive(&holders, block)).collect();
            prop_assert!((found.distance - expected[found.block]).abs() < 1e-12);
            prop_assert!(expected.iter().all(|distance| *distance <= found.distance + 1e-12));
        }
    }
}
