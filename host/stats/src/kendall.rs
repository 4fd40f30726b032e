//! Whether machines order the same algorithms alike: Kendall's rank correlation, with the ends between which
//! it lies whatever the order of algorithms that are not significantly different.

use std::cmp::Ordering;

use crate::interval::CONFIDENCE;
use crate::significance::{Difference, NullRange};

/// How alike several machines order algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concordance {
    /// The mean of Kendall's tau over all pairs of machines, by the order as it was measured: 1 if all order
    /// them alike, -1 if one orders them the other way round.
    pub tau: f64,
    /// The least that it can be if a pair of algorithms that is not significantly different on a machine may
    /// be in either order there. Significant is a [`PairOrder::p`] below 0.05, corrected for all pairs on all
    /// machines together (Bonferroni); so the true tau is at least this with 95 % confidence.
    pub low: f64,
    /// The greatest that it can be.
    pub high: f64,
}

/// How a machine orders a pair of algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOrder {
    /// By the means of the rounds: `Greater` if the first of the pair is slower.
    pub measured: Ordering,
    /// The significance of the difference beyond the noise floor, not corrected for other pairs.
    pub p: f64,
}

impl PairOrder {
    /// By the difference of the first from the second, beyond what is noise on this machine.
    pub fn new(difference: &Difference, noise: NullRange) -> Self {
        PairOrder { measured: difference.order(), p: difference.p(noise) }
    }
}

/// How alike machines order the same pairs of algorithms; each list has the pairs in the same sequence,
/// `None` for one whose algorithms share fewer than two rounds. `None` for fewer than two machines, or if a
/// machine has no pair.
///
/// A pair that is equal on two machines is in the same order on both; one that is equal on one of them, or
/// has no order there, is neither concordant nor discordant. All other pairs are as in M. G. Kendall, A new
/// measure of rank correlation, Biometrika 30(1/2), 1938.
pub fn concordance(machines: &[Vec<Option<PairOrder>>]) -> Option<Concordance> {
    if machines.len() < 2 || machines.iter().any(|pairs| pairs.iter().all(Option::is_none)) {
        return None;
    }
    let pairs: usize = machines.iter().map(Vec::len).sum();
    let significant = (1.0 - CONFIDENCE) / pairs as f64;
    let [mut tau, mut low, mut high] = [0.0; 3];
    for pair in 0..machines[0].len() {
        let orders: Vec<Option<PairOrder>> = machines.iter().map(|machine| machine[pair]).collect();
        for (place, one) in orders.iter().enumerate() {
            let both = orders[..place].iter().filter_map(|other| one.zip(*other));
            tau += both.map(|(one, other)| agreement(one.measured, other.measured)).sum::<f64>();
        }
        let known = orders.iter().flatten().filter(|order| order.p < significant);
        let [least, most] = ends(&known.map(|order| order.measured).collect::<Vec<_>>(), machines.len());
        low += least;
        high += most;
    }
    let count = (machines[0].len() * machines.len() * (machines.len() - 1) / 2) as f64;
    Some(Concordance { tau: tau / count, low: low / count, high: high / count })
}

/// The least and the greatest sum, over all pairs of machines, of 1 for the same order and -1 for opposite
/// ones, where only some of the machines have a known order.
///
/// With the orders as 1 and -1, and `s` as their sum, it is `(s^2 - machines) / 2`.
fn ends(known: &[Ordering], machines: usize) -> [f64; 2] {
    let sum = known.iter().map(|order| *order as i64).sum::<i64>().unsigned_abs() as usize;
    let unknown = machines - known.len();
    // The others can bring the sum to 0, or to 1 if their number is odd.
    let least = if sum > unknown { sum - unknown } else { (sum + unknown) % 2 };
    [least, sum + unknown].map(|sum| ((sum * sum) as f64 - machines as f64) / 2.0)
}

/// 1 for a pair in the same order on two machines, -1 for one in opposite orders, and 0 for one that is equal
/// on one of them.
fn agreement(one: Ordering, other: Ordering) -> f64 {
    if one == other {
        1.0
    } else if one == other.reverse() {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;

    use super::*;

    /// The logarithms of the times of algorithms on one machine: `[algorithm][round]`.
    type LogTimes = Vec<Vec<f64>>;

    /// How a machine with this noise floor orders each pair.
    fn orders_beyond(floor: f64, machine: &LogTimes) -> Vec<Option<PairOrder>> {
        let mut orders = Vec::new();
        for (place, one) in machine.iter().enumerate() {
            for other in &machine[..place] {
                let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| one - other).collect();
                let difference = Difference::paired(&differences);
                orders
                    .push(difference.map(|difference| PairOrder::new(&difference, NullRange::within(floor))));
            }
        }
        orders
    }

    fn of_machines(machines: &[LogTimes]) -> Option<Concordance> {
        concordance(&machines.iter().map(|machine| orders_beyond(0.0, machine)).collect::<Vec<_>>())
    }

    /// Times without noise in four rounds, with these logarithms.
    fn exact(logarithms: &[f64]) -> LogTimes {
        logarithms.iter().map(|logarithm| vec![*logarithm; 4]).collect()
    }

    fn found(machines: &[LogTimes]) -> (f64, f64, f64) {
        let Concordance { tau, low, high } = of_machines(machines).unwrap();
        (tau, low, high)
    }

    #[test]
    fn differences_below_the_noise_floor_may_be_in_either_order() {
        let forth: Vec<f64> = (0..6).map(|step| 0.001 * f64::from(step)).collect();
        let back: Vec<f64> = forth.iter().rev().copied().collect();
        let found = |floor: f64| {
            concordance(&[&forth, &back].map(|times| orders_beyond(floor, &exact(times)))).unwrap()
        };
        assert_eq!(found(0.01), Concordance { tau: -1.0, low: -1.0, high: 1.0 });
        assert_eq!(found(0.0), Concordance { tau: -1.0, low: -1.0, high: -1.0 });
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
        // They are not significantly different, so the ends allow for either order.
        let (tau, low, high) = found(&[tied.clone(), tied.clone()]);
        assert!(tau == 1.0 && (low - 1.0 / 3.0).abs() < 1e-12 && high == 1.0, "{tau} {low} {high}");
        let (tau, ..) = found(&[tied, exact(&[1.0, 2.0, 3.0])]);
        assert!((tau - 2.0 / 3.0).abs() < 1e-12, "{tau}");
    }

    #[test]
    fn pairs_that_are_not_significantly_different_may_be_in_either_order() {
        let noisy = vec![vec![1.0, 1.4, 1.0, 1.4], vec![1.1, 1.2, 1.3, 1.2], vec![9.0; 4]];
        // Two of three pairs are known.
        let (tau, low, high) = found(&[noisy.clone(), noisy]);
        assert!(tau == 1.0 && (low - 1.0 / 3.0).abs() < 1e-12 && high == 1.0, "{tau} {low} {high}");
        // Two rounds that differ are too few to know.
        let two_rounds = vec![vec![1.0, 1.2], vec![2.0, 1.9]];
        assert_eq!(found(&[two_rounds.clone(), two_rounds]), (1.0, -1.0, 1.0));
    }

    #[test]
    fn the_ends_are_those_that_all_machines_together_can_have() {
        // Of three orders of a pair, two are always the same.
        let tied = exact(&[1.0, 1.0]);
        let (tau, low, high) = found(&[tied.clone(), tied.clone(), tied]);
        assert!(tau == 1.0 && (low + 1.0 / 3.0).abs() < 1e-12 && high == 1.0, "{tau} {low} {high}");
        use Ordering::{Greater, Less};
        for (known, machines, least, most) in [
            (&[][..], 4, -2.0, 6.0),
            (&[Less, Less], 4, -2.0, 6.0),
            (&[Less, Greater], 4, -2.0, 0.0),
            (&[Less, Less, Less], 4, 0.0, 6.0),
            (&[Less, Less, Greater, Less], 4, 0.0, 0.0),
        ] {
            assert_eq!(ends(known, machines), [least, most], "{known:?} of {machines}");
        }
    }

    #[test]
    fn a_pair_without_an_order_on_one_machine_is_neither_concordant_nor_discordant() {
        let orders = orders_beyond(0.0, &exact(&[1.0, 2.0, 3.0]));
        let mut gap = orders.clone();
        gap[0] = None;
        let Concordance { tau, low, high } = concordance(&[orders, gap]).unwrap();
        assert!((tau - 2.0 / 3.0).abs() < 1e-12 && (low - 1.0 / 3.0).abs() < 1e-12, "{tau} {low}");
        assert_eq!(high, 1.0);
    }

    #[test]
    fn too_little_gives_nothing() {
        let machine = exact(&[1.0, 2.0]);
        assert_eq!(of_machines(std::slice::from_ref(&machine)), None);
        assert_eq!(of_machines(&[exact(&[1.0]), exact(&[1.0])]), None, "one algorithm");
        assert_eq!(of_machines(&[machine, vec![vec![1.0], vec![2.0]]]), None, "one round");
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
        of_machines(&exact).unwrap().tau
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
                        let Concordance { tau, low, high } = of_machines(&times).unwrap();
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
