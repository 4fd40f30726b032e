//! Whether machines order the same algorithms alike: Kendall's rank correlation, with an interval that shows how
//! well the rounds determine it.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::interval::{CONFIDENCE, Interval, student};

/// How often the rounds are resampled. With 500, twelve of the resampled taus lie beyond each end; the shares that
/// the test below prints are those of this number.
const RESAMPLES: usize = 500;
/// From three rounds, resampling has ten different outcomes, too few for an end that leaves out 2.5 %.
const FEWEST_ROUNDS: usize = 4;
/// The 97.5 % quantile of the standard normal distribution.
const NORMAL: f64 = 1.959_964;
/// Any seed would do, as long as it is always the same: the same rounds then give the same interval.
const SEED: u64 = 1938;

/// How alike several machines order algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concordance {
    /// The mean of Kendall's tau over all pairs of machines: 1 if all order them alike, -1 if one orders them
    /// the other way round.
    pub tau: f64,
    /// Its interval of 95 %; `None` for fewer than four rounds.
    pub interval: Option<Interval>,
}

/// The logarithms of the times of algorithms on one machine: `[algorithm][round]`.
pub type LogTimes = Vec<Vec<f64>>;

/// How alike machines order the same algorithms by their mean over the rounds. `None` for fewer than two
/// machines or algorithms, or without rounds.
///
/// The interval is the basic one of the bootstrap (Davison and Hinkley, Bootstrap methods and their
/// application, 1997): the rounds of each machine are resampled, the same for all its algorithms. It is widened by
/// the ratio of Student's quantile to the normal one, because resampling few rounds underestimates their
/// variance. What all rounds of a run share is not in it.
pub fn concordance(machines: &[LogTimes]) -> Option<Concordance> {
    let algorithms = machines.first()?.len();
    let rounds = |machine: &LogTimes| machine.iter().map(Vec::len).min().unwrap_or(0);
    if machines.len() < 2 || algorithms < 2 || machines.iter().any(|machine| rounds(machine) == 0) {
        return None;
    }
    let all: Vec<Vec<usize>> = machines.iter().map(|machine| (0..rounds(machine)).collect()).collect();
    let tau = mean_tau(machines, &all);
    let is_known = all.iter().all(|rounds| rounds.len() >= FEWEST_ROUNDS);
    let interval = is_known.then(|| {
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let mut draw = |rounds: &Vec<usize>| -> Vec<usize> {
            rounds.iter().map(|_| random.random_range(0..rounds.len())).collect()
        };
        let drawn =
            (0..RESAMPLES).map(|_| mean_tau(machines, &all.iter().map(&mut draw).collect::<Vec<_>>()));
        let mut drawn: Vec<f64> = drawn.collect();
        drawn.sort_by(f64::total_cmp);
        let tail = ((1.0 - CONFIDENCE) / 2.0 * RESAMPLES as f64) as usize;
        let [least, greatest] = [drawn[tail], drawn[RESAMPLES - 1 - tail]];
        let fewest = all.iter().map(Vec::len).min().unwrap_or(FEWEST_ROUNDS);
        let widened = student(fewest, CONFIDENCE) / NORMAL * (fewest as f64 / (fewest as f64 - 1.0)).sqrt();
        let end = |drawn: f64| (tau + widened * (tau - drawn)).clamp(-1.0, 1.0);
        Interval { low: end(greatest), high: end(least) }
    });
    Some(Concordance { tau, interval })
}

/// The mean of tau over all pairs of machines, each by the means of these rounds.
fn mean_tau(machines: &[LogTimes], rounds: &[Vec<usize>]) -> f64 {
    let mean = |times: &Vec<f64>, rounds: &[usize]| {
        rounds.iter().map(|round| times[*round]).sum::<f64>() / rounds.len() as f64
    };
    let of_machine = |(machine, rounds): (&LogTimes, &Vec<usize>)| -> Vec<f64> {
        machine.iter().map(|times| mean(times, rounds)).collect()
    };
    let means: Vec<Vec<f64>> = machines.iter().zip(rounds).map(of_machine).collect();
    let pairs = (1..means.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let taus: Vec<f64> = pairs.map(|(first, second)| tau(&means[first], &means[second])).collect();
    taus.iter().sum::<f64>() / taus.len() as f64
}

/// Kendall's tau of two lists of at least two numbers: the share of concordant pairs minus that of discordant
/// ones. A tie is neither. O(n log n) by W. R. Knight (A
/// computer method for calculating Kendall's tau with ungrouped data, Journal of the American Statistical
/// Association 61(314), 1966).
pub fn tau(a: &[f64], b: &[f64]) -> f64 {
    let mut pairs: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let total = pairs_of(pairs.len());
    let tied_a: f64 = pairs.chunk_by(|x, y| x.0 == y.0).map(|equal| pairs_of(equal.len())).sum();
    let tied_both: f64 = pairs.chunk_by(|x, y| x == y).map(|equal| pairs_of(equal.len())).sum();
    let mut values: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let swaps = sort_counting(&mut values, &mut vec![0.0; pairs.len()]) as f64;
    let tied_b: f64 = values.chunk_by(|x, y| x == y).map(|equal| pairs_of(equal.len())).sum();
    let ordered_by_both = total - tied_a - tied_b + tied_both;
    (ordered_by_both - 2.0 * swaps) / total
}

/// The number of pairs among `n`.
fn pairs_of(n: usize) -> f64 {
    n as f64 * (n as f64 - 1.0) / 2.0
}

/// Sorts numbers, and returns the number of pairs that stood the other way round.
fn sort_counting(values: &mut [f64], room: &mut [f64]) -> u64 {
    let n = values.len();
    if n < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(n / 2);
    let (left_room, right_room) = room.split_at_mut(n / 2);
    let mut swaps = sort_counting(left, left_room) + sort_counting(right, right_room);
    let (mut i, mut j) = (0, 0);
    for place in room.iter_mut() {
        let takes_left = j == right.len() || i < left.len() && left[i] <= right[j];
        if takes_left {
            *place = left[i];
            i += 1;
        } else {
            swaps += (left.len() - i) as u64;
            *place = right[j];
            j += 1;
        }
    }
    values.copy_from_slice(room);
    swaps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_distr::StandardNormal;

    use super::*;

    #[test]
    fn tau_is_that_of_a_table() {
        // Eight pairs of ten are in the same order.
        assert!((tau(&[1.0, 2.0, 3.0, 4.0, 5.0], &[3.0, 1.0, 2.0, 4.0, 5.0]) - 0.6).abs() < 1e-12);
        assert_eq!(tau(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0);
        assert_eq!(tau(&[1.0, 1.0], &[1.0, 2.0]), 0.0);
    }

    proptest! {
        #[test]
        fn tau_is_what_counting_all_pairs_gives(
            pairs in prop::collection::vec((0..8i32, 0..8i32), 2..40)
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(a, b)| (f64::from(*a), f64::from(*b))).unzip();
            let mut sum = 0.0;
            for j in 1..a.len() {
                for i in 0..j {
                    let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
                    sum += sign(a[i] - a[j]) * sign(b[i] - b[j]);
                }
            }
            prop_assert!((tau(&a, &b) - sum / pairs_of(a.len())).abs() < 1e-12);
        }
    }

    /// Times of algorithms with these logarithms, over some rounds with noise.
    fn measured(truth: &[f64], rounds: usize, noise: f64, random: &mut ChaCha8Rng) -> LogTimes {
        let shared: Vec<f64> = (0..rounds).map(|_| random.sample::<f64, _>(StandardNormal)).collect();
        let mut of = |truth: &f64| -> Vec<f64> {
            shared
                .iter()
                .map(|shared| truth + noise * (shared + random.sample::<f64, _>(StandardNormal)))
                .collect()
        };
        truth.iter().map(&mut of).collect()
    }

    #[test]
    fn machines_that_order_alike_have_tau_1_and_the_interval_covers_the_truth() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let apart: Vec<f64> = (0..20).map(f64::from).collect();
        let machine = measured(&apart, 10, 0.1, &mut random);
        let found = concordance(&[machine.clone(), machine.clone()]).unwrap();
        assert_eq!((found.tau, found.interval), (1.0, Some(Interval { low: 1.0, high: 1.0 })));
        // Algorithms so near to each other that the noise swaps some; the second machine has swapped
        // neighbours.
        for (swap, rounds) in [(0.0, 10), (1.2, 10), (1.2, 6), (4.3, 20)] {
            let first: Vec<f64> = (0..20).map(f64::from).collect();
            let second: Vec<f64> =
                (0..20).map(|i| f64::from(i) + if i % 2 == 0 { swap } else { -swap }).collect();
            let truth = tau(&first, &second);
            let trials = 400;
            let covered = (0..trials).filter(|_| {
                let machines = [&first, &second].map(|truth| measured(truth, rounds, 1.5, &mut random));
                let Interval { low, high } = concordance(&machines).unwrap().interval.unwrap();
                (low..=high).contains(&truth)
            });
            let share = covered.count() as f64 / f64::from(trials);
            println!("{rounds} rounds, {swap}: {share}");
            assert!(share > 0.85, "{rounds} rounds, {swap}: {share}");
        }
    }

    #[test]
    fn too_little_gives_no_interval_or_nothing() {
        let machine: LogTimes = vec![vec![1.0, 1.1], vec![2.0, 2.1]];
        assert_eq!(concordance(&[machine.clone(), machine.clone()]).unwrap().interval, None);
        assert_eq!(concordance(std::slice::from_ref(&machine)), None);
        assert_eq!(concordance(&[vec![vec![1.0]], vec![vec![1.0]]]), None, "one algorithm");
        assert_eq!(concordance(&[machine.clone(), vec![vec![], vec![]]]), None);
    }
}
