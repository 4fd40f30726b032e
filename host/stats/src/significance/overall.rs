//! One rank over all cells, by the geometric mean of the ratios to the best of each cell.

use super::{Difference, Ratio, Standing, standings};
use crate::interval::CONFIDENCE;
use crate::rounds::{CommonRounds, RoundValues, Sample, mean, values};

/// How an algorithm does over all cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overall {
    /// In how many cells it has times.
    pub cells: usize,
    /// The rounds of those cells.
    pub common: CommonRounds,
    /// Geometric mean of its ratios to the best of each of these cells, with an interval of 95 %.
    pub to_best: Option<Ratio>,
    /// Where it stands among those that have times in all cells; `None` if it has not.
    pub standing: Option<Standing>,
}

impl Overall {
    /// The key by which results are sorted, best first: the rank, then the mean ratio. Those without one are
    /// last.
    pub fn order(&self) -> (usize, f64) {
        let rank = self.standing.map_or(usize::MAX, |standing| standing.rank);
        (rank, self.to_best.map_or(f64::INFINITY, |ratio| ratio.ratio))
    }
}

/// How each algorithm does over all cells, from the logarithms of its ratios to the best of each cell:
/// `[algorithm][cell]`, `None` where it failed. Differences below `floor`, a share of the time, are never
/// significant.
///
/// The cells of a round are averaged first, because they share its processes and its moment; the interval is
/// that of the rounds. It says something about these cells and about no others.
pub fn overall(cells: &[Vec<Option<RoundValues>>], floor: f64) -> Vec<Overall> {
    let means: Vec<RoundValues> = cells.iter().map(|cells| mean(cells.iter().flatten())).collect();
    let averages: Vec<Option<f64>> =
        cells.iter().zip(&means).map(|(cells, mean)| average_ratio(cells, mean)).collect();
    let rounds = |i: usize| Ok::<_, std::convert::Infallible>(as_samples(&means[i]));
    let Ok(standings) = standings(&averages, floor, rounds);
    let of_algorithm = |((cells, mean), standing): ((&Vec<Option<RoundValues>>, &RoundValues), _)| Overall {
        cells: cells.iter().flatten().count(),
        common: CommonRounds::among(cells.iter().flatten()),
        to_best: Difference::paired(&values(mean)).and_then(|difference| difference.ratio(CONFIDENCE)),
        standing,
    };
    cells.iter().zip(&means).zip(standings).map(of_algorithm).collect()
}

/// The geometric mean of an algorithm's ratios, of one that has all cells.
fn average_ratio(cells: &[Option<RoundValues>], mean: &RoundValues) -> Option<f64> {
    let complete = cells.iter().all(Option::is_some) && !mean.is_empty();
    complete.then(|| (values(mean).iter().sum::<f64>() / mean.len() as f64).exp())
}

/// Rounds as if each were one repetition: of overall means, a round is one observation.
fn as_samples(rounds: &RoundValues) -> Vec<Sample> {
    rounds.iter().map(|&(round, value)| Sample { round, repetition: round, time: value.exp() }).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::rounds::log_ratios;
    use crate::significance::PLACEMENT_FLOOR;
    use crate::simulated::{DRIFTING, SimulatedMachine, percent};

    fn rounds(values: &[f64]) -> Option<RoundValues> {
        Some((0..).zip(values.iter().map(|value| value.ln())).collect())
    }

    #[test]
    fn an_algorithm_that_failed_in_a_cell_has_a_mean_of_the_others_and_no_rank() {
        let best = rounds(&[1.0; 3]);
        let found = overall(
            &[
                vec![best.clone(), rounds(&[4.0, 4.01, 4.02])],
                vec![rounds(&[9.0, 9.01, 9.02]), best.clone()],
                vec![best.clone(), None],
            ],
            PLACEMENT_FLOOR,
        );
        let ranks: Vec<_> =
            found.iter().map(|o| (o.cells, o.standing.map(|standing| standing.rank))).collect();
        assert_eq!(ranks, [(2, Some(1)), (2, Some(2)), (1, None)]);
        let ratios: Vec<f64> = found.iter().map(|overall| overall.to_best.unwrap().ratio).collect();
        assert!((ratios[0] - 2.0).abs() < 0.01 && (ratios[1] - 3.0).abs() < 0.01 && ratios[2] == 1.0);
        let ratio = found[1].standing.unwrap().to_best.ratio;
        assert!((ratio - 1.5).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn without_rounds_nothing_is_known_overall() {
        let one = overall(&[vec![rounds(&[1.0])], vec![None]], 0.0);
        assert!(one.iter().all(|overall| overall.to_best.is_none() && overall.standing.is_none()), "{one:?}");
        assert_eq!(overall(&[], 0.0), []);
    }

    /// Truths of three algorithms at three lengths: the ratios of the third to the best are 2, 1.5 and 3.
    #[test]
    fn the_interval_of_an_overall_mean_covers_it_as_often_as_it_says() {
        let truths: [&[f64]; 3] = [&[1.0, 1.3, 2.0], &[1.2, 1.0, 1.5], &[1.0, 1.1, 3.0]];
        let best = [0, 1, 0];
        let truth = 9.0f64.cbrt();
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for placement in [0.01, 0.05] {
            let machine = SimulatedMachine { placement, ..DRIFTING };
            let covered = percent(600, || {
                let cells = machine.cells(&truths, &mut rng);
                let to_best = |i: usize| {
                    let cell =
                        |(lists, best): (&Vec<Vec<Sample>>, usize)| Some(log_ratios(&lists[i], &lists[best]));
                    cells.iter().zip(best).map(cell).collect()
                };
                let found = overall(&(0..3).map(to_best).collect::<Vec<_>>(), PLACEMENT_FLOOR);
                let ratio = found[2].to_best.unwrap();
                ratio.low <= truth && truth <= ratio.high
            });
            assert!((93.0..=97.0).contains(&covered), "{covered} % with {placement}");
        }
    }
}
