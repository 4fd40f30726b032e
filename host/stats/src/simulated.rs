//! A simulated machine: what the statistics claim is tried on times whose truth is known. For tests only.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::rounds::Sample;

/// How a machine errs. Spreads are standard deviations of logarithms: 0.05 is about 5 %.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedMachine {
    /// Number of rounds, each with a moment and processes of its own.
    pub rounds: u32,
    /// Number of repetitions in a round, each with a pattern of its own.
    pub repetitions: u32,
    /// By how much everything gets slower from the first round to the last, as a share.
    pub drift: f64,
    /// Spread of the moments of the rounds, which all algorithms share.
    pub moment: f64,
    /// Spread of the luck of each process with its place in memory.
    pub placement: f64,
    /// Spread of the patterns, which all algorithms share.
    pub pattern: f64,
    /// Spread of the repetitions.
    pub noise: f64,
    /// Share of the repetitions that take 1.5 times as long.
    pub tail: f64,
}

/// Patterns that differ a lot, a drift of 50 %, noise with a tail, and no luck of placement.
pub const DRIFTING: SimulatedMachine = SimulatedMachine {
    rounds: 10,
    repetitions: 20,
    drift: 0.5,
    moment: 0.0,
    placement: 0.0,
    pattern: 0.3,
    noise: 0.02,
    tail: 0.023,
};

impl SimulatedMachine {
    /// Times of one run, `[algorithm]`, of algorithms that truly take 100 times `truths`.
    pub fn run(&self, truths: &[f64], rng: &mut ChaCha8Rng) -> Vec<Vec<Sample>> {
        self.cells(&[truths], rng).remove(0)
    }

    /// Times of one run, `[length][algorithm]`, of algorithms that truly take 100 times
    /// `truths[length][algorithm]`. All lengths of a round share its moment and its processes.
    pub fn cells(&self, truths: &[&[f64]], rng: &mut ChaCha8Rng) -> Vec<Vec<Vec<Sample>>> {
        let mut rng = ChaCha8Rng::seed_from_u64(rng.random());
        let mut cells: Vec<Vec<Vec<Sample>>> =
            truths.iter().map(|length| vec![Vec::new(); length.len()]).collect();
        for round in 0..self.rounds {
            let drift = (self.drift * f64::from(round) / f64::from(self.rounds)).ln_1p();
            let moment = drift + self.moment * normal(&mut rng);
            let processes = truths.iter().map(|length| length.len()).max().unwrap_or_default();
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

/// A draw from the normal distribution with mean 0 and standard deviation 1, nearly: the sum of twelve
/// uniform draws.
pub fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// In how many percent of the trials something holds.
pub fn percent(trials: u32, mut holds: impl FnMut() -> bool) -> f64 {
    let count = (0..trials).filter(|_| holds()).count();
    100.0 * count as f64 / f64::from(trials)
}
