//! Disturbances that have a name: drift, two modes, a slow first repetition. Each is reported only if it is
//! both significant and large enough to matter.

use std::cmp::Ordering;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Disturbances below this share of the time are not reported. Chosen: twice the placement floor, so that no
/// user looks for the cause of an effect that alignment alone can have.
const SMALLEST: f64 = 0.02;

/// How often chance alone may be reported, for each kind of disturbance in a run. Chosen: 1 % rather than 5
/// %, because three kinds are looked for in every report, unasked.
const FALSE_ALARMS: f64 = 0.01;

/// How many lists of normal draws are tried: a chance of 1 % is then estimated with a standard error of 0.07
/// %.
const TRIALS: usize = 20_000;

/// With fewer rounds none is looked for. As many as [an interval of a median](crate::Interval::of_median)
/// needs, so that a report misses both for the same reason.
pub const FEWEST_ROUNDS: usize = 6;

/// By how much, as a share, times grow from the first round to the last along a straight line; below 0 if
/// they fall, `None` if that is not significant. `rounds` are logarithms in the order of the rounds.
pub fn drift(rounds: &[f64]) -> Option<f64> {
    if rounds.len() < FEWEST_ROUNDS {
        return None;
    }
    let n = rounds.len() as f64;
    let (middle, mean) = ((n - 1.0) / 2.0, rounds.iter().sum::<f64>() / n);
    let offsets =
        || (0..rounds.len()).map(|i| i as f64 - middle).zip(rounds.iter().map(|value| value - mean));
    let squares: f64 = offsets().map(|(x, _)| x * x).sum();
    let slope = offsets().map(|(x, y)| x * y).sum::<f64>() / squares;
    let rest: f64 = offsets().map(|(x, y)| (y - slope * x).powi(2)).sum();
    let error = (rest / (n - 2.0) / squares).sqrt();
    let student = StudentsT::new(0.0, 1.0, n - 2.0).expect("there are degrees of freedom");
    let chance = if error > 0.0 { 2.0 * student.sf(slope.abs() / error) } else { 0.0 };
    let total = (slope * (n - 1.0)).exp_m1();
    (total.abs() >= SMALLEST && chance < FALSE_ALARMS).then_some(total)
}

/// How far apart, as a share, two groups of rounds lie, if the rounds form two groups: if they lie farther
/// apart, measured in deviations within the groups, than normal draws do (tried by simulation). `rounds` are
/// logarithms in any order; `lists` is the number of lists that are tested in this run, among which the false
/// alarms are divided.
pub(crate) fn two_modes(rounds: &[f64], lists: usize) -> Option<f64> {
    if rounds.len() < FEWEST_ROUNDS {
        return None;
    }
    let (distance, apart) = split(&mut rounds.to_vec())?;
    if distance.exp_m1() < SMALLEST {
        return None;
    }
    let allowed = FALSE_ALARMS / lists.max(1) as f64;
    let normal = Normal::new(0.0, 1.0).expect("it has a deviation");
    // A fixed seed, so that the same report always says the same.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut drawn = vec![0.0; rounds.len()];
    let mut as_far = 0;
    for _ in 0..TRIALS {
        drawn.fill_with(|| normal.inverse_cdf(rng.random::<f64>().max(f64::MIN_POSITIVE)));
        as_far += usize::from(split(&mut drawn).is_some_and(|(_, drawn)| drawn >= apart));
    }
    let chance = (as_far + 1) as f64 / (TRIALS + 1) as f64;
    // No trial can show less than 1 / (TRIALS + 1), so with very many lists the least that it can show must
    // suffice.
    (chance < allowed.max(2.0 / (TRIALS + 1) as f64)).then(|| distance.exp_m1())
}

/// The division into two groups of two or more with the least squares: the distance of their means, and the
/// same in standard deviations within the groups. One alone would be an outlier rather than a group.
fn split(values: &mut [f64]) -> Option<(f64, f64)> {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let squares = |part: &[f64], mean: f64| part.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    let at = |i: usize| {
        let (below, above) = values.split_at(i);
        let (low, high) = (mean(below), mean(above));
        (squares(below, low) + squares(above, high), high - low)
    };
    let best =
        (2..n.checked_sub(1)?).map(at).min_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal))?;
    let deviation = (best.0 / (n - 2) as f64).sqrt();
    Some((best.1, if deviation > 0.0 { best.1 / deviation } else { f64::INFINITY }))
}

/// By how much, as a share, the first repetition of a round exceeds the others, if that is significant.
/// `firsts` has for each round the rank of its first repetition by time, as a share from 0 to 1, and the
/// logarithm of its time over the median; `lists` is the number of lists that are tested in this run, among
/// which the false alarms are divided.
pub(crate) fn slow_first(firsts: &[(f64, f64)], lists: usize) -> Option<f64> {
    let n = firsts.len() as f64;
    // The mean of six uniform ranks is near enough to a normal one.
    if firsts.len() < FEWEST_ROUNDS {
        return None;
    }
    // If the first repetition is like the others, its rank is uniform, with a variance of 1/12.
    let mean = firsts.iter().map(|(rank, _)| rank).sum::<f64>() / n;
    let normal = Normal::new(0.5, (1.0 / 12.0 / n).sqrt()).expect("it has a deviation");
    let chance = normal.sf(mean);
    let excess = crate::median(&mut firsts.iter().map(|(_, excess)| *excess).collect::<Vec<_>>());
    let excess = excess.exp_m1();
    (excess >= SMALLEST && chance < FALSE_ALARMS / lists.max(1) as f64).then_some(excess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated::{normal, percent};

    #[test]
    fn a_drift_is_found_with_its_size_and_chance_is_no_drift() {
        let mut rng = ChaCha8Rng::seed_from_u64(20);
        let mut rounds = |drift: f64| -> Vec<f64> {
            (0..10).map(|i| (drift * f64::from(i) / 9.0).ln_1p() + 0.02 * normal(&mut rng)).collect()
        };
        let half: Vec<f64> = (0..100).filter_map(|_| drift(&rounds(0.5))).collect();
        let mean = half.iter().sum::<f64>() / half.len() as f64;
        assert!(half.len() >= 99 && (mean - 0.5).abs() < 0.05, "{} {mean}", half.len());
        assert!(percent(1000, || drift(&rounds(0.0)).is_some()) <= 2.0);
        let falling: Vec<f64> = (0..10).map(|i| -0.01 * f64::from(i) + 0.001 * f64::from(i % 2)).collect();
        assert!(drift(&falling).unwrap() < -0.07);
        assert_eq!((drift(&[0.0, 0.1, 0.2, 0.3, 0.4]), drift(&[1.0; 10])), (None, None));
    }

    #[test]
    fn two_modes_are_found_and_a_normal_spread_is_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(21);
        let mut found = |distance: f64| {
            percent(100, || {
                let round = |i: i32| if i % 3 == 0 { distance } else { 0.0 } + 0.01 * normal(&mut rng);
                two_modes(&(0..10).map(round).collect::<Vec<_>>(), 1).is_some()
            })
        };
        let (modes, spread) = (found(0.1), found(0.0));
        assert!(modes >= 95.0 && spread <= 4.0, "{modes} {spread}");
        let two = [0.0, 0.1, 0.001, 0.101, 0.002, 0.1, 0.0, 0.1, 0.001, 0.1];
        assert!((two_modes(&two, 1).unwrap() - 0.1f64.exp_m1()).abs() < 0.01);
        assert_eq!((two_modes(&[0.0; 10], 1), two_modes(&two[..5], 1)), (None, None));
        let lone = [0.0, 0.001, 0.002, 0.0, 0.001, 0.002, 0.0, 0.001, 0.002, 0.5];
        assert_eq!(two_modes(&lone, 1).filter(|apart| *apart > 0.3), None, "one is an outlier, and no mode");
    }

    #[test]
    fn a_first_repetition_is_slow_if_it_nearly_always_is() {
        let mut rng = ChaCha8Rng::seed_from_u64(22);
        let mut firsts = |slow: bool| -> Vec<(f64, f64)> {
            let first = |_| {
                let place: f64 = rng.random();
                if slow { (0.9, 0.1) } else { (place, place - 0.5) }
            };
            (0..10).map(first).collect()
        };
        assert!((slow_first(&firsts(true), 5).unwrap() - 0.1f64.exp_m1()).abs() < 1e-9);
        assert!(percent(1000, || slow_first(&firsts(false), 1).is_some()) <= 2.0);
        assert_eq!(slow_first(&[(1.0, 0.001); 10], 1), None, "too little to matter");
        assert_eq!(slow_first(&[(1.0, 0.5); 5], 1), None, "too few rounds");
    }
}
