//! Sliced transport: the rows of the result are moved, a little at a time, until each block's columns look
//! like the block from every side. Along one direction, matching ranks makes the projections of two clouds of
//! points equal. Many directions in turn make the clouds alike, with their tails and with shapes that no
//! correlation shows.
//!
//! Source: F. Pitié, A. C. Kokaram, R. Dahyot, N-dimensional probability density function transfer and its
//! application to colour transfer, IEEE ICCV, 2005.

use nalgebra::DMatrix;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::ranks::{lay_out, order, order_into};

/// Relative to the mean width of all axes, a smaller width counts as none: the columns depend on each other
/// exactly along this axis.
const NO_WIDTH: f64 = 1e-3;

/// A scale on which the result and the blocks are compared.
pub struct Space {
    /// For each event: the values of the result in ascending order.
    pub margins: Vec<Vec<f64>>,
    /// The rows of each block.
    pub clouds: Vec<Cloud>,
}

/// The rows of a block as points.
pub struct Cloud {
    /// The events that are its coordinates, with their values.
    columns: Vec<(usize, Vec<f64>)>,
    /// The directions in which the cloud has no width, each a column.
    flat: DMatrix<f64>,
}

impl Cloud {
    /// The cloud of standardised columns, each with its event.
    pub fn new(columns: Vec<(usize, Vec<f64>)>) -> Self {
        let (rows, k) = (columns.first().map_or(0, |(_, values)| values.len()), columns.len());
        let points = DMatrix::from_fn(rows, k, |row, i| columns[i].1[row]);
        let axes = (points.tr_mul(&points) / rows.max(1) as f64).symmetric_eigen();
        let flat: Vec<usize> = (0..k).filter(|&axis| axes.eigenvalues[axis] < NO_WIDTH).collect();
        Cloud { columns, flat: axes.eigenvectors.select_columns(&flat) }
    }
}

/// The directions from which result and blocks are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Directions {
    /// Random orthogonal directions, as many as a block has columns.
    Drawn,
    /// The directions in which a block has no width, so that columns that depend on each other in the block
    /// also do in the result.
    Flat,
}

impl Space {
    /// Whether a block has columns that depend on each other.
    pub fn has_flat_clouds(&self) -> bool {
        self.clouds.iter().any(|cloud| cloud.flat.ncols() > 0)
    }

    /// Moves the rows this share of the way towards each block, in random order. `orders` has the row of each
    /// rank for each event. Returns how far the rows were from the blocks before: the mean square of their
    /// distances along the directions, relative to 1/n + 1/m for n rows of the result and m of a block, which
    /// is about what it is for two draws from one distribution.
    pub fn cycle(
        &self,
        directions: Directions,
        share: f64,
        orders: &mut [Vec<u32>],
        rng: &mut ChaCha8Rng,
    ) -> f64 {
        let mut turns: Vec<&Cloud> = self.clouds.iter().collect();
        turns.retain(|cloud| directions == Directions::Drawn || cloud.flat.ncols() > 0);
        if turns.is_empty() {
            return 0.0;
        }
        turns.shuffle(rng);
        let mut columns: Vec<Vec<f64>> = (orders.iter().zip(&self.margins))
            .map(|(order, margin)| {
                let mut column = vec![0.0; margin.len()];
                lay_out(margin, order, &mut column);
                column
            })
            .collect();
        let mut touched = vec![false; columns.len()];
        let (mut distance, count) = (0.0, turns.len() as f64);
        for cloud in turns {
            let (n, m) = (columns[0].len() as f64, cloud.columns[0].1.len() as f64);
            let squares = match directions {
                Directions::Drawn => pull(cloud, &rotation(cloud.columns.len(), rng), share, &mut columns),
                Directions::Flat => pull(cloud, &cloud.flat, share, &mut columns),
            };
            distance += squares / (n.recip() + m.recip());
            cloud.columns.iter().for_each(|(event, _)| touched[*event] = true);
        }
        for ((values, ranked), _) in columns.iter().zip(orders).zip(touched).filter(|(_, touched)| *touched) {
            *ranked = order(values);
        }
        distance / count
    }
}

/// Brings the columns of a block's events nearer to the block, in orthogonal directions. Returns the mean
/// square of their distance before.
fn pull(cloud: &Cloud, directions: &DMatrix<f64>, share: f64, columns: &mut [Vec<f64>]) -> f64 {
    let n = columns[0].len();
    let (mut keys, mut ranked) = (Vec::new(), vec![0; n]);
    let along = |direction: &mut dyn Iterator<Item = (&f64, &Vec<f64>)>| {
        let mut sum = Vec::new();
        for (weight, values) in direction {
            sum.resize(values.len(), 0.0);
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        }
        sum
    };
    let moves: Vec<Vec<f64>> = directions
        .column_iter()
        .map(|direction| {
            let measured = cloud.columns.iter().map(|(_, values)| values);
            let mut wanted = along(&mut direction.iter().zip(measured));
            wanted.sort_unstable_by(f64::total_cmp);
            let wanted = stretched(wanted, n);
            let own = cloud.columns.iter().map(|(event, _)| &columns[*event]);
            let mut moves = along(&mut direction.iter().zip(own));
            order_into(&moves, &mut keys, &mut ranked);
            for (&row, wanted) in ranked.iter().zip(wanted) {
                let value = &mut moves[row as usize];
                *value = share * (wanted - *value);
            }
            moves
        })
        .collect();
    for (i, (event, _)) in cloud.columns.iter().enumerate() {
        for (direction, moves) in directions.column_iter().zip(&moves) {
            let weight = direction[i];
            columns[*event].iter_mut().zip(moves).for_each(|(value, by)| *value += weight * by);
        }
    }
    let squares: f64 = moves.iter().flatten().map(|by| by * by).sum();
    squares / (share * share * (n * moves.len()) as f64)
}

/// A sorted list stretched or shrunk to `n` values, by interpolation.
fn stretched(sorted: Vec<f64>, n: usize) -> Vec<f64> {
    let m = sorted.len();
    if m == n {
        return sorted;
    }
    let between = |i: usize| {
        let place = ((i as f64 + 0.5) * m as f64 / n as f64 - 0.5).clamp(0.0, (m - 1) as f64);
        let (below, share) = (place as usize, place.fract());
        sorted[below] + share * (sorted[(below + 1).min(m - 1)] - sorted[below])
    };
    (0..n).map(between).collect()
}

/// Orthogonal directions, each as likely as any other.
fn rotation(k: usize, rng: &mut ChaCha8Rng) -> DMatrix<f64> {
    let normal = DMatrix::from_fn(k, k, |_, _| {
        let (radius, angle): (f64, f64) = (rng.random(), rng.random());
        (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    });
    normal.qr().q()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::standard::{normal_scores, standardised};
    use super::*;

    #[test]
    fn a_list_is_stretched_between_its_ends() {
        assert_eq!(stretched(vec![1.0, 3.0], 4), [1.0, 1.5, 2.5, 3.0]);
        assert_eq!(stretched(vec![2.0], 3), [2.0; 3]);
        assert_eq!(stretched(vec![0.0, 1.0, 2.0, 3.0], 2), [0.5, 2.5]);
    }

    #[test]
    fn a_shape_without_correlation_is_taken_over() {
        // y follows |x|, whose correlation with x is 0.
        let n = 400usize;
        let x: Vec<f64> = (0..n).map(|i| (i * 7 % n) as f64 - 199.5).collect();
        let column = |values: Vec<f64>| standardised(&values).unwrap();
        let (x, y) = (column(x.clone()), column(x.iter().map(|x| x.abs()).collect()));
        let mut y_sorted = y.clone();
        y_sorted.sort_by(f64::total_cmp);
        let mut x_sorted = x.clone();
        x_sorted.sort_by(f64::total_cmp);
        let space =
            Space { margins: vec![x_sorted, y_sorted], clouds: vec![Cloud::new(vec![(0, x), (1, y)])] };
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut orders: Vec<Vec<u32>> = vec![(0..n as u32).collect(); 2];
        orders.iter_mut().for_each(|order| order.shuffle(&mut rng));
        let shares = (1..=30).rev().map(|left| f64::from(left) / 30.0);
        let distances: Vec<f64> =
            shares.map(|share| space.cycle(Directions::Drawn, share, &mut orders, &mut rng)).collect();
        let mean = |distances: &[f64]| distances.iter().sum::<f64>() / distances.len() as f64;
        assert!(mean(&distances[..3]) > 2.0 && mean(&distances[20..]) < 0.3, "{distances:?}");
        let laid_out = |event: usize| {
            let mut values = vec![0.0; n];
            lay_out(&space.margins[event], &orders[event], &mut values);
            values
        };
        let size: Vec<f64> = column(laid_out(0).iter().map(|x| x.abs()).collect());
        let with_size = size.iter().zip(&laid_out(1)).map(|(a, b)| a * b).sum::<f64>() / n as f64;
        assert!(with_size > 0.9, "{with_size}");
    }

    #[test]
    fn two_draws_from_one_distribution_are_as_far_apart_as_chance_makes_them() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut draw = |rows: usize, by: fn(f64, f64) -> f64| {
            let columns =
                DMatrix::from_fn(rows, 2, |_, _| rng.random_range(-1.0..1.0) + rng.random_range(-1.0..1.0));
            let of_both = columns.row_iter().map(|row| by(row[0], row[1]));
            [columns.column(0).iter().copied().collect::<Vec<f64>>(), of_both.collect()]
                .map(|values| order(&values))
        };
        let scores = |order: &Vec<u32>| {
            let mut scores = vec![0.0; order.len()];
            lay_out(&normal_scores(order.len()), order, &mut scores);
            scores
        };
        let distance = |made: [Vec<u32>; 2], block: [Vec<u32>; 2]| {
            let margins = vec![normal_scores(made[0].len()); 2];
            let cloud = Cloud::new(block.iter().map(scores).enumerate().collect());
            let space = Space { margins, clouds: vec![cloud] };
            let mut rng = ChaCha8Rng::seed_from_u64(4);
            let distances: Vec<f64> =
                (0..20).map(|_| space.cycle(Directions::Drawn, 1e-9, &mut made.clone(), &mut rng)).collect();
            distances.iter().sum::<f64>() / 20.0
        };
        for others in [1000, 200] {
            let alike = distance(draw(1000, |a, b| a + b), draw(others, |a, b| a + b));
            assert!((0.2..2.0).contains(&alike), "{others}: {alike}");
        }
        // The same correlation, 0, and another shape.
        let apart = distance(draw(1000, |_, b| b), draw(1000, |a, _| a.abs()));
        assert!(apart > 4.0, "{apart}");
    }

    #[test]
    fn a_sum_stays_a_sum() {
        let n = 300;
        let scores = normal_scores(n);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut shuffled = || {
            let mut values = scores.clone();
            values.shuffle(&mut rng);
            values
        };
        let (a, b) = (shuffled(), shuffled());
        let sum: Vec<f64> = standardised(&a.iter().zip(&b).map(|(a, b)| a + b).collect::<Vec<_>>()).unwrap();
        let mut margins = vec![a.clone(), b.clone(), sum.clone()];
        margins.iter_mut().for_each(|margin| margin.sort_by(f64::total_cmp));
        let cloud = Cloud::new(vec![(0, a), (1, b), (2, sum)]);
        assert_eq!(cloud.flat.ncols(), 1);
        let space = Space { margins, clouds: vec![cloud] };
        let mut orders: Vec<Vec<u32>> = (0..3).map(|_| order(&shuffled())).collect();
        let width = |orders: &[Vec<u32>]| {
            let mut points = DMatrix::zeros(n, 3);
            for ((order, margin), mut column) in
                orders.iter().zip(&space.margins).zip(points.column_iter_mut())
            {
                lay_out(margin, order, column.as_mut_slice());
            }
            (points * &space.clouds[0].flat).norm_squared() / n as f64
        };
        let before = width(&orders);
        for _ in 0..20 {
            space.cycle(Directions::Flat, 0.7, &mut orders, &mut rng);
        }
        assert!(before > 0.5 && width(&orders) < 1e-3, "{before} {}", width(&orders));
    }
}
