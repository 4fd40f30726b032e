//! Whether machines order the same algorithms alike: Kendall's rank correlation, with the ends between which
//! it lies whatever the order of algorithms that are not significantly different.

use crate::interval::{CONFIDENCE, student};

/// How alike several machines order algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concordance {
    /// The mean of Kendall's tau over all pairs of machines, by the order as it was measured: 1 if all order
    /// them alike, -1 if one orders them the other way round.
    pub tau: f64,
    /// The same if all pairs of algorithms that are not significantly different on a machine are in the least
    /// favourable order there. Significant is what Student's distribution shows by rounds, with 95 %
    /// confidence for all pairs on all machines together (Bonferroni); so the true tau is at least this with
    /// this confidence.
    pub low: f64,
    /// The same in the most favourable order.
    pub high: f64,
}

/// The logarithms of the times of algorithms on one machine: `[algorithm][round]`.
pub type LogTimes = Vec<Vec<f64>>;

/// How a machine orders a pair of algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PairOrder {
    /// -1, 0 or 1, by the means over the rounds.
    measured: f64,
    /// Whether the difference is significant.
    is_known: bool,
}

/// How alike machines order the same algorithms by their means over the rounds. `None` for fewer than two
/// machines or algorithms, or without rounds.
///
/// A pair that is equal on two machines is in the same order on both; one that is equal on one of them is
/// neither concordant nor discordant. All other pairs are as in M. G. Kendall, A new measure of rank
/// correlation, Biometrika 30(1/2), 1938.
pub fn concordance(machines: &[LogTimes]) -> Option<Concordance> {
    let algorithms = machines.first()?.len();
    let has_rounds = |machine: &LogTimes| machine.iter().all(|times| !times.is_empty());
    if machines.len() < 2 || algorithms < 2 || !machines.iter().all(has_rounds) {
        return None;
    }
    let pairs = algorithms * (algorithms - 1) / 2 * machines.len();
    let confidence = 1.0 - (1.0 - CONFIDENCE) / pairs as f64;
    let orders = machines.iter().map(|machine| pair_orders(machine, confidence));
    let orders: Vec<Vec<PairOrder>> = orders.collect();
    let (mut sums, mut count) = ([0.0; 3], 0.0);
    for (place, one) in orders.iter().enumerate() {
        for other in &orders[..place] {
            for (one, other) in one.iter().zip(other) {
                let measured =
                    if one.measured == other.measured { 1.0 } else { one.measured * other.measured };
                let is_known = one.is_known && other.is_known;
                let ends = if is_known { [measured, measured] } else { [-1.0, 1.0] };
                let all = [measured, ends[0], ends[1]];
                sums.iter_mut().zip(all).for_each(|(sum, value)| *sum += value);
                count += 1.0;
            }
        }
    }
    let [tau, low, high] = sums.map(|sum| sum / count);
    Some(Concordance { tau, low, high })
}

/// How a machine orders each pair of algorithms.
fn pair_orders(machine: &LogTimes, confidence: f64) -> Vec<PairOrder> {
    let rounds = machine.iter().map(Vec::len).min().unwrap_or(0);
    let errors = if rounds > 1 { student(rounds, confidence) } else { f64::INFINITY };
    let mut orders = Vec::new();
    for (place, one) in machine.iter().enumerate() {
        for other in &machine[..place] {
            orders.push(pair_order(&one[..rounds], &other[..rounds], errors));
        }
    }
    orders
}

/// The order of two algorithms by the differences of their rounds. Their mean is known to be positive or
/// negative from this number of standard errors on.
fn pair_order(one: &[f64], other: &[f64], errors: f64) -> PairOrder {
    let n = one.len() as f64;
    let differences = || one.iter().zip(other).map(|(one, other)| one - other);
    let mean = differences().sum::<f64>() / n;
    let squares = differences().map(|difference| (difference - mean).powi(2)).sum::<f64>();
    let error = (squares / (n - 1.0) / n).sqrt();
    let measured = if mean == 0.0 { 0.0 } else { mean.signum() };
    PairOrder { measured, is_known: errors.is_finite() && mean.abs() >= errors * error }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;

    use super::*;

    /// Times without noise in four rounds, with these logarithms.
    fn exact(logarithms: &[f64]) -> LogTimes {
        logarithms.iter().map(|logarithm| vec![*logarithm; 4]).collect()
    }

    fn found(machines: &[LogTimes]) -> (f64, f64, f64) {
        let Concordance { tau, low, high } = concordance(machines).unwrap();
        (tau, low, high)
    }

    #[test]
    fn tau_is_that_of_a_table() {
        // Nine pairs of ten are in the same order in one case, and eight in the other.
        let first = exact(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(found(&[first.clone(), exact(&[2.0, 1.0, 3.0, 4.0, 5.0])]), (0.8, 0.8, 0.8));
        assert_eq!(found(&[first.clone(), exact(&[3.0, 1.0, 2.0, 4.0, 5.0])]), (0.6, 0.6, 0.6));
        let reverse = exact(&[5.0, 4.0, 3.0, 2.0, 1.0]);
        assert_eq!(found(&[first.clone(), reverse.clone()]), (-1.0, -1.0, -1.0));
        let (tau, ..) = found(&[first.clone(), first, reverse]);
        assert!((tau - (1.0 - 1.0 - 1.0) / 3.0).abs() < 1e-12, "{tau}");
    }

    #[test]
    fn pairs_that_are_equal_on_both_machines_are_in_the_same_order() {
        let tied = exact(&[1.0, 2.0, 2.0]);
        assert_eq!(found(&[tied.clone(), tied.clone()]), (1.0, 1.0, 1.0));
        let (tau, ..) = found(&[tied, exact(&[1.0, 2.0, 3.0])]);
        assert!((tau - 2.0 / 3.0).abs() < 1e-12, "{tau}");
    }

    #[test]
    fn pairs_that_are_not_significantly_different_may_be_in_either_order() {
        let noisy = vec![vec![1.0, 1.4, 1.0, 1.4], vec![1.1, 1.2, 1.3, 1.2], vec![9.0; 4]];
        // Two of three pairs are known.
        let (tau, low, high) = found(&[noisy.clone(), noisy]);
        assert!(tau == 1.0 && (low - 1.0 / 3.0).abs() < 1e-12 && high == 1.0, "{tau} {low} {high}");
        let one_round = vec![vec![1.0], vec![2.0]];
        assert_eq!(found(&[one_round.clone(), one_round]), (1.0, -1.0, 1.0));
    }

    #[test]
    fn too_little_gives_nothing() {
        let machine = exact(&[1.0, 2.0]);
        assert_eq!(concordance(std::slice::from_ref(&machine)), None);
        assert_eq!(concordance(&[exact(&[1.0]), exact(&[1.0])]), None, "one algorithm");
        assert_eq!(concordance(&[machine, vec![vec![], vec![]]]), None);
    }

    /// Times of algorithms with these logarithms over ten rounds; all of a round share a part of its noise.
    fn measured(truth: &[f64], noise: f64, random: &mut SmallRng) -> LogTimes {
        let shared: Vec<f64> = (0..10).map(|_| random.sample(StandardNormal)).collect();
        let mut of = |truth: &f64| -> Vec<f64> {
            let mut time = |shared: &f64| truth + noise * (shared + random.sample::<f64, _>(StandardNormal));
            shared.iter().map(&mut time).collect()
        };
        truth.iter().map(&mut of).collect()
    }

    /// Tau of true values without ties.
    fn truth(machines: &[Vec<f64>]) -> f64 {
        let exact: Vec<LogTimes> = machines.iter().map(|logarithms| exact(logarithms)).collect();
        concordance(&exact).unwrap().tau
    }

    #[test]
    fn the_ends_enclose_the_true_tau_whatever_the_distance_of_the_algorithms() {
        let mut random = SmallRng::seed_from_u64(1938);
        for algorithms in [5, 20, 60] {
            for (distance, perturbed) in [(0.01, 0.0), (0.002, 0.0), (0.01, 0.01), (0.03, 0.05), (1e-6, 1e-6)]
            {
                for count in [2, 4] {
                    let trials = 60;
                    let enclosed = (0..trials).filter(|_| {
                        let mut machine = || -> Vec<f64> {
                            let mut of = |i: usize| {
                                i as f64 * distance + perturbed * random.sample::<f64, _>(StandardNormal)
                            };
                            (0..algorithms).map(&mut of).collect()
                        };
                        let machines: Vec<Vec<f64>> = (0..count).map(|_| machine()).collect();
                        let times: Vec<LogTimes> =
                            machines.iter().map(|machine| measured(machine, 0.02, &mut random)).collect();
                        let Concordance { tau, low, high } = concordance(&times).unwrap();
                        assert!(low <= tau && tau <= high, "{low} {tau} {high}");
                        (low - 1e-9..=high + 1e-9).contains(&truth(&machines))
                    });
                    let share = enclosed.count() as f64 / f64::from(trials);
                    assert!(share >= 0.95, "{algorithms} algorithms, {distance}, {count} machines: {share}");
                }
            }
        }
    }
}
