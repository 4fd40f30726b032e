//! The course of an algorithm through a run: how its rounds and its first repetitions go, over all cells
//! together.

use crate::components::deviations;
use crate::disturbance::{FEWEST_ROUNDS, drift, slow_first, two_modes};
use crate::rounds::{RoundValues, Sample, log_times, mean, values};

/// The course of one algorithm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// For each cell, the logarithms of its rounds less their mean.
    rounds: Vec<RoundValues>,
    /// For the first repetition of each round of each cell: its rank among all by time, as a share from 0 to
    /// 1, and the logarithm of its time over the median of the round.
    firsts: Vec<(f64, f64)>,
}

/// A disturbance of a run. Shares are those of the time.
#[derive(Clone, Debug, PartialEq)]
pub enum Disturbance {
    /// Everything takes longer by this share in the last round than in the first, or less if it is below 0.
    Drift(f64),
    /// The rounds of an algorithm (its number) form two groups that lie apart by this share.
    TwoModes(usize, f64),
    /// The first repetition of a round takes longer by this share with an algorithm (its number).
    SlowFirst(usize, f64),
}

impl Course {
    /// Adds the times of a cell, in the order of the repetitions.
    pub fn add(&mut self, times: &[Sample]) {
        let mut rounds = log_times(times);
        let middle = rounds.iter().map(|(_, value)| value).sum::<f64>() / rounds.len().max(1) as f64;
        rounds.iter_mut().for_each(|(_, value)| *value -= middle);
        if !rounds.is_empty() {
            self.rounds.push(rounds);
        }
        for round in deviations(times).chunk_by(|a, b| a.0.round == b.0.round) {
            let first = round[0].1;
            let below = round.iter().filter(|(_, deviation)| *deviation < first).count();
            if round.len() > 1 {
                self.firsts.push((below as f64 / (round.len() - 1) as f64, first));
            }
        }
    }

    /// How many rounds of two repetitions or more there are, over all cells.
    pub fn first_repetitions(&self) -> usize {
        self.firsts.len()
    }
}

/// The mean course of all algorithms in each round that all of their cells have.
pub fn shared_rounds(courses: &[Course]) -> RoundValues {
    mean(courses.iter().flat_map(|course| &course.rounds))
}

/// Whether slow first repetitions can be looked for.
pub fn can_show_slow_first(courses: &[Course]) -> bool {
    courses.iter().any(|course| course.firsts.len() >= FEWEST_ROUNDS)
}

/// Whether a drift and two modes can be looked for.
pub fn can_show_drift(courses: &[Course]) -> bool {
    shared_rounds(courses).len() >= FEWEST_ROUNDS
}

/// The disturbances of a run: a drift that all share, then two modes and slow first repetitions of each
/// algorithm.
pub fn disturbances(courses: &[Course]) -> Vec<Disturbance> {
    let shared = shared_rounds(courses);
    let drift = drift(&values(&shared)).map(Disturbance::Drift);
    let modes = courses.iter().enumerate().filter_map(|(number, course)| {
        let own = mean(course.rounds.iter());
        // What all algorithms share in a round is no mode of this one's processes; a single algorithm shares
        // nothing.
        let own = if courses.len() > 1 { less(&own, &shared) } else { values(&own) };
        two_modes(&own, courses.len()).map(|apart| Disturbance::TwoModes(number, apart))
    });
    let slow = courses.iter().enumerate().filter_map(|(number, course)| {
        slow_first(&course.firsts, courses.len()).map(|share| Disturbance::SlowFirst(number, share))
    });
    drift.into_iter().chain(modes).chain(slow).collect()
}

/// Values less those of the same rounds; rounds that only one side has are left out.
fn less(rounds: &RoundValues, shared: &RoundValues) -> Vec<f64> {
    let difference = |(round, value): &(u32, f64)| {
        let place = shared.binary_search_by_key(round, |(round, _)| *round).ok()?;
        Some(value - shared[place].1)
    };
    rounds.iter().filter_map(difference).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::simulated::{DRIFTING, SimulatedMachine};

    const QUIET: SimulatedMachine =
        SimulatedMachine { drift: 0.0, placement: 0.002, pattern: 0.02, noise: 0.02, tail: 0.0, ..DRIFTING };

    /// The courses of three algorithms on a simulated machine, whose times are multiplied by `change`.
    fn courses(machine: SimulatedMachine, change: fn(usize, &Sample) -> f64) -> Vec<Course> {
        let lists = machine.run(&[1.0, 1.0, 1.5], &mut ChaCha8Rng::seed_from_u64(30));
        let changed = |(number, list): (usize, Vec<Sample>)| {
            let times = list.iter().map(|one| Sample { time: one.time * change(number, one), ..*one });
            let mut course = Course::default();
            course.add(&times.collect::<Vec<_>>());
            course
        };
        lists.into_iter().enumerate().map(changed).collect()
    }

    #[test]
    fn each_disturbance_is_found_and_a_quiet_run_has_none() {
        let quiet = courses(QUIET, |_, _| 1.0);
        assert_eq!(disturbances(&quiet), []);
        assert!(can_show_drift(&quiet) && can_show_slow_first(&quiet));
        let drifting = disturbances(&courses(SimulatedMachine { drift: 0.5, ..QUIET }, |_, _| 1.0));
        assert!(
            matches!(drifting[..], [Disturbance::Drift(share)] if (0.3..0.6).contains(&share)),
            "{drifting:?}"
        );
        let modes = |number, one: &Sample| if number == 1 && one.round.is_multiple_of(2) { 1.2 } else { 1.0 };
        let modes = disturbances(&courses(QUIET, modes));
        assert!(modes.iter().any(|one| matches!(one, Disturbance::TwoModes(1, _))), "{modes:?}");
        let first =
            |number, one: &Sample| if number == 2 && one.repetition.is_multiple_of(20) { 1.15 } else { 1.0 };
        let first = disturbances(&courses(QUIET, first));
        assert!(first.iter().any(|one| matches!(one, Disturbance::SlowFirst(2, _))), "{first:?}");
    }

    #[test]
    fn without_rounds_nothing_can_be_shown() {
        let none = [Course::default()];
        assert!(!can_show_drift(&none) && !can_show_slow_first(&none));
        assert_eq!((disturbances(&none), none[0].first_repetitions()), (Vec::new(), 0));
    }
}
