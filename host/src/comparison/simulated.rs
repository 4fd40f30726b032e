//! A simulated machine: what the comparisons claim is tried on times whose truth is known.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Sample;
pub use crate::interval::tests::normal;

/// How a machine errs. Spreads are those of logarithms: 0.05 is about 5 %.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Rounds, each with a moment and processes of its own.
    pub rounds: u32,
    /// Repetitions of a round, each with a pattern of its own.
    pub repetitions: u32,
    /// By how much all get slower from the first round to the last, as a share.
    pub drift: f64,
    /// Spread of the moments of the rounds, which all algorithms share.
    pub moment: f64,
    /// Spread of the luck that each process has with its place in memory.
    pub placement: f64,
    /// Spread of the patterns, which all algorithms share.
    pub pattern: f64,
    /// Spread of the repetitions.
    pub noise: f64,
    /// Share of the repetitions that take half as long again.
    pub tail: f64,
}

/// Patterns that differ a lot, a machine that drifts by 50 %, noise with a tail, and no luck.
pub const DRIFTING: Machine = Machine {
    rounds: 10,
    repetitions: 20,
    drift: 0.5,
    moment: 0.0,
    placement: 0.0,
    pattern: 0.3,
    noise: 0.02,
    tail: 0.023,
};

impl Machine {
    /// The times of algorithms that take so long, in one run: `[algorithm]`.
    pub fn run(&self, truths: &[f64], rng: &mut ChaCha8Rng) -> Vec<Vec<Sample>> {
        self.cells(&[truths], rng).remove(0)
    }

    /// The times of algorithms that take so long at each pattern length, in one run: `[length][algorithm]`. All lengths of a
    /// round have its moment and its processes.
    pub fn cells(&self, truths: &[&[f64]], rng: &mut ChaCha8Rng) -> Vec<Vec<Vec<Sample>>> {
        let mut rng = ChaCha8Rng::seed_from_u64(rng.random());
        let mut cells: Vec<Vec<Vec<Sample>>> = truths.iter().map(|of| vec![Vec::new(); of.len()]).collect();
        for round in 0..self.rounds {
            let drift = (self.drift * f64::from(round) / f64::from(self.rounds)).ln_1p();
            let moment = drift + self.moment * normal(&mut rng);
            let processes = truths.iter().map(|of| of.len()).max().unwrap_or_default();
            let luck: Vec<f64> = (0..processes).map(|_| self.placement * normal(&mut rng)).collect();
            for (truths, lists) in truths.iter().zip(&mut cells) {
                for repetition in round * self.repetitions..(round + 1) * self.repetitions {
                    let pattern = self.pattern * normal(&mut rng);
                    for ((truth, list), luck) in truths.iter().zip(lists.iter_mut()).zip(&luck) {
                        let tail = if rng.random::<f64>() < self.tail { 1.5 } else { 1.0 };
                        let logarithm = moment + pattern + luck + self.noise * normal(&mut rng);
                        let time = 100.0 * truth * tail * logarithm.exp();
                        list.push(Sample { round, repetition, time });
                    }
                }
            }
        }
        cells
    }
}

/// How many percent of so many trials do.
pub fn percent(trials: u32, mut does: impl FnMut() -> bool) -> f64 {
    let count = (0..trials).filter(|_| does()).count();
    100.0 * count as f64 / f64::from(trials)
}

mod tests {
    use super::super::*;
    use super::*;
    use crate::interval::CONFIDENCE;

    fn covers(ratio: Ratio, truth: f64) -> bool {
        ratio.low <= truth && truth <= ratio.high
    }

    #[test]
    fn intervals_cover_the_truth_as_often_as_they_say() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (truth, placement) in [(1.0, 0.0), (1.1, 0.01), (1.0, 0.05)] {
            let machine = Machine { placement, ..DRIFTING };
            let percent = percent(1000, || {
                let lists = machine.run(&[truth, 1.0], &mut rng);
                covers(Ratio::of(&lists[0], &lists[1], 1).unwrap(), truth)
            });
            assert!((93.0..=97.0).contains(&percent), "{percent} % with {truth} and {placement}");
        }
    }

    #[test]
    fn intervals_of_two_runs_cover_the_truth_as_often_as_they_say() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        for (drift, placement, moment) in [(0.0, 0.05, 0.0), (0.0, 0.01, 0.02), (0.0, 0.0, 0.05)] {
            let machine = Machine { drift, placement, moment, pattern: 0.1, ..DRIFTING };
            let percent = percent(1000, || {
                let [these, others] =
                    [1.1, 1.0].map(|truth| of_each_round(&machine.run(&[truth], &mut rng)[0]));
                let [these, others] = [&these, &others].map(|list| values(list));
                covers(Difference::unpaired(&these, &others).unwrap().ratio(CONFIDENCE), 1.1)
            });
            assert!((93.0..=97.0).contains(&percent), "{percent} % with {placement} and {moment}");
        }
    }

    #[test]
    fn intervals_of_two_runs_are_wide_where_machines_drift() {
        // Drift is no luck of a round: its spread is taken for luck, and the interval is wider than it must be.
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let machine = Machine { placement: 0.05, ..DRIFTING };
        let percent = percent(500, || {
            let lists = [1.1, 1.0].map(|truth| values(&of_each_round(&machine.run(&[truth], &mut rng)[0])));
            covers(Difference::unpaired(&lists[0], &lists[1]).unwrap().ratio(CONFIDENCE), 1.1)
        });
        assert!(percent >= 97.0, "{percent} %");
    }

    fn values(rounds: &[(u32, f64)]) -> Vec<f64> {
        rounds.iter().map(|(_, value)| *value).collect()
    }

    #[test]
    fn copies_of_one_algorithm_are_hardly_ever_called_different_and_a_real_difference_is() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let mut different = |truth: f64, placement: f64| {
            let machine = Machine { placement, ..DRIFTING };
            percent(1000, || {
                let lists = machine.run(&[truth, 1.0], &mut rng);
                Ratio::of(&lists[0], &lists[1], 1).unwrap().verdict(PLACEMENT_FLOOR) != Verdict::NotTold
            })
        };
        let found =
            [different(1.0, 0.005), different(1.0, 0.05), different(1.05, 0.005), different(1.5, 0.05)];
        assert!(found[0] == 0.0 && found[1] < 5.0, "{found:?}");
        assert!(found[2] > 95.0 && found[3] > 95.0, "{found:?}");
    }

    /// Without a floor, at most 5 % of the runs may claim any difference; of a single comparison, 5 % do.
    #[test]
    fn copies_that_are_judged_together_raise_a_false_alarm_in_at_most_5_percent_of_the_runs() {
        let mut rng = ChaCha8Rng::seed_from_u64(10);
        let machine = Machine { placement: 0.05, ..DRIFTING };
        let mut alarms = |others: usize| {
            percent(600, || {
                let lists = machine.run(&vec![1.0; others + 1], &mut rng);
                let beside = |list: &Vec<Sample>| Difference::paired(&values(&by_pattern(list, &lists[0])));
                let judged = judge(&lists[1..].iter().map(beside).collect::<Vec<_>>(), 0.0);
                judged.iter().any(|judged| judged.unwrap().verdict != Verdict::NotTold)
            })
        };
        let (one, six) = (alarms(1), alarms(6));
        assert!((3.0..=7.0).contains(&one), "{one} % of one comparison");
        assert!((1.0..=6.5).contains(&six), "{six} % of six together");
    }
}
