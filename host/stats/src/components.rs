//! Where the variance of a time comes from: its patterns, repetitions, rounds and processes. All variances
//! are those of logarithms, so a standard deviation of 0.05 is 5 %.

use std::collections::{BTreeMap, BTreeSet};

use crate::interval::{expected_width, median};
use crate::rounds::Sample;

/// Variance of the median of many normal values over that of their mean (the asymptotic relative efficiency
/// of the median is 2/π): a round is represented by its median.
const OF_MEDIAN: f64 = std::f64::consts::FRAC_PI_2;

/// A repetition is far out if its deviation lies beyond the quartiles by more than this many times their
/// distance: the outer fence of J. W. Tukey (Exploratory Data Analysis, 1977).
const FAR_OUT: f64 = 3.0;

/// Components of the variance of an algorithm's times at one pattern length. An estimate below 0 is given as
/// 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Number of rounds that were measured, also of those whose repetitions are all far out, because the
    /// interval that [`width`](Self::width) predicts counts them too.
    pub rounds: usize,
    /// Repetitions per round: the harmonic mean.
    pub repetitions: f64,
    /// Variance within rounds: that of patterns and repetitions.
    pub within: f64,
    /// The part of it that is due to the patterns; `None` if no pattern was searched for twice by the same
    /// algorithm.
    pub pattern: Option<f64>,
    /// Variance between rounds: that of their moments and of their processes.
    pub between: f64,
    /// The part of it that all algorithms share, which is that of the moments; `None` if there is only one
    /// algorithm.
    pub moment: Option<f64>,
    /// How many repetitions were left out because they are far out.
    pub outliers: usize,
}

/// Times of another algorithm for the same patterns in the same rounds.
#[derive(Clone, Copy, Debug)]
pub enum Companion<'a> {
    /// The same algorithm in another process: both share patterns and moments.
    Copy(&'a [Sample]),
    /// Another algorithm: patterns affect it differently, so both share only the moments.
    Other(&'a [Sample]),
}

impl Components {
    /// Estimates the components from an algorithm's times, and from those of a companion, which show what
    /// both share. `None` if fewer than two rounds have several repetitions.
    pub fn estimate(samples: &[Sample], companion: Option<Companion<'_>>) -> Option<Self> {
        let (all, outliers) = without_outliers(samples);
        let own = Covariances::estimate(all.values().map(|&(round, value)| (round, value, value)).collect())?;
        let between = own.between.max(0.0);
        let mut components = Components {
            rounds: samples.iter().map(|sample| sample.round).collect::<BTreeSet<_>>().len(),
            repetitions: own.repetitions,
            within: own.within,
            pattern: None,
            between,
            moment: None,
            outliers,
        };
        if let Some(Companion::Copy(others) | Companion::Other(others)) = companion {
            let (others, _) = without_outliers(others);
            let pair = |(repetition, &(round, value)): (&u32, &(u32, f64))| {
                others.get(repetition).map(|(_, other)| (round, value, *other))
            };
            let shared = Covariances::estimate(all.iter().filter_map(pair).collect());
            components.moment = shared.as_ref().map(|shared| shared.between.clamp(0.0, between));
            if let (Some(shared), Some(Companion::Copy(_))) = (shared, companion) {
                components.pattern = Some(shared.within.clamp(0.0, own.within));
            }
        }
        Some(components)
    }

    /// The part of the repetitions: how much the same pattern varies in the same process.
    pub fn repetition(&self) -> Option<f64> {
        self.pattern.map(|pattern| self.within - pattern)
    }

    /// The part of the processes: the luck of where things lie in memory.
    pub fn process(&self) -> Option<f64> {
        self.moment.map(|moment| self.between - moment)
    }

    /// Predicts the width of the interval of the median time, as a share of its present width, with
    /// `repetitions` times as many repetitions in `rounds` times as many rounds. Supposes normal components
    /// and independent rounds. `None` without any variance, and if there are too few rounds for an interval.
    pub fn width(&self, repetitions: usize, rounds: usize) -> Option<f64> {
        let width = |repetitions: usize, rounds: usize| {
            let per_round = repetitions as f64 / rounds as f64 * self.repetitions;
            let variance = self.between + OF_MEDIAN * self.within / per_round;
            Some(variance.sqrt() * expected_width(rounds * self.rounds)?)
        };
        let now = width(1, 1).filter(|now| *now > 0.0)?;
        Some(width(repetitions, rounds)? / now)
    }
}

/// Covariances of two algorithms within rounds and between them; of one with itself, they are variances.
struct Covariances {
    repetitions: f64,
    within: f64,
    /// May be below 0, because it is estimated as a difference of mean squares.
    between: f64,
}

impl Covariances {
    /// From rows of (round, value, value of the other).
    fn estimate(mut rows: Vec<(u32, f64, f64)>) -> Option<Self> {
        // In a run that was resumed, repetitions of one round may lie between those of another.
        rows.sort_by_key(|row| row.0);
        let (mut sum, mut degrees, mut inverse, mut several) = (0.0, 0.0, 0.0, 0);
        let mut means = Vec::new();
        for round in rows.chunk_by(|a, b| a.0 == b.0) {
            let n = round.len() as f64;
            let mean = |value: fn(&(u32, f64, f64)) -> f64| round.iter().map(value).sum::<f64>() / n;
            let (x, y) = (mean(|row| row.1), mean(|row| row.2));
            sum += round.iter().map(|row| (row.1 - x) * (row.2 - y)).sum::<f64>();
            degrees += n - 1.0;
            inverse += 1.0 / n;
            several += usize::from(round.len() > 1);
            means.push((x, y));
        }
        let rounds = means.len() as f64;
        // The spread within a single round is too poor an estimate of that within rounds.
        if several < 2 {
            return None;
        }
        let (within, repetitions) = (sum / degrees, rounds / inverse);
        let middle = |value: fn(&(f64, f64)) -> f64| means.iter().map(value).sum::<f64>() / rounds;
        let (x, y) = (middle(|mean| mean.0), middle(|mean| mean.1));
        let of_means = means.iter().map(|mean| (mean.0 - x) * (mean.1 - y)).sum::<f64>() / (rounds - 1.0);
        Some(Covariances { repetitions, within, between: of_means - within / repetitions })
    }
}

/// Logarithms of the times that are not far out, with their rounds, by repetition; and the number of those
/// that are.
fn without_outliers(samples: &[Sample]) -> (BTreeMap<u32, (u32, f64)>, usize) {
    let deviations = deviations(samples);
    let mut sorted: Vec<f64> = deviations.iter().map(|(_, deviation)| *deviation).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let quartile = |quarters: usize| sorted.get(sorted.len().saturating_sub(1) * quarters / 4).copied();
    let (Some(low), Some(high)) = (quartile(1), quartile(3)) else { return (BTreeMap::new(), 0) };
    let fence = FAR_OUT * (high - low);
    // If half of the times are equal, the quartiles coincide and would put all others far out.
    let near = |deviation: f64| fence == 0.0 || (low - fence..=high + fence).contains(&deviation);
    let kept = deviations.iter().filter(|(_, deviation)| near(*deviation));
    let kept: BTreeMap<u32, (u32, f64)> =
        kept.map(|(sample, _)| (sample.repetition, (sample.round, sample.time.ln()))).collect();
    let outliers = deviations.len() - kept.len();
    (kept, outliers)
}

/// Each sample with its deviation, the logarithm of its time over the median of its round, round by round.
/// Times of 0 are left out.
pub fn deviations(samples: &[Sample]) -> Vec<(Sample, f64)> {
    let of_round = |round: &[Sample]| {
        let timed: Vec<Sample> = round.iter().copied().filter(|sample| sample.time > 0.0).collect();
        let mut logarithms: Vec<f64> = timed.iter().map(|sample| sample.time.ln()).collect();
        let middle = if logarithms.is_empty() { 0.0 } else { median(&mut logarithms) };
        timed.into_iter().map(move |sample| (sample, sample.time.ln() - middle))
    };
    let mut by_round = samples.to_vec();
    by_round.sort_by_key(|sample| sample.round);
    by_round.chunk_by(|a, b| a.round == b.round).flat_map(of_round).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::interval::Interval;
    use crate::simulated::{DRIFTING, SimulatedMachine};

    const MACHINE: SimulatedMachine = SimulatedMachine {
        rounds: 10,
        repetitions: 50,
        drift: 0.0,
        moment: 0.06,
        placement: 0.04,
        pattern: 0.1,
        noise: 0.05,
        tail: 0.0,
    };

    /// The mean of the estimates of many runs.
    fn estimated(machine: SimulatedMachine, copy: bool) -> [Option<f64>; 6] {
        const RUNS: u32 = 300;
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let mut sums = [Some(0.0); 6];
        for _ in 0..RUNS {
            let lists = machine.run(&[1.0, 1.0], &mut rng);
            let companion = if copy { Companion::Copy(&lists[1]) } else { Companion::Other(&lists[1]) };
            let found = Components::estimate(&lists[0], Some(companion)).unwrap();
            let parts = [
                Some(found.within),
                found.pattern,
                found.repetition(),
                Some(found.between),
                found.moment,
                found.process(),
            ];
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum = sum.zip(part).map(|(sum, part)| sum + part / f64::from(RUNS));
            }
        }
        sums
    }

    #[test]
    fn each_part_of_the_variance_is_found_again() {
        let expected = [0.0125, 0.01, 0.0025, 0.0052, 0.0036, 0.0016];
        for (found, expected) in estimated(MACHINE, true).into_iter().zip(expected) {
            let found = found.unwrap();
            assert!((found / expected - 1.0).abs() < 0.15, "{found} instead of {expected}");
        }
        let other = estimated(MACHINE, false);
        assert_eq!(
            (other[1], other[2]),
            (None, None),
            "no pattern was searched for twice by the same algorithm"
        );
        assert!((other[4].unwrap() / 0.0036 - 1.0).abs() < 0.15, "{other:?}");
    }

    #[test]
    fn a_machine_without_luck_has_next_to_no_variance_between_rounds() {
        let [within, _, _, between, ..] =
            estimated(SimulatedMachine { moment: 0.0, placement: 0.0, ..MACHINE }, true);
        assert!(between.unwrap() < 0.02 * within.unwrap(), "{between:?} {within:?}");
    }

    #[test]
    fn what_is_far_out_is_counted_and_left_out() {
        let mut rng = ChaCha8Rng::seed_from_u64(13);
        let mut samples =
            SimulatedMachine { pattern: 0.0, tail: 0.0, ..DRIFTING }.run(&[1.0], &mut rng).remove(0);
        let before = Components::estimate(&samples, None).unwrap();
        samples[7].time *= 10.0;
        samples[70].time *= 5.0;
        let found = Components::estimate(&samples, None).unwrap();
        assert_eq!((before.outliers, found.outliers), (0, 2));
        assert!((found.within / before.within - 1.0).abs() < 0.1, "{found:?}");
        assert_eq!((found.pattern, found.moment, found.process()), (None, None, None));
    }

    #[test]
    fn a_round_whose_repetitions_are_all_far_out_is_still_a_round() {
        let mut rng = ChaCha8Rng::seed_from_u64(15);
        let mut samples = MACHINE.run(&[1.0], &mut rng).remove(0);
        for (i, sample) in samples.iter_mut().take(50).enumerate() {
            sample.time *= if i % 2 == 0 { 1e3 } else { 1e-3 };
        }
        let found = Components::estimate(&samples, None).unwrap();
        assert_eq!((found.rounds, found.outliers), (10, 50));
    }

    #[test]
    fn repetitions_of_a_resumed_run_belong_to_their_round_wherever_they_lie() {
        let mut rng = ChaCha8Rng::seed_from_u64(16);
        let mut samples = MACHINE.run(&[1.0], &mut rng).remove(0);
        // Some repetitions of round 2 were measured while round 3 was on.
        samples.swap(110, 160);
        let in_order = samples.clone();
        for (number, sample) in samples.iter_mut().enumerate() {
            sample.repetition = number as u32;
        }
        let found = Components::estimate(&samples, None).unwrap();
        let expected = Components::estimate(&in_order, None).unwrap();
        assert_eq!((found.rounds, found.outliers), (10, 0));
        assert!((found.within / expected.within - 1.0).abs() < 1e-9, "{found:?} {expected:?}");
    }

    #[test]
    fn the_width_falls_with_what_it_comes_from() {
        let components = |within, between, rounds| Components {
            rounds,
            repetitions: 50.0,
            within,
            pattern: None,
            between,
            moment: None,
            outliers: 0,
        };
        let close = |found: Option<f64>, expected: f64| {
            assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?} instead of {expected}");
        };
        let rounds = expected_width(20).unwrap() / expected_width(10).unwrap();
        close(components(1.0, 0.0, 10).width(2, 1), 0.5f64.sqrt());
        close(components(1.0, 0.0, 10).width(1, 2), 2f64.sqrt() * rounds);
        close(components(0.0, 1.0, 10).width(2, 1), 1.0);
        close(components(0.0, 1.0, 10).width(1, 2), rounds);
        close(components(1.0, OF_MEDIAN / 50.0, 10).width(2, 1), 0.75f64.sqrt());
        assert_eq!(components(0.0, 0.0, 10).width(2, 1), None);
        assert_eq!(components(1.0, 1.0, 5).width(1, 2), None, "five rounds have no interval");
    }

    /// By simulation: intervals of longer runs, over those of runs of ten rounds.
    #[test]
    fn a_longer_run_is_about_as_narrow_as_predicted() {
        const RUNS: usize = 2000;
        let mut rng = ChaCha8Rng::seed_from_u64(14);
        for (moment, pattern) in [(0.0, 0.1), (0.02, 0.1), (0.05, 0.02)] {
            let machine = SimulatedMachine { moment, placement: 0.0, pattern, noise: 0.0, ..MACHINE };
            let mut width = |repetitions: u32, rounds: u32| {
                let machine = SimulatedMachine {
                    rounds: rounds * 10,
                    repetitions: repetitions * 50 / rounds,
                    ..machine
                };
                let mut widths: Vec<f64> = (0..RUNS)
                    .map(|_| {
                        let times = machine.run(&[1.0], &mut rng).remove(0);
                        let values: Vec<_> = times.iter().map(|sample| (sample.round, sample.time)).collect();
                        Interval::of_median(&values).unwrap().relative_half_width()
                    })
                    .collect();
                // The typical width: of independent rounds, one in ten is widened for a correlation that is
                // chance.
                median(&mut widths)
            };
            let now = width(1, 1);
            let truth = Components {
                rounds: 10,
                repetitions: 50.0,
                within: pattern * pattern,
                pattern: None,
                between: moment * moment,
                moment: None,
                outliers: 0,
            };
            for (repetitions, rounds) in [(2, 1), (1, 2), (2, 2)] {
                let found = width(repetitions, rounds) / now;
                let predicted = truth.width(repetitions as usize, rounds as usize).unwrap();
                let off = predicted / found - 1.0;
                assert!(
                    off.abs() < 0.08,
                    "{moment} {pattern} {repetitions} {rounds}: {predicted} for {found}"
                );
            }
        }
    }

    #[test]
    fn one_round_or_lone_repetitions_have_no_parts() {
        let sample = |round, repetition| Sample { round, repetition, time: 5.0 };
        assert_eq!(Components::estimate(&[sample(0, 0), sample(0, 1)], None), None);
        assert_eq!(Components::estimate(&[sample(0, 0), sample(1, 1)], None), None);
        assert_eq!(Components::estimate(&[], None), None);
        let equal =
            Components::estimate(&[sample(0, 0), sample(0, 1), sample(1, 2), sample(1, 3)], None).unwrap();
        assert_eq!((equal.within, equal.between, equal.width(2, 2)), (0.0, 0.0, None));
    }
}
