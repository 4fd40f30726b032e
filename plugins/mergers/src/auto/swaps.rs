//! The last step: two values of a column change places if this brings the correlations closer to the
//! requested ones. A proposal costs the products of two rows, so that a million takes a fraction of a second.

use nalgebra::DMatrix;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Number of proposals in a round. After each round the reach may shrink.
const ROUND: usize = 20_000;
/// The reach shrinks if at most this share of the proposals of a round was accepted.
const RARELY: usize = ROUND / 100;
/// Least reach in ranks, so that neighbours can still swap.
const NEAREST: f64 = 2.0;

/// A scale with requested correlations.
struct Scale {
    /// Standardised values, row by row.
    values: Vec<f64>,
    /// For each two columns: the reached correlation minus the requested one. It is 0 on the diagonal and for
    /// columns that never change.
    error: Vec<f64>,
}

/// A table whose columns are rearranged.
pub struct Swaps {
    n: usize,
    d: usize,
    scales: Vec<Scale>,
    /// For each column: the row of each rank.
    orders: Vec<Vec<u32>>,
}

impl Swaps {
    /// A table with these rows of ranks for each column. Each scale has the standardised values of each
    /// column in ascending order (0 if the column never changes) and the requested correlations.
    pub fn new(orders: Vec<Vec<u32>>, scales: &[(&[Vec<f64>], &DMatrix<f64>)]) -> Self {
        let (d, n) = (orders.len(), orders.first().map_or(0, Vec::len));
        let scale = |&(margins, asked): &(&[Vec<f64>], &DMatrix<f64>)| {
            let mut values = DMatrix::zeros(d, n);
            for (column, (order, margin)) in orders.iter().zip(margins).enumerate() {
                for (&row, value) in order.iter().zip(margin) {
                    values[(column, row as usize)] = *value;
                }
            }
            let mut error = &values * values.transpose() / n as f64 - asked;
            let constant: Vec<bool> =
                margins.iter().map(|margin| margin.iter().all(|value| *value == 0.0)).collect();
            for i in 0..d {
                for j in (0..d).filter(|&j| i == j || constant[i] || constant[j]) {
                    error[(i, j)] = 0.0;
                }
            }
            // A column of these matrices is a row of the table.
            Scale { values: values.data.into(), error: error.data.into() }
        };
        Swaps { n, d, scales: scales.iter().map(scale).collect(), orders }
    }

    /// The sum of squared errors over pairs and scales.
    pub fn error(&self) -> f64 {
        self.scales.iter().flat_map(|scale| &scale.error).map(|error| error * error).sum::<f64>() / 2.0
    }

    /// Makes this number of proposals; fewer if none is accepted any more or if the error falls to `enough`.
    /// `reach` is the share of all ranks over which values swap at first. `go_on` gets the share of the work
    /// that is done. Returns false if `go_on` did.
    pub fn improve(
        &mut self,
        proposals: usize,
        reach: f64,
        enough: f64,
        rng: &mut ChaCha8Rng,
        go_on: &dyn Fn(f64) -> bool,
    ) -> bool {
        if self.n < 2 || self.d < 2 {
            return true;
        }
        let (mut reach, mut done) = ((self.n as f64 * reach).max(NEAREST), 0);
        while done < proposals && self.error() > enough {
            let passed = (0..ROUND).filter(|_| self.propose(reach, rng)).count();
            done += ROUND;
            if passed == 0 && reach == NEAREST {
                break;
            }
            if passed < RARELY {
                reach = (0.7 * reach).max(NEAREST);
            }
            if !go_on((done as f64 / proposals as f64).min(1.0)) {
                return false;
            }
        }
        true
    }

    /// For each column: the row of each rank.
    pub fn into_orders(self) -> Vec<Vec<u32>> {
        self.orders
    }

    fn propose(&mut self, reach: f64, rng: &mut ChaCha8Rng) -> bool {
        let draw: u64 = rng.random();
        let below = |bits: u64, limit: usize| (((bits & u64::from(u32::MAX)) * limit as u64) >> 32) as usize;
        let (column, rank) = (below(draw, self.d), below(draw >> 32, self.n));
        // Steps are shorter towards both ends, because a few ranks are a long way in the tails.
        let place = (rank as f64 + 0.5) / self.n as f64;
        let reach = (4.0 * reach * place * (1.0 - place)).max(NEAREST);
        let other = rank + 1 + (rng.random::<f64>().powi(3) * reach) as usize;
        other < self.n && self.swap_if_better(column, rank, other)
    }

    fn swap_if_better(&mut self, column: usize, rank: usize, other: usize) -> bool {
        let (d, n) = (self.d, self.n as f64);
        let order = &mut self.orders[column];
        let (a, b) = (order[rank] as usize, order[other] as usize);
        let mut change = 0.0;
        for Scale { values, error } in &self.scales {
            let (first, second) = (&values[a * d..][..d], &values[b * d..][..d]);
            let (linear, square) = products(&error[column * d..][..d], first, second);
            let own = second[column] - first[column];
            // The correlation of a column with itself does not change.
            change += own / n * (2.0 * linear + own / n * (square - own * own));
        }
        if change >= 0.0 {
            return false;
        }
        order.swap(rank, other);
        for Scale { values, error } in &mut self.scales {
            let by = (values[b * d + column] - values[a * d + column]) / n;
            for i in (0..d).filter(|&i| i != column) {
                error[column * d + i] += by * (values[a * d + i] - values[b * d + i]);
                error[i * d + column] = error[column * d + i];
            }
            values.swap(a * d + column, b * d + column);
        }
        true
    }
}

/// The sums of error times difference, and of squared differences, of two rows.
fn products(error: &[f64], first: &[f64], second: &[f64]) -> (f64, f64) {
    // Each lane has sums of its own, so that the compiler can use vector instructions.
    const LANES: usize = 4;
    let (mut linear, mut square) = ([0.0; LANES], [0.0; LANES]);
    let mut add = |lane: usize, error: f64, first: f64, second: f64| {
        let difference = first - second;
        linear[lane] += error * difference;
        square[lane] += difference * difference;
    };
    let (errors, last_error) = error.as_chunks::<LANES>();
    let (firsts, last_first) = first.as_chunks::<LANES>();
    let (seconds, last_second) = second.as_chunks::<LANES>();
    for ((error, first), second) in errors.iter().zip(firsts).zip(seconds) {
        for lane in 0..LANES {
            add(lane, error[lane], first[lane], second[lane]);
        }
    }
    for ((error, first), second) in last_error.iter().zip(last_first).zip(last_second) {
        add(0, *error, *first, *second);
    }
    (linear.iter().sum(), square.iter().sum())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::standard::standardised;
    use super::*;

    #[test]
    fn swaps_bring_correlations_to_what_is_asked_and_keep_count_of_the_error() {
        let (n, d) = (300, 4);
        let margin = standardised(&(0..n).map(|i| f64::from(i * i)).collect::<Vec<_>>()).unwrap();
        let mut margins = vec![margin; d];
        margins[3] = vec![0.0; n as usize];
        let asked = DMatrix::from_fn(d, d, |i, j| if i == j { 1.0 } else { 0.3 });
        let orders: Vec<Vec<u32>> =
            (0..d as u32).map(|shift| (0..n).map(|i| (i * 7 + shift * 91) % n).collect()).collect();
        let scales = [(&margins[..], &asked)];
        let mut swaps = Swaps::new(orders, &scales);
        let before = swaps.error();
        assert!(swaps.improve(200_000, 0.1, 1e-12, &mut ChaCha8Rng::seed_from_u64(3), &|_| true));
        let (after, orders) = (swaps.error(), swaps.into_orders());
        assert!(before > 0.05 && after < 1e-9, "{before} {after}");
        assert!((Swaps::new(orders, &scales).error() - after).abs() < 1e-10);
    }
}
